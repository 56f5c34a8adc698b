"""`tacit solve`: plan together, disclose little."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tacit.cli import declared_options, options
from tacit.errors import ExitCode, LimitReached
from tacit.public.run_options import RunOptions
from tacit.public.settings import Settings
from tacit.watch import limited

if TYPE_CHECKING:
    from rich.console import Console

    from tacit.central.analysis.release import Release
    from tacit.central.instance import Instance
    from tacit.central.price_policy import PricePolicy
    from tacit.central.result import Result
    from tacit.central.session import Limits, Session
    from tacit.central.solve import Asked
    from tacit.choices import Solver
    from tacit.public.protocol.messages import Status


@click.command(short_help="Find a joint plan under a disclosure budget.")
@options.problem
@options.k
@options.percent
@click.option(
    "--first", is_flag=True, help="The smallest k that solves with few repairs [default]."
)
@click.option(
    "--iterative",
    is_flag=True,
    help="Disclose nothing, then one edge per agent and round, in one search (mafs).",
)
@options.weights
@click.option("--budget", type=click.IntRange(min=0), help="What every agent may spend, in prices.")
@declared_options.run_options()
@options.profile_name
@declared_options.settings()
@click.option("--plan-file", type=click.Path(path_type=Path), help="Write the plan here too.")
@click.option("--edges", is_flag=True, help="Show by name what each agent disclosed.")
@options.plugins
@options.as_json
@options.verbose
def command(
    problem: tuple[str, ...],
    k: int | None,
    percent: float | None,
    first: bool,
    iterative: bool,
    weights: Path | None,
    budget: int | None,
    profile_name: str,
    plan_file: Path | None,
    edges: bool,
    plugins: tuple[Path, ...],
    as_json: bool,
    verbose: int,
    **choices: Any,
) -> int:
    """Plan for PROBLEM; every agent discloses at most k of its private dependencies.

    Without --k, --percent or --budget, the smallest k that solves is searched for. With --budget,
    every agent discloses what it pays for, unless --k, --percent, --first or --iterative says less.
    """
    from tacit.central.analysis.release import what_to_release
    from tacit.central.instance import load
    from tacit.central.price_policy import PricePolicy
    from tacit.central.result import ended
    from tacit.central.session import Limits, Session
    from tacit.choices import SOLVERS, settings_of
    from tacit.cli.progress import watching

    options.check_budget(budget, weights)
    prices = PricePolicy(options.read_weights(weights), budget)
    options.load_plugins(plugins)
    run = RunOptions(**declared_options.given(RunOptions, choices))
    solver = SOLVERS.get(run.solver)
    asked = _asked(k, percent, first, iterative, solver)
    settings = settings_of(profile_name, **declared_options.given(Settings, choices))
    limits = Limits(run.seconds, run.max_repairs)
    with limited(run.seconds, run.memory), watching(solver.agents_search) as watch:
        try:
            instance = load(problem)
            options.show_warnings(instance.source.warnings, verbose)
            session = Session(instance, settings, run, prices, watcher=watch)
        except LimitReached as limit:
            return _print_early(ended(limit), settings, run, profile_name, as_json)
        options.show_warnings(session.warnings, verbose)
        result, is_over = _plan(session, asked, limits)
        edges &= is_over and result.phase is None
        released = what_to_release(instance, settings, prices, result, limits, run.seed)
    cost = result.verdict.cost if result.verdict else None
    with options.plan_file(plan_file, result.plan, cost):
        if as_json:
            _print_json(result, _chosen(run, settings, profile_name, prices), run.seed, released)
        else:
            _print_plain(instance, session, result, edges, released)
    session.close()
    if result.solved and result.phase is not None:
        text = f"A limit was reached while {result.phase}: this is the best so far; less might do."
        click.echo(text, err=True)
    return options.exit_code(result.outcome.value) if is_over else _interrupted()


def _asked(
    k: int | None, percent: float | None, first: bool, iterative: bool, solver: type[Solver]
) -> Asked:
    """Which budget the user wants; a usage error if that is not clear, or not possible."""
    from tacit.central.solve import Asked
    from tacit.choices import SOLVERS

    if sum((k is not None, percent is not None, first, iterative)) > 1:
        raise click.UsageError("--k, --percent, --first and --iterative exclude each other.")
    if iterative and not solver.iterates:
        able = " or ".join(name for name in SOLVERS if SOLVERS.get(name).iterates)
        text = f"--iterative lets k grow inside a search: it needs --solver {able}."
        raise click.UsageError(text)
    return Asked(k, percent, first, iterative)


def _interrupted() -> int:
    click.echo("Interrupted: this is the best so far; less might do.", err=True)
    return int(ExitCode.INTERRUPTED)


def _print_early(
    result: Result, settings: Settings, run: RunOptions, profile_name: str, as_json: bool
) -> int:
    """A limit was reached before anything could be tried; the exit code."""
    from tacit.cli import render
    from tacit.cli.advice import advice

    if as_json:
        _print_json(result, _chosen(run, settings, profile_name), run.seed, None)
    else:
        out = render.console()
        out.print(f"[bold]{result.outcome.value}[/] while {result.phase}")
        out.print(advice(result, True, 0, settings), highlight=False)
    return options.exit_code(result.outcome.value)


def _plan(session: Session, asked: Asked, limits: Limits) -> tuple[Result, bool]:
    """The result; False if the user did not wait for the end."""
    try:
        return asked.of(session, limits), True
    except KeyboardInterrupt:
        if session.found is None:
            raise
        return session.found, False


def _chosen(
    run: RunOptions, settings: Settings, profile_name: str, prices: PricePolicy | None = None
) -> dict[str, Any]:
    """What the run was done with: all that its solver understands, by name."""
    import msgspec

    from tacit.choices import SOLVERS

    understood = SOLVERS.get(run.solver).understands
    named: dict[str, Any] = msgspec.to_builtins(run) | msgspec.to_builtins(settings)
    named["harden"] = ",".join(named["harden"])
    chosen: dict[str, Any] = {"solver": run.solver, "profile": profile_name, "ranking": run.ranking}
    chosen |= {"ties": run.ties, "threats": settings.threats.value}
    chosen |= {name: value for name, value in named.items() if name in understood}
    chosen.pop("extension", None)  # in the result it says how the plan was made
    if prices is not None and prices.weights is not None:
        chosen["budget"] = prices.budget
    return chosen


def _print_json(
    result: Result,
    chosen: dict[str, Any],
    seed: int,
    released: Release | None,
) -> None:
    verdict = result.verdict
    options.emit_json(
        "solve",
        seed,
        solved=result.solved,
        outcome=result.outcome.value,
        **chosen,
        k=result.k,
        **({} if result.refuted is None else {"iterative": {"refuted": result.refuted}}),
        phase=result.phase,
        extension=result.extension,
        solved_by=result.solved_by,
        changed_over=result.changed_over,
        agents={
            agent: {
                "dependencies": total,
                "disclosed": result.disclosed.get(agent, 0),
                "repairs": result.repairs.get(agent, 0),
                "replanned": (result.replanned or {}).get(agent, 0),
                **_prices(result, agent),
                **_search_counts(result.searches.get(agent)),
            }
            for agent, total in result.dependencies.items()
        },
        **({} if released is None else {"release": released.as_json()}),
        plan=[str(step) for step in result.plan.steps] if result.plan else None,
        plan_length=verdict.length if verdict else None,
        cost=verdict.cost if verdict else None,
        makespan=verdict.makespan if verdict else None,
        makespan_paper=verdict.makespan_paper if verdict else None,
        seconds=result.seconds,
        search=vars(result.counters),
    )


def _prices(result: Result, agent: str) -> dict[str, int]:
    """What an agent paid, if prices were given."""
    found = result.accounts.get(agent)
    if found is None:
        return {}
    return {"price": found.edges, "price_of_repairs": found.repairs, "never": found.never}


def _search_counts(status: Status | None) -> dict[str, int]:
    """What an agent's own search did, if it had one."""
    if status is None:
        return {}
    return {
        "expanded": status.expanded,
        "evaluated": status.evaluated,
        "generated": status.generated,
        "sent": status.states_sent,
        "received": status.states_received,
        "deferred": status.deferred,
        "bytes": status.bytes_sent,
    }


def _print_plain(
    instance: Instance,
    session: Session,
    result: Result,
    edges: bool,
    released: Release | None,
) -> None:
    from tacit.central.validate.judge import timetable
    from tacit.cli import render
    from tacit.cli.advice import advice, on_the_way

    out = render.console()
    if result.plan is None or result.verdict is None:
        phase = "" if result.phase is None else f", while {result.phase}"
        out.print(f"[bold]{result.outcome.value}[/] at k = {result.k}{phase}")
        _print_if(out, on_the_way(result))
        for line in released.lines(edges) if released is not None else ():
            out.print(line, markup=False)
        if released is None and session.budget is not None and result.outcome.value == "no plan":
            out.print("There is no plan with what this budget pays for. Try a larger --budget.")
        elif released is None:
            searches = session.solver.agents_search
            text = advice(result, searches, session.largest, session.settings)
            out.print(text, highlight=False)
        if result.changed_over:
            out.print(render.changed_over(result))
        out.print(render.disclosure_table(result))
        return
    budget = "" if session.budget is None else f"a budget of {session.budget} and "
    out.print(render.heading(f"{instance.name}: solved with {budget}k = {result.k}"))
    _print_if(out, on_the_way(result))
    out.print(render.disclosure_table(result))
    if result.changed_over:
        out.print(render.changed_over(result))
    if result.replanned is not None:
        out.print(render.replanned(result.replanned))
    out.print(render.lanes(timetable(instance.source, result.plan), instance.agents))
    out.print(f"[bold green]valid[/]: {result.verdict.message}")
    spent = ", ".join(f"{what} {time * 1000:.0f} ms" for what, time in result.seconds.items())
    out.print(f"CPU time: {spent}.")
    for name in instance.agents if edges else ():
        out.print(render.heading(f"\nDisclosed by {name}"))
        for edge in session.edges(name):
            out.print(edge, markup=False)


def _print_if(out: Console, line: str) -> None:
    if line:
        out.print(line, highlight=False)

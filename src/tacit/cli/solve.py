"""`tacit solve`: plan together, disclose little."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tacit.cli import options
from tacit.errors import ExitCode, LimitReached
from tacit.watch import limited

if TYPE_CHECKING:
    from rich.console import Console

    from tacit.central.analysis.release import Release
    from tacit.central.instance import Instance
    from tacit.central.solve import Limits, Result, Session
    from tacit.public.protocol.messages import Status
    from tacit.public.settings import Settings


@click.command(short_help="Find a joint plan under a disclosure budget.")
@options.problem
@click.option(
    "--solver", type=click.Choice(["projection", "mafs"]), default="projection", show_default=True
)
@options.ranking
@options.k
@options.percent
@click.option(
    "--first", is_flag=True, help="The smallest k that solves with few repairs [default]."
)
@click.option(
    "--iterative",
    is_flag=True,
    help="Disclose nothing, then one edge per agent and round, in one forward search.",
)
@options.weights
@click.option("--budget", type=click.IntRange(min=0), help="What every agent may spend, in prices.")
@options.profile_name
@options.chain
@options.no_op
@options.threats
@options.extension
@click.option("--max-repairs", type=click.IntRange(min=0), default=10_000, show_default=True)
@click.option(
    "--planner",
    type=click.Choice(["native", "fd"]),
    default="native",
    show_default=True,
    help="Who searches the projection; fd is Fast Downward (extra 'fd').",
)
@click.option(
    "--change-over/--no-change-over",
    default=True,
    show_default=True,
    help="Go on by forward search where repairs of the projection get no further (profile tacit).",
)
@options.rule
@options.harden
@options.recipients
@click.option(
    "--own-values",
    is_flag=True,
    help="Forward search sends heuristic values, which tell private costs, as in the paper.",
)
@click.option("--heuristic", default="ff", show_default=True, help="What guides forward search.")
@click.option(
    "--drive",
    type=click.Choice(["threads", "processes", "roundrobin"]),
    default="threads",
    show_default=True,
    help="How the agents of forward search run; roundrobin is repeatable.",
)
@options.seed
@options.ties
@options.time_limit
@options.memory_limit
@click.option("--plan-file", type=click.Path(path_type=Path), help="Write the plan here too.")
@click.option("--edges", is_flag=True, help="Show by name what each agent disclosed.")
@options.plugins
@options.as_json
@options.verbose
def command(
    problem: tuple[str, ...],
    solver: str,
    ranking: str,
    k: int | None,
    percent: float | None,
    first: bool,
    iterative: bool,
    weights: Path | None,
    budget: int | None,
    profile_name: str,
    max_repairs: int,
    planner: str,
    change_over: bool,
    harden: str,
    own_values: bool,
    heuristic: str,
    drive: str,
    seed: int,
    ties: int | None,
    time_limit: float | None,
    memory_limit: int | None,
    plan_file: Path | None,
    edges: bool,
    plugins: tuple[Path, ...],
    as_json: bool,
    verbose: int,
    **choices: str | None,
) -> int:
    """Plan for PROBLEM; every agent discloses at most k of its private dependencies.

    Without --k, --percent or --budget, the smallest k that solves is searched for. With --budget,
    everybody discloses what it pays for, unless --k, --percent, --first or --iterative says less.
    """
    from tacit.central.analysis.release import what_to_release
    from tacit.central.billing import Bill
    from tacit.central.instance import load
    from tacit.central.solve import Limits, Means, Session, ended
    from tacit.cli.progress import watching

    if sum((k is not None, percent is not None, first, iterative)) > 1:
        raise click.UsageError("--k, --percent, --first and --iterative exclude each other.")
    if iterative and solver != "mafs":
        raise click.UsageError("--iterative is a way of forward search: it needs --solver mafs.")
    options.check_budget(budget, weights)
    bill = Bill(options.read_weights(weights), budget)
    options.load_plugins(plugins)
    settings = options.settings(profile_name, harden, own_values, **choices)
    memory = memory_limit * 2**20 if memory_limit else None
    limits = Limits(math.inf if time_limit is None else time_limit, max_repairs)
    chosen = {"solver": solver, "profile": profile_name, "ranking": ranking, "ties": ties}
    chosen |= _forward_choices(settings, heuristic, drive) if solver == "mafs" else {}
    chosen |= {} if bill.weights is None else {"budget": budget}
    chosen |= {"threats": settings.threats.value}
    with limited(limits.seconds, memory), watching(solver) as watch:
        means = Means(
            solver, planner, memory, heuristic, drive, watch=watch, change_over=change_over
        )
        try:
            instance = load(problem, seed)
            options.show_warnings(instance.source.warnings, verbose)
            session = Session(instance, settings, ranking, seed, means, ties, bill)
        except LimitReached as limit:
            return _print_early(ended(limit), settings, chosen if as_json else None, seed)
        options.show_warnings(session.warnings, verbose)
        if percent is not None:
            k = math.ceil(session.largest * percent / 100)
        elif budget is not None and not (first or iterative) and k is None:
            k = session.largest
        result, is_over = _plan(session, k, iterative, limits)
        edges &= is_over and result.phase is None
        released = what_to_release(instance, settings, bill, result, limits, seed)
    cost = result.verdict.cost if result.verdict else None
    with options.plan_file(plan_file, result.plan, cost):
        if as_json:
            _print_json(result, chosen, seed, released)
        else:
            _print_plain(instance, session, result, solver, edges, released)
    session.close()
    if result.solved and result.phase is not None:
        text = f"A limit was reached while {result.phase}: this is the best so far; less might do."
        click.echo(text, err=True)
    return options.exit_code(result.outcome.value) if is_over else _interrupted()


def _interrupted() -> int:
    click.echo("Interrupted: this is the best so far; less might do.", err=True)
    return int(ExitCode.INTERRUPTED)


def _print_early(
    result: Result, settings: Settings, chosen: dict[str, str | int | None] | None, seed: int
) -> int:
    """A limit was reached before anything could be tried; the exit code."""
    from tacit.cli import render
    from tacit.cli.advice import advice

    if chosen is not None:
        _print_json(result, chosen, seed, None)
    else:
        out = render.console()
        out.print(f"[bold]{result.outcome.value}[/] while {result.phase}")
        out.print(advice(result, "", 0, settings), highlight=False)
    return options.exit_code(result.outcome.value)


def _plan(session: Session, k: int | None, iterative: bool, limits: Limits) -> tuple[Result, bool]:
    """Plan at k or the smallest that solves; False if somebody did not wait for that."""
    if iterative:
        return session.iterate(limits), True
    if k is not None:
        return session.at(k, limits), True
    try:
        return session.first(limits), True
    except KeyboardInterrupt:
        if session.found is None:
            raise
        return session.found, False


def _forward_choices(settings: Settings, heuristic: str, drive: str) -> dict[str, str | int | None]:
    return {
        "rule": settings.rule.value,
        "heuristic": heuristic,
        "drive": drive,
        "harden": ",".join(item.value for item in settings.harden),
        "recipients": settings.recipients.value,
        "own_values": settings.own_values,
    }


def _print_json(
    result: Result,
    chosen: dict[str, str | int | None],
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
        "parked": status.parked,
        "bytes": status.bytes_sent,
    }


def _print_plain(
    instance: Instance,
    session: Session,
    result: Result,
    solver: str,
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
            out.print("There is none with what this budget pays for. Try a larger --budget.")
        elif released is None:
            out.print(advice(result, solver, session.largest, session.settings), highlight=False)
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

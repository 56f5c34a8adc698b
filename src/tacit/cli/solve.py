"""`tacit solve`: find a joint plan that discloses little."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tacit.cli import declared_options, options
from tacit.cli.grouped import OFFLINE, OUTPUT, Command, option
from tacit.errors import ExitCode, LimitReached
from tacit.public.run_options import RunOptions
from tacit.public.settings import Settings
from tacit.watch import limited
from tacit.words import counted

if TYPE_CHECKING:
    from tacit.central.analysis.explain import Explanation
    from tacit.central.price_policy import PricePolicy
    from tacit.central.result import Result
    from tacit.central.session import Limits, Session
    from tacit.central.solve import Asked
    from tacit.choices import Solver
    from tacit.leakage.measure import Leakage


@click.command(cls=Command)
@options.problem
@declared_options.run_options()
@options.profile_name
@options.plugins
@options.plan_path
@option("--edges", group=OUTPUT, is_flag=True, help="Show by name what each agent disclosed.")
@option(
    "--leakage",
    group=OUTPUT,
    is_flag=True,
    help="Show what others can know or guess of each agent.",
)
@options.html
@options.as_json
@options.verbose
@options.weights
@options.budget
@options.k
@options.percent
@option(
    "--smallest",
    group=OFFLINE,
    is_flag=True,
    help="Find the smallest k that solves with few repairs.",
)
@option(
    "--iterative",
    group=OFFLINE,
    is_flag=True,
    help="One edge more per agent and round, in one search (mafs).",
)
@declared_options.settings()
def command(
    problem: tuple[str, ...],
    k: int | None,
    percent: float | None,
    smallest: bool,
    iterative: bool,
    weights: Path | None,
    budget: int | None,
    profile_name: str,
    plan_file: Path | None,
    edges: bool,
    leakage: bool,
    html: Path | None,
    plugins: tuple[Path, ...],
    as_json: bool,
    verbose: int,
    **choices: Any,
) -> int:
    """Plan for PROBLEM as its agents would between them, and show what each disclosed.

    The run is online: it starts with nothing disclosed, agents disclose more only if that does not
    do, and nothing is taken back. --budget bounds what each discloses, in prices.

    --k, --percent, --smallest and --iterative are offline searches instead, for one user with all
    files: each k is tried independently, and the result is as if that k alone had been run.
    """
    from tacit.central.result import ended
    from tacit.central.session import Limits, Session
    from tacit.choices import SOLVERS, settings_of
    from tacit.cli import solve_output
    from tacit.cli.progress import watching

    prices = options.prices_of(weights, budget)
    options.load_plugins(plugins)
    run = RunOptions(**declared_options.given(RunOptions, choices), record=bool(leakage or html))
    solver, limits = SOLVERS.get(run.solver), Limits(run.seconds, run.max_repairs)
    asked = _asked(k, percent, smallest, iterative, solver)
    settings = settings_of(profile_name, **declared_options.given(Settings, choices))
    chosen = _chosen(run, settings, profile_name, prices)
    with limited(run.seconds, run.memory), watching(solver.agents_search) as watch:
        try:
            instance = options.loaded(problem, verbose)
            session = Session(
                instance, settings, run, prices, watcher=watch, online=asked.is_online
            )
        except LimitReached as limit:
            return solve_output.print_early(ended(limit, asked.mode), chosen, as_json)
        options.show_warnings(session.warnings, verbose)
        result, is_over = _plan(session, asked, limits)
        why = None if result.solved else _why(session, prices, result, limits)
    known = _known(session, result, run) if run.record and is_over else None
    shown = known if leakage else None
    with options.plan_file(plan_file, result.plan, result.verdict):
        if as_json:
            solve_output.print_json(result, chosen, instance, why, shown)
        else:
            solve_output.print_plain(session, result, edges and is_over, why, shown)
    options.write_page(html, lambda: solve_output.page(session, result, why, known, is_over))
    session.close()
    return _exit(result, is_over)


def _asked(
    k: int | None, percent: float | None, smallest: bool, iterative: bool, solver: type[Solver]
) -> Asked:
    """What kind of run the user wants; a usage error if that is not clear, or not possible."""
    from tacit.central.solve import Asked
    from tacit.choices import SOLVERS

    if sum((k is not None, percent is not None, smallest, iterative)) > 1:
        raise click.UsageError("--k, --percent, --smallest and --iterative exclude each other.")
    if iterative and not solver.iterates:
        able = " or ".join(name for name in SOLVERS if SOLVERS.get(name).iterates)
        text = f"--iterative lets k grow inside a search: it needs --solver {able}."
        raise click.UsageError(text)
    return Asked(k, percent, smallest, iterative)


def _why(
    session: Session, prices: PricePolicy, result: Result, limits: Limits
) -> Explanation | None:
    from tacit.central.analysis.explain import why_no_plan

    seed = session.options.seed
    return why_no_plan(session.instance, session.settings, prices, result, limits, seed)


def _known(session: Session, result: Result, run: RunOptions) -> dict[str, Leakage] | None:
    from tacit.central.leaking import leakage_of

    return options.measured(lambda: leakage_of(session, result), run.seconds, run.memory)


def _exit(result: Result, is_over: bool) -> int:
    """The exit code, and why this may not be the best."""
    if result.solved and result.phase is not None:
        text = f"A limit was reached while {result.phase}: this is the best so far; less might do."
        click.echo(text, err=True)
    if result.is_interrupted and is_over:
        click.echo("Improving was ended early: this is the best plan so far.", err=True)
    if is_over:
        return options.exit_code(result.outcome.value)
    click.echo("Interrupted: this is the best so far; less might do.", err=True)
    return int(ExitCode.INTERRUPTED)


def _plan(session: Session, asked: Asked, limits: Limits) -> tuple[Result, bool]:
    """The result; False if the user did not wait for the end of an offline search."""
    from tacit.cli import solve_output

    if session.options.improve:
        session.report = solve_output.report
    try:
        return asked.of(session, limits), True
    except KeyboardInterrupt:
        if asked.is_online and len(session.coordinator.ledger) > 0:
            click.echo(_disclosed_so_far(session), err=True)
        if asked.is_online or session.found is None:
            raise
        return session.found, False


def _disclosed_so_far(session: Session) -> str:
    """What agents disclosed in a run that did not come to its end: it cannot be taken back."""
    counts = session.coordinator.ledger.per_agent().items()
    agents = [
        f"{name} {counted(own.edges, 'edge')} and {counted(own.repairs, 'repair')}"
        for name, own in counts
    ]
    return f"Disclosed so far: {', '.join(agents)}."


def _chosen(
    run: RunOptions, settings: Settings, profile_name: str, prices: PricePolicy
) -> dict[str, Any]:
    """What the run was done with: all that its solver understands, by name."""
    import msgspec

    from tacit.choices import SOLVERS, heuristic_of

    understood = SOLVERS.get(run.solver).understands
    named: dict[str, Any] = msgspec.to_builtins(run) | msgspec.to_builtins(settings)
    named["harden"] = ",".join(named["harden"])
    chosen: dict[str, Any] = {"seed": run.seed, "solver": run.solver, "profile": profile_name}
    chosen |= {"ranking": run.ranking, "ties": run.ties, "threats": settings.threats.value}
    chosen |= {"objective": settings.objective.value}
    chosen |= {name: value for name, value in named.items() if name in understood}
    chosen.pop("extension", None)  # in the result it says how the plan was made
    chosen.pop("cost", None)  # in the result it says what the plan costs
    if "heuristic" in chosen:
        chosen["heuristic"] = heuristic_of(run)
    if prices.weights is not None:
        chosen["budget"] = prices.budget
    return chosen

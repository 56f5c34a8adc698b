"""`tacit sweep`: run many problems at many levels of disclosure."""

from __future__ import annotations

import os
import shlex
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tacit.cli import declared_options, options
from tacit.cli.grouped import OUTPUT, Command, option
from tacit.errors import ExitCode, InputError
from tacit.public.run_options import DEFAULTS, SEARCH
from tacit.public.settings import Settings
from tacit.words import counted, form

if TYPE_CHECKING:
    from tacit.experiment.run.store import Store
    from tacit.experiment.run.sweep import Outlook, Sweep

MEASURED = "What else is measured, and how often"


def processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@click.command(cls=Command)
@click.argument("suites", nargs=-1, required=True, metavar="SUITE…")
@option("--solvers", default=DEFAULTS.solver, show_default=True, help="Names, with commas.")
@option("--rankings", default=DEFAULTS.ranking, show_default=True, help="Names, with commas.")
@option(
    "--levels",
    help="Values of k in percent of the largest agent's edges (offline): FROM:TO:STEP, or numbers "
    "with commas [default: 0:100:5, unless another of these is asked for].",
)
@option("--smallest", is_flag=True, help="Also find the smallest k that solves (offline).")
@option(
    "--online",
    is_flag=True,
    help="Also run as agents do between them, as 'tacit solve' does by default.",
)
@option(
    "--time-limit",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Seconds of CPU time per run.",
)
@option("--memory-limit", type=click.IntRange(min=1), metavar="N", help="MiB per run.")
@option(
    "--jobs",
    type=click.IntRange(1, 1024),
    default=processors,
    metavar="N",
    help="Runs at a time [default: one per processor].",
)
@options.profile_name
@options.plugins
@option("-o", "--output", group=OUTPUT, type=click.Path(path_type=Path), help="The store: runs.db.")
@option("--dry-run", group=OUTPUT, is_flag=True, help="Only show how much there is to do.")
@options.as_json
@options.weights
@option(
    "--iterative",
    group=MEASURED,
    is_flag=True,
    help="With mafs, also disclose one edge more per round in one search (offline).",
)
@option(
    "--minimum",
    group=MEASURED,
    is_flag=True,
    help="Also bound what must be disclosed (uses all secrets).",
)
@option(
    "--leakage",
    group=MEASURED,
    is_flag=True,
    help="Also measure what others know of each agent (uses all secrets).",
)
@option(
    "--cleaned",
    group=MEASURED,
    is_flag=True,
    help="Also clean each plan after its run, and store what it is worth then.",
)
@option(
    "--proofs/--no-proofs",
    group=MEASURED,
    default=True,
    show_default=True,
    help="Try to prove values of k unsolvable first (uses all secrets).",
)
@option(
    "--seeds",
    group=MEASURED,
    type=click.IntRange(1, 10_000),
    default=10,
    show_default=True,
    metavar="N",
    help="The number of seeds for rankings that draw at random.",
)
@option(
    "--ties",
    group=MEASURED,
    metavar="SEEDS",
    help="Break ties between edges at random, by each of these seeds: none,0:9.",
)
@declared_options.run_options("planner")
@option(
    "--cluster",
    group=SEARCH,
    metavar="ADDRESS",
    help="Run on this dask cluster (extra 'cluster').",
)
@declared_options.settings()
def command(
    suites: tuple[str, ...],
    solvers: str,
    rankings: str,
    profile_name: str,
    weights: Path | None,
    levels: str | None,
    ties: str | None,
    jobs: int,
    cluster: str | None,
    plugins: tuple[Path, ...],
    output: Path | None,
    dry_run: bool,
    as_json: bool,
    **given: Any,
) -> int:
    """Run the problems of every SUITE at many levels of disclosure and store the results.

    SUITE is a folder of problems, a file that lists some, an embedded suite (quick, paper), or a
    problem. Levels are tried offline, independently of each other; --online runs as agents do
    between them. A sweep can be stopped at any moment; the same command continues where it stopped.
    """
    from tacit.choices import settings_of
    from tacit.experiment.run import suite
    from tacit.experiment.run.levels import parse_levels
    from tacit.experiment.run.store import Store
    from tacit.experiment.run.sweep import Sweep, outlook, parse_ties

    if levels is None and not any(given[name] for name in ("smallest", "iterative", "online")):
        levels = "0:100:5"
    sweep = Sweep(
        problems=suite.find(suites),
        settings=settings_of(profile_name, **declared_options.given(Settings, given)),
        profile=profile_name,
        solvers=_names(solvers),
        rankings=_names(rankings),
        levels=parse_levels(levels) if levels is not None else (),
        ties=(None,) if ties is None else parse_ties(ties),
        plugins=tuple(str(plugin.absolute()) for plugin in plugins),
        weights=options.read_weights(weights),
        **given,
    )
    sweep.check()
    if output is None and not dry_run:
        raise click.UsageError("Missing option '-o' / '--output': the store, such as runs.db.")
    if output is None or dry_run:
        store = Store.open(output) if output is not None and output.exists() else None
        _print_outlook(outlook(sweep, store), jobs, sweep.time_limit, as_json)
        return ExitCode.SOLVED
    options.make_folder_of(output)
    with Store.open(output, write=True) as store:
        return _run(sweep, store, jobs, cluster, as_json)


def _names(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",")))
    if not all(names):
        raise InputError(f"'{text}' has an empty name", "write names with commas: m1,m2")
    return names


def _print_outlook(found: Outlook, jobs: int, time_limit: float | None, as_json: bool) -> None:
    from tacit.experiment.run.progress import duration

    worst = None if time_limit is None else found.runs_left * time_limit / jobs
    if as_json:
        options.emit_json(
            "sweep-outlook",
            0,
            problems=found.problems,
            units=found.units,
            units_left=len(found.todo),
            runs_done=found.runs_done,
            runs_left_at_most=found.runs_left,
            seconds_left_at_most=worst,
        )
        return
    click.echo(
        f"{counted(found.problems, 'problem')}, {counted(found.units, 'unit')} (problem, solver, "
        f"ranking and seed), {len(found.todo)} of them to do."
    )
    click.echo(
        f"{counted(found.runs_done, 'run')} {form(found.runs_done, 'is', 'are')} done, at most "
        f"{found.runs_left:,} {form(found.runs_left, 'is', 'are')} left."
    )
    if worst is not None:
        click.echo(f"At {time_limit:g} s each and {jobs} at a time: at most {duration(worst)}.")


def _run(sweep: Sweep, store: Store, jobs: int, cluster: str | None, as_json: bool) -> int:
    import threading

    from tacit.experiment.run import pool
    from tacit.experiment.run.cluster import on_cluster
    from tacit.experiment.run.progress import watcher
    from tacit.experiment.run.sweep import outlook, run

    found = outlook(sweep, store)
    stop = threading.Event()
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)  # as if by Ctrl-C
    show = watcher(found.todo, found.ended)
    try:
        with show:
            if cluster is not None:
                run(found.todo, store, lambda todo: on_cluster(todo, cluster, stop), show)
            else:
                run(found.todo, store, lambda todo: pool.local(todo, jobs, stop), show)
    except KeyboardInterrupt:
        click.echo(f"{show.tally.line()}; all of them are in '{store.path}'.", err=True)
        click.echo(f"The same command continues from here: {_same_command()}", err=True)
        return ExitCode.INTERRUPTED
    finally:
        signal.signal(signal.SIGTERM, before)
    if as_json:
        options.emit_json(
            "sweep",
            0,
            store=str(store.path),
            runs_before=found.runs_done,
            runs=show.tally.outcomes.total(),
            outcomes=dict(show.tally.outcomes),
        )
    else:
        were = form(found.runs_done, "was", "were")
        earlier = f"{counted(found.runs_done, 'run')} {were} there; " if found.runs_done else ""
        done = show.tally.line() if show.tally.outcomes else "nothing was left to do"
        click.echo(f"{earlier}{done}. Stored in {store.path}.")
    return ExitCode.SOLVED


def _same_command() -> str:
    return shlex.join(["tacit", *sys.argv[1:]]) if os.path.basename(sys.argv[0]) else "tacit sweep"

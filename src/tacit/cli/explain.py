"""`tacit explain`: explain why there is no plan."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tacit.cli import declared_options, options
from tacit.cli.bounds_progress import SEES
from tacit.cli.grouped import OUTPUT, Command, option
from tacit.errors import ExitCode
from tacit.public.run_options import RunOptions
from tacit.public.settings import Settings
from tacit.watch import limited

if TYPE_CHECKING:
    from tacit.central.analysis.explain import Explanation
    from tacit.central.instance import Instance
    from tacit.draw.page import Page


@click.command(cls=Command)
@options.problem
@declared_options.run_options()
@options.profile_name
@options.plugins
@option("--edges", group=OUTPUT, is_flag=True, help="Show by name what would have to be released.")
@options.html
@options.as_json
@options.verbose
@options.weights
@options.budget
@options.k
@declared_options.settings()
def command(
    problem: tuple[str, ...],
    weights: Path | None,
    budget: int | None,
    k: int | None,
    profile_name: str,
    edges: bool,
    html: Path | None,
    plugins: tuple[Path, ...],
    as_json: bool,
    verbose: int,
    **choices: Any,
) -> int:
    """Explain why agents find no plan for PROBLEM.

    Goals may be out of reach: then the first fact missing on the way is named. A bound may stand in
    the way (--k, --budget, edges that are never disclosed): then the least that would do is
    computed. Otherwise there is no plan, or the search gave up. Uses all secrets: for one user who
    holds all files.

    Exit code 0: it is explained, or there is a plan.
    """
    from tacit.central.analysis.explain import explain
    from tacit.central.session import Limits
    from tacit.choices import settings_of

    prices = options.prices_of(weights, budget)
    options.load_plugins(plugins)
    run = RunOptions(**declared_options.given(RunOptions, choices))
    settings = settings_of(profile_name, **declared_options.given(Settings, choices))
    with limited(run.seconds, run.memory):
        instance = options.loaded(problem, verbose)
        limits = Limits(run.seconds, run.max_repairs)
        found = explain(instance, settings, run, prices, limits, run.seed, k)
    if as_json:
        options.emit_json("explain", run.seed, sees_everything=True, **found.as_json())
    else:
        _print(instance.name, found, edges)
    options.write_page(html, lambda: _page(instance, found))
    return _exit_code(found)


def _print(name: str, found: Explanation, edges: bool) -> None:
    from tacit.central.analysis.explain import TITLES
    from tacit.cli import render

    out = render.console()
    out.print(render.heading(f"{name}: {TITLES[found.reason]}"))
    for line in found.lines(edges):
        out.print(line, markup=False)
    out.print(SEES)


def _page(instance: Instance, found: Explanation) -> Page:
    from tacit.central.pictures import explain_page

    return explain_page(found, instance)


def _exit_code(found: Explanation) -> int:
    """Whether it could be explained."""
    from tacit.central.analysis.explain import Reason

    if found.reason is not Reason.GAVE_UP:
        return int(ExitCode.SOLVED)
    limit = found.effort.limit if found.effort is not None else None
    return options.exit_code(limit or "undecided")

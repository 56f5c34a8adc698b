"""`tacit pareto --exact`: disclosure against cost, with proofs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tacit.cli import options
from tacit.cli.bounds_progress import SEES, StatusLine, exit_code, was_stopped
from tacit.public.settings import Settings

if TYPE_CHECKING:
    from tacit.central.analysis.exact_front import ExactFront
    from tacit.central.instance import Instance


@dataclass(frozen=True)
class Files:
    """Where to draw the points, and where to write a page."""

    picture: Path | None = None
    page: Path | None = None


def show(
    instance: Instance,
    settings: Settings,
    profile_name: str,
    time_limit: float | None,
    files: Files,
    as_json: bool,
) -> int:
    """Find the front, and print and draw it; the exit code."""
    from tacit.central.analysis.exact_front import ExactSearch
    from tacit.central.analysis.no_plan import without_any_plan
    from tacit.central.pictures import exact_page, exact_picture

    with StatusLine("searching …", _points) as shown:
        search = ExactSearch(instance, settings, shown)
        interrupted = was_stopped(search.run, math.inf if time_limit is None else time_limit)
    found = search.result
    if as_json:
        _print_json(instance, found, interrupted, profile_name)
    else:
        _print_plain(instance.name, found, interrupted, without_any_plan(settings))
    if files.picture is not None and found.points:
        options.write_text(files.picture, exact_picture(instance.name, found))
        if not as_json:
            click.echo(f"Wrote {files.picture}.")
    options.write_page(files.page, lambda: exact_page(found, instance))
    code = exit_code(found.solvable, bool(found.points), interrupted, found.seconds, time_limit)
    return int(code)


def _points(found: ExactFront) -> str:
    return ", ".join(f"k {point.k}: cost {point.cost}" for point in found.points)


def _print_json(
    instance: Instance, found: ExactFront, interrupted: bool, profile_name: str
) -> None:
    from tacit.central.validate.judge import step_objects

    options.emit_json(
        "pareto",
        0,
        sees_everything=True,
        exact=True,
        profile=profile_name,
        solvable=found.solvable,
        interrupted=interrupted,
        complete=found.is_complete,
        open_from_k=found.open_k,
        cost_at_least=found.open_cost,
        points=[
            {
                "k": point.k,
                "cost": point.cost,
                "optimal": True,
                "makespan": point.verdict.makespan,
                "plan_length": point.verdict.length,
                "disclosed": point.edges,
                "plan": step_objects(instance.source, point.plan),
            }
            for point in found.points
        ],
        expanded=found.expanded,
        seconds=found.seconds,
    )


def _print_plain(name: str, found: ExactFront, interrupted: bool, none: str) -> None:
    from tacit.cli import render

    out = render.console()
    out.print(render.heading(f"{name}: disclosure and cost"))
    if found.solvable is False:
        out.print(none, highlight=False)
    elif found.points:
        out.print(render.plain_table(*found.table()))
    out.print(found.proved(), highlight=False)
    if interrupted:
        out.print("interrupted: this is what is known so far")
    out.print(f"{found.seconds:.1f} s. {SEES}")

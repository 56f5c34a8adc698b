"""`tacit pareto`: draw disclosure against makespan."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tacit.cli import declared_options, exact_front, options
from tacit.cli.bounds_progress import SEES, WHY, StatusLine, exit_code, was_stopped
from tacit.cli.grouped import OUTPUT, Command, option
from tacit.errors import InputError
from tacit.public.settings import DEPENDENCIES

if TYPE_CHECKING:
    from tacit.central.analysis.trade import Trade
    from tacit.central.instance import Instance
    from tacit.draw.page import Page


@click.command(cls=Command)
@options.problem
@options.time_limit
@declared_options.run_options("seed")
@option(
    "--exact",
    is_flag=True,
    help="Cost instead of makespan, proved: the cheapest plan for each number of edges.",
)
@options.profile_name
@option(
    "-o",
    "--output",
    group=OUTPUT,
    type=click.Path(path_type=Path),
    help="Draw the points here: FILE.svg.",
)
@options.html
@options.as_json
@options.verbose
@options.weights
@declared_options.settings(DEPENDENCIES)
def command(
    problem: tuple[str, ...],
    weights: Path | None,
    profile_name: str,
    seed: int,
    exact: bool,
    time_limit: float | None,
    output: Path | None,
    html: Path | None,
    as_json: bool,
    verbose: int,
    **choices: Any,
) -> int:
    """The trade-off between disclosure and makespan in PROBLEM.

    Plans that no other dominates, by edges (of the agent that discloses most), price (with
    --weights) and makespan. Uses all secrets: for evaluation only. Ctrl-C stops it with the result
    so far.

    With --exact, by edges and cost, each point with a proof that no plan is cheaper.
    """
    from tacit.central.analysis.no_plan import without_any_plan
    from tacit.central.analysis.pareto import Pareto
    from tacit.choices import settings_of

    if output is not None and output.suffix != ".svg":
        is_page = output.suffix in (".html", ".htm")
        hint = f"write --html {output}" if is_page else "-o draws .svg, and --html a page"
        raise InputError(f"-o cannot draw '{output}'", hint)
    if exact and weights is not None:
        raise InputError("--exact counts edges, not prices", "leave out --weights")
    settings = settings_of(profile_name, **choices)
    instance = options.loaded(problem, verbose)
    if exact:
        files = exact_front.Files(output, html)
        return exact_front.show(instance, settings, profile_name, time_limit, files, as_json)
    with StatusLine("searching …", _points) as shown:
        trade = Pareto(instance, settings, seed, options.prices_of(weights), shown)
        options.show_warnings(trade.warnings, verbose)
        interrupted = was_stopped(trade.run, math.inf if time_limit is None else time_limit)
    found = trade.result
    if as_json:
        _print_json(instance, found, interrupted, profile_name, seed)
    else:
        _print_plain(instance.name, found, interrupted, f"{without_any_plan(settings)} {WHY}")
    if output is not None and found.points:
        _draw(output, f"{instance.name}: disclosure and makespan", found)
        if not as_json:
            click.echo(f"Wrote {output}.")
    options.write_page(html, lambda: _page(instance, found))
    is_done = bool(found.points)
    return int(exit_code(found.solvable, is_done, interrupted, found.seconds, time_limit))


def _points(found: Trade) -> str:
    return ", ".join(f"k {point.k}: makespan {point.makespan}" for point in found.points)


def _print_json(
    instance: Instance, found: Trade, interrupted: bool, profile_name: str, seed: int
) -> None:
    from tacit.central.validate.judge import step_objects

    options.emit_json(
        "pareto",
        seed,
        sees_everything=True,
        profile=profile_name,
        solvable=found.solvable,
        interrupted=interrupted,
        lower_bounds=found.lower,
        points=[
            {
                "k": point.k,
                **({"price": point.price} if found.in_prices else {}),
                "makespan": point.makespan,
                "cost": point.verdict.cost,
                "plan_length": point.verdict.length,
                "disclosed": point.edges,
                **({"prices": point.prices} if found.in_prices else {}),
                "plan": step_objects(instance.source, point.plan),
            }
            for point in found.points
        ],
        seconds=found.seconds,
    )


def _print_plain(name: str, found: Trade, interrupted: bool, none: str) -> None:
    from tacit.cli import render

    out = render.console()
    out.print(render.heading(f"{name}: disclosure and makespan"))
    if found.solvable is False:
        out.print("no plan under these prices" if found.in_prices else none, highlight=False)
    elif not found.points:
        out.print("no plan was found yet")
    else:
        out.print(render.plain_table(*found.table()))
        bounds = ", ".join(f"{what} {value}" for what, value in found.lower.items())
        out.print(f"proven lower bounds: {bounds}")
    if interrupted:
        out.print("interrupted: this is what is known so far")
    out.print(f"{found.seconds:.1f} s. {SEES}")


def _draw(path: Path, title: str, found: Trade) -> None:
    from tacit.central.pictures import panels
    from tacit.draw.trade_svg import svg

    options.write_text(path, svg(title, panels(found)))


def _page(instance: Instance, found: Trade) -> Page:
    from tacit.central.pictures import trade_page

    return trade_page(found, instance)

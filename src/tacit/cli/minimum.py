"""`tacit minimum`: bound and find the fewest dependencies that must be disclosed."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tacit.cli import declared_options, options
from tacit.cli.bounds_progress import SEES, WHY, StatusLine, exit_code, was_stopped
from tacit.cli.grouped import OUTPUT, Command, option
from tacit.public.settings import DEPENDENCIES

if TYPE_CHECKING:
    from rich.console import Console

    from tacit.central.analysis.minimum import Minimum, MinimumSearch, Witness
    from tacit.central.instance import Instance

_LABELS = {"max": "per agent (max)", "sum": "all agents (sum)"}


@click.command(cls=Command)
@options.problem
@option(
    "--of",
    "objective",
    type=click.Choice(["max", "sum", "both"]),
    default="both",
    show_default=True,
    help="What to minimise: the maximum over agents, or the sum.",
)
@click.option("--objective", "old_name", hidden=True)
@options.time_limit
@declared_options.run_options("seed")
@options.profile_name
@options.plan_path
@option("--edges", group=OUTPUT, is_flag=True, help="Show by name what the plan discloses.")
@options.as_json
@options.verbose
@options.weights
@declared_options.settings(DEPENDENCIES)
def command(
    problem: tuple[str, ...],
    objective: str,
    old_name: str | None,
    weights: Path | None,
    profile_name: str,
    seed: int,
    time_limit: float | None,
    plan_file: Path | None,
    edges: bool,
    as_json: bool,
    verbose: int,
    **choices: Any,
) -> int:
    """The fewest private dependencies that must be disclosed to solve PROBLEM.

    A proven lower bound and the best that was found, with a plan. With --weights, the price is
    minimised. Uses all secrets: for evaluation only. Ctrl-C stops it with the result so far.
    """
    from tacit.central.analysis.minimum import MinimumSearch
    from tacit.central.analysis.no_plan import without_any_plan
    from tacit.central.analysis.release import least_release
    from tacit.choices import settings_of
    from tacit.cli import render

    _refuse(old_name)
    settings = settings_of(profile_name, **choices)
    instance = options.loaded(problem, verbose)
    objectives = ("max", "sum") if objective == "both" else (objective,)
    price_policy = options.prices_of(weights)
    with StatusLine("bounding …", _bounds) as shown:
        search = MinimumSearch(
            instance, settings, objectives, seed, watch=shown, price_policy=price_policy
        )
        options.show_warnings(search.warnings, verbose)
        seconds, released = math.inf if time_limit is None else time_limit, None
        interrupted = was_stopped(search.run, seconds)
        if search.result.solvable is False and price_policy.weights is not None and not interrupted:
            released = least_release(instance, settings, price_policy, seconds, seed, at_least=1)
    witness = search.result.witness.get(objectives[0])
    plan, verdict = (witness.plan, witness.verdict) if witness else (None, None)
    with options.plan_file(plan_file, plan, verdict):
        if as_json:
            chosen: dict[str, Any] = {} if price_policy.weights is None else {"in_prices": True}
            chosen |= {} if released is None else {"release": released.as_json()}
            _print_json(instance, search.result, interrupted, profile_name, seed, chosen)
        else:
            out = render.console()
            _print_plain(
                out, instance, search, interrupted, edges, price_policy.weights is not None
            )
            if search.result.solvable is False and released is None:
                out.print(f"{without_any_plan(settings)} {WHY}", highlight=False)
            for line in released.lines(edges) if released else ():
                out.print(line, markup=False)
    known = search.result
    return int(exit_code(known.solvable, known.is_proven, interrupted, known.seconds, time_limit))


def _refuse(old_name: str | None) -> None:
    if old_name is not None:
        text = "--objective is about plans ('tacit solve'). What to minimise is --of max|sum|both."
        raise click.UsageError(text)


def _bounds(result: Minimum) -> str:
    """The bounds, per objective."""
    return ", ".join(
        f"{name} {result.lower[name]} … {result.best.get(name, '?')}" for name in result.objectives
    )


def _print_json(
    instance: Instance,
    result: Minimum,
    interrupted: bool,
    profile_name: str,
    seed: int,
    more: dict[str, Any],
) -> None:
    options.emit_json(
        "minimum",
        seed,
        sees_everything=True,
        **more,
        profile=profile_name,
        threats=result.threats.value,
        solvable=result.solvable,
        proven=result.is_proven,
        interrupted=interrupted,
        dependencies=result.dependencies,
        objectives={
            name: {
                "lower_bound": result.lower[name],
                "best_found": result.best.get(name),
                "gap": result.gap(name),
                "witness": _witness(instance, result.witness.get(name)),
            }
            for name in result.objectives
        },
        seconds=result.seconds,
    )


def _witness(instance: Instance, found: Witness | None) -> dict[str, Any] | None:
    from tacit.central.validate.judge import step_objects

    if found is None:
        return None
    return {
        "value": found.value,
        "disclosed": {agent: len(edges) for agent, edges in found.edges.items()},
        "price": found.paid,
        "repairs": found.repairs,
        "plan": step_objects(instance.source, found.plan),
        "cost": found.verdict.cost,
        "makespan": found.verdict.makespan,
    }


def _print_plain(
    out: Console,
    instance: Instance,
    search: MinimumSearch,
    interrupted: bool,
    edges: bool,
    priced: bool,
) -> None:
    from tacit.cli import render

    result = search.result
    what = "the lowest price" if priced else "the fewest dependencies"
    out.print(render.heading(f"{instance.name}: {what} to disclose"))
    if result.solvable is False:
        return
    out.print(render.minimum_table(result, _LABELS, "price" if priced else "dependencies"))
    for name in result.objectives:
        witness = result.witness.get(name)
        if witness is None:
            out.print(f"{_LABELS[name]}: no plan was extended yet")
            continue
        counts = ", ".join(
            f"{agent} {len(own)}" + (f" for {witness.paid[agent]}" if priced else "")
            for agent, own in witness.edges.items()
            if own
        )
        more = sum(witness.repairs.values())
        repairs = f"; plus repairs: {more}" if more else ""
        out.print(f"{_LABELS[name]}: {counts or 'nothing to disclose'}{repairs}", markup=False)
        out.print(f"[bold green]valid[/]: {witness.verdict.message}")
        for agent, own in witness.edges.items() if edges else ():
            for line in search.describe(agent, own):
                out.print(f"  {agent}: {line}", markup=False)
    if interrupted:
        out.print("interrupted: this is what is known so far")
    out.print(f"{result.seconds:.1f} s. {SEES}")

"""The content of the page of a problem, and the pictures of its graphs.

The page has all runs of the problem, by solver, ranking and seed; online runs are apart, since the
order in which edges were disclosed there is their own. Plans are often the same at many budgets,
and each is included once. So is the graph of an agent; a ranking is an order of its edges.
"""

from __future__ import annotations

from typing import Any

from tacit.draw.graph_svg import svg
from tacit.experiment.report.problems import Opened, Order, order_of
from tacit.experiment.run.row import OFFLINE, ONLINE, TIED, Run
from tacit.words import counted


def page_data(opened: Opened) -> dict[str, Any]:
    """All that the script of the page needs, as plain values."""
    plans: dict[str, int] = {}
    series: dict[tuple[str, str, int, str], list[Run]] = {}
    orders: dict[tuple[str, str, int, str], str | None] = {}
    for run in opened.case.runs:
        unit = run.unit
        key = (unit.solver, unit.series, unit.draw, run.mode)
        series.setdefault(key, []).append(run)
        orders[key] = _name(order_of(unit)) if run.mode == OFFLINE else None
        if run.plan:
            plans.setdefault(run.plan, len(plans))
    several = {name for _, name, draw, _ in series if draw or name.endswith(TIED)}
    dependencies = next((r.dependencies for r in opened.case.runs if r.dependencies), {})
    drawn = list(opened.graphs)
    return {
        "largest": opened.case.largest,
        "agents": list(opened.instance.agents),
        "dependencies": dependencies,
        "drawn": drawn,
        "series": [
            {
                "label": f"{solver}, {name}"
                + (f", seed {draw}" if name in several else "")
                + (", online" if mode == ONLINE else ""),
                "order": orders[solver, name, draw, mode],
                "runs": [_run(run, plans) for run in _stops(runs)],
            }
            for (solver, name, draw, mode), runs in sorted(series.items())
        ],
        "orders": {
            _name(order): {agent: opened.order(agent, order) for agent in drawn}
            for order in opened.orders
        },
        "plans": [_plan(opened, plan) for plan in plans],
    }


def _name(order: Order) -> str:
    ties = "" if order.ties is None else f"/{order.ties}"
    return f"{order.ranking}/{order.seed}{ties}"


def _stops(runs: list[Run]) -> list[Run]:
    """A run per budget, from the smallest up; one at a given budget before `smallest`."""
    by_k: dict[int, Run] = {}
    for run in sorted(runs, key=lambda run: not run.asked.isdecimal()):
        if run.k is not None:
            by_k.setdefault(run.k, run)
    return [by_k[k] for k in sorted(by_k)]


def _run(run: Run, plans: dict[str, int]) -> dict[str, Any]:
    seconds = run.seconds_total
    return {
        "k": run.k,
        "outcome": run.outcome.value,
        "cost": run.cost,
        "optimal": run.optimal,
        "length": run.plan_length,
        "makespan": run.makespan,
        "seconds": None if seconds is None else round(seconds, 4),
        "settled": run.settled_by,
        "changed": run.changed_over,
        "taken": run.taken_over,
        "detail": run.detail,
        "disclosed": run.disclosed,
        "repairs": run.repairs,
        "used": run.used,
        "price": run.price,
        "plan": plans.get(run.plan),
        "made": run.made,
        "replanned": run.replanned,
        "leakage": run.leakage,
    }


def _plan(opened: Opened, plan: str) -> dict[str, Any]:
    steps = opened.lanes(plan)
    return {"span": max((start for start, *_ in steps), default=0) + 1, "steps": steps}


def graphs(opened: Opened) -> list[tuple[str, str]]:
    """Per agent whose graph is not too large, its picture with nothing disclosed."""
    found: list[tuple[str, str]] = []
    for agent in opened.graphs:
        picture = opened.picture(agent)
        if picture is None:
            count = len(opened.graphs[agent].edges)
            opened.notes.append(
                f"the graph of {agent} is too large for a page ({counted(count, 'edge')})"
            )
        else:
            found.append((agent, svg(picture, 0, inline=True)))
    return found

"""A plan found at one budget is taken over where a larger one found none.

Each budget discloses all that a smaller one does, and with threats `none` or `on-demand` more edges
never invalidate a plan: a plan that is supported at k is supported at every larger k. A solver may
still miss it there, or run out of time. So within one unit, a run that ended without an answer gets
the plan of the largest smaller budget that found one itself, and records that; `smallest` gets that
of the smallest. What it disclosed, counted and spent stays its own. An `online` run gets none: its
ledger is its own.

Budgets are tried from the largest down, so plans come after the runs that lack them. What is taken
over is therefore a function of all runs of a unit, and is stored together with the run that changes
it: a sweep that is killed leaves no run without a plan that it should have. With profile `paper`,
with threats that compete with edges, or with changed plans, nothing is taken over.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from tacit.experiment.run.row import BY_ITSELF, CLEANED, SMALLEST, Run, RunOutcome, Unit
from tacit.public.settings import Extension, Settings, Threats

OPEN = (RunOutcome.UNDECIDED, RunOutcome.NOT_EXTENDED, RunOutcome.TIME, RunOutcome.MEMORY)
"""Outcomes that leave it open whether there is a plan."""

PLAN = ("used", "plan", *CLEANED, "cleaned", "changed_over")
"""The fields of a run that are about its plan."""
DISCLOSED = ("k", "disclosed", "repairs", "price")


def more_edges_never_hurt(unit: Unit) -> bool:
    """Whether a plan at one budget is a plan at every larger one, and may be taken over."""
    settings = msgspec.json.decode(unit.settings, type=Settings)
    is_growing = settings.threats in (Threats.NONE, Threats.ON_DEMAND)
    return unit.profile != "paper" and is_growing and settings.extension is Extension.STRICT


def changes(runs: Mapping[str, Run]) -> list[Run]:
    """The runs of one unit for which a plan is taken over, as changed by that."""
    if not runs or not more_edges_never_hurt(next(iter(runs.values())).unit):
        return []
    found = {run.k: run for run in runs.values() if _has_own_plan(run) and run.k is not None}
    made = ((run, _with_plan(run, found)) for run in runs.values() if _lacks_plan(run))
    return [after for before, after in made if after != before]


def _has_own_plan(run: Run) -> bool:
    return run.asked.isdecimal() and run.solved and run.taken_over is None


def _lacks_plan(run: Run) -> bool:
    """Whether the run itself, at a budget or `smallest`, left it open if there is a plan."""
    return run.own_outcome in OPEN and (run.asked.isdecimal() or run.asked == SMALLEST)


def _with_plan(run: Run, found: Mapping[int, Run]) -> Run:
    is_smallest = run.asked == SMALLEST
    known = [k for k in found if is_smallest or k < int(run.asked)]
    if not known:
        return run
    source = found[min(known) if is_smallest else max(known)]
    fields = (*PLAN, *(DISCLOSED if is_smallest else ()))
    detail = run.detail
    if run.taken_over is None:
        detail = BY_ITSELF + run.outcome.value + (f": {detail}" if detail else "")
    return msgspec.structs.replace(
        run,
        outcome=RunOutcome.SOLVED,
        taken_over=source.k,
        detail=detail,
        **{name: getattr(source, name) for name in fields},
    )

"""A plan found at one budget is taken over where a larger one found none.

Each budget discloses all that a smaller one does, and with threats `none` or `on-demand` more edges
never take a plan away: a plan that is supported at k is supported at every larger k. A solver may
miss it there all the same, or run out of time. So within one unit, a run that ended without an
answer gets the plan of the largest smaller budget that found one by itself, and says so; `first`
gets that of the smallest. What it disclosed, counted and spent stays its own.

Budgets are tried from the largest down, so plans come after the runs that lack them. What is taken
over is therefore a function of all runs of a unit, and is stored together with the run that changes
it: a sweep that is killed leaves no run without a plan that it should have. Profile `paper` takes
nothing over, and where threats compete with edges or plans are changed nothing could be.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from tacit.experiment.run.row import BY_ITSELF, FIRST, Outcome, Run, Unit
from tacit.public.settings import Extension, Settings, Threats

OPEN = (Outcome.UNDECIDED, Outcome.NOT_EXTENDED, Outcome.TIME, Outcome.MEMORY)
"""Outcomes that leave it open whether there is a plan."""

PLAN = ("used", "plan", "plan_length", "cost", "makespan", "makespan_paper", "changed_over")
"""The fields of a run that are about its plan."""
DISCLOSED = ("k", "disclosed", "repairs", "price")


def more_edges_never_hurt(unit: Unit) -> bool:
    """Is a plan at one budget a plan at every larger one, and may that be made use of?"""
    settings = msgspec.json.decode(unit.settings, type=Settings)
    is_growing = settings.threats in (Threats.NONE, Threats.ON_DEMAND)
    return unit.profile != "paper" and is_growing and settings.extension is Extension.STRICT


def changes(runs: Mapping[str, Run]) -> list[Run]:
    """The runs of one unit that a plan of another is taken over for, as they then are."""
    if not runs or not more_edges_never_hurt(next(iter(runs.values())).unit):
        return []
    found = {run.k: run for run in runs.values() if _has_own_plan(run) and run.k is not None}
    made = ((run, _with_plan(run, found)) for run in runs.values() if _lacks_plan(run))
    return [after for before, after in made if after != before]


def _has_own_plan(run: Run) -> bool:
    return run.asked.isdecimal() and run.solved and run.taken_over is None


def _lacks_plan(run: Run) -> bool:
    """By itself, at some budget or at whichever is first."""
    return run.own_outcome in OPEN and (run.asked.isdecimal() or run.asked == FIRST)


def _with_plan(run: Run, found: Mapping[int, Run]) -> Run:
    is_first = run.asked == FIRST
    known = [k for k in found if is_first or k < int(run.asked)]
    if not known:
        return run
    source = found[min(known) if is_first else max(known)]
    fields = (*PLAN, *(DISCLOSED if is_first else ()))
    detail = run.detail
    if run.taken_over is None:
        detail = BY_ITSELF + run.outcome.value + (f": {detail}" if detail else "")
    return msgspec.structs.replace(
        run,
        outcome=Outcome.SOLVED,
        taken_over=source.k,
        detail=detail,
        **{name: getattr(source, name) for name in fields},
    )

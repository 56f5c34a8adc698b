"""What came of a run, as fields of its row: of a result, or of an exception."""

from __future__ import annotations

import os
import resource
import traceback
from pathlib import Path
from typing import Any

from tacit.central.result import Result
from tacit.central.session import InvalidResult
from tacit.errors import InputError, LimitReached, TacitError, plugin_error
from tacit.experiment.run.row import RunOutcome

REFUTED = "no plan up to k = "
"""The detail of a run whose budget grew begins so, if all states were searched at smaller ones."""


def fields(result: Result | None, asked: str) -> dict[str, Any]:
    """What a result says, as fields of a run."""
    if result is None:
        return {"k": int(asked) if asked.isdecimal() else None}
    found: dict[str, Any] = {
        "k": result.k,
        "disclosed": result.disclosed,
        "repairs": result.repairs,
        "changed_over": result.changed_over,
        "price": {name: own.edges + own.repairs for name, own in result.accounts.items()},
        "expanded": result.counters.expanded,
        "evaluated": result.counters.evaluated,
        "generated": result.counters.generated,
    }
    if result.plan is not None and result.verdict is not None:
        found |= {
            "extension": result.extension,
            "replanned": result.replanned or {},
            "plan": "".join(f"{step}\n" for step in result.plan.steps),
            "plan_length": result.verdict.length,
            "cost": result.verdict.cost,
            "optimal": result.is_optimal,
            "makespan": result.verdict.makespan,
            "makespan_paper": result.verdict.makespan_paper,
        }
    return found


def on_the_way(result: Result) -> str:
    """Of a budget that grew: up to which there is no plan. Of a run without a plan: which goals
    nobody can reach or, online, who would have disclosed no more.
    """
    if result.unreachable is not None:
        goals = [*result.unreachable.goals, *map("goals of {}".format, result.unreachable.agents)]
        return f"out of reach: {', '.join(goals)}"
    if result.no_more:
        return f"no more from {', '.join(result.no_more)}"
    proved = -1 if result.refuted is None else min(result.refuted, result.k - 1)
    return f"{REFUTED}{proved}" if proved >= 0 else ""


def what_happened(error: Exception) -> tuple[RunOutcome, str]:
    """The outcome for an exception, and a line on it that names no place on this machine."""
    if isinstance(error, LimitReached):
        return RunOutcome(error.outcome), f"while {error.phase}"
    if isinstance(error, MemoryError):
        _free_memory()  # what is left to do here is to say so
        return RunOutcome.MEMORY, ""
    if isinstance(error, InvalidResult):
        return RunOutcome.INVALID_PLAN, str(error)
    if isinstance(error, InputError):
        first = error.diagnostics[0]
        place = f"{Path(first.file).name}:{first.line or 1}: " if first.file else ""
        return RunOutcome.BAD_INPUT, place + first.message
    plugin = plugin_error(error)
    if plugin is not None:
        first = plugin.diagnostics[0]
        where = f"{Path(str(first.file)).name}:{first.line}"
        return RunOutcome.CRASH, f"{type(error).__name__} at {where}, in a plugin"
    last = traceback.extract_tb(error.__traceback__)[-1]
    detail = f"{type(error).__name__} at {os.path.basename(last.filename)}:{last.lineno}"
    return RunOutcome.CRASH, f"{detail}: {error}" if isinstance(error, TacitError) else detail


def _free_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (resource.getrlimit(resource.RLIMIT_AS)[1],) * 2)

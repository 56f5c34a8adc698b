"""Numbers for the steps of an agent's plan that fit those of everybody else's.

CoDMAP's plan files have a time step before each action, and actions of different agents with one
number are done at once. No agent knows what the others do in private, so public step n gets
number n × spacing, and what an agent does in private before it gets the numbers behind those of the
public step before. Private actions of different agents never disturb each other, so together the
files are a plan. So *time* n is when public step n is taken, the same in all files, and numbers
count in fractions of it.
"""

from __future__ import annotations

from collections import Counter

from tacit.party.extension.extension import LocalPlan
from tacit.party.local.task import LocalTask

SPACING = 1_000
MOST_STEPS = 10**9
"""Readers of plan files take numbers below this."""


def spacing_for(task: LocalTask, plan: LocalPlan) -> int:
    """How far apart public steps must be numbered: 1,000, or ten times that until it is enough."""
    private = Counter(place for action, place in plan.actions if not task.arrays.is_public[action])
    spacing = SPACING
    while max(private.values(), default=0) >= spacing:
        spacing *= 10
    return spacing


def most_spacing(steps: int) -> int:
    """How far apart so many public steps can be numbered."""
    return MOST_STEPS // (steps + 1)

"""An agent's plan as a file of its own, with numbers that fit those of everybody else's.

CoDMAP's plan files have a time step before each action, and actions of different agents with one
number are done at once. No agent knows what the others do in private, so public step n gets
number n × spacing, and what an agent does in private before it gets the numbers behind those of the
public step before. Private actions of different agents never disturb each other, so together the
files are a plan. The others' public steps are there as comments, by their opaque numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tacit.party.extension.extension import LocalPlan
from tacit.party.local.task import LocalTask
from tacit.public.disclosure import PublicStep

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


def plan_text(task: LocalTask, steps: Sequence[PublicStep], plan: LocalPlan, spacing: int) -> str:
    """The file: own actions by name, others' public ones as comments."""
    lines: list[tuple[int, str]] = []
    behind: Counter[int] = Counter()
    for action, place in plan.actions:
        if task.arrays.is_public[action]:
            number = (place + 1) * spacing
        else:
            behind[place] += 1
            number = place * spacing + behind[place]
        lines.append((number, f"{number}: {task.action_name(action)}"))
    for place, step in enumerate(steps):
        if step.agent != task.agent:
            number = (place + 1) * spacing
            lines.append((number, f"; {number}: ({step.agent}#{step.action})"))
    head = f"; the plan of '{task.agent}'; others' public actions are comments\n"
    return head + "".join(f"{line}\n" for _, line in sorted(lines))

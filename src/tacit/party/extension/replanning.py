"""An agent changes a public plan that it cannot execute as it is (docs/solving.md).

This is the fallback of the paper's authors, and it shows more than was disclosed: the agent may use
any of its actions, public ones included, so the others see which of its steps must go with which.
Support does not matter here, only that the plan can be executed. The others' public steps keep
their order; that they remain possible, and that all goals the agent knows hold at the end, is one
classical task over the public facts, its private facts and the place in the plan.

It tries four ways, each changing more than the one before, and takes the first that works:

* `AS_IS`: the plan stays; only private actions are put in.
* `KEEP`: own planned steps stay too; any own actions are put in.
* `FREE`: own planned steps may go.
* `ALONE`: the others' steps may go too, none may be added.
"""

from __future__ import annotations

import enum
import time
from collections.abc import Sequence
from dataclasses import dataclass

from tacit.native import flat
from tacit.party.extension.extension import Extender, LocalPlan
from tacit.party.local.task import LocalTask
from tacit.planners import ClassicalTask, PlannerLimits, PlannerOutcome
from tacit.planners.native import NativeSearch
from tacit.public.task import PublicAction


class Way(enum.Enum):
    """How much of the plan may change."""

    AS_IS = "as is"
    KEEP = "keep"
    FREE = "free"
    ALONE = "alone"


Step = int | PublicAction
"""A step of a public plan: an own public action by its number, or another's as it published it."""


@dataclass(frozen=True, slots=True)
class ChangedPlan:
    """`steps` is the new public plan, and `plan` the own actions in it."""

    steps: tuple[Step, ...]
    plan: LocalPlan


class Replanner:
    """Changes public plans so that one agent can execute them."""

    def __init__(self, extender: Extender, task: LocalTask, number: dict[int, int], seed: int):
        self._extender = extender
        self._task = task
        self._number = number
        self._seed = seed
        policy = extender.policy
        self._engines = policy.replan_engines
        self._evaluations = policy.replan

    def replan(self, steps: Sequence[Step], seconds: float) -> ChangedPlan | None:
        """The plan with as little changed as the search finds, None if it finds none."""
        deadline = time.monotonic() + seconds
        for way in Way:
            builder = _Builder(self._extender, self._task, steps, way)
            left = max(0.0, deadline - time.monotonic())
            limits = PlannerLimits(self._evaluations, left)
            result = NativeSearch(builder.task(), self._seed, self._engines).run(limits)
            if result.outcome is PlannerOutcome.SOLVED:
                return self._read(builder, result.plan)
        return None

    def _read(self, builder: _Builder, found: Sequence[int]) -> ChangedPlan:
        steps: list[Step] = []
        done: list[tuple[int, int]] = []
        for number in found:
            action, step = builder.meaning[number]
            if action is not None:
                done.append((action, len(steps)))
                if step is None and self._task.arrays.is_public[action]:
                    step = self._number[action]
            if step is not None:
                steps.append(step)
        return ChangedPlan(tuple(steps), LocalPlan(tuple(done)))


class _Builder:
    """The classical task: facts of the local task, then one fact for each place in the plan."""

    def __init__(self, extender: Extender, task: LocalTask, steps: Sequence[Step], way: Way):
        self.meaning: list[tuple[int | None, Step | None]] = []
        """Per action, the own local action and the step of the given plan, where it is one."""
        self._task = task
        self._first_place = task.public_count + len(task.private_facts)
        self._rows: tuple[list[list[int]], list[list[int]], list[list[int]]] = ([], [], [])
        for action, is_public in enumerate(task.arrays.is_public):
            if not is_public or way is not Way.AS_IS:
                self._add(action, None, self._own_rows(action))
        own_stay = way in (Way.AS_IS, Way.KEEP)
        remaining = [step for step in steps if own_stay or isinstance(step, PublicAction)]
        for place, step in enumerate(remaining, self._first_place):
            if isinstance(step, PublicAction):
                self._add(None, step, (step.needs, step.adds, step.deletes), place)
                if way is Way.ALONE:
                    self._add(None, None, ((), (), ()), place)
                continue
            for action in extender.alike[step]:
                self._add(action, step, self._own_rows(action), place)
        self._end = self._first_place + len(remaining)

    def _own_rows(self, action: int) -> tuple[Sequence[int], ...]:
        return (self._task.pre[action], self._task.add[action], self._task.delete[action])

    def _add(
        self,
        action: int | None,
        step: Step | None,
        rows: Sequence[Sequence[int]],
        place: int | None = None,
    ) -> None:
        """An action that may be done anywhere, or just at one place, from where it goes on."""
        here = ([], [], []) if place is None else ([place], [place + 1], [place])
        for known, row, more in zip(self._rows, rows, here, strict=True):
            known.append([*row, *more])
        self.meaning.append((action, step))

    def task(self) -> ClassicalTask:
        arrays = self._task.arrays
        count = len(self.meaning)
        needs, adds, deletes = (flat(rows) for rows in self._rows)
        return ClassicalTask(
            self._end + 1,
            [*arrays.init.tolist(), self._first_place],
            [*arrays.goal.tolist(), self._end],
            needs,
            adds,
            deletes,
            [1] * count,
            [0] * count,
        )

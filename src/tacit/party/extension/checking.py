"""Does an agent's part of a plan hold? Checked step by step, by the rules alone.

Private facts are changed by their own agent and by nobody else, public facts by public steps and by
nothing else. So a joint plan holds if every agent finds that its own part does: where no process
sees the whole, this takes the place of the validator. It shares nothing with the search that made
the plan.
"""

from __future__ import annotations

from collections.abc import Sequence

from tacit.party.extension.extension import LocalPlan
from tacit.party.local.task import LocalTask
from tacit.public.task import PublicAction


def part_holds(task: LocalTask, steps: Sequence[PublicAction], plan: LocalPlan) -> bool:
    """Can the agent do its actions, each at its place between the public steps, and do they and
    the others' steps reach the public goals and its private ones?
    """
    return _Walk(task).does(steps, plan)


class _Walk:
    def __init__(self, task: LocalTask):
        self._task = task
        self._holds = set(task.arrays.init)

    def does(self, steps: Sequence[PublicAction], plan: LocalPlan) -> bool:
        waiting = list(reversed(plan.actions))
        for place, step in enumerate(steps):
            while waiting and waiting[-1][1] == place and not self._is_public(waiting[-1][0]):
                if not self._do(waiting.pop()[0]):
                    return False
            if step.agent != self._task.agent:
                if not self._others(step):
                    return False
                continue
            if not waiting or waiting[-1][1] != place:
                return False
            action = waiting.pop()[0]
            if not (self._looks_like(action, step) and self._do(action)):
                return False
        while waiting and not self._is_public(waiting[-1][0]):
            action, place = waiting.pop()
            if place != len(steps) or not self._do(action):
                return False
        return not waiting and self._holds.issuperset(self._task.arrays.goal)

    def _is_public(self, action: int) -> bool:
        return bool(self._task.arrays.is_public[action])

    def _do(self, action: int) -> bool:
        task = self._task
        if not self._holds.issuperset(task.pre[action]):
            return False
        self._holds.difference_update(task.delete[action])
        self._holds.update(task.add[action])
        return True

    def _others(self, step: PublicAction) -> bool:
        if not self._holds.issuperset(step.needs):
            return False
        self._holds.difference_update(step.deletes)
        self._holds.update(step.adds)
        return True

    def _looks_like(self, action: int, step: PublicAction) -> bool:
        """Do the others see this action as that step?"""
        task, count = self._task, self._task.public_count
        own = (task.pre[action], task.add[action], task.delete[action])
        seen = (step.needs, step.adds, step.deletes)
        return all(
            {fact for fact in mine if fact < count} == set(shown)
            for mine, shown in zip(own, seen, strict=True)
        )

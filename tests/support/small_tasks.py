"""Small classical tasks, and brute force for them."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from hypothesis import strategies as st

from support.draws import some, up_to
from support.tasks import flat
from tacit.planners import ClassicalTask, PlannerOutcome
from tacit.planners.native import NativeSearch


@dataclass
class Small:
    """A task as sets, with what was forbidden, for brute force."""

    facts: int
    init: frozenset[int]
    goal: frozenset[int]
    actions: list[tuple[frozenset[int], frozenset[int], frozenset[int], int]]
    forbidden: list[tuple[int | None, tuple[int, ...]]]

    def classical(self) -> ClassicalTask:
        columns = [[sorted(a[i]) for a in self.actions] for i in range(3)]
        return ClassicalTask(
            self.facts,
            sorted(self.init),
            sorted(self.goal),
            *(flat(rows) for rows in columns),
            [1] * len(self.actions),
            [a[3] for a in self.actions],
        )

    def is_forbidden(self, plan: tuple[int, ...]) -> bool:
        for group, prefix in self.forbidden:
            seen = tuple(a for a in plan if group is None or self.actions[a][3] == group)
            if seen[: len(prefix)] == prefix:
                return True
        return False

    def after(self, state: frozenset[int], action: int) -> frozenset[int] | None:
        pre, add, delete, _ = self.actions[action]
        return (state - delete) | add if pre <= state else None

    def memory(self, plan: tuple[int, ...]) -> tuple[object, ...]:
        """As much of the plan's beginning as the forbidden prefixes can ever ask for."""
        kept = []
        for group, prefix in self.forbidden:
            seen = tuple(a for a in plan if group is None or self.actions[a][3] == group)
            length = min(len(seen), len(prefix))
            kept.append(length if seen[:length] == prefix[:length] else None)
        return tuple(kept)

    def solvable(self) -> bool:
        if self.is_forbidden(()):
            return False
        queue = deque([(self.init, ())])
        seen = {(self.init, self.memory(()))}
        while queue:
            state, plan = queue.popleft()
            if self.goal <= state:
                return True
            for action in range(len(self.actions)):
                after = self.after(state, action)
                longer = (*plan, action)
                if after is None or self.is_forbidden(longer):
                    continue
                key = (after, self.memory(longer))
                if key not in seen:
                    seen.add(key)
                    queue.append((after, longer))
        return False

    def relaxed_solvable(self, state: frozenset[int]) -> bool:
        reached = set(state)
        while True:
            new = {f for pre, add, _, _ in self.actions if pre <= reached for f in add} - reached
            if not new:
                return self.goal <= reached
            reached |= new

    def additive(self, state: frozenset[int]) -> int | None:
        """h_add with unit costs, by iteration to a fixpoint."""
        cost = dict.fromkeys(state, 0)
        changed = True
        while changed:
            changed = False
            for pre, add, _, _ in self.actions:
                if all(fact in cost for fact in pre):
                    total = 1 + sum(cost[fact] for fact in pre)
                    for fact in add:
                        if total < cost.get(fact, total + 1):
                            cost[fact] = total
                            changed = True
        return sum(cost[f] for f in self.goal) if self.goal <= cost.keys() else None

    def check(self, plan: tuple[int, ...]) -> None:
        state: frozenset[int] | None = self.init
        for action in plan:
            state = self.after(state, action)
            assert state is not None, f"step {action} of {plan} cannot be executed"
        assert self.goal <= state
        assert not any(self.is_forbidden(plan[:n]) for n in range(len(plan) + 1))


@st.composite
def small_tasks(draw, forbidding=False) -> Small:
    facts = draw(up_to(7, 2))

    def few(most: int) -> frozenset[int]:
        return frozenset(draw(some(tuple(range(facts)), 0, most)))

    actions = []
    for _ in range(draw(up_to(8, 1))):
        pre, add, delete = few(3), few(2), few(3)
        actions.append((pre, add, delete - add, draw(up_to(2))))
    task = Small(facts, few(2), few(3), actions, [])
    if forbidding:
        task.forbidden = [draw_prefix(draw, task) for _ in range(draw(up_to(4, 1)))]
    return task


def draw_prefix(draw, task: Small) -> tuple[int | None, tuple[int, ...]]:
    group = draw(up_to(3)) - 1
    own = [n for n, a in enumerate(task.actions) if group in (-1, a[3])]
    if not own:
        return None, (draw(up_to(len(task.actions) - 1)),)
    prefix = tuple(own[draw(up_to(len(own) - 1))] for _ in range(draw(up_to(3, 1))))
    return None if group == -1 else group, prefix


def check(search: NativeSearch, task: Small) -> None:
    result = search.run()
    assert result.outcome is (
        PlannerOutcome.SOLVED if task.solvable() else PlannerOutcome.UNSOLVABLE
    )
    if result.solved:
        task.check(result.plan)

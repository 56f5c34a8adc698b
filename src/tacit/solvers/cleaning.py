"""A public plan as a plan of the projection: what of it is redundant, and what part can be planned
anew.

All of this is done by the coordinator alone, with what was published and what is on the ledger. The
projection is the pessimistic one where the plan is one of it, since more of its plans can be
extended; else the projection as it is. What comes out are *candidates*: whether agents can execute
them is another question (`tacit.solvers.improving`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from heapq import heapify, heappop, heappush

from tacit.public.disclosure import PublicStep
from tacit.public.projection import Projection
from tacit.public.schedule import Task, makespan, start_times

Numbers = tuple[int, ...]
"""A plan as numbers of actions of the projection."""


class PublicPlans:
    """Plans of one projection. `is_pessimistic`: of the pessimistic one."""

    def __init__(self, projection: Projection, plan: Sequence[PublicStep]):
        self._plain = projection
        pessimistic = projection.pessimistic()
        numbers = self.numbers(plan)
        self.is_pessimistic = pessimistic.is_plan(numbers)
        self.projection = pessimistic if self.is_pessimistic else projection

    def numbers(self, steps: Sequence[PublicStep]) -> Numbers:
        return tuple(self._plain.number[step] for step in steps)

    def named(self, plan: Sequence[int]) -> tuple[PublicStep, ...]:
        return self._plain.named(plan)

    def is_plan(self, plan: Sequence[int]) -> bool:
        """Is it a plan of the projection as it is?"""
        return self._plain.is_plan(plan)

    def cost(self, plan: Sequence[int]) -> int:
        """What the public steps cost."""
        return sum(self._plain.cost[action] for action in plan)

    def public_makespan(self, plan: Sequence[int]) -> int:
        """How long the public steps take side by side, private ones apart."""
        return makespan(self._tasks(plan))

    def by_time(self, plan: Numbers) -> Numbers:
        """The steps in the order in which they can start, each agent's own as before."""
        starts = start_times(self._tasks(plan))
        order = sorted(range(len(plan)), key=lambda place: (starts[place], place))
        return tuple(plan[place] for place in order)

    def _tasks(self, plan: Sequence[int]) -> list[Task]:
        own, made = self.projection, list[Task]()
        for a in plan:
            needs, adds, deletes = (frozenset(r[a]) for r in (own.needs, own.adds, own.deletes))
            made.append(Task(own.group[a], needs, adds, deletes))
        return made

    def loads(self, plan: Sequence[int]) -> list[int]:
        """How many steps each agent has."""
        counts = [0] * (1 + max(self._plain.group, default=0))
        for action in plan:
            counts[self._plain.group[action]] += 1
        return counts

    def shorter(self, plan: Numbers) -> Iterator[Numbers]:
        """Plans that leave out a step, and all steps that cannot be taken without it (action
        elimination: Nakhost and Müller, 2010). The most that can be left out at once comes first.
        """
        if not self.projection.is_plan(plan):
            return
        along, places = _Along(self.projection, plan), range(len(plan))
        found = {kept for place in places if (kept := self._without(plan, place, along))}
        yield from sorted(found, key=lambda kept: (self.cost(kept), len(kept), kept))

    def eliminated(self, plan: Numbers) -> Numbers:
        """The plan without what is redundant: again and again what saves most."""
        while (best := next(self.shorter(plan), None)) is not None:
            plan = best
        return plan

    def _without(self, plan: Numbers, place: int, along: _Along) -> Numbers | None:
        """The plan without a step and what depends on it; None if the goal is not reached.

        All that is followed is how states differ from those of the whole plan, from one step that
        has to do with a difference to the next.
        """
        task, out = self.projection, {place}
        lacks, has = (set(part) for part in along.changes[place])
        agenda = [n for fact in lacks | has if (n := along.next_with(fact, place))]
        heapify(agenda)
        last = place
        while agenda:
            number = heappop(agenda)
            if number == last:
                continue
            last, action = number, plan[number]
            adds, deletes = task.adds[action], task.deletes[action]
            if lacks.isdisjoint(task.needs[action]):
                lacks.difference_update(deletes, adds)
                has.difference_update(deletes, adds)
            else:
                out.add(number)
                new, gone = along.changes[number]
                lacks, has = (
                    lacks.difference(deletes).union(new - has, lacks.intersection(adds)),
                    has.difference(adds).union(gone - lacks),
                )
            for fact in {*task.needs[action], *adds, *deletes}:
                if (fact in lacks or fact in has) and (n := along.next_with(fact, number)):
                    heappush(agenda, n)
        if not lacks.isdisjoint(task.goal):
            return None
        return tuple(action for number, action in enumerate(plan) if number not in out)

    def window(self, plan: Numbers, first: int, last: int, prices: Sequence[int]) -> Projection:
        """The task of replacing the steps from `first` up to, not including, `last`."""
        task, state = self.projection, set(self.projection.init)
        for action in plan[:first]:
            state.difference_update(task.deletes[action])
            state.update(task.adds[action])
        goal = set(task.goal)
        for action in reversed(plan[last:]):
            goal.difference_update(task.adds[action])
            goal.update(task.needs[action])
        return replace(task, init=sorted(state), goal=sorted(goal), cost=list(prices))

    def priced(self, prices: Sequence[int]) -> Projection:
        """The projection, its actions at these prices."""
        return replace(self.projection, cost=list(prices))


class _Along:
    """What happens along a plan: per step the facts that become true and those that become false,
    and per fact the steps that have to do with it.
    """

    def __init__(self, task: Projection, plan: Numbers):
        state = set(task.init)
        self.changes: list[tuple[set[int], set[int]]] = []
        self._places: dict[int, list[int]] = {}
        for place, action in enumerate(plan):
            adds = set(task.adds[action])
            deletes = set(task.deletes[action]) - adds
            self.changes.append((adds - state, deletes & state))
            state.difference_update(deletes)
            state.update(adds)
            for fact in {*task.needs[action], *adds, *deletes}:
                self._places.setdefault(fact, []).append(place)

    def next_with(self, fact: int, place: int) -> int | None:
        """The next step after this one that has to do with a fact."""
        places = self._places.get(fact, [])
        after = bisect_right(places, place)
        return places[after] if after < len(places) else None

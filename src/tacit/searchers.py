"""Classical planners as the solvers see them: something that searches a `Projection`.

Any registered planner will do. One that can go on where it stopped does; any other is run again, on
the projection as it is by then.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from tacit import native
from tacit.planners import (
    PLANNERS,
    ClassicalTask,
    Planner,
    PlannerLimits,
    PlannerOutcome,
    PlannerResult,
    PlannerSearch,
)
from tacit.planners.cheapest import scaled
from tacit.planners.native import NativeSearch
from tacit.public.outcome import Outcome
from tacit.public.projection import Projection
from tacit.solvers.attempt import Counters

OUTCOMES = {
    PlannerOutcome.SOLVED: Outcome.SOLVED,
    PlannerOutcome.UNSOLVABLE: Outcome.NO_PLAN,
    PlannerOutcome.TIME: Outcome.TIME,
    PlannerOutcome.MEMORY: Outcome.MEMORY,
}

Found = tuple[Outcome, tuple[int, ...]]


def classical(projection: Projection) -> ClassicalTask:
    return ClassicalTask(
        projection.facts,
        projection.init,
        projection.goal,
        native.flat(projection.needs),
        native.flat(projection.adds),
        native.flat(projection.deletes),
        projection.cost,
        projection.group,
    )


class Clock:
    """CPU time, summed up over many runs."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def time(self, run: Callable[[], PlannerResult]) -> PlannerResult:
        """The result, with its time added."""
        start = time.process_time()
        try:
            return run()
        finally:
            self.seconds += time.process_time() - start


class ContinuedSearch:
    """A planner that goes on where it stopped."""

    counts = True

    def __init__(self, search: PlannerSearch, memory: int | None, clock: Clock):
        self._search = search
        self._memory = memory
        self._clock = clock
        self._counted = Counters()
        self.add_delete = search.add_delete

    def run(self, seconds: float, evaluations: int | None, counters: Counters) -> Found:
        limits = PlannerLimits(evaluations, seconds, self._memory)
        result = self._clock.time(lambda: self._search.run(limits))
        counted = Counters(result.expanded, result.evaluated, result.generated)
        counters.add(counted, since=self._counted)
        self._counted = counted
        return OUTCOMES.get(result.outcome, Outcome.UNDECIDED), result.plan

    def forbid(self, actions: list[int], group: int | None) -> None:
        self._search.forbid(actions, group)


class RepeatedSearch:
    """A planner that is run anew each time, on the projection as it is by then."""

    counts = False

    def __init__(self, projection: Projection, planner: Planner, memory: int | None, clock: Clock):
        self._projection = projection
        self._planner = planner
        self._memory = memory
        self._clock = clock
        self._has_prefixes = False

    def run(self, seconds: float, evaluations: int | None, counters: Counters) -> Found:
        if self._has_prefixes:  # such a planner cannot exclude a plan prefix
            return Outcome.UNDECIDED, ()
        task = classical(self._projection)
        limits = PlannerLimits(evaluations, seconds, self._memory)
        result = self._clock.time(lambda: self._planner.solve(task, limits))
        counters.add(Counters(result.expanded, result.evaluated, result.generated))
        return OUTCOMES.get(result.outcome, Outcome.UNDECIDED), result.plan

    def add_delete(self, action: int, fact: int) -> None:
        """The projection has it already."""

    def forbid(self, actions: list[int], group: int | None) -> None:
        self._has_prefixes = True


def make_search(
    projection: Projection, way: int, planner: str, seed: int, memory: int | None, clock: Clock
) -> ContinuedSearch | RepeatedSearch | None:
    """A search by the planner of this name; None if it has no further way."""
    kind = PLANNERS.get(planner)
    begin = getattr(kind, "begin", None)
    if begin is not None:
        search = begin(classical(projection), seed, way, projection.is_pessimistic)
        return ContinuedSearch(search, memory, clock)
    return None if way else RepeatedSearch(projection, kind(), memory, clock)


WAYS = ("weighted-5", "weighted-3", "weighted-2", "weighted-1")
"""Of searches below a cost, in turn: as in LAMA, ever less weight is on the estimate."""


class BoundedSearch:
    """The embedded planner below a cost, whatever planner searches otherwise."""

    def __init__(self, projection: Projection, way: int, seed: int):
        task = scaled(classical(projection))
        self._cost = task.cost
        self._bound: int | None = None
        self._search = NativeSearch(task, seed + way, (WAYS[way % len(WAYS)],), use_costs=True)

    def run(self, below: Sequence[int] | None, evaluations: int) -> tuple[int, ...] | None:
        bound = None if below is None else sum(self._cost[action] for action in below)
        if bound is not None and bound != self._bound:
            self._bound = bound
            self._search.bound(bound)
        result = self._search.run(PlannerLimits(evaluations))
        return result.plan if result.outcome is PlannerOutcome.SOLVED else None


def make_cheaper_search(projection: Projection, way: int, seed: int) -> BoundedSearch:
    """A search for plans of the projection that are cheaper than others."""
    return BoundedSearch(projection, way, seed)

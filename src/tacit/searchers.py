"""Classical planners as the solvers see them: something that searches a `Projection`.

Any registered planner will do. One that can go on where it stopped does; any other is run again, on
the projection as it is by then.
"""

from __future__ import annotations

import time
from collections.abc import Callable

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

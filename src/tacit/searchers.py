"""Classical planners as the projection solver sees them: something that searches a `Projection`."""

from __future__ import annotations

import time

from tacit import native
from tacit.planners import PLANNERS, ClassicalTask, PlannerLimits
from tacit.planners import Outcome as PlannerOutcome
from tacit.planners.native import PORTFOLIO, NativeSearch
from tacit.public.outcome import Outcome
from tacit.public.projection import Projection
from tacit.solvers.asking import Counters

OUTCOMES = {
    PlannerOutcome.SOLVED: Outcome.SOLVED,
    PlannerOutcome.UNSOLVABLE: Outcome.NO_PLAN,
    PlannerOutcome.TIME: Outcome.TIME,
    PlannerOutcome.MEMORY: Outcome.MEMORY,
}


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


class EmbeddedSearch:
    """The embedded planner, as the solver sees it; with another `way`, it finds another plan."""

    counts = True

    def __init__(self, projection: Projection, seed: int, memory: int | None, way: int = 0):
        self._memory = memory
        first = way % len(PORTFOLIO)
        engines = (*PORTFOLIO[first:], *PORTFOLIO[:first])
        self._search = NativeSearch(
            classical(projection), seed + way, engines, without_useless=projection.is_guess
        )
        self.add_delete = self._search.add_delete
        self._counted = Counters()

    def run(
        self, seconds: float, evaluations: int | None, counters: Counters
    ) -> tuple[Outcome, tuple[int, ...]]:
        result = self._search.run(PlannerLimits(evaluations, seconds, self._memory))
        counted = Counters(result.expanded, result.evaluated, result.generated)
        counters.add(counted, since=self._counted)
        self._counted = counted
        return OUTCOMES.get(result.outcome, Outcome.UNDECIDED), result.plan

    def forbid(self, actions: list[int], group: int | None) -> None:
        self._search.forbid(actions, group)


class FastDownwardSearch:
    """Fast Downward, as the solver sees it: every round is a new run on the projection as it is."""

    counts = False

    def __init__(self, projection: Projection, memory: int | None):
        self._projection = projection
        self._memory = memory
        self._has_prefixes = False
        self._planner = PLANNERS.get("fast-downward")()

    def run(
        self, seconds: float, evaluations: int | None, counters: Counters
    ) -> tuple[Outcome, tuple[int, ...]]:
        if self._has_prefixes:  # it cannot be told that a plan must not begin in some way
            return Outcome.UNDECIDED, ()
        limits = PlannerLimits(evaluations, seconds, self._memory)
        result = self._planner.solve(classical(self._projection), limits)
        counters.add(Counters(result.expanded, result.evaluated, result.generated))
        return OUTCOMES.get(result.outcome, Outcome.UNDECIDED), result.plan

    def add_delete(self, action: int, fact: int) -> None:
        """The projection has it already."""

    def forbid(self, actions: list[int], group: int | None) -> None:
        self._has_prefixes = True


class TimedSearch:
    """A search whose CPU time a clock adds up."""

    def __init__(self, search: EmbeddedSearch | FastDownwardSearch, clock: Clock):
        self._search = search
        self._clock = clock
        self.add_delete = search.add_delete
        self.forbid = search.forbid
        self.counts = search.counts

    def run(
        self, seconds: float, evaluations: int | None, counters: Counters
    ) -> tuple[Outcome, tuple[int, ...]]:
        start = time.process_time()
        try:
            return self._search.run(seconds, evaluations, counters)
        finally:
            self._clock.seconds += time.process_time() - start


def make_search(
    projection: Projection, way: int, planner: str, seed: int, memory: int | None, clock: Clock
) -> TimedSearch | None:
    """A search by the planner of this name; None if it has no further way."""
    if planner == "native":
        return TimedSearch(EmbeddedSearch(projection, seed, memory, way), clock)
    return None if way else TimedSearch(FastDownwardSearch(projection, memory), clock)

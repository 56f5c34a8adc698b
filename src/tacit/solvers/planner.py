"""The classical planner as a solver sees it: something that searches a projection."""

from __future__ import annotations

from typing import Protocol

from tacit.public.outcome import Outcome
from tacit.solvers.asking import Counters
from tacit.solvers.limits import Deadline


class Planner(Protocol):
    """A search on one projection. It can be asked to go on, and mostly counts its evaluations."""

    @property
    def counts(self) -> bool:
        """Does it end after as many evaluations as it may have?"""

    def run(
        self, seconds: float, evaluations: int | None, counters: Counters
    ) -> tuple[Outcome, tuple[int, ...]]: ...


def run(
    search: Planner, deadline: Deadline, most: int | None, counters: Counters
) -> tuple[Outcome, tuple[int, ...]]:
    """Search until there is an outcome, or until the counters show so many evaluations.

    A search counts seconds on the wall, so it may be early.
    """
    while True:
        left = None if most is None else max(1, most - counters.evaluated)
        outcome, plan = search.run(deadline.left, left, counters)
        if outcome is not Outcome.TIME or deadline.has_passed:
            return outcome, plan

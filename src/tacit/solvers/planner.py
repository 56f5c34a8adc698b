"""The classical planner as a solver sees it: something that searches a projection."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from tacit.public.outcome import Outcome
from tacit.public.projection import Projection
from tacit.solvers.attempt import Counters
from tacit.solvers.limits import Deadline


class Planner(Protocol):
    """A search on one projection. It can be asked to go on, and mostly counts its evaluations."""

    @property
    def counts(self) -> bool:
        """Does it stop after as many evaluations as it may have?"""

    def run(
        self, seconds: float, evaluations: int | None, counters: Counters
    ) -> tuple[Outcome, tuple[int, ...]]: ...


class Searcher(Planner, Protocol):
    """A search whose projection can gain deletes, and from which plan prefixes can be excluded."""

    def add_delete(self, action: int, fact: int) -> None: ...
    def forbid(self, actions: list[int], group: int | None) -> None: ...


class CheaperSearch(Protocol):
    """A search on one projection for plans below a cost, by the projection's own costs."""

    def run(self, below: Sequence[int] | None, evaluations: int) -> tuple[int, ...] | None:
        """A plan that costs less than this one, or as much in fewer steps; any, if there is none
        to begin with. None if there is none, or none within so many evaluations: it may then be
        asked to go on.
        """


MakeCheaperSearch = Callable[[Projection, int], CheaperSearch]
"""Such a search, given how many others were made before; they take turns at different ways."""

MakeSearch = Callable[[Projection, int], Searcher | None]
"""A search on a projection, given how many others were made for it before. There is always a first
one; a planner may have no further way to search."""


def run(
    search: Planner, deadline: Deadline, most: int | None, counters: Counters
) -> tuple[Outcome, tuple[int, ...]]:
    """Search until there is an outcome, or until the counters show so many evaluations.

    A search measures seconds by the clock on the wall, so it may be early.
    """
    while True:
        left = None if most is None else max(1, most - counters.evaluated)
        outcome, plan = search.run(deadline.left, left, counters)
        if outcome is not Outcome.TIME or deadline.has_passed:
            return outcome, plan

"""A search that begins with a guess at what ends tokens (`Projection.cautious`).

Where the guess is good, its plans can be carried out as they are and nobody has to tell what ended
a token. As it may have no plan, it is given up when it finds none soon. From then on the search is
one on the projection as it is, which knows all that was told meanwhile. Before agents are asked to
tell much, the guess is taken up again, and given more time. A planner that does not count cannot be
made to give up, so with such a one nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from tacit.public.outcome import Outcome
from tacit.public.projection import Projection
from tacit.solvers.asking import Counters
from tacit.solvers.planner import Planner

PATIENCE, LONG_PATIENCE = 12_000, 60_000
"""Evaluations for a plan by the guess: enough for each engine of the planner to have a turn, and
before much is told."""


class Searcher(Planner, Protocol):
    """A search on one projection that can be told more about it."""

    def add_delete(self, action: int, fact: int) -> None: ...
    def forbid(self, actions: list[int], group: int | None) -> None: ...


Make = Callable[[Projection, int], Searcher | None]
"""A search on a projection, given how many others were made for it before; there may be no further
way to search, but there is always a first."""


class Guessing:
    """Searches a projection, by the guess first; `guesses` says whether it is at that."""

    def __init__(self, projection: Projection, make: Make):
        self._projection = projection
        self._make = make
        guess = self._first(projection.cautious())
        self.counts = guess.counts
        self._guess = guess if self.counts else None
        self._plain: Searcher | None = None
        self._forbidden: list[tuple[list[int], int | None]] = []
        self._patience = PATIENCE
        self.guesses = True
        self.spent = 0
        """Evaluations for the guess."""

    def again(self, projection: Projection) -> Guessing:
        """The same search on a projection that has more facts."""
        made = Guessing(projection, self._make)
        made._patience, made.guesses, made.spent = self._patience, self.guesses, self.spent
        for actions, group in self._forbidden:
            made.forbid(actions, group)
        return made

    def guess_longer(self) -> None:
        """Take the guess up again, once."""
        if self._patience < LONG_PATIENCE and self._guess is not None:
            self._patience, self.guesses = LONG_PATIENCE, True

    def run(
        self, seconds: float, evaluations: int | None, counters: Counters
    ) -> tuple[Outcome, tuple[int, ...]]:
        """Search on. What the guess takes, as often again at most, comes on top (`spent`)."""
        if self.guesses and self._guess is not None:
            most = self._patience if evaluations is None else min(self._patience, evaluations)
            before = counters.evaluated
            outcome, plan = self._guess.run(seconds, most, counters)
            self.spent += counters.evaluated - before
            if outcome is Outcome.NO_PLAN:
                self._guess = None
            elif outcome is not Outcome.UNDECIDED:
                return outcome, plan
        self.guesses = False
        if self._plain is None:
            self._plain = self._first(self._projection)
            for actions, group in self._forbidden:
                self._plain.forbid(actions, group)
        return self._plain.run(seconds, evaluations, counters)

    def _first(self, projection: Projection) -> Searcher:
        search = self._make(projection, 0)
        assert search is not None, "there is always a first way to search"
        return search

    def add_delete(self, action: int, fact: int) -> None:
        """The projection has it too."""
        for search in (self._guess, self._plain):
            if search is not None:
                search.add_delete(action, fact)

    def forbid(self, actions: list[int], group: int | None) -> None:
        self._forbidden.append((actions, group))
        for search in (self._guess, self._plain):
            if search is not None:
                search.forbid(actions, group)

"""A search that begins with a guess at what ends tokens (`Projection.cautious`).

Where the guess is good, its plans can be carried out as they are and nobody has to tell what ended
a token. As it may have no plan, it is given up when it finds none soon. From then on the search is
one on the projection as it is, which knows all that was told meanwhile. Before agents are asked to
tell much, the guess is taken up again, and given more time. A planner that does not count cannot be
made to give up, so with such a one nothing is guessed. Where private actions look at public facts,
another guess comes first: which facts these are (`tacit.solvers.watching`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from tacit.public.outcome import Outcome
from tacit.public.projection import Projection
from tacit.solvers.asking import Counters
from tacit.solvers.planner import Planner
from tacit.solvers.watching import early, with_all_of

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
    """Searches a projection, by the guess first; `guesses` says whether it is at that.

    `watched` are the public facts that private actions are guessed to look at.
    """

    def __init__(self, projection: Projection, make: Make, watched: Sequence[int] = ()):
        self._projection = projection
        self._make = make
        self._watched = tuple(watched)
        self._forbidden: list[tuple[list[int], int | None]] = []
        guess = self._next_guess()
        self.counts = guess.counts
        self._guess: Searcher | None = guess if self.counts else None
        self._plain: Searcher | None = None
        self._patience = PATIENCE
        self.guesses = True
        self.spent = 0
        """Evaluations for the guess."""

    def _next_guess(self) -> Searcher:
        guess = with_all_of(self._projection, self._watched).cautious()
        return self._knowing(self._first(guess))

    def again(self, projection: Projection) -> Guessing:
        """The same search on a projection that has more facts."""
        made = Guessing(projection, self._make, self._watched)
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
        while self.guesses and self._guess is not None:
            most = self._patience if evaluations is None else min(self._patience, evaluations)
            before = counters.evaluated
            outcome, plan = self._guess.run(seconds, most, counters)
            self.spent += counters.evaluated - before
            if outcome not in (Outcome.NO_PLAN, Outcome.UNDECIDED):
                return outcome, self._in_time(plan)
            if self._watched:
                self._watched = ()
                self._guess = self._next_guess()
                continue
            if outcome is Outcome.NO_PLAN:
                self._guess = None
            self.guesses = False
        self.guesses = False
        if self._plain is None:
            self._plain = self._knowing(self._first(self._projection))
        return self._plain.run(seconds, evaluations, counters)

    def _in_time(self, plan: tuple[int, ...]) -> tuple[int, ...]:
        """The plan with what is watched as early as can be, unless that was ruled out."""
        moved = early(self._projection, plan, self._watched) if self._watched else plan
        return plan if any(self._begins(moved, *item) for item in self._forbidden) else moved

    def _begins(self, plan: Sequence[int], actions: list[int], group: int | None) -> bool:
        groups = self._projection.group
        own = [action for action in plan if group is None or groups[action] == group]
        return own[: len(actions)] == actions

    def _knowing(self, search: Searcher) -> Searcher:
        """A search that knows what was ruled out."""
        for actions, group in self._forbidden:
            search.forbid(actions, group)
        return search

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

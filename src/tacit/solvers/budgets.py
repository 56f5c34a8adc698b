"""Offline, which budgets are tried: the one that was asked for, or the smallest that solves.

A user of a solver, for all agents or as one of them, makes something of each attempt (a plan that
was validated, say); `finish` is how. How the smallest budget is looked for depends on the solver
(`Solver.smallest`); the ways to do it are here.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Generic

from tacit import watch
from tacit.errors import LimitReached
from tacit.policy import EffortPolicy
from tacit.public.outcome import Outcome
from tacit.solvers.attempt import Attempt
from tacit.solvers.budget_search import R, bisect, downward, narrowed, smallest, step_up
from tacit.solvers.effort import EffortSearch
from tacit.solvers.limits import Limits

if TYPE_CHECKING:
    from tacit.solvers.solver import Solver


class Budgets(Generic[R]):
    """Tries budgets with one solver. `finish` gets an attempt and the CPU time when it began, and
    is not ended by the user's limits: what was found in time counts.

    `found` is the solved budget with the least disclosed so far: what remains for a user who does
    not wait for the end.
    """

    def __init__(self, solver: Solver, finish: Callable[[Attempt, float], R]) -> None:
        self._solver = solver
        self._coordinator = solver.coordinator
        self._offline = solver.offline
        self._policy = solver.tools.policy
        self._finish = finish
        self.found: R | None = None

    @property
    def largest(self) -> int:
        """The budget at which every agent discloses all it can."""
        return self._offline.largest

    def at(self, k: int, limits: Limits) -> R:
        """Plan with budget k."""
        return self.attempt(k, _in_force(limits))

    def attempt(self, k: int, limits: Limits) -> R:
        """Plan with budget k within just these limits."""
        start = time.process_time()
        return self.finished(self._solver.attempt(k, limits), start)

    def finished(self, attempt: Attempt, start: float) -> R:
        """What the user makes of an attempt."""
        with watch.unlimited():
            result = self._finish(attempt, start)
        is_best = self.found is None or result.most_disclosed < self.found.most_disclosed
        if result.solved and is_best:
            self.found = result
        return result

    def iterate(self, limits: Limits) -> R:
        """Plan with a k that grows from 0, one by one, inside one search."""
        start = time.process_time()
        return self.finished(self._solver.iterate(_in_force(limits)), start)

    def first(self, limits: Limits) -> R:
        """Plan with the smallest budget that solves; if a limit ends it, the best so far."""
        self.found = None
        start = time.process_time()
        try:
            limits = _in_force(limits)
            deadline = limits.begin()
            low = self.lower_bound()
            result = self._solver.smallest(self, low, replace(limits, seconds=deadline.left))
        except LimitReached as limit:
            attempt = Attempt(
                self._offline.rounds, Outcome.UNDECIDED, ledger=self._coordinator.ledger
            )
            self._coordinator.end(limit, attempt)
            return self.found or self.finished(attempt, start)
        if self._coordinator.limit is None:
            with watch.unlimited():
                self._offline.disclose_all(result.k)  # the agents go back to that budget
        return result

    def bisect(self, low: int, limits: Limits) -> R:
        """The smallest budget, where more disclosure never hurts."""
        return bisect(low, self.largest, self._quickly_or_not(limits))

    def step_up(self, low: int, limits: Limits) -> R:
        """The first budget going up, where more disclosure may hurt."""
        policy = self._policy.budgets
        return step_up(low, self.largest, self._quickly_or_not(limits), policy.climb)

    def least_disclosed(
        self,
        low: int,
        limits: Limits,
        levels: EffortPolicy,
        otherwise: Callable[[int, Limits], R] | None = None,
    ) -> R:
        """A budget at which little is disclosed, repairs included; if none is found, `otherwise`.

        By default that is the largest, and then those below it.
        """
        deadline = limits.begin()
        search = EffortSearch(low, self.largest, self.attempt, limits, self._policy)
        best = search.look(levels)
        is_proved = best.outcome is Outcome.NO_PLAN and best.k >= self.largest
        if best.solved or is_proved:
            return best
        left = replace(limits, seconds=deadline.left)
        return (otherwise or self.downward)(low, left)

    def downward(self, low: int, limits: Limits) -> R:
        """The largest budget, or a smaller one at which no more is disclosed in all."""
        attempt, quick = self._bounded(limits), self._policy.effort.medium
        return downward(low, self.largest, lambda k, most: attempt(k, most, quick))

    def narrowed(self, low: int, best: R, limits: Limits, evaluations: int) -> R:
        """The smallest solved budget between a bound and one that solved."""
        deadline = limits.begin()

        def attempt(k: int) -> R:
            left = replace(limits, seconds=deadline.left, evaluations=evaluations)
            return self.attempt(k, left)

        return narrowed(low, best, attempt)

    def _quickly_or_not(self, limits: Limits) -> Callable[[int, bool], R]:
        """How a budget is tried, quickly or thoroughly."""
        attempt, effort = self._bounded(limits), self._policy.effort
        few, many = effort.medium, effort.thorough
        return lambda k, quickly: attempt(k, None, few if quickly else many)

    def _bounded(self, limits: Limits) -> Callable[[int, int | None, int], R]:
        """How a budget is tried until so much is disclosed or so many states are evaluated; the
        largest may take all that there is.
        """
        deadline = limits.begin()

        def attempt(k: int, max_disclosed: int | None, states: int) -> R:
            left = replace(limits, seconds=deadline.left, max_disclosed=max_disclosed)
            if k < self.largest:
                left = replace(left, evaluations=states)
            return self.attempt(k, left)

        return attempt

    def lower_bound(self) -> int:
        """The smallest k at which the goal is reachable in Π_k if nothing is ever deleted; 0 for a
        solver that may do with less than that.
        """
        if not self._solver.is_bounded_by_projection(self._coordinator.settings):
            return 0
        if self._offline.takes_turns:
            return self._offline.rounds_until_reachable()
        return smallest(0, self.largest, self.may_be_reachable)

    def may_be_reachable(self, k: int) -> bool:
        """Is the goal reachable in Π_k if nothing is ever deleted?"""
        return self._offline.projection(k).is_relaxed_reachable()


def _in_force(limits: Limits) -> Limits:
    """No more time than is left of what the user gave for everything."""
    return replace(limits, seconds=min(limits.seconds, watch.left()))

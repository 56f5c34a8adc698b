"""Which budgets are tried: the one that was asked for, or the smallest that solves.

Whoever runs a solver, for all agents or as one of them, makes something of each attempt (a plan
that was checked, say); `finish` is how.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Generic

from tacit import watch
from tacit.errors import InputError, LimitReached
from tacit.public.outcome import Outcome
from tacit.public.settings import Extension, Rule, Settings, Threats
from tacit.solvers.asking import Attempt
from tacit.solvers.hunt import R, bisect, downward, narrowed, smallest, step_up
from tacit.solvers.limits import Limits
from tacit.solvers.mafs import PATIENCE, MafsSolver
from tacit.solvers.projection import ProjectionSolver
from tacit.solvers.thrift import PREFIXES, Thrift, Worth

HASTY, PATIENT = 30_000, 1_000_000
"""States that one k is worth while the smallest that solves is looked for. The largest k is worth
everything."""
URGENT, URGENT_WITH_ALL = 1_000, 3_000
"""States evaluated for one k before agents repair in bulk: where one by one was not enough, and
where all edges are disclosed, so that few repairs hide little."""

MOST = 3 / 4
"""Of the time left, for forward search with all edges where no smaller budget was solved."""

PROJECTED = Worth(5_000, Limits.urgent, 200_000)
FORWARD = Worth(PATIENCE, 5 * PATIENCE, 25 * PATIENCE)

Solver = ProjectionSolver | MafsSolver


class Budgets(Generic[R]):
    """Tries budgets with one solver. `finish` gets an attempt and the CPU time when it began, and
    is not ended by the user's limits: what was found in time counts.

    `found` is the solved budget at which least was told, while one is looked for: what is left to
    who does not wait for the end.
    """

    def __init__(
        self, solver: Solver, settings: Settings, finish: Callable[[Attempt, float], R]
    ) -> None:
        self._solver = solver
        self._settings = settings
        self._finish = finish
        self.found: R | None = None

    def at(self, k: int, limits: Limits) -> R:
        """Plan with budget k."""
        limits = _in_force(limits)
        if k >= self._solver.largest:
            limits = replace(limits, urgent=min(limits.urgent, URGENT_WITH_ALL))
        return self._try(k, limits)

    def _try(self, k: int, limits: Limits) -> R:
        start = time.process_time()
        return self._finished(self._solver.attempt(k, limits), start)

    def _finished(self, attempt: Attempt, start: float) -> R:
        with watch.unlimited():
            result = self._finish(attempt, start)
        if result.solved and (self.found is None or result.told < self.found.told):
            self.found = result
        return result

    def iterate(self, limits: Limits) -> R:
        """Plan with a k that grows from 0, one by one, inside one forward search."""
        if not isinstance(self._solver, MafsSolver):
            raise InputError("k grows inside a search by forward search only", "--solver mafs")
        start = time.process_time()
        return self._finished(self._solver.iterate(_in_force(limits)), start)

    def first(self, limits: Limits) -> R:
        """Plan with the smallest budget that solves; if a limit ends it, the best so far."""
        self.found = None
        start = time.process_time()
        try:
            result = self._hunt(limits)
        except LimitReached as limit:
            attempt = Attempt(self._solver.rounds, Outcome.UNDECIDED)
            self._solver.end(limit, attempt)
            return self.found or self._finished(attempt, start)
        if self._solver.limit is None:
            with watch.unlimited():
                self._solver.projection(result.k)  # the agents go back to that budget
        return result

    def _hunt(self, limits: Limits) -> R:
        limits = _in_force(limits)
        deadline = limits.begin()
        low = self.lower_bound()
        left = replace(limits, seconds=deadline.left)
        if isinstance(self._solver, MafsSolver):
            return self._with_little_told(low, left, FORWARD)
        if self._more_may_hurt:
            return step_up(low, self._solver.largest, self._hunting(left))
        if self._settings.repairs:
            return self._with_little_told(low, left, PROJECTED)
        return bisect(low, self._solver.largest, self._hunting(left))

    def _hunting(self, limits: Limits) -> Callable[[int, bool], R]:
        """How a budget is tried, in haste or not, while the smallest that solves is looked for."""
        trying = self._trying(limits)
        return lambda k, hastily: trying(k, None, HASTY if hastily else PATIENT)

    def _trying(self, limits: Limits) -> Callable[[int, int | None, int], R]:
        """How a budget is tried until so much is told or so many states are evaluated; the largest
        may take all that there is.
        """
        deadline = limits.begin()

        def attempt(k: int, told: int | None, states: int) -> R:
            left = replace(limits, seconds=deadline.left, urgent=URGENT, told=told)
            if k < self._solver.largest:
                left = replace(left, prefixes=PREFIXES, evaluations=states)
            return self._try(k, left)

        return attempt

    def _with_little_told(self, low: int, limits: Limits, worth: Worth) -> R:
        """A k at which little is told, repairs included; if none is found, the largest comes next,
        and then those below it.
        """
        deadline, largest = limits.begin(), self._solver.largest
        best = Thrift(low, largest, self._try, limits).look(worth, URGENT)
        is_proved = best.outcome is Outcome.NO_PLAN and best.k >= largest
        if best.solved or is_proved:
            return best
        left = replace(limits, seconds=deadline.left)
        if isinstance(self._solver, MafsSolver):
            return self._with_much_told(self._solver, low, left)
        trying = self._trying(left)
        return downward(low, largest, lambda k, told: trying(k, told, HASTY))

    @property
    def _more_may_hurt(self) -> bool:
        """May a plan be lost when more is disclosed?"""
        threats_may = self._settings.threats in (Threats.RANKED, Threats.KNOWN)
        return threats_may or self._settings.extension is Extension.REPLAN

    def _with_much_told(self, solver: MafsSolver, low: int, limits: Limits) -> R:
        """Search with all edges for most of the time, then with k that grows inside one search
        from half of the edges on; below the k that solved, look for a smaller one.
        """
        deadline = limits.begin()
        most = replace(limits, seconds=MOST * limits.seconds, evaluations=FORWARD.patient)
        result = self._try(solver.largest, most)
        if not result.solved and result.outcome is not Outcome.NO_PLAN:
            start, left = time.process_time(), replace(limits, seconds=deadline.left)
            grown = solver.grow(max(low, solver.largest // 2), left)
            low, result = max(low, grown.failed + 1), self._finished(grown, start)
        if not result.solved:
            return result

        def attempt(k: int) -> R:
            return self._try(k, replace(limits, seconds=deadline.left, evaluations=PATIENCE))

        return narrowed(low, result, attempt)

    def lower_bound(self) -> int:
        """The smallest k at which the goal is reachable in Π_k if nothing is ever deleted.

        Forward search by other rules than `supported` may do with less than that.
        """
        searches = isinstance(self._solver, MafsSolver)
        if searches and self._settings.rule is not Rule.SUPPORTED:
            return 0
        if self._solver.takes_turns:
            return self._solver.rounds_until_reachable()
        return smallest(0, self._solver.largest, self.may_be_reachable)

    def may_be_reachable(self, k: int) -> bool:
        """Is the goal reachable in Π_k if nothing is ever deleted?"""
        return self._solver.projection(k).is_relaxed_reachable()


def _in_force(limits: Limits) -> Limits:
    """No more time than is left of what a user gave for everything."""
    return replace(limits, seconds=min(limits.seconds, watch.left()))

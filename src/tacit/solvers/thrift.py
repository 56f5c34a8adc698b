"""A budget at which little is told in all, repairs included.

Efforts grow: every budget from the lower bound up is tried in haste first, then in earnest, each as
far as less may be told than at the best budget so far. Repairs are told one by one; in bulk they
end a hard search soon and tell much, so that comes third. Where much more is told than the lower
bound, patience with one by one is worth its time. A budget that is proved to have no plan is not
tried again, nor is a smaller one. Half of the time is for finding a budget at all, so that
something is left for other ways.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic

from tacit.public.outcome import Outcome
from tacit.solvers.hunt import R, narrowed, tells_no_more
from tacit.solvers.limits import Limits

PREFIXES = 100
"""Beginnings that may be ruled out at one k before it is given up."""
MUCH = 4
"""How many times the lower bound is much."""


@dataclass(frozen=True)
class Worth:
    """States that one k is worth; in forward search, of each agent."""

    hasty: int
    earnest: int
    patient: int


class Thrift(Generic[R]):
    """Looks for a budget with `attempt`, which tries one within limits."""

    def __init__(
        self, low: int, high: int, attempt: Callable[[int, Limits], R], limits: Limits
    ) -> None:
        self._low, self._high = low, high
        self._attempt = attempt
        self._limits = replace(limits, prefixes=PREFIXES)
        self._deadline = limits.begin()
        self._half = replace(limits, seconds=limits.seconds / 2).begin()
        self._repaired: set[int] = set()

    def look(self, worth: Worth, urgent: int) -> R:
        """A solved budget, or the last one tried; bulk repairs begin after `urgent` states."""
        much = MUCH * max(1, self._low)
        best = least_told(self._low, self._high, self._effort(worth.hasty))
        best = self._less(best, self._effort(worth.earnest, slowly=True))
        if self._repaired:
            best = self._less(best, self._effort(worth.earnest, urgent))
        if not best.solved or best.told > much:
            self._low = max(self._low, min(self._repaired, default=0))
            best = self._less(best, self._effort(worth.patient, slowly=True))
        return best

    def _less(self, best: R, effort: Effort[R]) -> R:
        if self._low > self._high:
            return best
        return least_told(self._low, self._high, effort, best)

    def _effort(self, states: int, urgent: int | None = None, slowly: bool = False) -> Effort[R]:
        urgent = states if urgent is None else urgent
        limits = replace(self._limits, evaluations=states, urgent=urgent)

        def attempt(k: int, told: int | None) -> R:
            until = self._half if told is None else self._deadline
            result = self._attempt(k, replace(limits, seconds=until.left, told=told))
            if result.told > k:
                self._repaired.add(k)
            if result.outcome is Outcome.NO_PLAN:
                self._low = max(self._low, k + 1)
            return result

        return Effort(attempt, slowly)


@dataclass(frozen=True)
class Effort(Generic[R]):
    """`attempt(k, told)` tries a budget, and may give up once so much was told. `slowly`: budgets
    grow by half, and not in steps that double.
    """

    attempt: Callable[[int, int | None], R]
    slowly: bool = False


def least_told(low: int, high: int, effort: Effort[R], best: R | None = None) -> R:
    """A solved budget at which little is told, repairs included, or else the last one tried.

    Budgets are tried from low up in growing steps, as far as less may be told than at the best that
    is known, and then in between.
    """
    bound = best.told if best is not None and best.solved else None
    top = high if bound is None else min(high, bound - 1)
    if best is not None and (top < low or best.outcome in (Outcome.TIME, Outcome.MEMORY)):
        return best
    tried = _climbed(low, top, bound, effort)
    if best is None or bound is None or (tried.solved and tried.told < bound):
        return tried
    return best


def _climbed(low: int, high: int, bound: int | None, effort: Effort[R]) -> R:
    k, step = low, max(1, low // 4)
    while not (tried := effort.attempt(k, bound)).solved:
        if k >= high or tried.outcome in (Outcome.TIME, Outcome.MEMORY):
            return tried
        step = max(1, k // 2) if effort.slowly else step
        low, k, step = k + 1, min(high, k + step), 2 * step
    most = tried.told + 1 if bound is None else min(bound, tried.told + 1)
    return narrowed(low, tried, lambda k: effort.attempt(k, most), tells_no_more)

"""A budget at which little is disclosed in all, repairs included, found with growing effort.

Every budget from the lower bound up is tried with little effort first, then with medium effort,
each as far as less may be disclosed than at the best budget so far. Where much more is disclosed
than the lower bound, high effort is worth its time. A budget that is
proved to have no plan is not tried again, nor is a smaller one. A share of the time is for finding
a budget at all, so that something is left for other ways.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic

from tacit.policy import POLICY, EffortPolicy, Policy
from tacit.public.outcome import Outcome
from tacit.solvers.budget_search import R, discloses_no_more, narrowed
from tacit.solvers.limits import Limits


class EffortSearch(Generic[R]):
    """Looks for a budget with `attempt`, which tries one within limits."""

    def __init__(
        self,
        low: int,
        high: int,
        attempt: Callable[[int, Limits], R],
        limits: Limits,
        policy: Policy = POLICY,
    ) -> None:
        self._low, self._high = low, high
        self._attempt = attempt
        self._policy = policy
        self._limits = limits
        self._deadline = limits.begin()
        share = policy.budgets.share_until_found
        self._first_share = replace(limits, seconds=limits.seconds * share).begin()
        self._repaired: set[int] = set()

    def look(self, levels: EffortPolicy) -> R:
        """A solved budget, or the last one tried."""
        much = self._policy.budgets.much * max(1, self._low)
        best = least_disclosed(self._low, self._high, self._effort(levels.low))
        best = self._less(best, self._effort(levels.medium, slowly=True))
        if not best.solved or best.most_disclosed > much:
            self._low = max(self._low, min(self._repaired, default=0))
            best = self._less(best, self._effort(levels.high, slowly=True))
        return best

    def _less(self, best: R, effort: Effort[R]) -> R:
        if self._low > self._high:
            return best
        return least_disclosed(self._low, self._high, effort, best)

    def _effort(self, states: int, slowly: bool = False) -> Effort[R]:
        """One level: so many states per budget."""
        limits = replace(self._limits, evaluations=states)

        def attempt(k: int, max_disclosed: int | None) -> R:
            until = self._first_share if max_disclosed is None else self._deadline
            result = self._attempt(
                k, replace(limits, seconds=until.left, max_disclosed=max_disclosed)
            )
            if result.most_disclosed > k:
                self._repaired.add(k)
            if result.outcome is Outcome.NO_PLAN:
                self._low = max(self._low, k + 1)
            return result

        return Effort(attempt, slowly)


@dataclass(frozen=True)
class Effort(Generic[R]):
    """`attempt(k, max_disclosed)` tries a budget, and may give up once so much is disclosed.
    `slowly`: budgets grow by half, and not in steps that double.
    """

    attempt: Callable[[int, int | None], R]
    slowly: bool = False


def least_disclosed(low: int, high: int, effort: Effort[R], best: R | None = None) -> R:
    """A solved budget at which little is disclosed, repairs included, or else the last one tried.

    Budgets are tried from low up in growing steps, as far as less may be disclosed than at the best
    that is known, and then in between.
    """
    bound = best.most_disclosed if best is not None and best.solved else None
    top = high if bound is None else min(high, bound - 1)
    if best is not None and (top < low or best.outcome in (Outcome.TIME, Outcome.MEMORY)):
        return best
    tried = _climbed(low, top, bound, effort)
    if best is None or bound is None or (tried.solved and tried.most_disclosed < bound):
        return tried
    return best


def _climbed(low: int, high: int, bound: int | None, effort: Effort[R]) -> R:
    k, step = low, max(1, low // 4)
    while not (tried := effort.attempt(k, bound)).solved:
        if k >= high or tried.outcome in (Outcome.TIME, Outcome.MEMORY):
            return tried
        step = max(1, k // 2) if effort.slowly else step
        low, k, step = k + 1, min(high, k + step), 2 * step
    most = tried.most_disclosed + 1 if bound is None else min(bound, tried.most_disclosed + 1)
    return narrowed(low, tried, lambda k: effort.attempt(k, most), discloses_no_more)

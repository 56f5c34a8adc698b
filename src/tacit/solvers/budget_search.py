"""The smallest budget that solves, found by trying few of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from tacit.public.outcome import Outcome


class Tried(Protocol):
    """What came of one budget."""

    @property
    def k(self) -> int: ...
    @property
    def outcome(self) -> Outcome: ...
    @property
    def solved(self) -> bool: ...
    @property
    def most_disclosed(self) -> int: ...


R = TypeVar("R", bound=Tried)


def smallest(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """The smallest number from low to high for which a monotone condition holds; high if none."""
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low


def bisect(low: int, high: int, attempt: Callable[[int, bool], R]) -> R:
    """The smallest solved budget, if more disclosure never hurts.

    `attempt(k, quickly)` may give up where it is hard, and soon if it is to be quick. A solved
    budget is found quickly, up from the lower bound in growing steps; then smaller ones are tried,
    quickly as well, and last thoroughly those of which nothing is known.
    """
    unsolvable = low - 1

    def quickly(k: int) -> R:
        nonlocal unsolvable
        result = attempt(k, True)
        if result.outcome is Outcome.NO_PLAN:
            unsolvable = max(unsolvable, k)
        return result

    def thoroughly(k: int) -> R:
        return attempt(k, False)

    k, step = low, 1
    while not (last := quickly(k)).solved:
        if k >= high or last.outcome in (Outcome.TIME, Outcome.MEMORY):
            return last
        low = k + 1
        k = min(high, k + step)
        step *= 2
    best = narrowed(low, last, quickly)
    return narrowed(unsolvable + 1, best, thoroughly)


def downward(low: int, high: int, attempt: Callable[[int, int | None], R]) -> R:
    """The largest budget, if it is solved, or a smaller one at which no more is disclosed in all.

    `attempt(k, max_disclosed)` may give up once so much is disclosed.
    """
    last = attempt(high, None)
    if not last.solved:
        return last
    least = last.most_disclosed

    def lower(k: int) -> R:
        nonlocal least
        tried = attempt(k, least + 1)
        least = min(least, tried.most_disclosed) if tried.solved else least
        return tried

    return narrowed(low, last, lower, discloses_no_more)


def discloses_no_more(tried: Tried, best: Tried) -> bool:
    """Is a solved budget as good as the best so far, repairs included?"""
    return tried.most_disclosed <= best.most_disclosed


def narrowed(
    low: int,
    best: R,
    attempt: Callable[[int], R],
    is_better: Callable[[R, R], bool] = lambda tried, best: True,
) -> R:
    """The best of the solved budgets halfway from low to a solved one."""
    while low < best.k:
        middle = (low + best.k) // 2
        tried = attempt(middle)
        if tried.solved and is_better(tried, best):
            best = tried
        elif tried.outcome in (Outcome.TIME, Outcome.MEMORY):
            break
        else:
            low = middle + 1
    return best


def step_up(low: int, high: int, attempt: Callable[[int, bool], R], climb: int) -> R:
    """The first solved budget going up, in steps that grow by a `climb`-th of the way: more may
    hurt.
    """
    k, step = low, 1
    while True:
        result = attempt(k, False)
        if result.solved or k >= high or result.outcome in (Outcome.TIME, Outcome.MEMORY):
            return result
        k = min(high, k + step)
        step = max(step, (k - low) // climb)

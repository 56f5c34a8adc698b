"""The smallest budget that solves, found by trying few of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from tacit.solvers.asking import Outcome


class Tried(Protocol):
    """What came of one budget."""

    k: int
    outcome: Outcome

    @property
    def solved(self) -> bool: ...


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


def bisect(low: int, high: int, attempt: Callable[[int], R]) -> R:
    """The smallest solved budget, if more disclosure never hurts."""
    best: R | None = None
    last: R | None = None
    step = 1
    k = low
    while best is None:  # up from the lower bound in growing steps
        last = attempt(k)
        if last.solved:
            best = last
        elif k >= high or last.outcome in (Outcome.TIME, Outcome.MEMORY):
            return last
        else:
            low = k + 1
            k = min(high, k + step)
            step *= 2
    high = best.k
    while low < high:
        middle = (low + high) // 2
        last = attempt(middle)
        if last.solved:
            best, high = last, middle
        else:
            low = middle + 1
    return best


def step_up(low: int, high: int, attempt: Callable[[int], R]) -> R:
    """The first solved budget going up, in steps that grow: more disclosure may hurt here."""
    k, step = low, 1
    while True:
        result = attempt(k)
        if result.solved or k >= high or result.outcome in (Outcome.TIME, Outcome.MEMORY):
            return result
        k = min(high, k + step)
        step = max(step, (k - low) // 16)

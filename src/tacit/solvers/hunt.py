"""The smallest budget that solves, found by trying few of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

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
    def told(self) -> int: ...


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

    `attempt(k, hastily)` may give up where it is hard, and soon if it is to be hasty. A solved
    budget is found in haste, up from the lower bound in growing steps; then smaller ones are tried,
    first in haste as well, and last with patience those of which nothing is known.
    """
    hunt = _Hunt(low, attempt)
    k, step = low, 1
    while not (last := hunt.attempt(k, True)).solved:
        if k >= high or last.outcome in (Outcome.TIME, Outcome.MEMORY):
            return last
        low = k + 1
        k = min(high, k + step)
        step *= 2
    best = hunt.between(low, last, True)
    return hunt.between(hunt.open, best, False)


def least_told(low: int, high: int, efforts: Sequence[Callable[[int], R]]) -> R:
    """A solved budget at which little is told, repairs included, or else the last one tried.

    Each effort is made from low up in growing steps, as far as less may be told than what was found
    before, and then in between.
    """
    best = _climbed(low, high, efforts[0])
    for attempt in efforts[1:]:
        top = min(high, best.told - 1) if best.solved else high
        if top < low or best.outcome in (Outcome.TIME, Outcome.MEMORY):
            break
        tried = _climbed(low, top, attempt)
        if not best.solved or (tried.solved and tried.told < best.told):
            best = tried
    return best


def _climbed(low: int, high: int, attempt: Callable[[int], R]) -> R:
    k, step = low, max(1, low // 4)
    while not (tried := attempt(k)).solved:
        if k >= high or tried.outcome in (Outcome.TIME, Outcome.MEMORY):
            return tried
        low, k, step = k + 1, min(high, k + step), 2 * step
    return _narrowed(low, tried, attempt)


def _narrowed(low: int, best: R, attempt: Callable[[int], R]) -> R:
    """A budget from low on, of those halfway, at which no more is told than at a solved one."""
    while low < best.k:
        tried = attempt((low + best.k) // 2)
        if tried.solved and tried.told <= best.told:
            best = tried
        elif tried.outcome is Outcome.TIME:
            break
        else:
            low = tried.k + 1
    return best


class _Hunt(Generic[R]):
    """`open` is the smallest budget of which it is not known that there is no plan."""

    def __init__(self, low: int, attempt: Callable[[int, bool], R]):
        self.open = low
        self._attempt = attempt

    def attempt(self, k: int, hastily: bool) -> R:
        result = self._attempt(k, hastily)
        if result.outcome is Outcome.NO_PLAN:
            self.open = max(self.open, k + 1)
        return result

    def between(self, low: int, best: R, hastily: bool) -> R:
        """The smallest solved budget from low on, given one that is."""
        while low < best.k:
            middle = (low + best.k) // 2
            last = self.attempt(middle, hastily)
            if last.solved:
                best = last
            elif last.outcome is Outcome.TIME:
                break
            else:
                low = middle + 1
        return best


def step_up(low: int, high: int, attempt: Callable[[int, bool], R]) -> R:
    """The first solved budget going up, in steps that grow: more disclosure may hurt here."""
    k, step = low, 1
    while True:
        result = attempt(k, False)
        if result.solved or k >= high or result.outcome in (Outcome.TIME, Outcome.MEMORY):
            return result
        k = min(high, k + step)
        step = max(step, (k - low) // 16)

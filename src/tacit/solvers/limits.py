"""What a solver may spend, and on which clock its seconds count.

Who waits for a plan counts seconds on the wall. Who compares methods counts CPU time, which a busy
machine does not change; that works only where everything is done by one process.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

Clock = Callable[[], float]


class Deadline:
    """A moment on a clock."""

    def __init__(self, seconds: float, clock: Clock):
        self._clock = clock
        self._end = clock() + seconds

    @property
    def left(self) -> float:
        """Seconds until then, zero once it has passed."""
        return max(0.0, self._end - self._clock())

    @property
    def has_passed(self) -> bool:
        return self._clock() >= self._end


@dataclass(frozen=True)
class Limits:
    """`seconds` is the user's own; `repairs` bounds the rounds of repair.

    `prefixes` bounds the answers that rule out a single beginning: where these are all that can be
    said, there are too many, and "undecided" is the honest end. `evaluations` bounds the
    states evaluated, in forward search those of each agent; after `urgent` of them agents are
    asked to repair in bulk. `told` ends a try at which an agent tells as much, repairs included.
    """

    seconds: float = float("inf")
    repairs: int = 10_000
    prefixes: int = 500
    evaluations: int | None = None
    urgent: int = 30_000
    told: int | None = None
    clock: Clock = time.monotonic

    def begin(self) -> Deadline:
        """The end of the time, if it begins now."""
        return Deadline(self.seconds, self.clock)

"""What a solver may spend, and on which clock its seconds count.

A user who waits for a plan counts seconds on the wall. A comparison of methods counts CPU time,
which a busy machine does not change; that works only where one process does everything.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from tacit.policy import RepairPolicy

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

    `prefixes` bounds the answers that rule out a single plan prefix: where there is no other
    repair, there are too many, and "undecided" is the honest end. `evaluations` bounds the states
    evaluated, in forward search those of each agent. `max_disclosed` ends an attempt at which an
    agent has disclosed as much, repairs included.
    """

    seconds: float = float("inf")
    repairs: int = 10_000
    prefixes: int | None = None
    evaluations: int | None = None
    max_disclosed: int | None = None
    clock: Clock = time.monotonic

    def begin(self) -> Deadline:
        """The end of the time, if it begins now."""
        return Deadline(self.seconds, self.clock)

    def most_prefixes(self, policy: RepairPolicy) -> int:
        """What was given, or else what the policy has."""
        return policy.prefixes if self.prefixes is None else self.prefixes

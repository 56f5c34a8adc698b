"""The user's limits on time and memory, which hold wherever a run happens to be.

A run passes through reading, grounding, introducing, ranking, disclosing, searching and extending,
and each of them can take long. So a limit is not an argument of each, but something in force around
all of them: `limited` puts a `Watch` in force, and whatever works for long calls `check` now and
then, which raises `LimitReached` once a limit is passed. The native core does so as well: its long
loops call back here a few times a second (`tacit.native`). A watch is in force for one context (a
thread, mostly; whoever starts threads for a run hands its context on), so that a program that uses
Tacit as a library is left alone. Where no watch is in force, `check` does nothing.

Nothing is decided by a clock but when to give up: limits inside algorithms count work.
"""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from tacit.errors import LimitReached

T = TypeVar("T")
Clock = Callable[[], float]

MIB = 2**20
START = "starting"
"""The phase of who has not said what it is at."""
BETWEEN_LOOKS = 0.05
"""Seconds between two looks at the memory."""
SHARE_OF_LOOKS = 0.05
"""Looking at the memory of many processes takes a while: no more of the time than this."""
MANY = 1024
"""Items of a long loop between two checks."""

_current: ContextVar[Watch | None] = ContextVar("tacit watch", default=None)


class Watch:
    """Limits in force: so many seconds from now on, and so many bytes of resident memory.

    `phase` is what the run is at, for the message. What an outer watch limits stays limited.
    """

    def __init__(
        self,
        seconds: float = math.inf,
        memory: int | None = None,
        clock: Clock = time.monotonic,
        measure: Callable[[], int] | None = None,
        outer: Watch | None = None,
    ):
        self.phase: str = outer.phase if outer is not None else START
        self.processes: list[int] = []
        """Processes started for the run, whose memory counts as well."""
        self._clock = clock
        self._end = clock() + seconds
        self._memory = memory
        self._measure = measure or self._resident
        self._next_look = -math.inf
        self._outer = outer

    @property
    def left(self) -> float:
        """Seconds until the time is up."""
        own = max(0.0, self._end - self._clock())
        return own if self._outer is None else min(own, self._outer.left)

    def check(self) -> None:
        """Raise `LimitReached` if a limit is passed."""
        now = self._clock()
        if now >= self._end:
            raise LimitReached("time", self.phase)
        if self._memory is not None and now >= self._next_look:
            if self._measure() > self._memory:
                raise LimitReached("memory", self.phase)
            spent = self._clock() - now
            self._next_look = now + max(BETWEEN_LOOKS, spent / SHARE_OF_LOOKS)
        if self._outer is not None:
            self._outer.check()

    def _resident(self) -> int:
        return resident() + sum(map(private_to, self.processes))


def current() -> Watch | None:
    """The watch in force, if there is one."""
    return _current.get()


def check() -> None:
    """Raise `LimitReached` if a limit in force is passed."""
    watch = _current.get()
    if watch is not None:
        watch.check()


def here(limit: LimitReached) -> LimitReached:
    """A limit that ended another process of the run, which may not know what the run is at."""
    watch = _current.get()
    if limit.phase == START and watch is not None:
        return LimitReached(limit.outcome, watch.phase)
    return limit


def checked(items: Iterable[T]) -> Iterator[T]:
    """The same items, with a look at the limits after every thousand of them."""
    for number, item in enumerate(items):
        if not number % MANY:
            check()
        yield item


def left() -> float:
    """Seconds until the time in force is up."""
    watch = _current.get()
    return math.inf if watch is None else watch.left


def count_in(process: int | None) -> None:
    """From now on the memory of this process, which was started for the run, counts as well."""
    watch = _current.get()
    if watch is not None and process is not None:
        watch.processes.append(process)


@contextmanager
def in_force(watch: Watch | None) -> Iterator[None]:
    """Put a watch in force, or none."""
    token = _current.set(watch)
    try:
        yield
    finally:
        _current.reset(token)


@contextmanager
def limited(seconds: float = math.inf, memory: int | None = None) -> Iterator[None]:
    """Limit what is done within: seconds on the wall, and bytes of resident memory."""
    with in_force(Watch(seconds, memory, outer=_current.get())):
        yield


@contextmanager
def unlimited() -> Iterator[None]:
    """For what must be done to the end, such as checking a plan that was found in time."""
    with in_force(None):
        yield


@contextmanager
def phase(name: str) -> Iterator[None]:
    """Say what the run is at, for the message if it ends there."""
    watch = _current.get()
    if watch is None:
        yield
        return
    before, watch.phase = watch.phase, name
    try:
        watch.check()
        yield
    finally:
        watch.phase = before


def resident() -> int:
    """Bytes of this process that are in memory; where the system does not say, the most so far."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * _PAGE
    except (OSError, IndexError, ValueError):
        return _peak()


def private_to(process: int) -> int:
    """Bytes in memory that only this process has; what it shares with others is not counted."""
    found = 0
    try:
        with open(f"/proc/{process}/smaps_rollup", "rb") as file:
            for line in file:
                if line.startswith(b"Private_"):
                    found += int(line.split()[1]) * 1024
    except (OSError, IndexError, ValueError):
        pass  # it has ended, or the system does not say
    return found


def _peak() -> int:
    try:
        import resource  # noqa: PLC0415
    except ImportError:
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096

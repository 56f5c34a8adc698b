"""The user's limits on time and memory, which apply in every phase of a run.

A run passes through reading, grounding, introducing, ranking, disclosing, searching and extending,
and each of them can take long. So a limit is not an argument of each, but in force around all of
them: `limited` puts a `Watch` in force, and long computations call `check` now and then, which
raises `LimitReached` once a limit is exceeded. The native core does so as well: its long loops call
back here a few times a second (`tacit.native`). A watch is in force for one context (usually a
thread; code that starts threads for a run passes its context on), so a program that uses Tacit as
a library is not affected. Where no watch is in force, `check` does nothing.

The clock decides only when to give up: limits inside algorithms count work.
"""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import chain, islice
from typing import TypeVar

from tacit.errors import LimitReached

T = TypeVar("T")
Clock = Callable[[], float]

MIB = 2**20
START = "starting"
"""The phase before the first one is announced."""
BETWEEN_MEASUREMENTS = 0.05
"""Seconds between two measurements of memory."""
MEASURING_SHARE = 0.05
"""Measuring the memory of many processes is slow: at most this share of the time is spent on it."""
MANY = 1024
"""Items of a long loop between two checks."""

_current: ContextVar[Watch | None] = ContextVar("tacit watch", default=None)


class Watch:
    """Limits in force: seconds from now on, and bytes of resident memory.

    `phase` is the current phase of the run, for the message. Limits of an outer watch still apply.
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
        self._next_measurement = -math.inf
        self._outer = outer

    @property
    def left(self) -> float:
        """Seconds until the time is up."""
        own = max(0.0, self._end - self._clock())
        return own if self._outer is None else min(own, self._outer.left)

    def check(self) -> None:
        """Raise `LimitReached` if a limit is exceeded."""
        now = self._clock()
        if now >= self._end:
            raise LimitReached("time", self.phase)
        if self._memory is not None and now >= self._next_measurement:
            if self._measure() > self._memory:
                raise LimitReached("memory", self.phase)
            spent = self._clock() - now
            self._next_measurement = now + max(BETWEEN_MEASUREMENTS, spent / MEASURING_SHARE)
        if self._outer is not None:
            self._outer.check()

    def _resident(self) -> int:
        return resident() + sum(map(private_to, self.processes))


def current() -> Watch | None:
    """The watch in force, if there is one."""
    return _current.get()


def check() -> None:
    """Raise `LimitReached` if a limit in force is exceeded."""
    watch = _current.get()
    if watch is not None:
        watch.check()


def here(limit: LimitReached) -> LimitReached:
    """A limit that stopped another process of the run, which may not know the run's phase."""
    watch = _current.get()
    if limit.phase == START and watch is not None:
        return LimitReached(limit.outcome, watch.phase)
    return limit


def checked(items: Iterable[T]) -> Iterator[T]:
    """The same items, with a check of the limits after every thousand of them."""
    return chain.from_iterable(_by_many(iter(items)))


def _by_many(items: Iterator[T]) -> Iterator[Iterator[T]]:
    for first in items:
        check()
        yield chain((first,), islice(items, MANY - 1))


def left() -> float:
    """Seconds until the time in force is up."""
    watch = _current.get()
    return math.inf if watch is None else watch.left


def count_in(process: int | None) -> None:
    """Count the memory of this process, which was started for the run, as well."""
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
    """Limit what is done within: seconds of wall time, and bytes of resident memory."""
    with in_force(Watch(seconds, memory, outer=_current.get())):
        yield


@contextmanager
def unlimited() -> Iterator[None]:
    """For work that must be completed, such as checking a plan that was found in time."""
    with in_force(None):
        yield


@contextmanager
def phase(name: str) -> Iterator[None]:
    """Name the current phase of the run, for the message if a limit is reached in it."""
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
    """Resident bytes of this process; the peak so far where the system does not report them."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * _PAGE
    except (OSError, IndexError, ValueError):
        return _peak()


def private_to(process: int) -> int:
    """Resident bytes of this process that it shares with no other."""
    found = 0
    try:
        with open(f"/proc/{process}/smaps_rollup", "rb") as file:
            for line in file:
                if line.startswith(b"Private_"):
                    found += int(line.split()[1]) * 1024
    except (OSError, IndexError, ValueError):
        pass  # the process has ended, or the system does not report it
    return found


def _peak() -> int:
    try:
        import resource  # noqa: PLC0415
    except ImportError:
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096

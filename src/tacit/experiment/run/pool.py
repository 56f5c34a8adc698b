"""Units executed by processes that may die: one watcher per process, on this machine.

`watch` executes one unit. It starts a process, passes on what the process reports, kills it when it
exceeds its time, and records the run during which it died: out of time if we killed it, out of
memory if the system did (any kill from outside looks the same), a crash otherwise. The remaining
runs go to a new process. Every round records at least one run, so that this terminates.

`local` executes many units, several at a time, with one thread to watch each. Rows come out in one
place, so that one writer can store them.
"""

from __future__ import annotations

import multiprocessing
import queue
import signal
import threading
import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing import connection
from multiprocessing.process import BaseProcess
from typing import Any

import msgspec

from tacit.experiment.run import worker
from tacit.experiment.run.job import Job, failure, known
from tacit.experiment.run.row import ALL, Run, RunOutcome
from tacit.experiment.run.worker import Begins, Loaded

POLL = 0.2

_REAPING = threading.Lock()


def _start(process: BaseProcess) -> None:
    """Starting a process also asks every other one for its exit code, which can be read only once:
    done by two threads at a time, the later one would be told 255.
    """
    with _REAPING:
        process.start()


def _reap(process: BaseProcess) -> int | None:
    """Wait for the end of a process; its exit code."""
    connection.wait([process.sentinel])
    with _REAPING:
        process.join()
        return process.exitcode


@dataclass(frozen=True)
class Ended:
    """A unit is finished."""

    job: Job


@dataclass(frozen=True)
class Grace:
    """How long after its time limit, in wall time, a run is killed from outside.

    A run counts CPU time, and on a busy machine it gets less than a second of it per second.
    """

    seconds: float = 5.0
    share: float = 3.0

    def after(self, limit: float) -> float:
        return limit * (1 + self.share) + self.seconds


Event = Run | Ended


@dataclass
class _Round:
    """One process on one unit, as seen by its watcher."""

    job: Job
    done: dict[str, Run]
    process: BaseProcess
    reports: Any
    grace: Grace
    at: str | None = ALL
    since: float = field(default_factory=time.time)
    clock: float = field(default_factory=time.monotonic)
    dependencies: dict[str, int] = field(default_factory=dict)
    overstayed: bool = False
    progress: bool = False

    def follow(self, stop: threading.Event) -> Iterator[Run]:
        """Pass on what the process reports until it has ended."""
        while not stop.is_set():
            if connection.wait([self.reports], POLL):
                try:
                    message = self.reports.recv()
                except (EOFError, OSError):
                    break
                yield from self._take(message)
            elif self._is_late():
                self.overstayed = True
                self.process.kill()
        if stop.is_set():
            self.process.kill()
        _reap(self.process)

    def _take(self, message: worker.Message) -> Iterator[Run]:
        if isinstance(message, Loaded):
            self.dependencies, self.at = message.dependencies, None
        elif isinstance(message, Begins):
            self.at, self.since, self.clock = message.asked, time.time(), time.monotonic()
        else:
            self.at, self.progress = None, True
            self.done[message.asked] = message
            yield message

    def _is_late(self) -> bool:
        limit = self.job.unit.time_limit
        if limit is None or self.at is None or self.overstayed:
            return False
        return time.monotonic() - self.clock > self.grace.after(limit)

    def aftermath(self) -> Iterator[Run]:
        """The runs that failed because the process died, if it did."""
        code = _reap(self.process)
        if code in (0, worker.GO_ON_ELSEWHERE) and self.progress:
            return
        outcome, detail = self._cause(code)
        for asked in self._concerned():
            run = failure(self.job.unit, asked, self.dependencies, outcome, detail, self.since)
            self.done[asked] = run
            yield run

    def _concerned(self) -> list[str]:
        """The runs that the death of the process decided."""
        left = self.job.left(self.done)
        if self.at == ALL:
            return [ALL] if left is None else left
        if self.at is not None:
            return [self.at]
        return left[:1] if left and not self.progress else []

    def _cause(self, code: int | None) -> tuple[RunOutcome, str]:
        if self.overstayed:
            return RunOutcome.TIME, "ended from outside"
        if code == -signal.SIGKILL:
            return RunOutcome.MEMORY, "killed by the system"
        if code is not None and code < 0:
            return RunOutcome.CRASH, signal.Signals(-code).name
        return RunOutcome.CRASH, f"exit code {code}"


def watch(job: Job, stop: threading.Event, grace: Grace = Grace()) -> Iterator[Run]:  # noqa: B008
    """Execute the remaining runs of a unit, whatever happens to the processes."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([worker.__name__])
    done = dict(job.done)
    while not stop.is_set() and job.left(done) != []:
        reports, out = context.Pipe(duplex=False)
        life, keep = context.Pipe(duplex=False)
        now = msgspec.structs.replace(job, done=dict(done))
        process = context.Process(target=worker.main, args=(now, out, life), daemon=True)
        _start(process)
        out.close()
        life.close()
        this = _Round(job, done, process, reports, grace, dependencies=known(done))
        try:
            yield from this.follow(stop)
            if not stop.is_set():
                yield from this.aftermath()
        finally:
            keep.close()
            reports.close()
            process.kill()
            _reap(process)


def local(
    jobs: Iterable[Job],
    workers: int,
    stop: threading.Event,
    grace: Grace = Grace(),  # noqa: B008
) -> Generator[Event]:
    """Execute units, some at a time; yields runs and finished units as they come."""
    waiting = deque(jobs)
    events: queue.Queue[Event | BaseException | None] = queue.Queue()

    def slot() -> None:
        try:
            while not stop.is_set():
                try:
                    job = waiting.popleft()
                except IndexError:
                    break
                for run in watch(job, stop, grace):
                    events.put(run)
                if not stop.is_set():
                    events.put(Ended(job))
        except BaseException as error:
            events.put(error)
        events.put(None)

    threads = [threading.Thread(target=slot, daemon=True) for _ in range(workers)]
    for thread in threads:
        thread.start()
    running = len(threads)
    try:
        while running:
            event = events.get()
            if event is None:
                running -= 1
            elif isinstance(event, BaseException):
                raise event
            else:
                yield event
    finally:
        stop.set()
        for thread in threads:
            thread.join()

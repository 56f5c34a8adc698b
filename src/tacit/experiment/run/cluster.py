"""Units executed on a dask.distributed cluster, their runs stored by the one writer here.

A task is a unit. Its worker runs it in a separate program (`isolated`), so that nothing a run does
can crash the worker, and sends every run as an event as soon as it is known. The task's result
repeats them, in case an event was lost. When a worker is lost, its units are repeated elsewhere,
and known runs are not reported twice.
"""

from __future__ import annotations

import pickle
import queue
import subprocess
import threading
import time
import uuid
from collections.abc import Generator, Iterable, Iterator
from typing import Any

import msgspec

from tacit.errors import InputError, to_install
from tacit.experiment.run import isolated
from tacit.experiment.run.job import Job, failure, known
from tacit.experiment.run.pool import Ended, Event, Grace
from tacit.experiment.run.row import ALL, Run, RunOutcome

LOSSES = 10
"""How often a unit may lose its worker before it is called a crash."""

POLL = 0.5
_running: dict[str, set[subprocess.Popen[bytes]]] = {}
_decoder = msgspec.msgpack.Decoder(Run)


def on_cluster(
    jobs: Iterable[Job],
    address: str,
    stop: threading.Event,
    grace: Grace = Grace(),  # noqa: B008
) -> Generator[Event]:
    """Execute units on the cluster at an address; yields runs and finished units as they come."""
    client = _connect(address)
    sweep = _Sweep(client, grace)
    try:
        yield from sweep.run(list(jobs), stop)
    finally:
        sweep.close()
        client.close()


def _connect(address: str) -> Any:
    try:
        import distributed  # noqa: PLC0415 - an extra, and slow to import
    except ImportError:
        needed = "--cluster needs the package 'distributed'"
        raise InputError(needed, to_install("cluster")) from None
    make: Any = distributed.Client
    try:
        return make(address, timeout=20, set_as_default=False)
    except (OSError, ValueError) as error:
        hint = "name a running dask scheduler, as in tcp://HOST:8786"
        raise InputError(f"no cluster answers at '{address}' ({error})", hint) from None


class _Sweep:
    """The client's side: which units are pending, and their known runs."""

    def __init__(self, client: Any, grace: Grace):
        self._client = client
        self._grace = grace
        self._topic = f"tacit-{uuid.uuid4().hex}"
        self._inbox: queue.Queue[Any] = queue.Queue()
        self._pending: dict[str, tuple[Any, Job]] = {}
        self._done: dict[str, dict[str, Run]] = {}
        self._losses: dict[str, int] = {}
        client.subscribe_topic(self._topic, lambda event: self._inbox.put(event[1]))

    def run(self, jobs: list[Job], stop: threading.Event) -> Iterator[Event]:
        for job in jobs:
            self._done[job.unit.key] = dict(job.done)
            self._submit(job)
        while self._pending and not stop.is_set():
            try:
                item = self._inbox.get(timeout=POLL)
            except queue.Empty:
                continue
            if isinstance(item, bytes):
                yield from self._new([_decoder.decode(item)])
            else:
                yield from self._finished(*item)

    def _submit(self, job: Job) -> None:
        key = job.unit.key
        now = msgspec.structs.replace(job, done=self._done[key])
        parcel = pickle.dumps(isolated.Parcel.of(now, self._grace))
        name = f"{self._topic}-{key}-{self._losses.get(key, 0)}"
        future = self._client.submit(_unit, parcel, self._topic, key=name, pure=False)
        self._pending[key] = (future, job)
        future.add_done_callback(lambda ended: self._inbox.put((key, name, ended)))

    def _new(self, runs: Iterable[Run]) -> Iterator[Run]:
        for run in runs:
            done = self._done[run.unit.key]
            if run.asked not in done:
                done[run.asked] = msgspec.structs.replace(run, plan="")
                yield run

    def _finished(self, key: str, name: str, future: Any) -> Iterator[Event]:
        if key not in self._pending or self._pending[key][0].key != name:
            return  # an earlier attempt
        job = self._pending[key][1]
        if future.status == "finished":
            yield from self._new(_decoder.decode(frame) for frame in future.result())
        elif not self._is_loss(future):
            raise InputError(f"the cluster cannot run a unit: {future.exception()}")
        elif self._losses.get(key, 0) < LOSSES:
            self._losses[key] = self._losses.get(key, 0) + 1
            self._submit(job)
            return
        else:
            yield from self._new(self._given_up(job))
        del self._pending[key]
        yield Ended(job)

    @staticmethod
    def _is_loss(future: Any) -> bool:
        """Whether the worker, not the unit, failed."""
        if future.status in ("lost", "cancelled"):
            return True
        return type(future.exception()).__name__ in ("KilledWorker", "CommClosedError")

    def _given_up(self, job: Job) -> list[Run]:
        done = self._done[job.unit.key]
        left = job.left(done)
        detail = f"its worker was lost {LOSSES} times"
        return [
            failure(job.unit, asked, known(done), RunOutcome.CRASH, detail, time.time())
            for asked in ([ALL] if left is None else left)
        ]

    def close(self) -> None:
        """Cancel pending units, and stop those that are running."""
        if self._pending:
            self._client.cancel([future for future, _ in self._pending.values()], force=True)
            self._client.run(_stop_all, self._topic)
        self._client.unsubscribe_topic(self._topic)


def _unit(parcel: bytes, topic: str) -> list[bytes]:
    """The worker's side: one unit, in a separate program."""
    import distributed  # noqa: PLC0415 - there is one where this runs

    worker = distributed.get_worker()
    programs = _running.setdefault(topic, set())
    started: list[subprocess.Popen[bytes]] = []

    def began(program: subprocess.Popen[bytes]) -> None:
        started.append(program)
        programs.add(program)

    def report(run: Run) -> None:
        worker.log_event(topic, msgspec.msgpack.encode(run))

    try:
        runs = isolated.execute(parcel, began, report)
    finally:
        programs.difference_update(started)
    return [msgspec.msgpack.encode(run) for run in runs]


def _stop_all(topic: str) -> None:
    for program in list(_running.get(topic, ())):
        program.kill()

"""Agents of one process search together: in turn on one thread, or on several threads.

A driver gives each agent a slice of evaluations, takes its frames and hands them to their
receivers before their next slice. `RoundRobin` is repeatable: it counts rounds, and reads no
clock but for the user's own limit. `Threads` keeps all cores busy: an agent with something to do
waits in a queue until a thread is free, an idle one sleeps until a frame comes for it, and no agent
is ever worked on by two threads.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Sequence
from contextvars import copy_context
from typing import Protocol

from tacit import watch
from tacit.errors import InternalError, TacitError, lack_error, plugin_error
from tacit.policy import POLICY, ForwardPolicy
from tacit.public.protocol.transcript import Transcript

PULSE = 0.25
"""Seconds between two polls of one that is not."""

GRACE = 5.0
"""Seconds that a thread or a process gets to end."""


class Searcher(Protocol):
    """An agent that searches."""

    @property
    def name(self) -> str: ...
    @property
    def is_idle(self) -> bool: ...
    @property
    def has_found(self) -> bool: ...
    def work(self, evaluations: int) -> list[tuple[str, bytes]]: ...
    def receive(self, sender: str, frame: bytes) -> None: ...


class _Desk:
    """An agent and the frames that wait for it."""

    def __init__(self, agent: Searcher):
        self.agent = agent
        self.inbox: deque[tuple[str, bytes]] = deque()
        self.is_queued = self.is_busy = False
        self.slices = 0

    @property
    def has_work(self) -> bool:
        return bool(self.inbox) or not self.agent.is_idle

    def turn(self, evaluations: int) -> list[tuple[str, bytes]]:
        """Take in what came and search on."""
        while self.inbox:
            self.agent.receive(*self.inbox.popleft())
        self.slices += 1
        return self.agent.work(evaluations)


class RoundRobin:
    """One thread, one agent after the other: the same run every time."""

    is_apart = False

    def __init__(
        self,
        agents: Sequence[Searcher],
        transcript: Transcript | None = None,
        policy: ForwardPolicy = POLICY.forward,
    ):
        self._desks = {agent.name: _Desk(agent) for agent in agents}
        self._transcript = transcript
        self._policy = policy

    def work(self, seconds: float, evaluations: int | None) -> None:
        deadline = time.monotonic() + seconds
        desks = list(self._desks.values())
        rounds = self._policy.rounds(len(desks))
        if evaluations is not None:
            rounds = min(rounds, evaluations // self._policy.slice + 1)
        for _ in range(rounds):
            if not any(desk.has_work for desk in desks):
                return
            for desk in desks:  # from the first, whatever was searched for before
                if desk.has_work:
                    self._deliver(desk.agent.name, _guarded(desk, self._policy.slice))
                if desk.agent.has_found:
                    return
            if time.monotonic() > deadline:
                return

    def _deliver(self, sender: str, frames: list[tuple[str, bytes]]) -> None:
        for receiver, frame in frames:
            if self._transcript is not None:
                self._transcript.add(sender, receiver, frame)
            self._desks[receiver].inbox.append((sender, frame))


class Threads:
    """Several threads share the agents."""

    is_apart = False

    def __init__(
        self,
        agents: Sequence[Searcher],
        transcript: Transcript | None = None,
        threads: int | None = None,
        policy: ForwardPolicy = POLICY.forward,
    ):
        self._slice = policy.slice
        self._desks = {agent.name: _Desk(agent) for agent in agents}
        self._transcript = transcript
        self._count = max(1, min(threads or os.cpu_count() or 1, len(agents)))
        self._changed = threading.Condition()
        self._queue: deque[_Desk] = deque()
        self._busy = self._alive = 0
        self._is_over = False
        self._failure: Exception | None = None

    def work(self, seconds: float, evaluations: int | None) -> None:
        self._is_over = False
        self._failure = None
        self._alive = 0
        self._queue.clear()
        limit = None if evaluations is None else evaluations // self._slice + 1
        for desk in self._desks.values():
            desk.slices = 0
            desk.is_queued = desk.has_work
            if desk.is_queued:
                self._queue.append(desk)
        deadline = time.monotonic() + min(seconds, PULSE)
        workers = [
            threading.Thread(
                target=copy_context().run, args=(self._serve, deadline, limit), daemon=True
            )
            for _ in range(self._count)
        ]
        try:
            for worker in workers:
                with self._changed:
                    self._alive += 1
                worker.start()
            self._wait()
        except BaseException:
            with self._changed:
                self._is_over = True
                self._changed.notify_all()
            self._wait(GRACE)  # no thread may be at work when the interpreter ends
            raise
        finally:
            for worker in workers:
                if worker.is_alive():
                    worker.join(GRACE)
        if self._failure is not None:
            raise self._failure

    def _wait(self, seconds: float | None = None) -> None:
        """Wait for all threads to end; an interrupted `join` would take live ones for finished."""
        with self._changed:
            self._changed.wait_for(lambda: self._alive == 0, seconds)

    def _serve(self, deadline: float, limit: int | None) -> None:
        try:
            while (desk := self._take()) is not None:
                frames = self._turn(desk)
                self._give_back(desk, frames, time.monotonic() > deadline, limit)
        finally:
            with self._changed:
                self._alive -= 1
                self._changed.notify_all()

    def _turn(self, desk: _Desk) -> list[tuple[str, bytes]]:
        """An agent's turn; if it fails, all is over."""
        try:
            return _guarded(desk, self._slice)
        except Exception as failure:
            with self._changed:
                self._failure = failure
                self._is_over = True
            return []

    def _take(self) -> _Desk | None:
        with self._changed:
            while not self._queue and self._busy and not self._is_over:
                self._changed.wait()
            if self._is_over or not self._queue:
                self._is_over = True
                self._changed.notify_all()
                return None
            desk = self._queue.popleft()
            desk.is_queued = False
            self._busy += 1
            desk.is_busy = True
            return desk

    def _give_back(
        self, desk: _Desk, frames: list[tuple[str, bytes]], is_late: bool, limit: int | None
    ) -> None:
        with self._changed:
            self._busy -= 1
            desk.is_busy = False
            for receiver, frame in frames:
                if self._transcript is not None:
                    self._transcript.add(desk.agent.name, receiver, frame)
                self._desks[receiver].inbox.append((desk.agent.name, frame))
                self._enqueue(self._desks[receiver])
            if desk.has_work:
                self._enqueue(desk)
            slices = sum(other.slices for other in self._desks.values())
            is_spent = limit is not None and slices >= limit * len(self._desks)
            if is_late or is_spent or desk.agent.has_found:
                self._is_over = True
            self._changed.notify_all()

    def _enqueue(self, desk: _Desk) -> None:
        if not desk.is_queued and not desk.is_busy:
            desk.is_queued = True
            self._queue.append(desk)


def _guarded(desk: _Desk, evaluations: int) -> list[tuple[str, bytes]]:
    """One turn; an error names the agent."""
    try:
        watch.check()
        return desk.turn(evaluations)
    except (TacitError, MemoryError):
        raise
    except Exception as error:
        name = desk.agent.name
        text = f"agent '{name}' failed while searching: {error!r}"
        raise plugin_error(error) or lack_error(error) or InternalError(text) from error

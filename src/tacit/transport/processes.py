"""Agents each in a process of its own, with the same messages as anywhere.

A process begins as a copy of this one (fork) and then alone goes on with its agent. This process
is the hub: it carries frames between the agents, and questions to them. Writing never blocks it (a
thread per agent writes), so it always goes on reading and nobody waits in a circle.

An agent that dies or fails ends the run for all: the others are stopped, and the error names it.
If the hub is gone, the agents find their pipes closed and end as well.

The user's limits (`tacit.watch`) hold for all of them together: processes inherit the time, and the
hub counts in their memory, as far as it is their own, and checks both while it waits.
"""

from __future__ import annotations

import multiprocessing
import queue
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, Protocol, TypeVar

from tacit import watch
from tacit.errors import (
    InputError,
    InternalError,
    LimitReached,
    TacitError,
    lack_error,
    plugin_error,
)
from tacit.policy import POLICY
from tacit.public.protocol.messages import discloses
from tacit.public.protocol.port import Responder
from tacit.public.protocol.transcript import Transcript
from tacit.transport.drive import GRACE, PULSE, Searcher

NO_LIMIT = 2**62


class Worker(Responder, Searcher, Protocol):
    """An agent that answers and searches."""


A = TypeVar("A", bound=Worker)
R = TypeVar("R")


class _Desk:
    """One agent's process, seen from the hub."""

    def __init__(self, name: str, process: Any, pipe: Connection):
        self.name = name
        self.process = process
        self.pipe = pipe
        self.delivered = 0
        self.is_idle = False
        self._outgoing: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write, daemon=True)
        self._writer.start()

    def send(self, *what: Any) -> None:
        self._outgoing.put(what)

    def _write(self) -> None:
        while (what := self._outgoing.get()) is not None:
            try:
                self.pipe.send(what)
            except OSError:
                return  # the reading side finds out that the process is gone

    def receive(self) -> Any:
        try:
            return self.pipe.recv()
        except (EOFError, OSError):
            raise InternalError(f"the process of agent '{self.name}' ended") from None

    def end(self) -> None:
        """Wait for the process, which was asked to stop, and let go of it."""
        self.process.join(GRACE)
        if self.process.is_alive():
            self.process.kill()
            self.process.join(GRACE)
        self._outgoing.put(None)
        self._writer.join(GRACE)
        self.pipe.close()


class Processes(Generic[A]):
    """The hub."""

    def __init__(
        self, agents: Sequence[A], asker: str, transcript: Transcript, record: bool = False
    ):
        self._desks: dict[str, _Desk] = {}
        if "fork" not in multiprocessing.get_all_start_methods():
            raise InputError("this system cannot fork processes", "use --drive threads")
        self._asker = asker
        self._transcript = transcript
        self._record = record
        context = multiprocessing.get_context("fork")
        started = []
        pipes: list[Connection] = []  # a process inherits them, and must close others' pipes
        for agent in agents:
            ours, theirs = context.Pipe()
            pipes.append(ours)
            arguments = (agent, asker, theirs, tuple(pipes))
            process = context.Process(target=_live, args=arguments, daemon=True)
            process.start()
            watch.count_in(process.pid)
            theirs.close()
            started.append((agent.name, process, ours))
        self._desks = {name: _Desk(name, process, pipe) for name, process, pipe in started}

    def ask(self, agent: str, frame: bytes) -> bytes:
        """A question to an agent, and its answer."""
        self._transcript.add(self._asker, agent, frame)
        answer: bytes = self._request(agent, "ask", frame)
        self._transcript.add(agent, self._asker, answer)
        if discloses(answer):
            for name, desk in self._desks.items():
                if name != agent:
                    self._transcript.add(agent, name, answer)
                    desk.send("hear", (agent, answer))
        return answer

    def recall(self, agent: str, question: Callable[[A], R]) -> R:
        """Ask an agent as its owner."""
        found: R = self._request(agent, "recall", question)
        return found

    def _request(self, agent: str, kind: str, what: Any) -> Any:
        if agent not in self._desks:
            raise InternalError(f"the process of agent '{agent}' is not there")
        with self._all_or_none():
            desk = self._desks[agent]
            desk.send(kind, what)
            while not desk.pipe.poll(min(PULSE, watch.left())):
                watch.check()
            head, content = self._next(desk)
            if head != "answer":
                raise InternalError(f"the process of agent '{agent}' answers out of turn")
            return content

    is_apart = False

    def work(self, seconds: float, evaluations: int | None) -> None:
        """Let everybody search, and carry their frames.

        A frame that comes in while all are halting is delivered before anything else is asked.
        """
        with self._all_or_none():
            self._let_search(time.monotonic() + min(seconds, PULSE), evaluations)

    @contextmanager
    def _all_or_none(self) -> Iterator[None]:
        """An error in one process, or here, ends all of them."""
        try:
            yield
        except BaseException:
            self.close()
            raise

    def _let_search(self, deadline: float, evaluations: int | None) -> None:
        for desk in self._desks.values():
            desk.is_idle = False
            desk.send("go", NO_LIMIT if evaluations is None else evaluations)
        by_pipe = {desk.pipe: desk for desk in self._desks.values()}
        is_over = False
        while not is_over:
            watch.check()
            ready = wait(list(by_pipe), max(0.0, deadline - time.monotonic()))
            for pipe in ready:
                is_over |= self._handle(by_pipe[pipe])  # type: ignore[index]
            is_over |= time.monotonic() >= deadline or self._is_quiet()
        for desk in self._desks.values():
            desk.send("halt", None)
        for desk in self._desks.values():
            while self._handle(desk, until="halted") is False:
                pass

    def _handle(self, desk: _Desk, until: str = "found") -> bool:
        """One message of an agent; whether it ends the waiting."""
        head, content = self._next(desk)
        if head == "frame":
            receiver, frame = content
            if self._record:
                self._transcript.add(desk.name, receiver, frame)
            other = self._desks[receiver]
            other.is_idle = False
            other.delivered += 1
            other.send("frame", (desk.name, frame))
        elif head == "idle":
            desk.is_idle = content == desk.delivered
        return bool(head == until)

    def _is_quiet(self) -> bool:
        return all(desk.is_idle for desk in self._desks.values())

    def _next(self, desk: _Desk) -> tuple[str, Any]:
        head, content = desk.receive()
        if isinstance(content, LimitReached):
            raise watch.here(content)
        if head == "failed":
            known = isinstance(content, TacitError | MemoryError)
            raise content if known else InternalError(str(content))
        return head, content

    def close(self) -> None:
        """End all processes, at once: there is nothing that they would have to finish."""
        desks, self._desks = self._desks, {}
        for desk in desks.values():
            desk.process.terminate()
        for desk in desks.values():
            desk.end()

    def __del__(self) -> None:
        self.close()


def _live(agent: Worker, asker: str, pipe: Connection, others: Sequence[Connection]) -> None:
    """The life of an agent in its own process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the hub gets it too, and ends this process
    for other in others:
        other.close()
    try:
        _serve(agent, asker, pipe)
    except (Exception, SystemExit) as error:
        failure: object = error
        if not isinstance(error, TacitError | MemoryError):
            text = f"agent '{agent.name}' failed: {error!r}"
            failure = plugin_error(error) or lack_error(error) or text
        with suppress(OSError):  # the hub may be gone, which is an error here, too
            pipe.send(("failed", failure))


def _serve(agent: Worker, asker: str, pipe: Connection) -> None:
    is_going = is_waiting = False
    evaluations = POLICY.forward.slice
    received, left = 0, evaluations
    while True:
        while pipe.poll(0) or is_waiting or not is_going:
            head, content = pipe.recv()
            if head == "ask":
                pipe.send(("answer", agent.answer(asker, content)))
            elif head == "recall":
                pipe.send(("answer", content(agent)))
            elif head == "hear":
                agent.hear(*content)
            elif head == "frame":
                received += 1
                agent.receive(*content)
                is_waiting = False
            elif head == "go":
                is_going, is_waiting, left = True, False, content
            elif head == "halt":
                is_going = False
                pipe.send(("halted", None))
        if not agent.is_idle and left > 0:
            for receiver, frame in agent.work(evaluations):
                pipe.send(("frame", (receiver, frame)))
            left -= evaluations
        if agent.has_found:
            pipe.send(("found", None))
            is_waiting = True
        elif agent.is_idle or left <= 0:
            pipe.send(("idle", received))
            is_waiting = True

"""Agents on separate hosts: one stream per pair, mutual TLS, and a thread that looks after them.

Of two agents the one whose name comes first calls, the other listens, so there is one stream for
each pair. A caller tries again until the peer itself answers, whoever else may answer in its place;
a listener refuses strangers (`strangers.py`), logs it, and goes on listening. Before planning has
begun a peer may leave and come back. All of this happens in a thread of its own with an event loop,
so that signs of life go out while the agent is busy planning; the agent's own thread takes events
from a mailbox and puts frames into queues.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any

from tacit.errors import InputError, InternalError, ProtocolError, TacitError
from tacit.public.protocol.link import Hello
from tacit.safety import SAFETY, DoorLimits
from tacit.transport.doors import (
    Address,
    Doors,
    Expected,
    Place,
    is_suspect,
    listening,
    reason_text,
)
from tacit.transport.frames import LinkLimits
from tacit.transport.greeting import Mismatch, Record, Wire, forget
from tacit.transport.link import Link
from tacit.transport.mailbox import Down, Event, Failed, Mailbox, Up
from tacit.transport.strangers import Guest, Lobby, SparingLog
from tacit.transport.tls import Identity

RETRY = (0.05, 1.0)
"""Seconds between two calls, at first and at most."""


@dataclass(frozen=True)
class Lost:
    """A peer that went after planning had begun: which, why, and when (monotonic clock)."""

    peer: str
    why: str
    when: float


class Network:
    """An agent's connections. `lost` is the first peer that went after planning had begun;
    `troubles` has the reasons why peers that were called cannot be reached yet.
    """

    def __init__(
        self,
        hello: Hello,
        place: Place,
        identity: Identity,
        limits: LinkLimits,
        record: Record = forget,
        log: Callable[[str], None] = lambda text: None,
        door: DoorLimits = SAFETY.door,
    ):
        self._own = hello.sender
        self._doors = Doors(hello, identity, limits, self._write_down)
        self._place = place
        self._limits = limits
        self._record = record
        self._log = SparingLog(log, door)
        self._door = door
        self._mailbox = Mailbox(limits.pending)
        self.lost: Lost | None = None
        self.troubles: dict[str, str] = {}
        self._links: dict[str, Link] = {}
        self._lobby = Lobby(door)
        self._has_begun = self._is_closed = False
        self._socket = listening(place.listen)
        self._loop = asyncio.new_event_loop()
        self._over, self._alone = asyncio.Event(), asyncio.Event()
        self._thread = threading.Thread(target=self._live, name="network", daemon=True)

    # For the agent's own thread

    @property
    def port(self) -> int:
        return int(self._socket.getsockname()[1])

    def start(self) -> None:
        self._thread.start()

    def take(self, seconds: float | None) -> Event | None:
        """The next thing that happens."""
        return self._mailbox.take(seconds)

    def send(self, peer: str, frame: bytes) -> None:
        """A frame to a peer; one that is gone does not get it, and `take` reports that."""
        if len(frame) > self._limits.message:
            raise InternalError("a message is longer than the limits allow")
        link = self._links.get(peer)
        if link is not None:
            link.send(frame)

    def backlog(self) -> int:
        """Bytes that wait for the peer that has to wait for most."""
        return max((link.backlog for link in list(self._links.values())), default=0)

    def drop(self, peer: str) -> None:
        """End the connection with a peer; before planning it may call again."""
        link = self._links.get(peer)
        if link is not None:
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(link.drop, "it was sent away")

    def begin(self) -> None:
        """From now on no peer may come back."""
        self._has_begun = True

    def close(self) -> None:
        """Send what waits to be sent, for as long as a peer may be silent, and end."""
        if self._is_closed:
            return
        self._is_closed = True
        if not self._thread.is_alive():
            self._socket.close()
            self._loop.close()
            return
        self._mailbox.put(Failed(InternalError("the connections were closed")))  # wakes a reader
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(self._limits.silence + 1)

    # On the loop

    def _live(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        except Exception:
            self._mailbox.put(Failed(InternalError("the network thread failed")))
        finally:
            self._socket.close()
            self._loop.close()

    async def _serve(self) -> None:
        lasting = (self._listen(), self._catch_up())
        tasks = [asyncio.create_task(self._lasting(task)) for task in lasting]
        for peer, address in self._place.calls.items():
            tasks.append(asyncio.create_task(self._lasting(self._call(peer, address))))
        await self._over.wait()
        for link in self._links.values():
            link.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._limits.silence if self._links else 0):
                await self._alone.wait()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*tasks, *others, return_exceptions=True)
        self._log.catch_up(is_end=True)

    async def _lasting(self, task: Coroutine[Any, Any, None]) -> None:
        """What all depends on; if it fails in a way that nobody thought of, nobody waits for it."""
        try:
            await task
        except Exception:
            self._mailbox.put(Failed(InternalError("the network thread failed")))

    async def _catch_up(self) -> None:
        while True:
            await asyncio.sleep(self._door.log_seconds)
            self._log.catch_up()

    def _write_down(self, peer: str, stream: int, is_sent: bool, payloads: Sequence[bytes]) -> None:
        """What cannot be written down is not sent, and there is no run without it."""
        try:
            self._record(peer, stream, is_sent, payloads)
        except (TacitError, OSError) as error:
            text = f"the transcript cannot be written: {reason_text(error)}"
            self._mailbox.put(Failed(error if isinstance(error, TacitError) else InputError(text)))
            raise ProtocolError("what it sends cannot be written down") from error

    async def _listen(self) -> None:
        waiting: set[asyncio.Task[None]] = set()
        while True:
            try:
                connection, address = await self._loop.sock_accept(self._socket)
            except OSError as error:  # too many open files, say
                self._log(f"no connection can be taken: {reason_text(error)}")
                await asyncio.sleep(RETRY[0])
                continue
            guest, is_crowded = self._lobby.enter(address[0])
            where = f"{address[0]}:{address[1]}"
            guest.task = asyncio.create_task(self._admit(connection, guest, where))
            waiting.add(guest.task)
            guest.task.add_done_callback(waiting.discard)
            await asyncio.sleep(self._door.pause if is_crowded else 0)  # its task has begun then

    async def _admit(self, connection: socket.socket, guest: Guest, where: str) -> None:
        """A connection from a caller: let it in, or refuse it and log that."""
        try:
            callers, is_busy = self._place.called_by, self._has_begun
            peer, wire = await self._doors.answer(connection, guest, callers, is_busy)
        except Expected as error:
            self._log(f"refused {where}: {reason_text(error)}")
            if isinstance(error, Mismatch):
                self._mailbox.put(Failed(error))
            return
        except asyncio.CancelledError:
            connection.close()
            if not guest.is_sent_away:
                raise
            self._log(f"refused {where}: too many connections without a hello")
            return
        finally:
            self._lobby.leave(guest)
        await self._run(peer, wire)

    async def _call(self, peer: str, address: Address) -> None:
        """Call a peer until it answers, and again if it leaves before planning has begun."""
        pause = RETRY[0]
        while not self._has_begun:
            try:
                wire = await self._doors.call(peer, address)
            except Mismatch as error:
                self._mailbox.put(Failed(error))
                return
            except Expected as error:
                before, why = self.troubles.get(peer), reason_text(error)
                self.troubles[peer] = why
                if is_suspect(error) and why != before:
                    where = f"{address[0]}:{address[1]}"
                    self._log(f"'{peer}' is not at {where}, and is called again: {why}")
            else:
                self.troubles.pop(peer, None)
                await self._run(peer, wire)
                pause = RETRY[0]
            await asyncio.sleep(pause)
            pause = min(pause * 2, RETRY[1])

    async def _run(self, peer: str, wire: Wire) -> None:
        """A peer is there, until it is gone. A second stream of a peer takes the first's place."""
        if self._over.is_set() or self._has_begun:
            wire.stream.abort()
            return
        if peer in self._links:
            self._links[peer].drop("it called again")
        link = Link(self._own, peer, wire, self._limits, self._mailbox)
        self._links[peer] = link
        self._alone.clear()
        self._mailbox.put(Up(peer, wire.hello))
        why = await link.run()
        if self._links.get(peer) is link:
            del self._links[peer]
            if self._has_begun and self.lost is None:
                self.lost = Lost(peer, why, time.monotonic())
            self._mailbox.put(Down(peer, why))
        if not self._links:
            self._alone.set()

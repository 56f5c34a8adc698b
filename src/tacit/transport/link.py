"""One stream between two agents, once it is clear who they are.

Frames to the peer wait in a queue that says how long it is, so that whoever makes them can stop in
time; they are written together where several wait. Frames from the peer are read only as fast as
the limits allow and as long as there is room for them. A sign of life goes out where nothing else
does. A peer that gives none, or does not read what is sent to it, is gone.
"""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import threading
import time
from collections import deque
from collections.abc import Callable

from tacit.errors import ProtocolError
from tacit.public.link import Beat
from tacit.public.messages import encode
from tacit.transport.frames import LinkLimits
from tacit.transport.greeting import Wire
from tacit.transport.mailbox import Arrived, Mailbox
from tacit.transport.stream import CHUNK

Record = Callable[[str, bool, bytes], None]


class Link:
    """A stream to one peer. `run` lives on the loop; `send` and `backlog` are for any thread."""

    def __init__(
        self,
        own: str,
        peer: str,
        wire: Wire,
        limits: LinkLimits,
        mailbox: Mailbox,
        record: Record,
    ):
        self.peer = peer
        self._frames = wire.frames
        self._numbers = wire.numbers
        self._stream = wire.stream
        self._limits = limits
        self._mailbox = mailbox
        self._record = record
        self._beat, self._beat_of_peer = encode(Beat(own)), encode(Beat(peer))
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._queue: deque[bytes] = deque()
        self._queued = 0
        self._wake = asyncio.Event()
        self._room = asyncio.Event()
        self._is_waiting = False
        self._said = self._unread_since = time.monotonic()
        self._is_writing = self._is_closing = False

    # For any thread

    def send(self, frame: bytes) -> None:
        with self._lock:
            self._queue.append(frame)
            self._queued += len(frame)
        with contextlib.suppress(RuntimeError):  # the loop has ended, and the link with it
            self._loop.call_soon_threadsafe(self._wake.set)

    @property
    def backlog(self) -> int:
        """Bytes that wait to be written."""
        return self._queued

    # On the loop

    async def run(self) -> str:
        """Carry frames until the stream ends; why it did."""
        tasks = [asyncio.create_task(part) for part in (self._read(), self._write(), self._watch())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            return _why(done.pop())
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._stream.abort()

    def close(self) -> None:
        """Write what still waits, if the peer reads it, and end."""
        self._is_closing = True
        self._room.set()
        self._wake.set()

    def drop(self) -> None:
        """End at once."""
        self._stream.abort()

    async def _read(self) -> str:
        count = size = 0
        second = time.monotonic()
        while True:
            frame = await self._frames.read(self._limits.message)
            self._record(self.peer, False, frame)
            if frame != self._beat_of_peer and not self._is_closing:
                self._mailbox.put(Arrived(self.peer, frame))
                await self._wait_for_room()
            count, size = count + 1, size + len(frame)
            if count >= self._limits.frames or size >= self._limits.rate:
                await self._rest(second + 1 - time.monotonic())
            if time.monotonic() - second >= 1:
                count, size, second = 0, 0, time.monotonic()

    async def _wait_for_room(self) -> None:
        while not (self._is_closing or self._mailbox.has_room(self.peer, self._has_room)):
            await self._rest_until(self._room)

    def _has_room(self) -> None:
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._room.set)

    async def _rest_until(self, event: asyncio.Event) -> None:
        self._is_waiting = True
        await event.wait()
        event.clear()
        self._go_on()

    async def _rest(self, seconds: float) -> None:
        self._is_waiting = True
        await asyncio.sleep(max(0.0, seconds))
        self._go_on()

    def _go_on(self) -> None:
        self._is_waiting = False
        self._frames.heard = time.monotonic()

    async def _write(self) -> str:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while chunk := self._take():
                self._unread_since, self._is_writing = time.monotonic(), True
                await self._stream.write(chunk)
                self._said, self._is_writing = time.monotonic(), False
            if self._is_closing:
                await self._stream.close()
                return "the connection was closed"

    def _take(self) -> bytes:
        """Frames that wait, together, up to a size."""
        parts: list[bytes] = []
        size = 0
        with self._lock:
            while self._queue and size < CHUNK:
                frame = self._queue.popleft()
                self._queued -= len(frame)
                size += len(frame)
                self._record(self.peer, True, frame)
                parts.append(self._numbers.framed(frame))
        return b"".join(parts)

    async def _watch(self) -> str:
        """Give signs of life, and look for the peer's."""
        limits = self._limits
        while True:
            await asyncio.sleep(min(limits.beat, limits.silence) / 2)
            now = time.monotonic()
            if not self._is_waiting and now - self._frames.heard > limits.silence:
                return "it gives no sign of life"
            if self._is_writing and now - self._unread_since > limits.silence:
                return "it does not read what is sent to it"
            if not self._is_writing and now - self._said >= limits.beat / 2:
                self.send(self._beat)


def _why(task: asyncio.Task[str]) -> str:
    """What ended a stream, in words that repeat nothing of it."""
    error = task.exception()
    if error is None:
        return task.result()
    if isinstance(error, ProtocolError):
        return str(error)
    if isinstance(error, asyncio.IncompleteReadError):
        return "its connection has ended"
    if isinstance(error, ssl.SSLError):
        return "its connection broke (TLS)"
    if isinstance(error, OSError):
        return "its connection broke"
    return "its connection could not be kept"

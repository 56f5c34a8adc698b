"""One stream between two agents, once their names are proved.

Frames to the peer wait in a queue whose length is known, so that the agent can stop making them in
time; they are written together where several wait. Frames from the peer are read only as fast as
the limits allow and as long as there is room for them. A sign of life goes out where nothing else
does. A peer that sends none, or does not read what is sent to it, is gone; so is one for which more
waits than the limits allow, as it does if a peer asks and asks and reads no answer.

What goes out is written down before, so that no peer has a frame that this agent's transcript has
not, whatever becomes of the process. Receipts come and go here and nobody else sees them. A stream
that is closed is read on until the peer has acknowledged the farewell and closed it, too, or has
had time for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator

from tacit.errors import ProtocolError
from tacit.public.protocol.link import Beat
from tacit.public.protocol.messages import encode, is_receipt
from tacit.transport.frames import FRAME_COST, LinkLimits
from tacit.transport.greeting import Wire
from tacit.transport.mailbox import Arrived, Mailbox
from tacit.transport.receipts import COST, Receipts
from tacit.transport.stream import CHUNK, LINGER


class Link:
    """A stream to one peer. `run` lives on the loop; `send` and `backlog` are for any thread."""

    def __init__(self, own: str, peer: str, wire: Wire, limits: LinkLimits, mailbox: Mailbox):
        self.peer = peer
        self._frames = wire.frames
        self._numbers = wire.numbers
        self._stream = wire.stream
        self._limits = limits
        self._mailbox = mailbox
        self._note = wire.note
        self._receipts = Receipts(own, peer, wire)
        self._beat, self._beat_of_peer = encode(Beat(own)), encode(Beat(peer))
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._queue: deque[bytes] = deque()
        self._queued = 0
        self._wake = asyncio.Event()
        self._room = asyncio.Event()
        self._is_waiting = False
        self._said = self._unread_since = time.monotonic()
        self._is_writing = self._is_closing = self._is_late = False
        self._receipted = time.monotonic()
        self._ended: asyncio.Future[str] = self._loop.create_future()

    # For any thread

    def send(self, frame: bytes) -> None:
        with self._lock:
            self._queue.append(frame)
            self._queued += len(frame) + FRAME_COST
            is_too_much = self._queued > self._limits.message + self._limits.pending
        self._call(self.drop if is_too_much else self._wake.set)

    def _call(self, what: Callable[[], None]) -> None:
        """Do something on the loop; if that has ended, so has the link."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(what)

    @property
    def backlog(self) -> int:
        """Bytes that wait to be written."""
        return self._queued

    # On the loop

    async def run(self) -> str:
        """Carry frames until the stream ends; why it did."""
        reading = asyncio.create_task(self._read())
        tasks = [reading, *map(asyncio.create_task, (self._write(), self._watch()))]
        try:
            ends: list[asyncio.Future[str]] = [*tasks, self._ended]
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            why = _why(next(end for end in ends if end.done()))
            if self._is_closing and not self._ended.done():
                await self._read_out(reading)
            return why
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._stream.abort()

    async def _read_out(self, reading: asyncio.Task[str]) -> None:
        """What the peer still sends is written down, until it closes the stream, too."""
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(LINGER):
                await self._stream.end()
                await asyncio.wait([reading])

    def close(self) -> None:
        """Write what still waits, if the peer reads it, and end."""
        self._is_closing = True
        self._room.set()
        self._wake.set()
        self._loop.call_later(LINGER, self._be_late)

    def _be_late(self) -> None:
        """The peer had its time to acknowledge the farewell."""
        self._is_late = True
        self._wake.set()

    def drop(self, why: str = "it does not read what is sent to it") -> None:
        """End at once; nothing more is taken from it."""
        if not self._ended.done():
            self._ended.set_result(why)

    async def _read(self) -> str:
        count = size = 0
        second = time.monotonic()
        while True:
            frame = await self._frames.read(self._limits.message)
            self._note(False, [frame])
            if is_receipt(frame):
                count += min(COST, self._limits.frames // 100)
                self._receipts.checks(frame)
            else:
                await self._deliver(frame)
            if self._receipts.is_owed or self._is_closing:
                self._wake.set()
            count, size = count + 1, size + len(frame)
            if count >= self._limits.frames or size >= self._limits.rate:
                await self._rest(asyncio.sleep(max(0.0, second + 1 - time.monotonic())))
            if time.monotonic() - second >= 1:
                count, size, second = 0, 0, time.monotonic()

    async def _deliver(self, frame: bytes) -> None:
        is_beat = frame == self._beat_of_peer
        self._receipts.receives(frame, is_beat)
        if not (is_beat or self._is_over):
            self._mailbox.put(Arrived(self.peer, frame))
            await self._wait_for_room()

    @property
    def _is_over(self) -> bool:
        return self._is_closing or self._ended.done()

    async def _wait_for_room(self) -> None:
        while not (self._is_over or self._mailbox.has_room(self.peer, self._has_room)):
            await self._rest(self._room.wait())
            self._room.clear()

    def _has_room(self) -> None:
        self._call(self._room.set)

    async def _rest(self, until: Awaitable[object]) -> None:
        """Read nothing for a while; the peer's silence is not its fault then."""
        self._is_waiting = True
        await until
        self._is_waiting = False
        self._frames.last_read = time.monotonic()

    async def _write(self) -> str:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while chunk := self._take():
                self._unread_since, self._is_writing = time.monotonic(), True
                await self._stream.write(chunk)
                self._said, self._is_writing = time.monotonic(), False
            if self._is_closing and (self._is_late or self._receipts.is_settled):
                return "the connection was closed"

    def _take(self) -> bytes:
        """Frames that wait, together, up to a size."""
        frames: list[bytes] = []
        size = 0
        with self._lock:
            while self._queue and size < CHUNK:
                frames.append(self._queue.popleft())
                size += len(frames[-1])
                self._queued -= len(frames[-1]) + FRAME_COST
        payloads = list(self._with_receipts(frames))
        if payloads:
            self._note(True, payloads)
        return b"".join(map(self._numbers.framed, payloads))

    def _with_receipts(self, frames: list[bytes]) -> Iterator[bytes]:
        """Frames that go out, and receipts among them."""
        for frame in frames:
            yield frame
            if self._receipts.sends(frame, frame == self._beat):
                yield self._receipt()
        if self._receipts.is_owed:
            yield self._receipt()

    def _receipt(self) -> bytes:
        self._receipted = time.monotonic()
        return self._receipts.issue()

    async def _watch(self) -> str:
        """Send signs of life, and watch for the peer's."""
        limits = self._limits
        while True:
            await asyncio.sleep(min(limits.beat, limits.silence) / 2)
            now = time.monotonic()
            if not self._is_waiting and now - self._frames.last_read > limits.silence:
                return "it sends no sign of life"
            if self._is_writing and now - self._unread_since > limits.silence:
                return "it does not read what is sent to it"
            if self._receipts.uncovered and now - self._receipted >= limits.beat:
                self._receipts.is_owed = True
                self._wake.set()
            if not self._is_writing and now - self._said >= limits.beat / 2:
                self.send(self._beat)


def _why(task: asyncio.Future[str]) -> str:
    """What ended a stream, in a text that repeats nothing of it."""
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
    return "its connection failed"

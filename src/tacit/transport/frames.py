"""How frames follow each other in a stream: a header of eight bytes, then the frame's payload.

The header has the length of the payload and the frame's number in its direction of the stream, from
0, both as 4 bytes, big-endian; after 2³² frames numbers begin again. A frame that is too long or
out of number ends the stream: what was recorded before cannot be played into it again.
The payload is one message of `tacit.public`.
"""

from __future__ import annotations

import asyncio
import struct
import time
from dataclasses import dataclass

from tacit.errors import ProtocolError
from tacit.transport.stream import CHUNK, TlsStream

HEADER = struct.Struct(">II")
NUMBERS = 2**32
"""After so many frames their numbers begin again."""

FRAME_COST = 200
"""Bytes that a frame takes here besides its own: many short ones fill memory, too."""


@dataclass(frozen=True)
class LinkLimits:
    """What a peer may cost, and how long it may send nothing. Sizes are in bytes, times in seconds.

    `message` is the longest frame; `pending` what may wait here for being looked at, per peer;
    `frames` and `rate` how many frames and bytes are read from a peer in a second: a peer that
    sends more waits. `beat` is how often a sign of life is sent where there is nothing else to
    send, `silence` how long a peer may be without one, or may leave unread what is sent to it, and
    `greeting` how long handshake and hello may take.
    """

    message: int = 64 * 2**20
    pending: int = 64 * 2**20
    frames: int = 50_000
    rate: int = 256 * 2**20
    beat: float = 2.0
    silence: float = 20.0
    greeting: float = 10.0


class FrameReader:
    """Reads frames of one direction; `last_read` is when the last bytes came."""

    def __init__(self, stream: TlsStream):
        self._stream = stream
        self._number = 0
        self.last_read = time.monotonic()

    async def read(self, most: int) -> bytes:
        """The next frame, of at most so many bytes. `IncompleteReadError` at the end."""
        length, number = HEADER.unpack(await self._exactly(HEADER.size))
        if number != self._number:
            raise ProtocolError("it sent a frame out of order")
        if length > most:
            raise ProtocolError("it sent a frame that is too long")
        self._number = (number + 1) % NUMBERS
        return await self._exactly(length)

    async def _exactly(self, count: int) -> bytes:
        parts: list[bytes] = []
        missing = count
        while missing:
            part = await self._stream.read(min(missing, CHUNK))
            if not part:
                raise asyncio.IncompleteReadError(b"", missing)
            self.last_read = time.monotonic()
            parts.append(part)
            missing -= len(part)
        return b"".join(parts)


class FrameNumbers:
    """Puts headers before frames of one direction."""

    def __init__(self) -> None:
        self._number = 0

    def framed(self, payload: bytes) -> bytes:
        header = HEADER.pack(len(payload), self._number)
        self._number = (self._number + 1) % NUMBERS
        return header + payload

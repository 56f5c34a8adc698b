"""The frames of a stream as a chain of hashes, and what a receipt states about it.

Each direction of a stream has a chain: chain 0 is 32 zero bytes, and chain n + 1 is the SHA-256 of
chain n, the number n of the frame (8 bytes, big-endian) and its payload. So one value stands for
all frames up to a number, their bytes and their order. A stream is named by the chains of both
directions after the greeting, in which both ends send a random number: no two streams have one
name, and what was signed about one says nothing about another.

A receipt is signed. Its signer states how many frames it has sent by then with their chain, and how
many it has received up to and including the other's last receipt, with theirs. So whoever holds it
can show what its signer sent, and that the signer received what it was sent.
"""

from __future__ import annotations

import hashlib
import struct
from typing import NamedTuple

import msgspec

START = bytes(32)
GREETING = 2
"""Frames of each direction by which a stream is named: hello and welcome."""

_NUMBER = struct.Struct(">Q")


class Position(NamedTuple):
    """So many frames of one direction, and their chain."""

    frames: int
    value: bytes


BEGINNING = Position(0, START)


class Chain:
    """One direction of a stream, as far as it is known."""

    __slots__ = ("frames", "value")

    def __init__(self, at: Position = BEGINNING):
        self.frames, self.value = at

    def extend(self, payload: bytes) -> None:
        """One frame more."""
        found = hashlib.sha256(self.value + _NUMBER.pack(self.frames))
        found.update(payload)
        self.value = found.digest()
        self.frames += 1

    @property
    def position(self) -> Position:
        return Position(self.frames, self.value)


def stream_name(caller: bytes, called: bytes) -> bytes:
    """The name of a stream, from the chains of what each end sent in the greeting."""
    return hashlib.sha256(b"tacit stream 1\n" + caller + called).digest()


class Statement(NamedTuple):
    """What a receipt states; `acknowledged` is what its signer has received."""

    stream: bytes
    signer: str
    other: str
    sent: Position
    acknowledged: Position

    def encoded(self) -> bytes:
        """The bytes that are signed."""
        parts = [*self[:3], *self.sent, *self.acknowledged]
        return msgspec.msgpack.encode(["tacit receipt 1", *parts])

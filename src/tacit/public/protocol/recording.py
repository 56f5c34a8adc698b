"""A transcript on disk: every byte that one agent sent and received, with time and peer.

One agent writes it about itself (`tacit agent --transcript FILE`), so it holds what its holder
could see anyway: nothing of anybody's secrets but what crossed. This is the definition of the
format.

    file   := b"tacit transcript 1\\n" head entry*
    head   := record of [holder, [agent, …], started]
    entry  := record of [time, peer, is_sent, payload]
    record := length (4 bytes, big-endian, of what follows), a MessagePack array

`holder` and `agent` are names, `agent` all of the run's; `started` and `time` count nanoseconds
since 1970 (UTC); `payload` is the bytes of one frame as they went through TLS, without the frame's
own header, which has only its length and its number in the stream (`tacit.transport.frames`).
Entries stand in the order in which the holder sent and received. A frame that was refused is there
as well, so a payload need not be a message. A file that was cut short, say by a crash, is read up
to the last entry that is whole, and `is_whole` is False then.
"""

from __future__ import annotations

import os
import struct
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import msgspec

from tacit.errors import Diagnostic, InputError
from tacit.public.protocol.transcript import Frame, Transcript

MAGIC = b"tacit transcript 1\n"
FLUSH_AFTER = 1_000_000_000
"""Nanoseconds that an entry may wait in memory, if others follow it."""

_LENGTH = struct.Struct(">I")


class Head(msgspec.Struct, frozen=True, array_like=True):
    """Whose transcript it is, and of which run."""

    holder: str
    agents: tuple[str, ...]
    started: int


class Entry(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One frame, as its holder saw it."""

    time: int
    peer: str
    is_sent: bool
    payload: bytes


@dataclass(frozen=True, slots=True)
class Recording:
    """A transcript that was read."""

    head: Head
    entries: tuple[Entry, ...]
    is_whole: bool = True

    @property
    def holder(self) -> str:
        return self.head.holder

    def transcript(self) -> Transcript:
        """The same frames as from one agent to another, for audits that take any transcript."""
        done = Transcript()
        for entry in self.entries:
            pair = (self.holder, entry.peer) if entry.is_sent else (entry.peer, self.holder)
            done.frames.append(Frame(*pair, entry.payload))
        return done


class Recorder:
    """Writes a transcript while a run goes on. The file is for its owner's eyes alone."""

    def __init__(self, path: Path, holder: str, agents: tuple[str, ...]):
        try:
            number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        except OSError as error:
            raise InputError(f"cannot write '{path}': {error.strerror}") from None
        self._file: BinaryIO = os.fdopen(number, "wb")
        self._flushed = time.time_ns()
        self._file.write(MAGIC)
        self._write(Head(holder, agents, self._flushed))
        self._file.flush()

    def add(self, peer: str, is_sent: bool, payload: bytes) -> None:
        """One frame, now."""
        now = time.time_ns()
        self._write(Entry(now, peer, is_sent, payload))
        if now - self._flushed > FLUSH_AFTER:
            self._file.flush()
            self._flushed = now

    def _write(self, record: Head | Entry) -> None:
        encoded = msgspec.msgpack.encode(record)
        self._file.write(_LENGTH.pack(len(encoded)) + encoded)

    def close(self) -> None:
        self._file.close()


def read_recording(path: Path) -> Recording:
    """A transcript from its file, or an `InputError`."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(Diagnostic(error.strerror or "cannot be read", str(path))) from None
    records = _records(data)
    try:
        head = msgspec.msgpack.decode(next(records, b""), type=Head)
        if not data.startswith(MAGIC):
            raise msgspec.DecodeError
        decoder = msgspec.msgpack.Decoder(Entry)
        entries = tuple(decoder.decode(record) for record in records)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        hint = "'tacit agent --transcript FILE' writes one"
        raise InputError(Diagnostic("this is not a transcript", str(path), hint=hint)) from None
    return Recording(head, entries, _ends_well(data))


def _records(data: bytes) -> Iterator[bytes]:
    """The records that are whole."""
    at = len(MAGIC)
    while at + _LENGTH.size <= len(data):
        (length,) = _LENGTH.unpack_from(data, at)
        end = at + _LENGTH.size + length
        if end > len(data):
            return
        yield data[at + _LENGTH.size : end]
        at = end


def _ends_well(data: bytes) -> bool:
    return len(MAGIC) + sum(_LENGTH.size + len(r) for r in _records(data)) == len(data)

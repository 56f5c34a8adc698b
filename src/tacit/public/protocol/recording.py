"""A transcript on disk: every byte that one agent sent and received, with time and peer.

One agent writes it about itself (`tacit agent --transcript FILE`), so it holds what its holder
could see anyway: nothing of anybody's secrets but what crossed. This is the definition of the
format.

    file   := b"tacit transcript 2\\n" run*
    run    := head entry*
    head   := record of [holder, [agent, …], started]
    entry  := record of [time, peer, is_sent, payload, stream, number]
    record := length (4 bytes, big-endian, of what follows), a MessagePack array

`holder` and `agent` are names, `agent` all of the run's; `started` and `time` count nanoseconds
since 1970 (UTC); `payload` is the bytes of one frame as they went through TLS, without the frame's
own header; `stream` counts the connections of the run, from 0, and `number` the frames of one
stream in one direction. Entries stand in the order in which the holder sent and received. A frame
that was refused is there as well, so a payload need not be a message.

A transcript is evidence: whoever gets a frame can show that it was sent (`tacit.public.evidence`).
So an entry is handed to the operating system before its frame is sent, and survives the process. A
file that is there is added to and never overwritten; of a run that was cut short what is whole is
read, and `is_whole` is False then.
"""

from __future__ import annotations

import fcntl
import os
import struct
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import FileIO
from pathlib import Path

import msgspec

from tacit import files
from tacit.errors import Diagnostic, InputError
from tacit.public.protocol.transcript import Frame, Transcript

MAGIC = b"tacit transcript 2\n"

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
    stream: int = 0
    number: int = 0


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
    """Writes a transcript while a run goes on. The file is for its owner's eyes alone.

    An agent that does not come to run, say because its port is taken, leaves no run in it.
    """

    def __init__(self, path: Path, holder: str, agents: tuple[str, ...]):
        self._path = path
        self._file = files.append(path)
        self._numbers: Counter[tuple[int, bool]] = Counter()
        try:
            _lock(self._file, path)
            begin = MAGIC if _cut_to_whole(self._file, path) else b""
            self._begin = begin + _record(Head(holder, agents, time.time_ns()))
        except BaseException:
            self._file.close()
            raise

    def add(self, peer: str, stream: int, is_sent: bool, payloads: Sequence[bytes]) -> None:
        """Frames, now; when this returns, the operating system has them."""
        now = time.time_ns()
        at = stream, is_sent
        first = self._numbers[at]
        self._numbers[at] += len(payloads)
        entries = (Entry(now, peer, is_sent, p, stream, first + n) for n, p in enumerate(payloads))
        self._write(b"".join(map(_record, entries)))

    def _write(self, data: bytes) -> None:
        try:
            files.write_all(self._file, self._begin + data)
        except OSError as error:
            self._file.close()  # nothing may follow a record that is cut short
            raise files.cannot_write(self._path, error) from None
        except ValueError:
            raise InputError(f"cannot write '{self._path}': it is closed") from None
        self._begin = b""

    def close(self) -> None:
        if self._begin and not self._file.closed:
            self._write(b"")
        self._file.close()


def _record(item: Head | Entry) -> bytes:
    encoded = msgspec.msgpack.encode(item)
    return _LENGTH.pack(len(encoded)) + encoded


def _lock(file: FileIO, path: Path) -> None:
    """Two agents do not write one file at a time."""
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise InputError(f"another process writes '{path}'", "name another file") from None


def _cut_to_whole(file: FileIO, path: Path) -> bool:
    """Remove a record that was cut short, behind which nothing could be read; is the file new?"""
    number, size = file.fileno(), os.fstat(file.fileno()).st_size
    begin = os.pread(number, len(MAGIC), 0)
    if not MAGIC.startswith(begin):
        raise _no_transcript(path)
    if begin != MAGIC:
        file.truncate(0)
        return True
    at = end = len(MAGIC)
    while end <= size:
        at, length = end, os.pread(number, _LENGTH.size, end)
        if len(length) < _LENGTH.size:
            break
        end = at + _LENGTH.size + _LENGTH.unpack(length)[0]
    file.truncate(at)
    return False


def read_recordings(path: Path) -> list[Recording]:
    """The transcripts of all runs in a file, or an `InputError`."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(Diagnostic(error.strerror or "cannot be read", str(path))) from None
    if not data.startswith(MAGIC):
        raise _no_transcript(path)
    decoder = msgspec.msgpack.Decoder(Entry)
    found: list[tuple[Head, list[Entry]]] = []
    try:
        for record in _records(data):
            if record[:1] == _HEAD:
                found.append((msgspec.msgpack.decode(record, type=Head), []))
            else:
                found[-1][1].append(decoder.decode(record))
    except (msgspec.MsgspecError, UnicodeDecodeError, IndexError):
        raise _no_transcript(path) from None
    if not found:
        raise _no_transcript(path)
    is_whole = _whole(data) == len(data)
    last = len(found) - 1
    return [Recording(h, tuple(e), is_whole or n < last) for n, (h, e) in enumerate(found)]


def read_recording(path: Path) -> Recording:
    """The transcript of the last run in a file, or an `InputError`."""
    return read_recordings(path)[-1]


def _no_transcript(path: Path) -> InputError:
    hint = "'tacit agent --transcript FILE' writes one; those of other versions are not read"
    return InputError(Diagnostic("this is not a transcript", str(path), hint=hint))


_HEAD = b"\x93"
"""How an array of three begins: a head, and no entry."""


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


def _whole(data: bytes) -> int:
    """Bytes up to the end of the last record that is whole."""
    return len(MAGIC) + sum(_LENGTH.size + len(record) for record in _records(data))

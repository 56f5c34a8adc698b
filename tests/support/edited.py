"""Transcripts of a real run, edited by a holder that wants to prove something else."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import msgspec

from tacit.public.protocol.recording import Entry, Recording


def with_entries(recording: Recording, entries: Iterable[Entry]) -> Recording:
    return replace(recording, entries=tuple(entries))


def renumbered(recording: Recording) -> Recording:
    """As a careful editor leaves it: the numbers of each stream have no gap."""
    counts: dict[tuple[int, bool], int] = {}
    done = []
    for entry in recording.entries:
        at = entry.stream, entry.is_sent
        done.append(msgspec.structs.replace(entry, number=counts.get(at, 0)))
        counts[at] = counts.get(at, 0) + 1
    return with_entries(recording, done)


def dropped(recording: Recording, at: int) -> Recording:
    return with_entries(recording, recording.entries[:at] + recording.entries[at + 1 :])


def forged(recording: Recording, at: int, payload: bytes | None = None) -> Recording:
    """Another payload; without one, a bit of it is flipped."""
    entries = list(recording.entries)
    old = entries[at].payload
    new = old[:-1] + bytes([old[-1] ^ 1]) if payload is None else payload
    entries[at] = msgspec.structs.replace(entries[at], payload=new)
    return with_entries(recording, entries)


def swapped(recording: Recording, at: int) -> Recording:
    """With the next frame of the same stream and direction that differs."""
    entries = list(recording.entries)
    first = entries[at]
    same = [
        n
        for n, other in enumerate(entries)
        if n > at
        and (other.stream, other.is_sent) == (first.stream, first.is_sent)
        and other.payload != first.payload
    ]
    entries[at], entries[same[0]] = entries[same[0]], entries[at]
    return with_entries(recording, entries)


def replayed(recording: Recording, at: int) -> Recording:
    """The frame stands there twice."""
    entries = recording.entries
    return with_entries(recording, entries[: at + 1] + entries[at:])


Edit = Callable[[Recording, int], Recording]
EDITS: dict[str, Edit] = {
    "drop": dropped,
    "forge": forged,
    "reorder": swapped,
    "replay": replayed,
}


def careful(edit: Edit) -> Edit:
    return lambda recording, at: renumbered(edit(recording, at))


def write(recording: Recording, path: Path) -> Path:
    """An edited transcript as a file."""
    from tacit.public.protocol.recording import MAGIC, _record

    path.write_bytes(MAGIC + b"".join(map(_record, (recording.head, *recording.entries))))
    return path

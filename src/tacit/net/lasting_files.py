"""The files of an owner's lasting ledger: their lines, their places, and how its owner reads them.

In its folder there are, for an owner O,

    O/secret              a secret of the owner's, from which `random` draws
    O/PEER/runs.jsonl     the runs with a peer: number, task, terms, and the peer's own number
    O/PEER/TASK.jsonl     what was disclosed to it under a task, in the owner's names
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

from tacit.errors import InputError
from tacit.net.appended import read_appended
from tacit.public.ledger import Kind


class About(msgspec.Struct, frozen=True, tag="about", forbid_unknown_fields=True):
    """The first line: whose file it is, and of what."""

    owner: str
    peer: str
    task: str
    domain: str
    layout: int = 1


class Run(msgspec.Struct, frozen=True, tag="run", forbid_unknown_fields=True):
    """A run with a peer has begun: its number here, and its terms."""

    run: int
    time: str
    task: str
    terms: dict[str, Any]


class Met(msgspec.Struct, frozen=True, tag="met", forbid_unknown_fields=True):
    """The number that the peer itself gives that run; 0 if it keeps no ledger."""

    run: int
    theirs: int


class Disclosed(
    msgspec.Struct, frozen=True, tag="disclosed", forbid_unknown_fields=True, omit_defaults=True
):
    """Something that the peer knows from now on."""

    run: int
    time: str
    kind: Kind
    actions: tuple[str, ...] = ()
    fact: str | None = None
    positive: bool = True
    joint: bool = False
    price: int = 1
    state: str | None = None
    """Which initial state it is about, if it is about one."""
    alike: str = ""
    """The class of an edge, if it was disclosed in a run in which classes counted."""


TaskLine = About | Disclosed
RunLine = Run | Met


@dataclass(frozen=True)
class Place:
    """Where an owner's ledger is."""

    folder: Path
    owner: str

    def runs(self, peer: str) -> Path:
        return self.of(peer) / "runs.jsonl"

    def task(self, peer: str, task: str) -> Path:
        return self.of(peer) / f"{task}.jsonl"

    def of(self, peer: str) -> Path:
        return self.folder / _as_file(self.owner) / _as_file(peer)

    @property
    def secret(self) -> Path:
        return self.folder / _as_file(self.owner) / "secret"


def _as_file(name: str) -> str:
    """An agent's name as the name of a file."""
    found = quote(name, safe="")
    if found in ("", ".", "..", "secret") or len(found) > 200:
        raise InputError(f"the agent name '{name[:80]}' cannot be the name of a file")
    return found


@dataclass(frozen=True)
class PeerTask:
    """What one peer knows about one task of an owner."""

    peer: str
    about: About
    disclosed: tuple[Disclosed, ...]


def read_runs(place: Place, peer: str) -> list[RunLine]:
    """The runs with a peer, without a lock."""
    path = place.runs(peer)
    return read_appended(path, RunLine) if path.exists() else []


def read_peer(place: Place, peer: str) -> list[PeerTask]:
    """All tasks of an owner with a peer, without a lock."""
    found = []
    for path in sorted(place.of(peer).glob("*.jsonl")):
        if path == place.runs(peer):
            continue
        about, *lines = read_appended(path, TaskLine) or [None]
        if not isinstance(about, About):
            continue  # it was just made
        disclosed = tuple(line for line in lines if isinstance(line, Disclosed))
        found.append(PeerTask(peer, about, disclosed))
    return found

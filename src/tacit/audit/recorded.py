"""An agent's own record of what it disclosed, read again: numbers to names, and what was disclosed.

The record has the names of the agent's own files (`tacit.net.record` writes it). It also has the
number of each public action and token, and that is how an owner finds its own actions in another
agent's transcript. A record has one run after the other, and numbers are other ones in each: what
belongs to a transcript is the run that began next to it in time. Lines that are not understood are
passed over.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from tacit.errors import Diagnostic, InputError
from tacit.public.ledger import Counts

_RUN = re.compile(r"; what .*?(?:; a run from (\S+)Z on)?")
_LINE = re.compile(r"\S+Z  to (\S+)  (.*)")
_ACTION = re.compile(r"public action (\d+) is (.*?)(?:, needs tokens [\d, ]+)?")
_TOKEN = re.compile(r"token (\d+) stands for (.*)")
_EDGE = re.compile(
    r"(dependency|known threat|free edge|known from earlier runs|repair: threat)(?: \d+)?: (.*)"
)
_RESTORED = re.compile(r"repair: (.*) is restored, needed by (.*)")
_PREFIX = re.compile(r"repair: (?:its|the) first \d+ public steps cannot be executed")


@dataclass
class Lines:
    """What went to one peer, with names."""

    edges: set[str] = field(default_factory=set)
    free: set[str] = field(default_factory=set)
    """Edges and threats that do not count."""
    threats: set[str] = field(default_factory=set)
    restored: list[tuple[str, str]] = field(default_factory=list)
    """The private facts behind restored tokens in the order of their numbers, and what needs
    them.
    """
    prefixes: int = 0

    @property
    def counts(self) -> Counts:
        """How much that is on the ledger."""
        repairs = len(self.threats) + len(self.restored) + self.prefixes
        return Counts(len(self.edges), repairs, len(self.free))

    @property
    def all_edges(self) -> set[str]:
        return self.edges | self.free | self.threats


@dataclass
class Recorded:
    """What a record has of one run: names by number, and what each peer was sent. `started` counts
    nanoseconds since 1970, and `others` are the other runs of the record.
    """

    actions: dict[int, str] = field(default_factory=dict)
    tokens: dict[int, str] = field(default_factory=dict)
    peers: dict[str, Lines] = field(default_factory=dict)
    started: int = 0
    others: Sequence[Recorded] = ()

    def next_to(self, time: int) -> Recorded:
        """The run of this record that began next to a time."""
        return min((self, *self.others), key=lambda run: abs(run.started - time))

    def to(self, peer: str) -> Lines:
        """What a peer was sent."""
        return self.peers.get(peer, Lines())

    @property
    def all_edges(self) -> set[str]:
        """All edges and threats that went to anybody."""
        return set().union(*(lines.all_edges for lines in self.peers.values()))


def read_record(path: Path) -> Recorded:
    """The last run of a record, or an `InputError`; the others are with it."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InputError(Diagnostic(error.strerror or "cannot be read", str(path))) from None
    except UnicodeDecodeError:
        lines = []
    if not lines or not lines[0].startswith("; what "):
        hint = "'tacit agent' writes one, called disclosed-NAME.txt"
        raise InputError(Diagnostic("this is not a disclosure record", str(path), hint=hint))
    runs: list[Recorded] = []
    for line in lines:
        if begins := _RUN.fullmatch(line):
            runs.append(Recorded(started=_nanoseconds(begins[1])))
        elif found := _LINE.fullmatch(line):
            _take(runs[-1], *found.groups())
    *others, last = runs
    last.others = others
    return last


def _nanoseconds(text: str | None) -> int:
    try:
        when = datetime.fromisoformat(f"{text}+00:00")
    except ValueError:
        return 0
    return int(when.timestamp() * 1e9)


def _take(done: Recorded, peer: str, text: str) -> None:
    if found := _ACTION.fullmatch(text):
        done.actions[int(found[1])] = found[2]
    elif found := _TOKEN.fullmatch(text):
        done.tokens[int(found[1])] = found[2]
    else:
        _disclosed(done.peers.setdefault(peer, Lines()), text)


def _disclosed(lines: Lines, text: str) -> None:
    if found := _EDGE.fullmatch(text):
        kinds = {"dependency": lines.edges, "repair: threat": lines.threats}
        kinds.get(found[1], lines.free).add(found[2])
    elif found := _RESTORED.fullmatch(text):
        lines.restored.append((found[1], found[2]))
    elif _PREFIX.fullmatch(text):
        lines.prefixes += 1

"""An agent's own record of what it disclosed, read again: numbers to names, and what was disclosed.

The record has the names of the agent's own files (`tacit.net.record` writes it). It also has the
number of each public action and token, and that is how an owner finds its own actions in another
agent's transcript. Lines that are not understood are passed over.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from tacit.errors import Diagnostic, InputError

_LINE = re.compile(r"\S+Z  to (\S+)  (.*)")
_ACTION = re.compile(r"public action (\d+) is (.*?)(?:, needs tokens [\d, ]+)?")
_TOKEN = re.compile(r"token (\d+) stands for (.*)")
_EDGE = re.compile(r"(?:dependency \d+|known threat|free edge|(repair: threat)): (.*)")
_REPAIR = re.compile(r"repair: (.*)")


@dataclass
class Recorded:
    """What is in a record: names by number, and per peer the edges and repairs that it was sent."""

    actions: dict[int, str] = field(default_factory=dict)
    tokens: dict[int, str] = field(default_factory=dict)
    edges: dict[str, set[str]] = field(default_factory=dict)
    repairs: dict[str, list[str]] = field(default_factory=dict)

    def disclosed_to(self, peer: str) -> set[str]:
        """Edges and threats that a peer was sent, with names."""
        return self.edges.get(peer, set())

    @property
    def all_edges(self) -> set[str]:
        return set().union(*self.edges.values())


def read_record(path: Path) -> Recorded:
    """A record from its file, or an `InputError`."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InputError(Diagnostic(error.strerror or "cannot be read", str(path))) from None
    except UnicodeDecodeError:
        lines = []
    if not lines or not lines[0].startswith("; what "):
        hint = "'tacit agent' writes one, called disclosed-NAME.txt"
        raise InputError(Diagnostic("this is not a disclosure record", str(path), hint=hint))
    done = Recorded()
    for match in filter(None, map(_LINE.fullmatch, lines)):
        _take(done, *match.groups())
    return done


def _take(done: Recorded, peer: str, text: str) -> None:
    if found := _ACTION.fullmatch(text):
        done.actions[int(found[1])] = found[2]
    elif found := _TOKEN.fullmatch(text):
        done.tokens[int(found[1])] = found[2]
    elif found := _EDGE.fullmatch(text):
        done.edges.setdefault(peer, set()).add(found[2])
        if found[1]:
            done.repairs.setdefault(peer, []).append(found[2])
    elif found := _REPAIR.fullmatch(text):
        done.repairs.setdefault(peer, []).append(found[1])

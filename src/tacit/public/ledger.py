"""The ledger of a run: everything that agents disclosed, who to, and in which order.

What was disclosed cannot be taken back, so a ledger only grows. Solvers plan with all of it, and
every number that a user sees (edges, repairs, k, what was not disclosed) is counted here. Between
agents each owner sends what it discloses to all members itself, so that all of them hold the same
ledger. Where one user holds all files and tries budgets *offline*, each budget has a ledger of its
own, as if it alone had been run.

There are five kinds of entries. An `edge` counts against the budget. `threat`, `token` (a static
token that was restored) and `prefix` (a plan prefix that cannot be executed) are repairs. `free` is
what is shown without counting: all direct threats under `threats=known`, edges of the initial
state under the rule `authors`, and edges that all members know from earlier runs.

Where classes count (`Count.CLASSES`), an edge that looks like one of the same agent that is on the
ledger (`tacit.public.classes`) is `alike`: on the ledger and planned with as any other, and not
counted. A ledger that has `class_of` counts so.

An entry is disclosed once: the same edge, threat or token again is no further disclosure. A prefix
always is one, since it belongs to the plan that was asked about. An entry is one line of JSON
(`line`, `read`), so that a ledger can be appended to a file.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

import msgspec

from tacit.public.disclosure import FINISH, PublicEdge, PublicStep, RestoredToken


class Kind(enum.Enum):
    """What an entry is; all but `edge` and `free` are repairs."""

    EDGE = "edge"
    THREAT = "threat"
    TOKEN = "token"
    PREFIX = "prefix"
    FREE = "free"


REPAIRS = (Kind.THREAT, Kind.TOKEN, Kind.PREFIX)


class Prefix(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The first steps of a public plan, which their owner cannot execute: of its own steps, or of
    all if `joint`. Unless it holds `for_good`, it lapses when its owner discloses another edge.
    """

    steps: tuple[PublicStep, ...]
    joint: bool
    for_good: bool


Mark = tuple[int, ...]
"""How many entries each agent has, in the order of agents: how far a ledger is."""
Item = PublicEdge | RestoredToken | Prefix
ClassOf = Callable[[str, PublicEdge], Hashable]
"""What an agent's edge looks like to others."""
Shown = TypeVar("Shown", PublicEdge, RestoredToken)
_TYPES: dict[Kind, type[Item]] = {
    Kind.EDGE: PublicEdge,
    Kind.THREAT: PublicEdge,
    Kind.TOKEN: RestoredToken,
    Kind.PREFIX: Prefix,
    Kind.FREE: PublicEdge,
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One disclosure, the `number`-th of its agent, and who it was sent to."""

    agent: str
    number: int
    to: tuple[str, ...]
    kind: Kind
    item: Item

    def line(self) -> bytes:
        """As a line of JSON, without its end."""
        return msgspec.json.encode([self.agent, self.number, self.to, self.kind, self.item])

    @classmethod
    def read(cls, line: bytes) -> Entry:
        """The entry of a line; a `msgspec.ValidationError` if it has none."""
        found = msgspec.json.decode(line, type=tuple[str, int, tuple[str, ...], Kind, list[Any]])
        agent, number, to, kind, item = found
        return cls(agent, number, to, kind, msgspec.convert(item, _TYPES[kind]))


@dataclass(frozen=True, slots=True)
class Counts:
    """How much one agent has disclosed."""

    edges: int = 0
    repairs: int = 0
    free: int = 0
    alike: int = 0
    """Edges that are not counted, as they look like others of the agent."""

    @property
    def counted(self) -> int:
        """Edges, as far as they count."""
        return self.edges - self.alike

    @property
    def disclosed(self) -> int:
        """Edges that count, and repairs."""
        return self.counted + self.repairs


@lru_cache(maxsize=2)
def _others(agents: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
    """Per agent all others, once for the ledgers of all agents of a process."""
    return {agent: tuple(other for other in agents if other != agent) for agent in agents}


class Ledger:
    """What these agents have disclosed so far."""

    def __init__(self, agents: Iterable[str] = (), class_of: ClassOf | None = None):
        self._class_of = class_of
        self._classes: dict[str, set[Hashable]] = {agent: set() for agent in agents}
        self._entries: dict[str, list[Entry]] = {agent: [] for agent in self._classes}
        self._others = _others(tuple(self._entries))
        self._known: set[tuple[str, Item]] = set()
        self._counts: dict[str, Counts] = {agent: Counts() for agent in self._entries}

    @property
    def agents(self) -> tuple[str, ...]:
        return tuple(self._entries)

    def __len__(self) -> int:
        return sum(map(len, self._entries.values()))

    def __iter__(self) -> Iterator[Entry]:
        """All entries, agent by agent, each agent's in its order."""
        for entries in self._entries.values():
            yield from entries

    @property
    def mark(self) -> Mark:
        return tuple(map(len, self._entries.values()))

    def differing(self, mark: Mark) -> list[tuple[str, int]]:
        """The agents that have another number of entries in a mark, and these numbers."""
        own = zip(self._entries.items(), mark, strict=False)
        return [(agent, count) for (agent, entries), count in own if len(entries) != count]

    def count(self, agent: str) -> int:
        """How many entries an agent has."""
        return len(self._entries[agent])

    def since(self, agent: str, count: int) -> Sequence[Entry]:
        """An agent's entries after its first `count`."""
        return self._entries[agent][count:]

    def add(self, agent: str, kind: Kind, items: Iterable[Item]) -> list[Entry]:
        """Enter what an agent disclosed; the entries that are new."""
        own, new = self._entries[agent], list[Entry]()
        to = self._others[agent]
        for item in items:
            if kind is not Kind.PREFIX:
                if (agent, item) in self._known:
                    continue
                self._known.add((agent, item))
            entry = Entry(agent, len(own), to, kind, item)
            own.append(entry)
            new.append(entry)
        if new:
            alike = sum(not self._is_new_class(entry) for entry in new)
            self._counts[agent] = _more(self._counts[agent], kind, len(new), alike)
        return new

    def _is_new_class(self, entry: Entry) -> bool:
        """Does it count, for what it looks like? Whatever is no edge does."""
        if self._class_of is None or not isinstance(entry.item, PublicEdge):
            return True
        known, found = self._classes[entry.agent], self._class_of(entry.agent, entry.item)
        is_new = found not in known
        known.add(found)
        return is_new or entry.kind is not Kind.EDGE

    @property
    def counts_classes(self) -> bool:
        return self._class_of is not None

    def is_alike(self, agent: str, edge: PublicEdge) -> bool:
        """Would this edge not be counted?"""
        return self._class_of is not None and self._class_of(agent, edge) in self._classes[agent]

    def forget(self, agent: str) -> None:
        """Begin an agent's part anew, with the threats that it published; offline alone, where
        every budget has its own ledger.
        """
        published = [edge for edge in self._of(agent, PublicEdge, Kind.FREE) if not edge.positive]
        self._known.difference_update([(agent, entry.item) for entry in self._entries[agent]])
        self._entries[agent] = []
        self._classes[agent].clear()
        self._counts[agent] = Counts()
        self.add(agent, Kind.FREE, published)

    # What is planned with

    def edges(self, agent: str) -> tuple[PublicEdge, ...]:
        """What achieves or deletes an agent's tokens, as far as that was disclosed by edges or is
        free; without repairs.
        """
        return self._of(agent, PublicEdge, Kind.EDGE, Kind.FREE)

    def threats(self, agent: str) -> tuple[PublicEdge, ...]:
        return self._of(agent, PublicEdge, Kind.THREAT)

    def restored(self, agent: str) -> tuple[RestoredToken, ...]:
        return self._of(agent, RestoredToken, Kind.TOKEN)

    def prefixes(self, agent: str) -> tuple[Prefix, ...]:
        """Those that still hold."""
        held: list[Prefix] = []
        for entry in self._entries[agent]:
            if isinstance(entry.item, Prefix):
                held.append(entry.item)
            elif entry.kind is Kind.EDGE:
                held = [prefix for prefix in held if prefix.for_good]
        return tuple(held)

    def _of(self, agent: str, of: type[Shown], *kinds: Kind) -> tuple[Shown, ...]:
        found = self._entries[agent]
        return tuple(e.item for e in found if e.kind in kinds and isinstance(e.item, of))

    # What is reported

    def __repr__(self) -> str:
        return f"<ledger: {len(self._counts)} agents, {self.sum} disclosed by all together>"

    def counts(self, agent: str) -> Counts:
        return self._counts.get(agent, Counts())

    @property
    def k(self) -> int:
        """The most edges of any agent, as far as they count."""
        return max((own.counted for own in self._counts.values()), default=0)

    @property
    def largest(self) -> int:
        """Edges and repairs of the agent that disclosed most."""
        return max((own.disclosed for own in self._counts.values()), default=0)

    @property
    def sum(self) -> int:
        """Edges and repairs of all agents."""
        return sum(own.disclosed for own in self._counts.values())

    @property
    def said(self) -> int:
        """The same, with edges that are not counted as they look like others."""
        return sum(own.edges + own.repairs for own in self._counts.values())

    def per_agent(self) -> Mapping[str, Counts]:
        return dict(self._counts)

    def as_json(self, kept: Mapping[str, int]) -> dict[str, Any]:
        """The ledger in numbers; `kept` is how many edges agents never disclosed, where known."""
        return {
            "largest": self.largest,
            "sum": self.sum,
            "counted": "classes" if self.counts_classes else "edges",
            "agents": {
                agent: {
                    "edges": own.edges,
                    "repairs": own.repairs,
                    **({"alike": own.alike} if own.alike else {}),
                    **({"free": own.free} if own.free else {}),
                    **({"kept": kept[agent]} if agent in kept else {}),
                }
                for agent, own in self._counts.items()
            },
        }


def _more(counts: Counts, kind: Kind, new: int, alike: int) -> Counts:
    edges, repairs, free = counts.edges, counts.repairs, counts.free
    if kind is Kind.EDGE:
        edges += new
    elif kind is Kind.FREE:
        free += new
    else:
        repairs += new
    return Counts(edges, repairs, free, counts.alike + alike)


def prefix_of(
    plan: Sequence[PublicStep], agent: str, count: int, joint: bool, for_good: bool
) -> Prefix:
    """The first `count` steps of a plan: of an agent's own ones, or of all. Among those of all the
    last actions of agents do not count but are taken along.
    """
    if not joint:
        own = [step for step in plan if step.agent == agent]
        return Prefix(tuple(own[:count]), joint, for_good)
    taken: list[PublicStep] = []
    counted = 0
    for step in plan:
        is_finish = step.action == FINISH
        if counted == count and not (is_finish and step.agent == agent):
            break
        taken.append(step)
        counted += not is_finish
    return Prefix(tuple(taken), joint, for_good)

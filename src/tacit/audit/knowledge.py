"""What is known of each agent: sent by itself, or passed on by the coordinator.

What follows from it is for `tacit.audit.inference`. Everything is in the opaque numbers
of the run, since the holder of a transcript has no others.

Restored tokens have numbers behind the published ones, which start over with each budget. So
repairs go with the number of the budget that they were sent under.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tacit.public.disclosure import PublicEdge, PublicStep, RestoredToken
from tacit.public.protocol.messages import Publication, Scope

Plan = tuple[PublicStep, ...]


@dataclass(frozen=True, slots=True)
class SeenEdge:
    """An edge as it was sent: its sender, its receiver, and the time."""

    edge: PublicEdge
    sender: str
    receiver: str
    time: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Round:
    """An answer about what is within reach: what was known before, and the news."""

    known: frozenset[int]
    news: tuple[int, ...]


@dataclass
class Knowledge:
    """All that the traffic of a run shows of one agent."""

    agent: str
    changes: tuple[str, ...] = ()
    negates: tuple[str, ...] = ()
    rounds: int = 0
    reached: int = 0
    publications: list[Publication] = field(default_factory=list)
    total: int | None = None
    """How many dependencies there are in all, or at least if it is `bounded`."""
    bounded: bool = False
    """Does its owner allow no more to be disclosed?"""
    budget: int = 0
    """The most edges that it was asked for."""
    edges: dict[PublicEdge, SeenEdge] = field(default_factory=dict)
    """Edges that count against the budget."""
    known: dict[PublicEdge, SeenEdge] = field(default_factory=dict)
    """Threats that were disclosed whatever the budget."""
    free: dict[PublicEdge, SeenEdge] = field(default_factory=dict)
    """Edges of the initial state that a rule does not count."""
    disclosures: dict[SeenEdge, None] = field(default_factory=dict)
    """Each edge and threat, whenever it was sent to another agent; the first time to each."""
    over: list[tuple[int, int]] = field(default_factory=list)
    """Answers with more edges than were asked for: asked, sent."""
    threats: dict[tuple[int, PublicEdge], SeenEdge] = field(default_factory=dict)
    restored: dict[tuple[int, RestoredToken], None] = field(default_factory=dict)
    prefixes: dict[tuple[Scope, Plan], None] = field(default_factory=dict)
    failures: int = 0
    """Plans that it could not execute."""
    plans: dict[Plan, None] = field(default_factory=dict)
    """Plans that it can execute, by its answer."""
    replanned: int = 0
    layers: list[Round] = field(default_factory=list)
    jointly_reached: list[Round] = field(default_factory=list)
    can_finish: list[bool] = field(default_factory=list)
    statuses: int = 0
    stored: int = 0
    """The most states that it reported to have stored."""
    traced: int = 0
    spacing: int = 0
    left: str | None = None
    """Why it left, if it did."""

    @property
    def published(self) -> Publication | None:
        return self.publications[0] if self.publications else None

    @property
    def tokens(self) -> int:
        return self.published.tokens if self.published else 0

    @property
    def disclosed(self) -> tuple[PublicEdge, ...]:
        """All edges that were disclosed, whether they count or not."""
        return (*self.edges, *self.known, *self.free)

    @property
    def repairs(self) -> int:
        """Threats, restored tokens and prefixes: each counts one."""
        return len(self.threats) + len(self.restored) + len(self.prefixes)

"""What is known of each agent: sent by itself, or passed on by the coordinator.

What follows from it is for `tacit.audit.inference`. Everything is in the opaque numbers
of the run, since the holder of a transcript has no others. How much was disclosed is on the ledger
(`tacit.leakage.reading.ledgers`): here is what was ever shown, with any budget.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tacit.public.disclosure import PublicEdge, PublicStep
from tacit.public.ledger import Entry, Kind
from tacit.public.protocol.messages import Publication

Plan = tuple[PublicStep, ...]


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
    turns: int = 0
    """How often it spoke while grounding."""
    last_turn: int = 0
    reached: int = 0
    publications: list[Publication] = field(default_factory=list)
    edges: dict[PublicEdge, None] = field(default_factory=dict)
    """Edges that count against the budget."""
    known: dict[PublicEdge, None] = field(default_factory=dict)
    """Threats that were published, whatever the budget."""
    free: dict[PublicEdge, None] = field(default_factory=dict)
    recalled: dict[PublicEdge, None] = field(default_factory=dict)
    """Edges of the initial state that a rule does not count."""
    threats: dict[PublicEdge, None] = field(default_factory=dict)
    """Threats that were repairs."""
    over: list[tuple[int, int]] = field(default_factory=list)
    """Offline answers with more edges than were asked for: asked, sent."""
    budgets: int = 0
    """How often it sent the edges of a budget."""
    passed: int = 0
    """Turns in which it had no edge of use."""
    has_no_more: bool = False
    """Did it say that it discloses no more?"""
    failures: int = 0
    """Plans that it could not execute."""
    plans: dict[Plan, None] = field(default_factory=dict)
    """Plans that it can execute, by its answer."""
    replanned: int = 0
    responses: int = 0
    """Plans that it proposed, in which its part is cheaper."""
    sums: int = 0
    """Sums of private costs that it took part in."""
    jointly_reached: list[tuple[int, ...]] = field(default_factory=list)
    can_finish: list[bool] = field(default_factory=list)
    """Are its private goals within reach, if nothing is ever deleted? Each time it answered."""
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
        return (*self.edges, *self.known, *self.free, *self.recalled)

    def note(self, entry: Entry) -> None:
        """Remember an edge or threat of the ledger."""
        found = {Kind.EDGE: self.edges, Kind.FREE: self.free, Kind.THREAT: self.threats}
        if isinstance(entry.item, PublicEdge):
            found[entry.kind][entry.item] = None

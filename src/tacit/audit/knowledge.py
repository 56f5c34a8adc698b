"""What was said about each agent: told by itself, or passed on by whoever asked it.

What follows from it is for `tacit.audit.inference`. Everything is in the opaque numbers
of the run, since whoever holds a transcript has no others.

Tokens that a repair brings back have numbers behind the published ones, which start afresh with
each budget. So repairs are kept with the number of the budget that they were told under.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tacit.public.disclosure import PublicEdge, PublicStep, ReturnedToken
from tacit.public.protocol.messages import Published

Plan = tuple[PublicStep, ...]


@dataclass(frozen=True, slots=True)
class ToldEdge:
    """An edge as it was told: by whom, to whom, and at what time."""

    edge: PublicEdge
    teller: str
    hearer: str
    time: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Round:
    """An answer about what is within reach: what was known before, and the news."""

    known: frozenset[int]
    news: tuple[int, ...]


@dataclass
class Knowledge:
    """All that is said about one agent in the traffic of a run."""

    agent: str
    changes: tuple[str, ...] = ()
    negates: tuple[str, ...] = ()
    rounds: int = 0
    reached: int = 0
    publications: list[Published] = field(default_factory=list)
    total: int | None = None
    """How many dependencies there are in all, or at least if it is `bounded`."""
    bounded: bool = False
    """Does its owner allow no more to be told?"""
    budget: int = 0
    """The most edges that it was asked for."""
    edges: dict[PublicEdge, ToldEdge] = field(default_factory=dict)
    """Edges that count against the budget."""
    known: dict[PublicEdge, ToldEdge] = field(default_factory=dict)
    """Threats that were told whatever the budget."""
    free: dict[PublicEdge, ToldEdge] = field(default_factory=dict)
    """Edges of the start that a rule does not count."""
    tellings: dict[ToldEdge, None] = field(default_factory=dict)
    """Each edge and threat, whenever it was told to somebody else; the first time to each."""
    over: list[tuple[int, int]] = field(default_factory=list)
    """Answers with more edges than were asked for: asked, told."""
    threats: dict[tuple[int, PublicEdge], ToldEdge] = field(default_factory=dict)
    returned: dict[tuple[int, ReturnedToken], None] = field(default_factory=dict)
    prefixes: dict[tuple[str, Plan], None] = field(default_factory=dict)
    failures: int = 0
    """Plans that it could not carry out."""
    plans: dict[Plan, None] = field(default_factory=dict)
    """Plans that it said it can carry out."""
    replanned: int = 0
    explored: list[Round] = field(default_factory=list)
    foreseen: list[Round] = field(default_factory=list)
    can_finish: list[bool] = field(default_factory=list)
    statuses: int = 0
    stored: int = 0
    """States that it said it has stored, at most."""
    traced: int = 0
    spacing: int = 0
    left: str | None = None
    """Why it left, if it did."""

    @property
    def published(self) -> Published | None:
        return self.publications[0] if self.publications else None

    @property
    def tokens(self) -> int:
        return self.published.tokens if self.published else 0

    @property
    def told(self) -> tuple[PublicEdge, ...]:
        """All edges that were told, whether they count or not."""
        return (*self.edges, *self.known, *self.free)

    @property
    def repairs(self) -> int:
        """Threats, tokens brought back, and prefixes: each counts one."""
        return len(self.threats) + len(self.returned) + len(self.prefixes)

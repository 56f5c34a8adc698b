"""What a view lets one conclude of an agent, in numbers: from exact to shrewd.

*disclosed* is what it said; *certain* what follows from the frames for any possible owner;
*guessable* what a shrewd peer names; *bits* how many of the worlds that fitted what is public still
fit, by two counts; *told* are sums with private costs. With the owner's edges it is known how right
the guesses are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from tacit.leakage.certain import Bits, Conclusions
from tacit.leakage.costs import ToldCosts, told_costs
from tacit.leakage.guessable import Guessed, Guessing
from tacit.leakage.transitions import bits_a
from tacit.leakage.view import View
from tacit.public.disclosure import INIT, PublicEdge


@dataclass(frozen=True)
class Initial:
    """Edges of the initial state, which are counted apart: how many there are, how many of them
    were disclosed, and how many are certain besides.
    """

    edges: int
    disclosed: int
    certain: int


@dataclass(frozen=True, repr=False)
class Leakage:
    """What observers know of one agent."""

    disclosed: int
    """Edges and repairs on the ledger."""
    edges: int
    """Edges that were disclosed."""
    certain: frozenset[PublicEdge]
    """Edges that were not disclosed and are certain, those of the initial state among them."""
    guessed: Guessed
    """Pairs that are taken for edges; of actions alone."""
    classes: int
    bits_a: float
    bits_b: Bits
    told: ToldCosts = field(default_factory=ToldCosts)
    """What an optimal search told of its private costs, and of tokens that it has lost."""
    total: int | None = None
    """How many edges it has, if its owner asks."""
    initial: Initial | None = None
    admits: bool | None = None
    """Do the owner's edges fit? If not, it is another owner than was supposed, or it lied."""

    def __repr__(self) -> str:
        known = f"{self.disclosed} disclosed, {len(self.certain)} certain"
        return f"<leakage: {known}, {len(self.guessed.pairs)} guessed>"

    @property
    def guessed_besides(self) -> int | None:
        """How many guesses are right and not certain, if its owner asks."""
        sure = sum(edge.achiever != INIT for edge in self.certain)
        return None if self.guessed.score is None else max(0, self.guessed.score.right - sure)

    def as_json(self) -> dict[str, int | float | None]:
        """The numbers that results and sweeps have."""
        score = self.guessed.score
        return {
            "disclosed": self.disclosed,
            "certain": len(self.certain),
            "guessed": len(self.guessed.pairs),
            "guessed_right": None if score is None else score.right,
            "undisclosed": None if score is None else score.undisclosed,
            "classes": self.classes,
            "bits_a": round(self.bits_a, 6),
            "bits_b": round(self.bits_b.learned, 6),
            "bits_b_all": round(self.bits_b.all, 6),
            "sums": self.told.sums,
            "lost": self.told.lost_tokens,
        }

    def as_dict(self) -> dict[str, Any]:
        """All of it, for an audit."""
        score, initial = self.guessed.score, self.initial
        certain = [{"achiever": e.achiever, "token": e.token} for e in sorted(self.certain)]
        found: dict[str, Any] = {
            **self.as_json(),
            "certain_edges": certain,
            "attack": self.guessed.attack,
            "bits_b_share": round(self.bits_b.share, 6),
            "bits_b_by_source": {name: round(x, 6) for name, x in self.bits_b.sources.items()},
            "bits_b_exact": self.bits_b.is_exact,
            "scored": None,
            "initial": None,
        }
        if score is not None:
            found["scored"] = {
                "precision": round(score.precision, 6),
                "recall": round(score.recall, 6),
                "base_rate": round(score.base_rate, 6),
                "lift": round(score.lift, 3),
            }
        if initial is not None:
            found["initial"] = {
                "edges": initial.edges,
                "disclosed": initial.disclosed,
                "certain": initial.certain,
            }
        return found


class Meter:
    """Measures what a view shows of each agent; `own` are edges of observers that look at their
    own, too.
    """

    def __init__(self, view: View, own: Mapping[str, frozenset[PublicEdge]] | None = None):
        self.view = view
        self._guessing = Guessing(view, own)

    @cached_property
    def _told(self) -> dict[str, ToldCosts]:
        return told_costs(self.view.traffic)

    def about(
        self,
        agent: str,
        true: Iterable[PublicEdge] | None = None,
        disclosed: int | None = None,
    ) -> Leakage:
        """One agent; `true` are all its edges, and `disclosed` is what its ledger says."""
        seen = self.view.agents[agent]
        found = Conclusions(seen, self.view.settings, self.view.ranking)
        edges = None if true is None else frozenset(true)
        return Leakage(
            seen.disclosed if disclosed is None else disclosed,
            len(seen.edges),
            found.undisclosed,
            self._guessing.about(agent, found, edges),
            self._guessing.classes(agent),
            bits_a(self.view, agent),
            found.bits,
            self._told[agent],
            None if edges is None else len(edges),
            None if edges is None else _initial(edges, seen.edges, found.undisclosed),
            None if edges is None else found.admits(edges),
        )


def _initial(
    true: Iterable[PublicEdge], disclosed: Iterable[PublicEdge], certain: Iterable[PublicEdge]
) -> Initial:
    rows = (true, disclosed, certain)
    return Initial(*(sum(edge.achiever == INIT for edge in edges) for edges in rows))

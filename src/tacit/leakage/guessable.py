"""Which undisclosed edges a shrewd peer names, and how often it is right.

All attacks are tried (`tacit.leakage.attacks`), and the strongest counts. Where the owner's edges
are known, that is the one with the best balance of right guesses (F1: of precision and recall). Of
an attack alone nobody knows how strong it is: then the one counts that makes use of most, and edges
that are certain are among what is guessed in either case.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tacit.leakage.attacks import Evidence, Guesses, all_guesses
from tacit.leakage.attacks._evidence import Pair
from tacit.leakage.certain import Conclusions
from tacit.leakage.view import View
from tacit.public.disclosure import INIT, PublicEdge

UNTESTED = ("own", "together")
"""Attacks in the order in which they count where nobody knows how right they are. Where this is
known, `own` counts only if it is better than the others, as it uses more."""


@dataclass(frozen=True)
class Score:
    """How right guesses are; of undisclosed edges of actions alone."""

    guessed: int
    right: int
    undisclosed: int
    pairs: int
    """Pairs of an action and a token that were not disclosed as edges."""

    @property
    def precision(self) -> float:
        return self.right / self.guessed if self.guessed else 0.0

    @property
    def recall(self) -> float:
        return self.right / self.undisclosed if self.undisclosed else 0.0

    @property
    def base_rate(self) -> float:
        """How often a pair is an edge."""
        return self.undisclosed / self.pairs if self.pairs else 0.0

    @property
    def lift(self) -> float:
        """How much more often a guess is right than a pair is an edge."""
        return self.precision / self.base_rate if self.base_rate else 0.0

    @property
    def strength(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@dataclass(frozen=True)
class Guessed:
    """What is guessed of one agent, and by which attack."""

    attack: str
    pairs: frozenset[Pair]
    score: Score | None = None
    scores: Mapping[str, Score] = field(default_factory=dict)
    """How right each attack is, if that is known."""


class Guessing:
    """What a view lets one guess; `own` are edges of observers that look at their own, too."""

    def __init__(self, view: View, own: Mapping[str, frozenset[PublicEdge]] | None = None):
        self.view = view
        self.evidence = Evidence(view, own or {})

    @cached_property
    def attacks(self) -> Mapping[str, Guesses]:
        return all_guesses(self.evidence)

    def classes(self, agent: str) -> int:
        return self.evidence.classes(agent)

    def about(
        self,
        agent: str,
        certain: Conclusions,
        true: Collection[PublicEdge] | None = None,
    ) -> Guessed:
        """The strongest attack on one agent, scored if its edges are known."""
        disclosed = _pairs(self.view.agents[agent].edges)
        sure = _pairs(certain.edges) - disclosed
        named = {
            name: (found.get(agent, frozenset()) - disclosed) | sure
            for name, found in self.attacks.items()
        }
        if true is None:
            name = next((n for n in (*UNTESTED, *named) if self.attacks.get(n)), UNTESTED[-1])
            return Guessed(name, named[name])
        hidden = _pairs(true) - disclosed
        part = self.view.agents[agent].part
        free = len(part.actions) * part.tokens - len(disclosed)
        scores = {
            name: Score(len(pairs), len(pairs & hidden), len(hidden), free)
            for name, pairs in named.items()
        }
        best = max(scores, key=lambda name: (scores[name].strength, name != "own"))
        return Guessed(best, named[best], scores[best], scores)


def _pairs(edges: Collection[PublicEdge]) -> frozenset[Pair]:
    return frozenset((e.achiever, e.token) for e in edges if e.achiever != INIT and e.positive)

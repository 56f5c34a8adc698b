"""The scores behind a ranking's order of an agent's edges, only for the owner.

Each ranking has disclosed its own first k edges; the others have a score, and the best comes next.
All positive edges into a token have the same score. The score of a negative edge is minus the
number of disclosed negative edges on its token.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from tacit.errors import InputError
from tacit.party.disclosure.graph import Edge, Graph
from tacit.party.disclosure.public_view import PublicView
from tacit.party.disclosure.ranking import RANKINGS, next_anyway


@runtime_checkable
class Scoring(Protocol):
    """A ranking that can score another positive edge into a token in its current state."""

    def next(self) -> Edge | None: ...

    def score(self, token: int) -> float: ...


@dataclass(frozen=True, slots=True)
class Scores:
    """One ranking's disclosed edges in their order, and the score of each other edge."""

    disclosed: tuple[Edge, ...]
    left: dict[Edge, float]


def edge_scores(graph: Graph, rankings: Iterable[str], k: int, seed: int = 0) -> dict[str, Scores]:
    """The scores of each ranking once it has disclosed its first k edges."""
    return {name: _scores(graph, name, k, seed) for name in rankings}


def _scores(graph: Graph, name: str, k: int, seed: int) -> Scores:
    ranking = RANKINGS.get(name)(graph, PublicView.alone(graph), seed)
    if not isinstance(ranking, Scoring):
        scoring = ", ".join(n for n in RANKINGS if hasattr(RANKINGS.get(n), "score"))
        raise InputError(f"ranking '{name}' has no scores", f"these have some: {scoring}")
    disclosed: list[Edge] = []
    while len(disclosed) < k and (edge := next_anyway(ranking)) is not None:
        disclosed.append(edge)
    known = set(disclosed)
    negative = Counter(edge.token for edge in disclosed if not edge.positive)
    left = {
        edge: ranking.score(edge.token) if edge.positive else float(-negative[edge.token])
        for edge in graph.edges
        if edge not in known
    }
    return Scores(tuple(disclosed), left)

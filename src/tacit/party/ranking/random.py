"""random: a seeded shuffle, the yardstick for all others."""

from __future__ import annotations

from random import Random

from tacit.party.graph import Edge, Graph
from tacit.party.public_view import PublicView
from tacit.party.ranking import RANKINGS
from tacit.public.disclosure import PublicEdge


@RANKINGS.add("random")
class Shuffled:
    """Every order alike."""

    def __init__(self, graph: Graph, public: PublicView | None, seed: int):
        self._rest = list(graph.edges)
        Random(seed).shuffle(self._rest)

    def next(self) -> Edge | None:
        return self._rest.pop() if self._rest else None

    def saw(self, agent: str, edge: PublicEdge) -> None:
        """Nothing that others do matters."""

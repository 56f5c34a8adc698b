"""random: a seeded shuffle, the yardstick for all others.

Where edges have prices, the next one is drawn with a chance in inverse proportion to its price, and
those that cost nothing come first. This is a race: each edge runs for a random time, exponentially
distributed, in proportion to its price.

Where the owner keeps a lasting ledger, the shuffle is drawn once for the task (`Graph.draws`), from
a secret of the owner's: starting again does not draw again.
"""

from __future__ import annotations

import math
from random import Random

from tacit.party.disclosure.graph import Edge, Graph
from tacit.party.disclosure.public_view import PublicView
from tacit.party.disclosure.ranking import RANKINGS
from tacit.public.ledger import Item


@RANKINGS.add("random")
class Shuffled:
    """Every order alike; with prices, cheap edges are drawn sooner."""

    uses_draws = True

    def __init__(self, graph: Graph, public: PublicView | None, seed: int):
        self._rest = list(graph.edges)
        if graph.draws:
            self._sort_drawn(graph)
            return
        draw = Random(seed)
        draw.shuffle(self._rest)
        if len(set(graph.price)) > 1:
            price = dict(zip(graph.edges, graph.price, strict=True))
            ends = {edge: price[edge] * draw.expovariate(1) for edge in self._rest}
            self._rest.sort(key=ends.__getitem__, reverse=True)

    def _sort_drawn(self, graph: Graph) -> None:
        """The same race, with what was drawn for each edge; ties by the draw alone."""
        prices = graph.price or [1] * len(graph.columns)
        drawn = zip(graph.edges, prices, graph.draws, strict=True)
        ends = {edge: (price * -math.log(draw), draw) for edge, price, draw in drawn}
        self._rest.sort(key=ends.__getitem__, reverse=True)

    def next(self) -> Edge | None:
        return self._rest.pop() if self._rest else None

    def saw(self, agent: str, item: Item) -> None:
        """Nothing that others do matters."""

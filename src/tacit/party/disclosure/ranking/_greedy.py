"""Greedy orders in which all edges into one token score alike: m1 to m4 in the core's terms.

A method defines what a token is worth by itself and how far that falls with every edge published
into it (`worth`, `fall`), and what the actions that an edge enables are good for (`items_of`, with
`weight`). The core keeps the scores up to date and finds the best edge (see `order.hpp`), that is
the best score per price where edges have prices.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from tacit import native, watch
from tacit.party.disclosure.graph import Edge, Graph
from tacit.party.disclosure.public_view import PublicView
from tacit.public.ledger import Item


class Greedy:
    """Publishes, again and again, an edge whose token scores best."""

    fall = 0.0
    """By how much a token's score falls with every edge published into it."""

    def __init__(self, graph: Graph, public: PublicView | None, seed: int):
        self.graph = graph
        groups = self._groups()
        numbers: dict[Hashable, int] = {}
        items = [
            [numbers.setdefault(item, len(numbers)) for item in self.items_of(actions)]
            for actions in watch.checked(groups.values())
        ]
        self._order = native.GreedyOrder(
            list(graph.columns.token),
            list(graph.columns.positive),
            list(graph.price),
            self.levels(),
            self.fall,
            *native.flat(groups),
            *native.flat(items),
            [self.weight(item) for item in numbers],
        )

    def levels(self) -> list[float]:
        """Per token, what an edge into it is worth by itself."""
        return [0.0] * self.graph.tokens

    def items_of(self, actions: Sequence[int]) -> Iterable[Hashable]:
        """What enabling these actions, which need the same tokens, is good for."""
        return ()

    def weight(self, item: Hashable) -> float:
        """What an item is worth the first time; the n-th time it is worth 1/n of that."""
        return 1.0

    def next(self) -> Edge | None:
        place = self.next_place()
        return None if place < 0 else self.graph.columns[place]

    def next_place(self) -> int:
        """Where in the graph's columns the next edge is; -1 when all are published."""
        return self._order.next()

    def take(self, place: int) -> None:
        """An edge is disclosed for another reason."""
        self._order.take(place)

    def recall(self, edges: Sequence[Edge]) -> None:
        place = {edge: number for number, edge in enumerate(self.graph.edges)}
        for edge in edges:
            self.take(place[edge])

    def saw(self, agent: str, item: Item) -> None:
        """These rankings use their own graph alone."""

    def score(self, token: int) -> float:
        """What another positive edge into this token is worth now."""
        return self._order.score(token)

    def _groups(self) -> dict[tuple[int, ...], list[int]]:
        groups: dict[tuple[int, ...], list[int]] = {}
        for action, tokens in enumerate(watch.checked(self.graph.needs)):
            if tokens:
                groups.setdefault(tuple(tokens), []).append(action)
        return groups

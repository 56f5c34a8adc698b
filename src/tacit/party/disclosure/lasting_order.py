"""The order of an agent whose owner keeps a lasting ledger: what peers know is not chosen anew.

Under an interactive ranking, what all peers know is recalled before the first turn: all of it may
be enough for a plan, and the ranking goes on from there. Any other ranking has the same order in
every run of a task, so what is known comes as early as it did before, and is free when it comes.

The lasting ledger has the owner's bounds. A new edge that it does not take is passed over, so that
only what is known is left, and where classes count what looks like it. Others cannot distinguish
this from an agent that has no more edges.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tacit.errors import ProtocolError
from tacit.party.disclosure.graph import Edge, Graph
from tacit.party.disclosure.order import Key, Order, key_of
from tacit.party.disclosure.public_view import PublicView
from tacit.party.disclosure.ranking import Pass, Ranking, recall, uses_draws
from tacit.party.lasting import Memory


class LastingOrder(Order):
    """What is disclosed next, besides what was recalled."""

    def __init__(
        self,
        memory: Memory,
        ranking: str,
        graph: Graph,
        with_deletes: Callable[[bool], Graph],
        view: PublicView,
        seed: int,
    ):
        super().__init__(ranking, graph, with_deletes, view, seed)
        self._memory = memory
        self._recalled: tuple[Edge, ...] = ()
        self._not_again: set[Edge] = set()

    def recall(self, edges: Sequence[Edge]) -> None:
        if self._made_ranking is not None or self._recalled:
            raise ProtocolError("what is known is recalled once, before any turn")
        self._recalled = tuple(edges)
        self._not_again.update(edges)
        self._left.difference_update(map(key_of, edges))

    def _made_now(self) -> Ranking:
        ranking = super()._made_now()
        recall(ranking, self._recalled)
        return ranking

    def _ranked(self) -> Graph:
        graph = super()._ranked()
        return self._memory.drawn(graph) if uses_draws(self._make_ranking) else graph

    def _asked(self, must: bool, wished: Edge | None) -> Edge | Pass | None:
        while True:
            found = super()._asked(must, wished)
            wished = None
            if not isinstance(found, Edge):
                return found
            if found in self._not_again:
                continue
            self._checked(found)
            if self._memory.take(found):
                return found
            if self.is_interactive and not self._memory.counts_classes:
                return None  # all that is known was recalled
            self._not_again.add(found)

    def _pay(self, key: Key) -> bool:
        return True  # the lasting ledger has taken it

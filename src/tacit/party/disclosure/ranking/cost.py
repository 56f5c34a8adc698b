"""cost: the edges that a cheaper plan needs, by the objective.

`goal` discloses what a plan needs, and no more: fewest edges, whatever the plan costs. This one
goes on from there. Where `goal` passes, the agent looks for a cheaper plan that it may hope for
(`tacit.party.disclosure.hoping`), with all its own edges, what the others disclosed and what it
infers of them, and discloses its own edges of it; then for a cheaper one yet. It passes when it
finds none, until somebody discloses more. A budget is a bound here, too: what no cheaper plan needs
is disclosed last, in the order of `goal`.

The order depends on what the agent's private actions cost. An observer who sees which edges come
after a plan was possible learns that a cheaper one seems to need them.
"""

from __future__ import annotations

from collections.abc import Sequence

from tacit.party.disclosure.graph import Edge, Graph
from tacit.party.disclosure.hoping import Hoping
from tacit.party.disclosure.public_view import PublicView
from tacit.party.disclosure.ranking import PASS, RANKINGS, Pass
from tacit.party.disclosure.ranking.goal import Goal
from tacit.policy import POLICY


@RANKINGS.add("cost")
class Cost(Goal):
    """As `goal`, and then edges of cheaper plans, private costs included."""

    uses_work = True

    def __init__(self, graph: Graph, public: PublicView, seed: int):
        super().__init__(graph, public, seed)
        self._hoping: Hoping | None = None
        if graph.work is not None:
            policy = POLICY.hoping
            self._hoping = Hoping(graph, graph.work, public, seed, policy)
            self._hoping.saw(*self._order.supposed)
        self._published: set[Edge] = set()
        self._wanted: list[Edge] = []
        """Of the hopeful plan, the next one last."""
        self._skipped, self._to_skip = 0, 0
        """Turns since a cheaper plan was looked for in vain, and how many to let pass."""
        self._is_new = True
        """Was anything disclosed since then?"""

    def next(self) -> Edge | Pass | None:
        found = super().next()
        if found is not PASS:
            return found
        edge = self._hoped()
        if edge is None:
            return PASS
        place = self._place[edge]
        self._order.take(place)
        self._by_use.take(place)
        return self._taken(place)

    def _hoped(self) -> Edge | None:
        """The next edge of a plan that is hoped for, if there is a cheaper one."""
        if not self._wanted:
            self._look()
        while self._wanted:
            edge = self._wanted.pop()
            if edge not in self._published:
                return edge
        return None

    def _look(self) -> None:
        if self._hoping is None or not self._is_new:
            return
        if self._skipped < self._to_skip:
            self._skipped += 1
            return
        while not self._wanted and self._hoping.finds_cheaper():
            self._wanted = self._hoping.edges(self._published)[::-1]
        self._is_new = bool(self._wanted)
        self._skipped, self._to_skip = 0, 0 if self._wanted else 2 * self._to_skip + 1

    def recall(self, edges: Sequence[Edge]) -> None:
        super().recall(edges)
        self._published.update(edges)

    def _taken(self, place: int) -> Edge:
        edge = super()._taken(place)
        self._published.add(edge)
        return edge

    def _note(self, achiever: int, token: int, positive: bool, is_recalled: bool) -> None:
        super()._note(achiever, token, positive, is_recalled)
        self._is_new = True
        if self._hoping is not None:
            pairs = [(achiever, token)]
            self._hoping.saw(pairs if positive else [], [] if positive else pairs)

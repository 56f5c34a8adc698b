"""quiet: what `goal` would disclose, by plans that tell others little they could not guess.

A peer that knows one edge takes all that look like it for edges (docs/leakage.md), so the first
edge of a class tells it the class, and a further one next to nothing. Here an edge of a class that
somebody has disclosed is cheap, and one of another class is the dearer the more own edges it would
give away. `goal` then plans as it does with prices: among plans for the goals it takes those that
need cheap edges. And where it discloses all edges of a plan, it does so in the order of their
published numbers, which are drawn; in that of the plan they show when each is needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tacit.party.disclosure.graph import Edge, Graph
from tacit.party.disclosure.public_view import PublicView
from tacit.party.disclosure.ranking import RANKINGS
from tacit.party.disclosure.ranking.goal import Goal
from tacit.public.classes import Class, Classes
from tacit.public.disclosure import PublicEdge
from tacit.public.ledger import Item


@RANKINGS.add("quiet")
class Quiet(Goal):
    """As `goal`, with edges that look like disclosed ones first."""

    def __init__(self, graph: Graph, public: PublicView, seed: int):
        self._classes = Classes(public.task.facts, public.published)
        columns = graph.columns
        shown = (public.show(columns[place]) for place in range(len(columns)))
        self._class = [self._classes.of(public.agent, edge) for edge in shown]
        self._members: dict[Class, list[int]] = {}
        for place, found in enumerate(self._class):
            self._members.setdefault(found, []).append(place)
        self._paid = graph.price or [1] * len(columns)
        self._known: set[Class] = set()
        super().__init__(graph, public, seed)
        self._order.hide_order()

    def _prices(self, graph: Graph) -> Sequence[int]:
        sizes = Counter(self._class)
        rows = zip(self._paid, self._class, strict=True)
        return [price * (1 + sizes[found].bit_length()) for price, found in rows]

    def _taken(self, place: int) -> Edge:
        self._learn(self._class[place])
        return super()._taken(place)

    def recall(self, edges: Sequence[Edge]) -> None:
        super().recall(edges)
        for edge in edges:
            self._learn(self._class[self._place[edge]])

    def saw(self, agent: str, item: Item, is_recalled: bool = False) -> None:
        super().saw(agent, item, is_recalled)
        if isinstance(item, PublicEdge):
            self._learn(self._classes.of(agent, item))

    def _learn(self, found: Class) -> None:
        """Others know this class now."""
        if found not in self._known:
            self._known.add(found)
            for place in self._members.get(found, ()):
                self._order.reprice(place, self._paid[place])

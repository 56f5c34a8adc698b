"""The order in which one agent discloses its edges: made once, lazily, by a ranking.

The coordinator may ask for the first k of it at any time (`first`), and every k is a prefix. An
interactive ranking chooses its next edge only when it is asked for it (`next_edge`), after it has
seen what the others disclosed since its last one. So its order cannot be made ahead, and `first`
gives what was disclosed so, or everything. Where everything is asked for there is nothing to
choose: then no ranking is made, nor asked.

With a budget in prices the order ends before the first edge that would go beyond it, even if more
is asked for. Others cannot distinguish this from an agent that has no more edges.

The order depends on these turns alone, and they come in rounds: in one round every agent discloses
one edge. If an agent is sent two edges of another between two turns of its own, one of them is a
lie.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from tacit import watch
from tacit.errors import InputError, ProtocolError
from tacit.party.disclosure.graph import Edge, Graph
from tacit.party.disclosure.public_view import PublicView
from tacit.party.disclosure.ranking import RANKINGS, Ranking, is_interactive, uses_deletes
from tacit.public import disclosure
from tacit.public.disclosure import PublicEdge

Key = tuple[int, int, int]
"""An edge in a set of all: achiever, token, and whether it is positive."""


class Order:
    """What was disclosed so far, and what would be disclosed next.

    `with_deletes` makes the graph for a ranking that uses which tokens actions delete.
    """

    def __init__(
        self,
        ranking: str,
        graph: Graph,
        with_deletes: Callable[[], Graph],
        view: PublicView,
        seed: int,
        budget: int | None = None,
    ):
        self._make_ranking = RANKINGS.get(ranking)
        self.is_interactive = is_interactive(self._make_ranking)
        self._name = ranking
        self._graph, self._with_deletes = graph, with_deletes
        self._view = view
        self._seed = seed
        self._columns = columns = graph.columns
        self._left = set(zip(columns.achiever, columns.token, columns.positive, strict=True))
        self._budget = budget  # what of it is left; below 0 when it is over
        rows = zip(columns.achiever, columns.token, columns.positive, strict=True)
        self._price = dict(zip(rows, graph.price, strict=True)) if graph.price else {}
        self._made: list[Edge] = []
        self._turns = 0
        self._heard: set[tuple[str, PublicEdge]] = set()

    @cached_property
    def _ranking(self) -> Ranking:
        """Made when there is a choice to make, which may never be."""
        graph = self._with_deletes() if uses_deletes(self._make_ranking) else self._graph
        return self._make_ranking(graph, self._view, self._seed)

    def first(self, budget: int) -> list[Edge]:
        """The first edges, or all if there are fewer; then it does not matter in what order."""
        if budget >= len(self._columns) and self._budget is None:
            return self._made + self._rest
        if not self.is_interactive:
            self._make(budget)
        elif budget > len(self._made) and self._left and not self._is_over:
            raise ProtocolError("an interactive ranking must be asked for its next edge first")
        return self._made[:budget]

    @property
    def _rest(self) -> list[Edge]:
        """What was not chosen yet, in the order of the graph."""
        rest = (self._columns[place] for place in range(len(self._columns)))
        return [edge for edge in rest if _key(edge) in self._left]

    def whole(self) -> list[Edge]:
        """For the owner: the order to its end, as far as it is made without the others."""
        if not self.is_interactive:
            self._make(len(self._columns))
        return self._made + (self._rest if self._budget is None else [])

    def next_edge(self, heard: Sequence[tuple[str, PublicEdge]]) -> Edge | None:
        """The next edge, after what the others disclosed; None if there is none."""
        if self._is_over:
            raise ProtocolError("an agent that has no more edges is asked for another one")
        self._check(heard)
        with watch.phase("ranking"):
            for agent, edge in heard:
                self._ranking.saw(agent, edge)
        self._turns += 1
        self._make(self._turns)
        return self._made[self._turns - 1] if self._turns <= len(self._made) else None

    @property
    def _is_over(self) -> bool:
        """Has the last turn been answered with nothing?"""
        return self._turns > len(self._made)

    @property
    def _is_spent(self) -> bool:
        return self._budget is not None and self._budget < 0

    @property
    def paid_for(self) -> int | None:
        """How many edges the budget in prices has paid for, once it is spent."""
        return len(self._made) if self._is_spent else None

    def _make(self, count: int) -> None:
        if len(self._made) < count:
            with watch.phase("ranking"):
                self._choose(count)

    def _choose(self, count: int) -> None:
        while len(self._made) < count:
            watch.check()
            edge = None if self._is_spent else self._ranking.next()
            if edge is None:
                break
            key = _key(edge)
            if key not in self._left:
                raise InputError(f"ranking '{self._name}' returns an edge twice, or an unknown one")
            if not self._pay(key):
                break
            self._left.remove(key)
            self._made.append(edge)

    def _pay(self, key: Key) -> bool:
        """Take the price off the budget; the first edge that it does not pay for ends the order."""
        if self._budget is None:
            return True
        self._budget -= self._price.get(key, 1)
        return self._budget >= 0

    def _check(self, heard: Sequence[tuple[str, PublicEdge]]) -> None:
        """Each of the others disclosed at most one edge, a new one, in its own numbers."""
        if len({agent for agent, _ in heard}) < len(heard):
            raise ProtocolError("an agent is said to have disclosed two edges in one round")
        for agent, edge in heard:
            part = self._view.published.get(agent)
            if part is None or agent == self._view.agent:
                raise ProtocolError(
                    "an edge is said to be of an agent that is not among the others"
                )
            is_achiever = edge.achiever == disclosure.INIT or 0 <= edge.achiever < len(part.actions)
            if not is_achiever or not 0 <= edge.token < part.tokens:
                raise ProtocolError(f"an edge is said to be of '{agent}' that it cannot have")
            if (agent, edge) in self._heard:
                raise ProtocolError(f"an edge of '{agent}' is sent twice")
            self._heard.add((agent, edge))


def _key(edge: Edge) -> Key:
    return edge.achiever, edge.token, int(edge.positive)

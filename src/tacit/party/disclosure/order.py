"""The order in which one agent discloses its edges: made once, lazily, turn by turn, by a ranking.

In a turn an agent discloses its next edge, passes, or has no more. An interactive ranking chooses
when it is the agent's turn (`next`), after it has seen what the others disclosed since its last
one. Offline the coordinator may ask for the edges of the first k turns at any time (`first`), and
every k is a prefix; where everything is asked for there is nothing to choose, so no ranking is
made, nor asked.

With a budget in prices the order ends before the first edge that would go beyond it, even if more
is asked for. Others cannot distinguish this from an agent that has no more edges.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tacit import watch
from tacit.errors import InputError, ProtocolError, defined_wrongly
from tacit.party.disclosure.graph import Edge, Graph
from tacit.party.disclosure.public_view import PublicView
from tacit.party.disclosure.ranking import (
    PASS,
    RANKINGS,
    Pass,
    Ranking,
    is_interactive,
    next_anyway,
    saw_recalled,
    takes_wishes,
    uses_deletes,
    uses_work,
)
from tacit.public.ledger import Item

Key = tuple[int, int, int]
"""An edge in a set of all: achiever, token, and whether it is positive."""


class Order:
    """What was disclosed so far, and what would be disclosed next.

    `with_deletes` makes the graph for a ranking that uses which tokens actions delete, and maybe
    what the agent itself can do.
    """

    def __init__(
        self,
        ranking: str,
        graph: Graph,
        with_deletes: Callable[[bool], Graph],
        view: PublicView,
        seed: int,
        budget: int | None = None,
    ):
        self._make_ranking = RANKINGS.get(ranking)
        self.is_interactive = is_interactive(self._make_ranking)
        self.takes_wishes = takes_wishes(self._make_ranking)
        self._name = ranking
        self._graph, self._with_deletes = graph, with_deletes
        self._view = view
        self._seed = seed
        self._columns = columns = graph.columns
        self._left = set(zip(columns.achiever, columns.token, columns.positive, strict=True))
        self._budget = budget  # what of it is left; below 0 when it is over
        rows = zip(columns.achiever, columns.token, columns.positive, strict=True)
        self._price = dict(zip(rows, graph.price, strict=True)) if graph.price else {}
        self._turns: list[Edge | None] = []
        """What came of each turn: an edge, or None for a pass."""
        self._is_over = False
        self._news: list[tuple[str, Item, bool]] = []
        self._made_ranking: Ranking | None = None

    @property
    def _ranking(self) -> Ranking:
        """Made when there is a choice to make, which may never be."""
        if self._made_ranking is None:
            self._made_ranking = self._made_now()
        return self._made_ranking

    def _made_now(self) -> Ranking:
        make = self._make_ranking
        for needed in ("next", "saw") if self.is_interactive else ("next",):
            if not callable(getattr(make, needed, None)):
                raise self._wrong(f"has no method '{needed}'")
        try:
            return make(self._ranked(), self._view, self._seed)
        except TypeError as error:
            trace = error.__traceback__
            if trace is None or trace.tb_next is None:  # not inside of it
                raise self._wrong(f"cannot be made: {error}") from None
            raise

    def _wrong(self, what: str) -> InputError:
        hint = "its methods are '__init__(graph, public, seed)', 'next()' and 'saw(agent, item)'"
        return defined_wrongly(self._make_ranking, f"ranking '{self._name}' {what}", hint)

    def _ranked(self) -> Graph:
        """The graph as the ranking is to see it."""
        make = self._make_ranking
        return self._with_deletes(uses_work(make)) if uses_deletes(make) else self._graph

    def saw(self, agent: str, item: Item, is_recalled: bool = False) -> None:
        """Another agent disclosed something, or recalled it from earlier runs; it matters at
        the next turn.
        """
        if self.is_interactive:
            self._news.append((agent, item, is_recalled))

    def has_left(self, edge: Edge) -> bool:
        """May this edge still be disclosed?"""
        return key_of(edge) in self._left

    def next(self, must: bool = False, wished: Edge | None = None) -> Edge | Pass | None:
        """What comes of the next turn: the edge that is `wished` for, or the ranking's choice; if
        it `must`, no pass. None if there is no more.
        """
        if self._is_over:
            return None
        with watch.phase("ranking"):
            for agent, item, is_recalled in self._news:
                if is_recalled:
                    saw_recalled(self._ranking, agent, item)
                else:
                    self._ranking.saw(agent, item)
            self._news.clear()
            return self._take_turn(must, wished)

    def first(self, turns: int | None) -> list[Edge]:
        """The edges of the first turns; of all, None, it does not matter in what order."""
        if turns is None and self._budget is None:
            return self._made + self._rest
        if not self.is_interactive:
            self._make(len(self._columns) if turns is None else turns)
        elif turns is not None and turns > len(self._turns) and not self._is_over:
            raise ProtocolError("an interactive ranking must be asked for its next edge first")
        return [edge for edge in self._turns[:turns] if edge is not None]

    @property
    def _made(self) -> list[Edge]:
        return [edge for edge in self._turns if edge is not None]

    @property
    def _rest(self) -> list[Edge]:
        """What was not chosen yet, in the order of the graph."""
        rest = (self._columns[place] for place in range(len(self._columns)))
        return [edge for edge in rest if key_of(edge) in self._left]

    def recall(self, edges: Sequence[Edge]) -> None:
        """These are disclosed already; for an owner that keeps a lasting ledger."""
        if edges:
            raise ProtocolError("nothing is known from earlier runs")

    def whole(self) -> list[Edge]:
        """For the owner: the order to its end, as far as it is made without the others."""
        if not self.is_interactive:
            self._make(len(self._columns), must=True)
        return self._made + (self._rest if self._budget is None else [])

    @property
    def _is_spent(self) -> bool:
        return self._budget is not None and self._budget < 0

    @property
    def paid_for(self) -> int | None:
        """How many edges the budget in prices has paid for, once it is spent."""
        return len(self._made) if self._is_spent else None

    def _make(self, turns: int, must: bool = False) -> None:
        with watch.phase("ranking"):
            while len(self._turns) < turns and not self._is_over:
                watch.check()
                self._take_turn(must)

    def _take_turn(self, must: bool, wished: Edge | None = None) -> Edge | Pass | None:
        """A turn; one that must not pass takes the place of a pass just before it."""
        if must and self._turns and self._turns[-1] is None:
            self._turns.pop()
        found: Edge | Pass | None = None
        if self._left and not self._is_spent:
            found = self._asked(must, wished)
        if found is PASS:
            self._turns.append(None)
        elif found is None or not self._pay(self._checked(found)):
            self._is_over, found = True, None
        else:
            self._left.remove(key_of(found))
            self._turns.append(found)
        return found

    def _asked(self, must: bool, wished: Edge | None) -> Edge | Pass | None:
        if wished is not None:
            self._ranking.took(wished)  # type: ignore[attr-defined]
            return wished
        return next_anyway(self._ranking) if must else self._ranking.next()

    def _checked(self, edge: Edge) -> Key:
        if not isinstance(edge, Edge):
            raise self._wrong(f"returns {edge!r:.60} and not an edge of its graph, or None")
        if key_of(edge) not in self._left:
            raise self._wrong("returns an edge twice, or an unknown one")
        return key_of(edge)

    def _pay(self, key: Key) -> bool:
        """Take the price off the budget; the first edge that it does not pay for ends the order."""
        if self._budget is None:
            return True
        self._budget -= self._price.get(key, 1)
        return self._budget >= 0


def key_of(edge: Edge) -> Key:
    """As it is in a set of all edges."""
    return edge.achiever, edge.token, int(edge.positive)

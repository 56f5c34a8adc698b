"""Rankings: which private dependency an agent discloses next. One file per method.

A ranking is asked for one edge at a time. It may use its own agent's graph, what everybody may
know (`PublicView`), and the edges that the agents have disclosed so far, and nothing else.

    @RANKINGS.add("mine")
    class Mine:
        is_interactive = True        # omit it if the others' edges do not matter
        uses_deletes = True          # omit it if graph.deletes does not matter
        uses_work = True             # omit it if graph.work does not matter; needs uses_deletes
        uses_draws = True            # omit it if graph.draws does not matter
        def __init__(self, graph, public, seed): ...
        def next(self): ...          # a further edge of graph.edges, PASS, or None at the end
        def next_anyway(self): ...   # omit it if `next` never passes: an edge, or None at the end
        def took(self, edge): ...    # omit it if no search may choose an edge instead
        def saw(self, agent, item): ...
        def recall(self, edges): ... # omit it to have these edges passed over instead
        def saw_recalled(self, agent, item): ...  # omit it to have `saw` instead

One that `is_interactive` depends on the others: before each `next` it has seen all that they
disclosed so far, edges and, online, repairs. Any other is never shown anything by `saw`.

A ranking passes if no edge of its agent is of use now. An agent that must disclose all the same,
because everybody passes and there is no plan, takes `next_anyway`. A forward search in which agents
disclose more may then wish for an edge, instead of either; a ranking that has `took` learns of it.
`recall` comes before all else:
own edges that everybody knows from earlier runs, which are disclosed already. `saw_recalled` is the
same of another agent: nobody chose to disclose it today.

A file of your own is loaded with `--plugin FILE.py` or through an entry point `tacit.ranking`.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Final, Literal, Protocol

from tacit.party.disclosure.graph import Edge, Graph
from tacit.party.disclosure.public_view import PublicView
from tacit.public.ledger import Item
from tacit.registry import Registry


class _Pass(enum.Enum):
    PASS = "pass"


PASS: Final = _Pass.PASS
"""No edge is of use now."""
Pass = Literal[_Pass.PASS]


class Ranking(Protocol):
    """An order of an agent's edges, made one edge at a time."""

    def __init__(self, graph: Graph, public: PublicView, seed: int): ...

    def next(self) -> Edge | Pass | None:
        """The edge to publish next; `PASS` if none is of use now, None when all are published."""

    def saw(self, agent: str, item: Item) -> None:
        """Another agent has disclosed something, in the numbers that it published."""


RANKINGS: Registry[type[Ranking]] = Registry("ranking", "tacit.party.disclosure.ranking")


def is_interactive(ranking: type[Ranking]) -> bool:
    """Does this ranking use the edges of the others before each of its own?"""
    return bool(getattr(ranking, "is_interactive", False))


def may_pass(ranking: type[Ranking]) -> bool:
    """May this ranking pass?"""
    return hasattr(ranking, "next_anyway")


def takes_wishes(ranking: type[Ranking]) -> bool:
    """May a search choose an edge where this ranking has none of use?"""
    return hasattr(ranking, "took")


def uses_deletes(ranking: type[Ranking]) -> bool:
    """Does this ranking use which tokens its own actions delete?"""
    return bool(getattr(ranking, "uses_deletes", False))


def uses_work(ranking: type[Ranking]) -> bool:
    """Does this ranking use what its agent can do in private, and what that costs?"""
    return bool(getattr(ranking, "uses_work", False))


def uses_draws(ranking: type[Ranking]) -> bool:
    """Does this ranking use what was drawn for each edge?"""
    return bool(getattr(ranking, "uses_draws", False))


def recall(ranking: Ranking, edges: Sequence[Edge]) -> None:
    """Let a ranking know which own edges are disclosed already."""
    known = getattr(ranking, "recall", None)
    if known is not None and edges:
        known(edges)


def saw_recalled(ranking: Ranking, agent: str, item: Item) -> None:
    """Let a ranking know what another agent had disclosed in an earlier run."""
    getattr(ranking, "saw_recalled", ranking.saw)(agent, item)


def next_anyway(ranking: Ranking) -> Edge | None:
    """The next edge of a ranking that may not pass."""
    found = ranking.next()
    if found is not PASS:
        return found
    edge: Edge | None = ranking.next_anyway()  # type: ignore[attr-defined]
    return edge


def full_order(ranking: Ranking) -> Sequence[Edge]:
    """All edges in the order of a ranking that sees none of the others'."""
    order: list[Edge] = []
    while (edge := next_anyway(ranking)) is not None:
        order.append(edge)
    return order

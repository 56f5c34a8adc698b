"""Rankings: which private dependency an agent discloses next. One file per method.

A ranking is asked for one edge at a time. It may use its own agent's graph, what everybody may
know (`PublicView`), and the edges that the agents have disclosed so far, and nothing else.

    @RANKINGS.add("mine")
    class Mine:
        is_interactive = True        # omit it if the others' edges do not matter
        uses_deletes = True          # omit it if graph.deletes does not matter
        def __init__(self, graph, public, seed): ...
        def next(self): ...          # a further edge of graph.edges, None at the end
        def saw(self, agent, edge): ...

One that `is_interactive` takes turns with the others: before each `next` it has seen all edges that
they disclosed so far. The others are asked for all their edges at once, and `saw` is never called.

A file of your own is loaded with `--plugin FILE.py` or through an entry point `tacit.ranking`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tacit.party.disclosure.graph import Edge, Graph
from tacit.party.disclosure.public_view import PublicView
from tacit.public.disclosure import PublicEdge
from tacit.registry import Registry


class Ranking(Protocol):
    """An order of an agent's edges, made one edge at a time."""

    def __init__(self, graph: Graph, public: PublicView, seed: int): ...

    def next(self) -> Edge | None:
        """The edge to publish next; None when all are published."""

    def saw(self, agent: str, edge: PublicEdge) -> None:
        """Another agent has published an edge, in the numbers that it published."""


RANKINGS: Registry[type[Ranking]] = Registry("ranking", "tacit.party.disclosure.ranking")


def is_interactive(ranking: type[Ranking]) -> bool:
    """Does this ranking use the edges of the others before each of its own?"""
    return bool(getattr(ranking, "is_interactive", False))


def uses_deletes(ranking: type[Ranking]) -> bool:
    """Does this ranking use which tokens its own actions delete?"""
    return bool(getattr(ranking, "uses_deletes", False))


def full_order(ranking: Ranking) -> Sequence[Edge]:
    """All edges in the order of a ranking that sees none of the others'."""
    order: list[Edge] = []
    while (edge := ranking.next()) is not None:
        order.append(edge)
    return order

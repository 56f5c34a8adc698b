"""Rankings: which private dependency an agent discloses next. One file per method.

A ranking is asked for one edge at a time. It may look at its own agent's graph, at what everybody
may know (`PublicView`), and at the edges that anybody has published so far, and at nothing else.

    @RANKINGS.add("mine")
    class Mine:
        listens = True               # leave it out if the others' edges do not matter
        minds_ends = True            # leave it out if graph.ends does not matter
        def __init__(self, graph, public, seed): ...
        def next(self): ...          # an edge of graph.edges not given before, None at the end
        def saw(self, agent, edge): ...

One that `listens` takes turns with the others: before each `next` it has seen all edges that they
told so far. The others are asked for all their edges at once, and `saw` is never called.

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


def listens(ranking: type[Ranking]) -> bool:
    """Does this ranking want to hear the others before each edge?"""
    return bool(getattr(ranking, "listens", False))


def minds_ends(ranking: type[Ranking]) -> bool:
    """Does this ranking want to know which tokens its own actions end?"""
    return bool(getattr(ranking, "minds_ends", False))


def full_order(ranking: Ranking) -> Sequence[Edge]:
    """Everything a ranking has to say if it hears nothing from others."""
    order: list[Edge] = []
    while (edge := ranking.next()) is not None:
        order.append(edge)
    return order

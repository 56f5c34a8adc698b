"""Rankings: which private dependency an agent discloses next. One file per method.

A ranking is asked for one edge at a time. It may look at its own agent's graph, at the public
task, and at what anybody has published so far (`saw`), and at nothing else.

    @RANKINGS.add("mine")
    class Mine:
        def __init__(self, graph, public, seed): ...
        def next(self): ...          # an edge of graph.edges not given before, None at the end
        def saw(self, agent, edge): ...

A file of your own is loaded with `--plugin FILE.py` or through an entry point `tacit.ranking`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tacit.party.graph import Edge, Graph
from tacit.public.disclosure import PublicEdge
from tacit.public.task import PublicTask
from tacit.registry import Registry


class Ranking(Protocol):
    """An order of an agent's edges, made one edge at a time."""

    def __init__(self, graph: Graph, public: PublicTask | None, seed: int): ...

    def next(self) -> Edge | None:
        """The edge to publish next; None when all are published."""

    def saw(self, agent: str, edge: PublicEdge) -> None:
        """Another agent has published an edge."""


RANKINGS: Registry[type[Ranking]] = Registry("ranking", "tacit.party.ranking")


def full_order(ranking: Ranking) -> Sequence[Edge]:
    """Everything a ranking has to say, for rankings that do not listen to others."""
    order: list[Edge] = []
    while (edge := ranking.next()) is not None:
        order.append(edge)
    return order

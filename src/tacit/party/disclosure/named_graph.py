"""One agent's dependency graph, by the names in its own files: only for its owner.

Plain names and numbers, for drawing and listing. Four layers, as in the paper's Figure 2: the
achievers of tokens, the tokens, the public actions that need them, and the public facts that these
achieve.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.disclosure.graph import INIT, PRIVATE_GOAL, Edge
from tacit.public.settings import Threats


@dataclass(frozen=True, slots=True)
class NamedEdge:
    """An achiever and a token, by their indices in the name lists; a threat if not `positive`."""

    achiever: int
    token: int
    positive: bool = True


@dataclass(frozen=True)
class NamedGraph:
    """Names by layer, and the edges between layers by indices into these.

    `initial` is the index of the initial state among the achievers, if it is one. `known` are
    threats that are disclosed to all agents regardless of k.
    """

    problem: str
    agent: str
    ranking: str
    achievers: tuple[str, ...]
    tokens: tuple[str, ...]
    actions: tuple[str, ...]
    facts: tuple[str, ...]
    edges: tuple[NamedEdge, ...]
    needs: tuple[tuple[int, int], ...]
    achieves: tuple[tuple[int, int], ...]
    initial: int | None = None
    known: tuple[NamedEdge, ...] = ()

    @property
    def lines(self) -> int:
        """How many lines a picture of it has."""
        return len(self.edges) + len(self.needs) + len(self.achieves)


def graph_of(own: Dependencies, order: Sequence[Edge], problem: str, ranking: str) -> NamedGraph:
    """The graph of an agent, its edges in the order given, so that every k is a prefix."""
    task, graph = own.task, own.graph
    known = _known(own)
    achievers = sorted({edge.achiever for edge in (*order, *known)})
    users = [action for action, tokens in enumerate(graph.needs) if tokens]
    facts = sorted({fact for action in users for fact in graph.achieves[action]})
    achiever_at, user_at, fact_at = (
        {x: n for n, x in enumerate(row)} for row in (achievers, users, facts)
    )
    fact_names = [
        "(its private goals)" if fact == PRIVATE_GOAL else str(task.public_facts[fact])
        for fact in facts
    ]

    def named(edge: Edge) -> NamedEdge:
        return NamedEdge(achiever_at[edge.achiever], edge.token, edge.positive)

    return NamedGraph(
        problem,
        task.agent,
        ranking,
        tuple(own.action_name(achiever) for achiever in achievers),
        tuple(own.token_name(token) for token in range(graph.tokens)),
        tuple(own.action_name(action) for action in users),
        tuple(fact_names),
        tuple(map(named, order)),
        tuple((token, user_at[action]) for action in users for token in graph.needs[action]),
        tuple((user_at[a], fact_at[fact]) for a in users for fact in graph.achieves[a]),
        achiever_at.get(INIT),
        tuple(map(named, known)),
    )


def disclosed_first(
    own: Dependencies, disclosed: Sequence[Edge], problem: str, ranking: str
) -> NamedGraph:
    """The graph of an agent after a run: what it disclosed in its order, then what it kept."""
    shown = [edge for edge in disclosed if edge in set(own.graph.edges)]
    kept = [edge for edge in own.graph.edges if edge not in set(shown)]
    return graph_of(own, [*shown, *kept], problem, ranking)


def _known(own: Dependencies) -> list[Edge]:
    """All direct threats, if they are disclosed to all agents."""
    if own.settings.threats is not Threats.KNOWN:
        return []
    return sorted(
        {
            Edge(own.number[action], token, positive=False)
            for token, actions in enumerate(own.direct_threats)
            for action in actions
        }
    )

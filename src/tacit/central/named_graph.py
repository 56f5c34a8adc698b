"""One agent's dependency graph, by the names in its own files: only for its owner.

Plain names and numbers, for drawing and listing. Four layers, as in the paper's Figure 2: the
achievers of tokens, the tokens, the public actions that need them, and the public facts that these
achieve. `edges` are in the order in which the agent would disclose them, so every k is a prefix.
"""

from __future__ import annotations

from dataclasses import dataclass

from tacit.central.session import Session
from tacit.errors import InputError
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


def named_graph(session: Session, agent: str, ranking: str) -> NamedGraph:
    """The graph of one agent of a session, in the order of its ranking."""
    order = session.order(agent)
    if not order:
        others = [name for name, count in session.totals.items() if count]
        hint = f"these have some: {', '.join(others)}" if others else "no agent has any"
        raise InputError(f"agent '{agent}' has no private dependencies to draw", hint)
    own = session.agents[agent].dependencies
    task, graph = own.task, own.graph
    known = _known(session, agent)
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
        session.instance.name,
        agent,
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


def _known(session: Session, agent: str) -> list[Edge]:
    """All direct threats, if they are disclosed to all agents."""
    own = session.agents[agent].dependencies
    if own.settings.threats is not Threats.KNOWN:
        return []
    return sorted(
        {
            Edge(own.number[action], token, positive=False)
            for token, actions in enumerate(own.direct_threats)
            for action in actions
        }
    )

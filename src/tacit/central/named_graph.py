"""One agent's dependency graph in the words of its own files: for the owner's eyes.

Plain names and numbers, for whatever draws or lists it. Four layers, as in the paper's Figure 2:
what gives tokens, the tokens, the public actions that need them, and the public facts that these
achieve. `edges` stand in the order in which the agent would tell them, so every k is a beginning.
"""

from __future__ import annotations

from dataclasses import dataclass

from tacit.central.solve import Session
from tacit.errors import InputError
from tacit.party.disclosure.graph import INIT, PRIVATE_GOAL, Edge
from tacit.public.settings import Threats


@dataclass(frozen=True, slots=True)
class NamedEdge:
    """A giver and a token, by their places in the lists of names; a threat if not `positive`."""

    giver: int
    token: int
    positive: bool = True


@dataclass(frozen=True)
class NamedGraph:
    """Names by layer, and what leads from layer to layer by places in these.

    `start` is the place of the initial state among the givers, if it is one. `known` are threats
    that everybody is told whatever k is.
    """

    problem: str
    agent: str
    ranking: str
    givers: tuple[str, ...]
    tokens: tuple[str, ...]
    actions: tuple[str, ...]
    facts: tuple[str, ...]
    edges: tuple[NamedEdge, ...]
    needs: tuple[tuple[int, int], ...]
    achieves: tuple[tuple[int, int], ...]
    start: int | None = None
    known: tuple[NamedEdge, ...] = ()


def named_graph(session: Session, agent: str, ranking: str) -> NamedGraph:
    """The graph of one agent of a session, in the order of its ranking."""
    order = session.order(agent)
    if not order:
        others = [name for name, count in session.totals.items() if count]
        hint = f"these have some: {', '.join(others)}" if others else "nobody has any"
        raise InputError(f"agent '{agent}' has no private dependencies to draw", hint)
    own = session.agents[agent].dependencies
    task, graph = own.task, own.graph
    known = _known(session, agent)
    givers = sorted({edge.giver for edge in (*order, *known)})
    users = [action for action, tokens in enumerate(graph.needs) if tokens]
    facts = sorted({fact for action in users for fact in graph.achieves[action]})
    giver_at, user_at, fact_at = (
        {x: n for n, x in enumerate(row)} for row in (givers, users, facts)
    )
    fact_names = [
        "(its private goals)" if fact == PRIVATE_GOAL else str(task.public_facts[fact])
        for fact in facts
    ]

    def named(edge: Edge) -> NamedEdge:
        return NamedEdge(giver_at[edge.giver], edge.token, edge.positive)

    return NamedGraph(
        session.instance.name,
        agent,
        ranking,
        tuple(own.action_name(giver) for giver in givers),
        tuple(own.token_name(token) for token in range(graph.tokens)),
        tuple(own.action_name(action) for action in users),
        tuple(fact_names),
        tuple(map(named, order)),
        tuple((token, user_at[action]) for action in users for token in graph.needs[action]),
        tuple((user_at[a], fact_at[fact]) for a in users for fact in graph.achieves[a]),
        giver_at.get(INIT),
        tuple(map(named, known)),
    )


def _known(session: Session, agent: str) -> list[Edge]:
    """All direct threats, if everybody is told of them."""
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

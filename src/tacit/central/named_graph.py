"""The dependency graph of one agent of a session, by the names in its own files.

`edges` are in the order in which the agent would disclose them, so every k is a prefix.
"""

from __future__ import annotations

from tacit.central.session import Session
from tacit.errors import InputError
from tacit.party.disclosure.named_graph import NamedEdge as NamedEdge
from tacit.party.disclosure.named_graph import NamedGraph as NamedGraph
from tacit.party.disclosure.named_graph import graph_of


def named_graph(session: Session, agent: str, ranking: str) -> NamedGraph:
    """The graph of one agent of a session, in the order of its ranking."""
    order = session.order(agent)
    if not order:
        others = [name for name, count in session.totals.items() if count]
        hint = f"these have some: {', '.join(others)}" if others else "no agent has any"
        raise InputError(f"agent '{agent}' has no private dependencies to draw", hint)
    return graph_of(session.agents[agent].dependencies, order, session.instance.name, ranking)

"""Which of the disclosed dependencies a plan uses, in hindsight (docs/semantics.md).

Per agent: walk through its public steps. A token is achieved by the first step, or the initial
state, that achieves it by a disclosed edge after the last step that certainly deleted it. Until it
is deleted again, that one edge supports every step that needs it. Such edges, each counted once,
are the used ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tacit.central.validate.plan import Plan
from tacit.party.agent import Agent
from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.disclosure.graph import INIT, Edge


def used_edges(agents: Mapping[str, Agent], plan: Plan) -> dict[str, set[Edge]]:
    """Per agent, the edges that it disclosed and the plan uses."""
    return {
        name: _used(agent.dependencies, agent.disclosed, _own_actions(agent, plan))
        for name, agent in agents.items()
    }


def _own_actions(agent: Agent, plan: Plan) -> list[int]:
    """The public steps of an agent in a plan, as numbers of its local actions."""
    steps = [str(step) for step in plan.steps if step.agent == agent.name]
    wanted, task = set(steps), agent.task
    number = {}
    for action, is_public in enumerate(task.arrays.is_public):
        if is_public:
            name = task.action_name(action).lower()
            if name in wanted:
                number[name] = action
    return [number[name] for name in steps if name in number]


def _used(own: Dependencies, disclosed: Iterable[Edge], actions: Sequence[int]) -> set[Edge]:
    by_achiever: dict[int, list[Edge]] = {}
    for edge in disclosed:
        if edge.positive:
            by_achiever.setdefault(edge.achiever, []).append(edge)
    achieved = {edge.token: edge for edge in by_achiever.get(INIT, ())}
    used: set[Edge] = set()
    for action in actions:
        public = own.number[action]
        used.update(achieved[token] for token in own.graph.needs[public] if token in achieved)
        for token in own.certain_deletes[action]:
            achieved.pop(token, None)
        for edge in by_achiever.get(public, ()):
            achieved.setdefault(edge.token, edge)
    used.update(achieved[token] for token in own.goal if token in achieved)
    return used

"""Does a message fit the public task? Asked before anything is done with what a peer sent.

The codec sees to the types. This sees to the numbers: facts, tokens and actions that exist, edges
that are told once, as many as were asked for. Whatever fails here is a `ProtocolError` that names
the agent and repeats nothing of what it sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tacit.errors import ProtocolError
from tacit.public.disclosure import FINISH, INIT, PublicEdge, PublicStep
from tacit.public.protocol.link import Kept
from tacit.public.protocol.messages import (
    AnyMessage,
    Begin,
    Carried,
    Carry,
    Disclose,
    Disclosed,
    Explore,
    Explored,
    Follow,
    Foresee,
    Foreseen,
    Learn,
    Meet,
    Published,
    Replan,
    Replanned,
    Told,
    Traced,
    Turn,
)

MOST = 2**31 - 1
"""No count and no number of a message goes beyond what the core takes."""


class Checks:
    """What is known of a run so far, and whether a message can be true of it."""

    def __init__(self, agents: Sequence[str], facts: int):
        self._agents = tuple(agents)
        self._facts = facts
        self._published: dict[str, Published] = {}
        self._actions: dict[str, frozenset[int]] = {}
        self._returned: dict[str, set[int]] = {}

    def question(self, peer: str, message: AnyMessage) -> None:
        """A question that `peer` asks."""
        self._require(peer, self._fits_question(message))

    def answer(self, question: AnyMessage, answer: AnyMessage) -> None:
        """An answer to a question; its sender is who was asked."""
        self._require(answer.sender, self._fits_answer(question, answer))

    def _require(self, peer: str, holds: bool) -> None:
        if not holds:
            raise ProtocolError(f"agent '{peer}' sent what does not fit the public task")

    def _fits_question(self, message: AnyMessage) -> bool:
        if isinstance(message, Explore | Foresee):
            return self._are_facts(message.facts)
        if isinstance(message, Meet):
            names = tuple(part.sender for part in message.others)
            return names == self._agents and all(self._publishes(part) for part in message.others)
        if isinstance(message, Turn):
            return all(self._is_edge(agent, edge) for agent, edge in message.heard)
        if isinstance(message, Disclose):
            return 0 <= message.budget <= MOST
        if isinstance(message, Begin | Learn):
            agents = tuple(agent for agent, _ in message.disclosed)
            return agents == self._agents and all(
                self._are_edges(agent, edges) for agent, edges in message.disclosed
            )
        if isinstance(message, Carry | Replan | Follow):
            return self._are_steps(message.steps)
        return True

    def _fits_answer(self, question: AnyMessage, answer: AnyMessage) -> bool:
        if isinstance(answer, Published):
            return self._publishes(answer)
        if isinstance(answer, Explored):
            return self._are_facts(answer.facts)
        if isinstance(answer, Foreseen):
            return self._are_facts(answer.facts) and self._are_edges(answer.sender, answer.free)
        if isinstance(answer, Told):
            return answer.edge is None or self._is_edge(answer.sender, answer.edge)
        if isinstance(answer, Disclosed):
            return self._discloses(question, answer)
        if isinstance(answer, Carried):
            return self._carries(question, answer)
        if isinstance(answer, Replanned):
            return self._are_steps(answer.steps)
        if isinstance(answer, Traced):
            return self._traces(answer)
        if isinstance(answer, Kept):
            return 0 < answer.spacing <= MOST
        return True

    def _publishes(self, part: Published) -> bool:
        """A consistent publication, which is remembered; a second one must be the same."""
        if self._published.setdefault(part.sender, part) != part:
            return False
        tokens = range(part.tokens)
        ids = frozenset(action.id for action in part.actions)
        self._actions[part.sender] = ids
        return (
            part.sender in self._agents
            and 0 <= part.tokens <= MOST
            and len(ids) == len(part.actions)
            and all(0 <= number <= MOST for number in ids)
            and all(token in tokens for token in part.goal)
            and all(
                action.agent == part.sender
                and 0 <= action.cost <= MOST
                and self._are_facts((*action.needs, *action.adds, *action.deletes))
                and all(token in tokens for token in action.tokens)
                for action in part.actions
            )
        )

    def _discloses(self, question: AnyMessage, answer: Disclosed) -> bool:
        part = self._published.get(answer.sender)
        if part is None or not isinstance(question, Disclose):
            return False
        self._returned.pop(answer.sender, None)  # each budget starts afresh
        pairs = 2 * (len(part.actions) + 1) * part.tokens
        return (
            0 <= answer.total <= pairs
            and len(answer.edges) == min(question.budget, answer.total)
            and self._are_edges(answer.sender, answer.edges)
            and self._are_edges(answer.sender, answer.known)
        )

    def _carries(self, question: AnyMessage, answer: Carried) -> bool:
        part = self._published.get(answer.sender)
        if part is None or not isinstance(question, Carry):
            return False
        own = sum(step.agent == answer.sender for step in question.steps)
        actions = self._actions[answer.sender]
        return (
            0 <= answer.own_prefix <= own + 1
            and 0 <= answer.joint_prefix <= len(question.steps) + 1
            and not (answer.succeeded and (answer.threats or answer.returned or answer.bounded))
            and self._brings_back(part, answer)
            and all(edge.giver in actions and not edge.positive for edge in answer.threats)
            and all(
                0 <= edge.token < part.tokens or edge.token in self._returned[answer.sender]
                for edge in answer.threats
            )
        )

    def _brings_back(self, part: Published, answer: Carried) -> bool:
        """Tokens that had been left out have numbers behind the others, and come back once."""
        known = self._returned.setdefault(answer.sender, set())
        users = {*self._actions[answer.sender], *([FINISH] if part.has_private_goal else [])}
        for item in answer.returned:
            if not part.tokens <= item.token <= MOST or item.token in known:
                return False
            if not users.issuperset(item.needed_by):
                return False
            known.add(item.token)
        return True

    def _traces(self, answer: Traced) -> bool:
        known = self._actions.get(answer.sender, frozenset())
        return (answer.origin is None or answer.origin in self._agents) and all(
            step in known or step == FINISH for step in answer.steps
        )

    def _are_facts(self, facts: Iterable[int]) -> bool:
        return all(0 <= fact < self._facts for fact in facts)

    def _is_edge(self, agent: str, edge: PublicEdge) -> bool:
        part = self._published.get(agent)
        if part is None:
            return False
        return (edge.giver == INIT or edge.giver in self._actions[agent]) and (
            0 <= edge.token < part.tokens
        )

    def _are_edges(self, agent: str, edges: Sequence[PublicEdge]) -> bool:
        return len(set(edges)) == len(edges) and all(self._is_edge(agent, e) for e in edges)

    def _are_steps(self, steps: Iterable[PublicStep]) -> bool:
        return all(
            step.action in self._actions.get(step.agent, ())
            or (step.action == FINISH and step.agent in self._published)
            for step in steps
        )

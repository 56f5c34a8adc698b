"""What is known of a run so far, by which messages are checked: numbers that exist, and no more.

The codec sees to the types of a message, this to its numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tacit.public.disclosure import FINISH, INIT, PublicEdge, PublicStep, RestoredToken

MOST = 2**31 - 1
"""No count and no number of a message goes beyond what the core takes."""


@dataclass(frozen=True)
class Numbers:
    """What one agent published, as numbers; `restored` are the tokens that repairs added since."""

    actions: frozenset[int]
    tokens: int
    has_private_goal: bool
    restored: set[int] = field(default_factory=set)


class Known:
    """The agents and public facts of a run, and what was published in it."""

    def __init__(self, agents: Sequence[str], facts: int):
        self.agents = tuple(agents)
        self._facts = facts
        self._publications: dict[str, object] = {}
        self._numbers: dict[str, Numbers] = {}

    def remember(self, agent: str, publication: object, numbers: Numbers) -> bool:
        """Take in what an agent published; False if it published something else before."""
        self._numbers.setdefault(agent, numbers)
        return self._publications.setdefault(agent, publication) == publication

    def of(self, agent: str) -> Numbers | None:
        """What an agent published."""
        return self._numbers.get(agent)

    def are_facts(self, facts: Iterable[int]) -> bool:
        return all(0 <= fact < self._facts for fact in facts)

    def is_edge(self, agent: str, edge: PublicEdge) -> bool:
        own = self.of(agent)
        if own is None:
            return False
        is_achiever = edge.achiever == INIT or edge.achiever in own.actions
        return is_achiever and 0 <= edge.token < own.tokens

    def are_edges(self, agent: str, edges: Sequence[PublicEdge]) -> bool:
        """Edges of this agent, each once."""
        return len(set(edges)) == len(edges) and all(self.is_edge(agent, e) for e in edges)

    def is_mark(self, mark: Sequence[int]) -> bool:
        """A count for every agent, or none at all."""
        return len(mark) in (0, len(self.agents)) and all(0 <= count <= MOST for count in mark)

    def are_steps(self, steps: Iterable[PublicStep]) -> bool:
        return all(self._is_step(step) for step in steps)

    def _is_step(self, step: PublicStep) -> bool:
        own = self.of(step.agent)
        return own is not None and (step.action in own.actions or step.action == FINISH)

    def restores(self, agent: str, tokens: Iterable[RestoredToken]) -> bool:
        """Static tokens come after the others in number, and each is restored once."""
        own = self.of(agent)
        if own is None:
            return False
        users = {*own.actions, *([FINISH] if own.has_private_goal else [])}
        for item in tokens:
            if not own.tokens <= item.token <= MOST or item.token in own.restored:
                return False
            if not users.issuperset(item.needed_by):
                return False
            own.restored.add(item.token)
        return True

    def is_threat(self, agent: str, edge: PublicEdge) -> bool:
        own = self.of(agent)
        if own is None or edge.positive or edge.achiever not in own.actions:
            return False
        return 0 <= edge.token < own.tokens or edge.token in own.restored

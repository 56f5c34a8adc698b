"""What an agent has disclosed, in the names of its own files: for its owner alone.

Everything here has private names in it. It goes into the owner's record of what was disclosed, and
nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator

from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.extension.repair import Repairs
from tacit.party.published import Published
from tacit.public import disclosure
from tacit.public.disclosure import PublicEdge
from tacit.public.protocol.messages import Publication


class Descriptions:
    """Names for the numbers that one agent is known by."""

    def __init__(self, published: Published, repairs: Repairs | None):
        self._published = published
        self._own: Dependencies = published.dependencies
        self._repairs = repairs

    def action(self, number: int) -> str:
        """A public action, or the last action of private goals, by its published number."""
        if number == disclosure.INIT:
            return "(the initial state)"
        if number == disclosure.FINISH:
            return self._own.action_name(len(self._own.members))
        return self._own.action_name(self._published.actions.own[number])

    def token(self, number: int) -> str:
        """The private fact behind a published token."""
        if number < len(self._own.token_facts):
            return self._own.token_name(self._published.tokens.own[number])
        fact = self._repairs.static_fact(number) if self._repairs else None
        if fact is None:
            return "a private fact that was static"
        return self._own.task.fact_name(self._own.task.to_facts([fact])[0])

    def edge(self, edge: PublicEdge) -> str:
        verb = "achieves" if edge.positive else "deletes"
        return f"{self.action(edge.achiever)} {verb} {self.token(edge.token)}"

    def published(self, part: Publication) -> Iterator[str]:
        """What is published about every action, and what the tokens stand for."""
        for action in part.actions:
            tokens = ", ".join(str(token) for token in action.tokens)
            needs = f", needs tokens {tokens}" if tokens else ""
            yield f"public action {action.id} is {self.action(action.id)}{needs}"
        for token in range(part.tokens):
            yield f"token {token} stands for {self.token(token)}"
        if part.has_private_goal:
            tokens = ", ".join(str(token) for token in part.goal) or "none"
            yield f"there are private goals; tokens they need: {tokens}"
        if part.has_public_preconditions:
            yield "there are private actions with public preconditions"

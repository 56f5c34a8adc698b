"""What all agents may know: the public facts, and what public actions do to them.

These types are the only ones a message can carry. They are unrelated to the private facts of
`party`, so that sending a secret is a type error and not an oversight. Public facts have numbers
that all agents agree on: the natural order of their names.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import msgspec


class PublicFact(msgspec.Struct, frozen=True, array_like=True, order=True, gc=False):
    """A ground fact that everybody may see; `positive` is False for a compiled-away negation."""

    predicate: str
    args: tuple[str, ...] = ()
    positive: bool = True

    def __str__(self) -> str:
        atom = f"({' '.join((self.predicate, *self.args))})"
        return atom if self.positive else f"(not {atom})"


class PublicAction(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The public projection of a public action; facts by number, the name an opaque id.

    `tokens` are the private facts of its agent that it needs, as numbers that tell nothing else.
    """

    agent: str
    id: int
    cost: int
    needs: tuple[int, ...]
    adds: tuple[int, ...]
    deletes: tuple[int, ...]
    tokens: tuple[int, ...] = ()


class PublicTask:
    """The task as everybody sees it. `init` and `goal` are numbers of facts, sorted."""

    def __init__(
        self,
        agents: tuple[str, ...],
        facts: tuple[PublicFact, ...],
        init: tuple[int, ...],
        goal: tuple[int, ...],
        publish: Callable[[str], tuple[PublicAction, ...]],
    ):
        self.agents = agents
        self.facts = facts
        self.init = init
        self.goal = goal
        self._publish = publish

    @cached_property
    def actions(self) -> dict[str, tuple[PublicAction, ...]]:
        """The public actions of every agent, as it publishes them."""
        return {agent: self._publish(agent) for agent in self.agents}

    def __repr__(self) -> str:
        return f"<public task: {len(self.agents)} agents, {len(self.facts)} facts>"

"""What all agents may know: the public facts, and what public actions do to them.

These types, and numbers for actions and tokens, are what messages carry. They are unrelated to the
private facts of `party`, so that sending a secret is a type error and not an oversight. Public
facts have numbers that all agents agree on: the natural order of their names.
"""

from __future__ import annotations

from dataclasses import dataclass

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

    `tokens` are the private facts of its agent that it needs, as numbers that show nothing else.
    """

    agent: str
    id: int
    cost: int
    needs: tuple[int, ...]
    adds: tuple[int, ...]
    deletes: tuple[int, ...]
    tokens: tuple[int, ...] = ()


@dataclass(frozen=True)
class PublicTask:
    """What all agents know when grounding is over; each publishes its public actions after that.

    `init` and `goal` are numbers of facts, sorted.
    """

    agents: tuple[str, ...]
    facts: tuple[PublicFact, ...]
    init: tuple[int, ...]
    goal: tuple[int, ...]

    def __repr__(self) -> str:
        return f"<public task: {len(self.agents)} agents, {len(self.facts)} facts>"

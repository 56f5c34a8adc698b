"""What agents publish of their private dependencies: tokens and edges, by opaque numbers.

A token stands for one private fact of its agent that one of its public actions needs. All that the
others learn of it is its number, which actions need it, and the edges that were disclosed. Numbers
of actions and tokens are a seeded shuffle, so that they do not show the order of anybody's files.
"""

from __future__ import annotations

import msgspec

INIT = -1
"""The agent's initial state, as the achiever of an edge."""


FINISH = -2
"""The virtual last action of an agent with private goals, as a step of a public plan."""


class PublicEdge(msgspec.Struct, frozen=True, array_like=True, order=True, gc=False):
    """Action `achiever` (or `INIT`) achieves the token; if not `positive`, it deletes it."""

    achiever: int
    token: int
    positive: bool = True


class RestoredToken(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A static token that turned out to matter: it holds initially, and these actions need it."""

    token: int
    needed_by: tuple[int, ...]


class PublicStep(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A step of a public plan: an action by its agent's own number, or `FINISH`."""

    agent: str
    action: int

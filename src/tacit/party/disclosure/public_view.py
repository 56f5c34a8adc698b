"""What a ranking may know of the world outside its own graph: what everybody could know, no more.

A `PublicView` is plain data, made when the agents know each other. It holds the public task, what
everybody has published, which agents of one process share (`PublicWorld`), and how the numbers of
the agent's own graph are called on the wire. It
leads to no local task and to no private name. The edges that others publish come later, one by
one, through `saw`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from tacit.party.disclosure.graph import INIT, PRIVATE_GOAL, Edge, Graph
from tacit.party.disclosure.public_world import PublicWorld
from tacit.public import disclosure
from tacit.public.disclosure import PublicEdge
from tacit.public.protocol.messages import Publication
from tacit.public.task import PublicAction, PublicFact, PublicTask


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Own numbers and the numbers that others see: `shown[own[n]] == n`."""

    shown: tuple[int, ...]
    own: tuple[int, ...]

    @classmethod
    def of(cls, count: int, seed: str) -> Shuffle:
        shown = list(range(count))
        random.Random(seed).shuffle(shown)
        own = [0] * count
        for number, name in enumerate(shown):
            own[name] = number
        return cls(tuple(shown), tuple(own))


def show(edge: Edge, actions: Shuffle, tokens: Shuffle) -> PublicEdge:
    """An own edge in the numbers that others see; restored tokens keep their number."""
    achiever = disclosure.INIT if edge.achiever == INIT else actions.shown[edge.achiever]
    token = tokens.shown[edge.token] if edge.token < len(tokens.shown) else edge.token
    return PublicEdge(achiever, token, edge.positive)


@dataclass(frozen=True, slots=True)
class PublicView:
    """The public world in the eyes of one agent.

    `task` has the public facts, the initial state, the public goals and everybody's public actions,
    own ones included. `published` has besides how many tokens an agent has and what its private
    goals need. `actions` and `tokens` lead from the numbers of the own graph to the published ones
    and back; the virtual last action of private goals is `disclosure.FINISH` there and in none of
    them.
    """

    agent: str
    world: PublicWorld
    actions: Shuffle
    tokens: Shuffle

    @property
    def task(self) -> PublicTask:
        return self.world.task

    @property
    def published(self) -> Mapping[str, Publication]:
        return self.world.published

    @classmethod
    def of(
        cls,
        agent: str,
        facts: tuple[PublicFact, ...],
        init: tuple[int, ...],
        goal: tuple[int, ...],
        published: Mapping[str, Publication],
        numbers: tuple[Shuffle, Shuffle],
    ) -> PublicView:
        task = PublicTask(tuple(published), facts, init, goal)
        return cls(agent, PublicWorld.shared(task, dict(published)), *numbers)

    @classmethod
    def alone(cls, graph: Graph) -> PublicView:
        """The view of an agent that has this graph and no company: for trying out rankings."""
        has_goal = any(PRIVATE_GOAL in facts for facts in graph.achieves)
        count = len(graph.needs) - has_goal
        facts = max((fact for row in graph.achieves for fact in row), default=-1) + 1
        actions = tuple(
            PublicAction("me", a, 1, (), tuple(graph.achieves[a]), (), tuple(graph.needs[a]))
            for a in range(count)
        )
        goal = tuple(graph.needs[count]) if has_goal else ()
        published = {"me": Publication("me", actions, graph.tokens, goal, has_goal)}
        same = (_same(count), _same(graph.tokens))
        named = tuple(PublicFact("fact", (str(n),)) for n in range(facts))
        return cls.of("me", named, (), tuple(range(facts)), published, same)

    def show(self, edge: Edge) -> PublicEdge:
        """An own edge as the others would see it."""
        return show(edge, self.actions, self.tokens)


def _same(count: int) -> Shuffle:
    return Shuffle(tuple(range(count)), tuple(range(count)))

"""Descents of states, replayed from what crossed: an independent check of what the core writes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tacit.public.disclosure import INIT, PublicEdge
from tacit.public.protocol.messages import Publication
from tacit.public.protocol.states import Batch, Descent, State


@dataclass(frozen=True)
class Action:
    needs: frozenset[int]
    tokens: frozenset[int]
    adds: frozenset[int]
    deletes: frozenset[int]
    achieves: frozenset[int]


def actions_of(
    published: Mapping[str, Publication], edges: Mapping[str, Iterable[PublicEdge]], facts: int
) -> tuple[list[list[Action]], frozenset[int]]:
    """Per agent its actions in the order of publication, the finishing one last, and the facts
    behind the public ones that hold initially.
    """
    made: list[list[Action]] = []
    initial: list[int] = []
    for agent, part in published.items():
        guard = [facts] if part.has_private_goal else []
        achieves: dict[int, list[int]] = {}
        for edge in edges[agent]:
            if edge.positive:
                achieves.setdefault(edge.achiever, []).append(edge.token)
        own = [
            Action(
                frozenset([*action.needs, *guard]),
                frozenset(action.tokens),
                frozenset(action.adds),
                frozenset(action.deletes),
                frozenset(achieves.get(action.id, ())),
            )
            for action in part.actions
        ]
        if guard:
            done = frozenset([facts + 1])
            own.append(
                Action(frozenset(guard), frozenset(part.goal), done, frozenset(guard), frozenset())
            )
            initial += guard
            facts += 2
        made.append(own)
    return made, frozenset(initial)


def steps_of(sender: int, descent: Descent) -> list[tuple[int, int]]:
    """The steps of a descent in order: agent, action."""
    last_first = [(sender, action) for action in descent.actions]
    for segment in descent.before:
        last_first += ((segment.agent, action) for action in segment.actions)
    return last_first[::-1]


@dataclass(frozen=True)
class Way:
    """A state that an agent knows: what it is, and how it came about from the initial one."""

    facts: frozenset[int]
    indices: tuple[int, ...]
    steps: tuple[tuple[int, int], ...]


class Replay:
    """Follows a search batch by batch, in the order in which they crossed."""

    def __init__(
        self,
        published: Mapping[str, Publication],
        edges: Mapping[str, Iterable[PublicEdge]],
        init: Iterable[int],
        facts: int,
    ):
        self.names = list(published)
        self.actions, behind = actions_of(published, edges, facts)
        start = frozenset(init) | behind
        self.start = Way(start, (0,) * len(self.names), ())
        self._initial_tokens = [
            {edge.token for edge in edges[agent] if edge.achiever == INIT and edge.positive}
            for agent in self.names
        ]
        self._issued: dict[tuple[int, int], Way] = {}
        self._sent: dict[tuple[int, int, int], Way] = {}

    def result(self, facts: frozenset[int], steps: Iterable[tuple[int, int]]) -> frozenset[int]:
        """The public facts behind steps; the empty set if one cannot be taken."""
        for agent, number in steps:
            action = self.actions[agent][number]
            if not facts >= action.needs:
                return frozenset()
            facts = facts - action.deletes | action.adds
        return facts

    def origin(self, sender: int, receiver: int, descent: Descent) -> Way:
        if descent.from_sender is not None:
            return self._sent[sender, receiver, descent.from_sender]
        number = descent.from_receiver
        assert number is not None
        return self._issued[receiver, number] if number else self.start

    def check(self, sender: int, receiver: int, state: State, counts_tokens: bool) -> None:
        """Does a state follow by its descent from one that its receiver has?"""
        before = self.origin(sender, receiver, state.descent)
        steps = steps_of(sender, state.descent)
        acted = {sender, *(segment.agent for segment in state.descent.before)}
        assert receiver not in acted
        assert self.result(before.facts, steps) == state.facts
        for agent, index in enumerate(state.indices):
            assert agent in acted or index == before.indices[agent]
        way = Way(state.facts, state.indices, (*before.steps, *steps))
        assert self.result(self.start.facts, way.steps) == state.facts
        assert len(way.steps) == state.steps
        if counts_tokens:
            self._check_tokens(way)
        self._sent[sender, receiver, state.ref] = way
        self._issued[sender, state.ref] = way

    def _check_tokens(self, way: Way) -> None:
        held = [set(tokens) for tokens in self._initial_tokens]
        for agent, number in way.steps:
            action = self.actions[agent][number]
            assert held[agent] >= action.tokens
            held[agent] |= action.achieves

    def check_all(self, sender: str, receiver: str, batch: Batch, counts_tokens: bool) -> int:
        pair = self.names.index(sender), self.names.index(receiver)
        for state in batch.states:
            self.check(*pair, state, counts_tokens)
        return len(batch.states)

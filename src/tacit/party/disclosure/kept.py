"""What an agent keeps to itself whatever it is asked: its `never`, beyond the edges themselves.

Edges and threats that must never be told are left out where they would be (`Dependencies.graph`,
`Repairs`). One more answer could give them away: the shortest beginning of a plan that an agent
cannot carry out says that something in these few steps goes wrong. It is told only if none of the
steps has to do with anything that is kept. Otherwise the agent names all its steps, which says no
more than that it cannot do them, and looks like any other such answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.disclosure.graph import INIT


class Kept:
    """Public actions and facts (tokens, then left-out facts) with something that is never told."""

    def __init__(self, own: Dependencies):
        self._own = own

    def has_to_do_with(self, steps: Iterable[int], with_goal: bool) -> bool:
        """Do these own public actions give, end or need something that is never told of?"""
        if not self._pairs:
            return False
        actions, facts = ({pair[n] for pair in self._pairs} for n in (0, 1))
        wanted = self._goal if with_goal else frozenset()
        for step in set(steps):
            if step in actions:
                return True
            wanted = wanted.union(*map(self._needs, self._own.members[step]))
        return not facts.isdisjoint(wanted)

    @cached_property
    def count(self) -> int:
        """How many edges are never told."""
        return sum(1 for pair in self._given if self._own.price(*pair) is None)

    @cached_property
    def _pairs(self) -> frozenset[tuple[int, int]]:
        own = self._own
        if not own.has_prices:
            return frozenset()
        first = len(own.token_facts)
        ended = {(own.number[action], fact) for action in own.number for fact in own.ends[action]}
        direct = {
            (own.number[action], token)
            for token, actions in enumerate(own.direct_threats)
            for action in actions
        }
        start = {(INIT, first + n) for n in range(len(own.left_out_facts))}
        every = self._given | ended | direct | start
        return frozenset(pair for pair in every if own.price(*pair) is None)

    @cached_property
    def _given(self) -> frozenset[tuple[int, int]]:
        own = self._own
        return frozenset(
            (own.number.get(action, INIT), token)
            for token, givers in enumerate(own.givers)
            for action in givers
        )

    def _needs(self, action: int) -> Sequence[int]:
        place = self._own.place
        return [place[fact] for fact in self._own.task.pre[action] if fact in place]

    @property
    def _goal(self) -> frozenset[int]:
        place = self._own.place
        return frozenset(place[fact] for fact in self._own.task.arrays.goal if fact in place)

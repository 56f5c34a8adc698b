"""What an agent withholds whatever it is asked: its `never`, beyond the edges themselves.

Edges and threats that must never be disclosed are missing where they would be
(`Dependencies.graph`, `Repairs`). One more answer could reveal them: the shortest prefix of a plan
that an agent cannot execute shows that something in these few steps goes wrong. It is sent only if
none of the steps has to do with anything that is withheld. Otherwise the agent names all its steps,
which shows no more than that it cannot execute them, and looks like any other such answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.disclosure.graph import INIT


class Withheld:
    """Public actions and facts (tokens, then static facts) with something withheld."""

    def __init__(self, own: Dependencies):
        self._own = own

    def has_to_do_with(self, steps: Iterable[int], with_goal: bool) -> bool:
        """Do these own public actions achieve, delete or need something that is never disclosed?"""
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
        """How many edges are never disclosed."""
        return sum(1 for pair in self._achieved if self._own.price(*pair) is None)

    @cached_property
    def _pairs(self) -> frozenset[tuple[int, int]]:
        own = self._own
        if not own.has_prices:
            return frozenset()
        first = len(own.token_facts)
        deleted = {
            (own.number[action], fact)
            for action in own.number
            for fact in own.certain_deletes[action]
        }
        direct = {
            (own.number[action], token)
            for token, actions in enumerate(own.direct_threats)
            for action in actions
        }
        initial = {(INIT, first + n) for n in range(len(own.static_facts))}
        every = self._achieved | deleted | direct | initial
        return frozenset(pair for pair in every if own.price(*pair) is None)

    @cached_property
    def _achieved(self) -> frozenset[tuple[int, int]]:
        own = self._own
        return frozenset(
            (own.number.get(action, INIT), token)
            for token, achievers in enumerate(own.achievers)
            for action in achievers
        )

    def _needs(self, action: int) -> Sequence[int]:
        place = self._own.place
        return [place[fact] for fact in self._own.task.pre[action] if fact in place]

    @property
    def _goal(self) -> frozenset[int]:
        place = self._own.place
        return frozenset(place[fact] for fact in self._own.task.arrays.goal if fact in place)

"""Extending a public plan without private actions: walk along it.

An agent that has public actions only can do nothing between its steps. All it can choose is which
of several own actions with the same public projection does a step, so the states it may be in
after each step are few, and following all of them decides the extension without a search. A state
is one integer: a bit for each private fact, then one for each token.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.disclosure.graph import INIT
from tacit.policy import POLICY


class TooWide(Exception):
    """More states than are worth following."""


class _Masks(NamedTuple):
    needs: int
    adds: int
    keeps: int


class Walker:
    """The actions of one agent as masks; `achieved` are tokens by disclosed edges."""

    def __init__(
        self,
        own: Dependencies,
        alike: Sequence[Sequence[int]],
        achieved: Mapping[int, Sequence[int]],
        most_states: int = POLICY.extension.walk_states,
    ):
        self._most_states = most_states
        self._own = own
        self._alike = alike
        self._achieved_tokens = achieved
        self._first = own.task.public_count
        self._tokens_from = own.task.private_count
        self._masks: dict[int, _Masks] = {}

    def walk(self, steps: Iterable[int], with_goal: bool) -> list[int] | None:
        """The local action for each public one in turn, None if there is no way."""
        arrays = self._own.task.arrays
        reached = {
            self._private(arrays.init) | self._tokens(self._achieved_tokens.get(INIT, ())): 0
        }
        came: list[list[tuple[int, int]]] = []
        for step in steps:
            reached, links = self._step(reached, step)
            if not reached:
                return None
            came.append(links)
        goal = self._private(arrays.goal) | self._tokens(self._own.goal) if with_goal else 0
        at = next((n for state, n in reached.items() if not goal & ~state), None)
        return None if at is None else _trace(came, at)

    def _step(
        self, reached: Mapping[int, int], step: int
    ) -> tuple[dict[int, int], list[tuple[int, int]]]:
        """The states behind a step, numbered, and for each number where it came from and how."""
        found: dict[int, int] = {}
        links: list[tuple[int, int]] = []
        for action in self._alike[step]:
            needs, adds, keeps = self._masks.get(action) or self._make_masks(action)
            for state, number in reached.items():
                if needs & ~state:
                    continue
                then = state & keeps | adds
                if found.setdefault(then, len(links)) == len(links):
                    links.append((number, action))
        if len(found) > self._most_states:
            raise TooWide
        return found, links

    def _make_masks(self, action: int) -> _Masks:
        own, task = self._own, self._own.task
        public = own.number[action]
        deleted = (token for token in own.certain_deletes[action] if token < len(own.token_facts))
        made = self._masks[action] = _Masks(
            self._private(task.pre[action]) | self._tokens(own.graph.needs[public]),
            self._private(task.add[action]) | self._tokens(self._achieved_tokens.get(public, ())),
            ~(self._private(task.delete[action]) | self._tokens(deleted)),
        )
        return made

    def _private(self, facts: Iterable[int]) -> int:
        return sum({1 << fact - self._first for fact in facts if fact >= self._first})

    def _tokens(self, tokens: Iterable[int]) -> int:
        return sum({1 << self._tokens_from + token for token in tokens})


def _trace(came: Sequence[Sequence[tuple[int, int]]], at: int) -> list[int]:
    done: list[int] = []
    for links in reversed(came):
        at, action = links[at]
        done.append(action)
    return done[::-1]

"""Others' steps of a public plan with their tokens, for an agent that may leave some of them out.

While all of them are taken, what they need of each other's private effects is there. If one is left
out, those that used its tokens cannot be taken either, as far as the ledger tells. Whether a token
is used up by an action that needs it may be a secret: it is taken to be, as in the pessimistic
projection, unless the plan itself could not be executed then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from tacit import native
from tacit.party.disclosure.public_world import PublicWorld
from tacit.party.extension.replanning import Step
from tacit.public.disclosure import INIT
from tacit.public.ledger import Ledger
from tacit.public.task import PublicAction

Token = tuple[str, int]


@dataclass(frozen=True)
class Linked:
    """A public plan in which others' steps need, add and delete tokens: facts from `first` on."""

    steps: Sequence[Step]
    first: int
    count: int
    init: Sequence[int]
    goal: Sequence[int]

    def joined(self, own: native.StripsTask) -> native.StripsTask:
        """An agent's task with these facts behind its own."""
        facts, init = self.first + self.count, [*own.init.tolist(), *self.init]
        goal, none = [*own.goal.tolist(), *self.goal], [0] * len(own)
        return native.StripsTask(facts, init, goal, own.pre, own.add, own.del_, own.cost, none)


class Linker:
    """Links plans by what is on the ledger now."""

    def __init__(self, world: PublicWorld, ledger: Ledger, name: str):
        self._adds: dict[tuple[str, int], list[Token]] = {}
        self._deletes: dict[tuple[str, int], list[Token]] = {}
        self._init: set[Token] = set()
        self._goal: set[Token] = set()
        for agent, part in world.published.items():
            if agent == name:
                continue
            self._goal.update((agent, token) for token in part.goal)
            for edge in (*ledger.edges(agent), *ledger.threats(agent)):
                if edge.achiever == INIT:
                    self._init.add((agent, edge.token))
                    continue
                rows = self._adds if edge.positive else self._deletes
                rows.setdefault((agent, edge.achiever), []).append((agent, edge.token))

    def linked(self, steps: Sequence[Step], first: int) -> Linked:
        """A plan with tokens that count as used up once they were used, if it can be."""
        if not self._is_executable(steps, uses_up=True):
            return self._linked(steps, first, uses_up=False)
        return self._linked(steps, first, uses_up=True)

    def _is_executable(self, steps: Sequence[Step], uses_up: bool) -> bool:
        holds = set(self._init)
        for step in _of_others(steps):
            needs, adds, deletes = self._row(step, uses_up)
            if not holds.issuperset(needs):
                return False
            holds.difference_update(deletes)
            holds.update(adds)
        return holds.issuperset(self._goal)

    def _row(self, step: PublicAction, uses_up: bool) -> tuple[list[Token], ...]:
        needs = [(step.agent, token) for token in step.tokens]
        adds = self._adds.get((step.agent, step.id), [])
        deletes = self._deletes.get((step.agent, step.id), [])
        used = [token for token in needs if token not in adds] if uses_up else []
        return needs, adds, list({*deletes, *used})

    def _linked(self, steps: Sequence[Step], first: int, uses_up: bool) -> Linked:
        number: dict[Token, int] = {}

        def facts(tokens: Sequence[Token]) -> tuple[int, ...]:
            return tuple(first + number.setdefault(token, len(number)) for token in tokens)

        def with_tokens(step: Step) -> Step:
            if isinstance(step, int):
                return step
            needs, adds, deletes = map(facts, self._row(step, uses_up))
            return msgspec.structs.replace(
                step,
                needs=step.needs + needs,
                adds=step.adds + adds,
                deletes=step.deletes + deletes,
            )

        goal, made = facts(sorted(self._goal)), [with_tokens(step) for step in steps]
        init = [first + number[token] for token in sorted(self._init & number.keys())]
        return Linked(made, first, len(number), init, goal)


def _of_others(steps: Sequence[Step]) -> Iterator[PublicAction]:
    return (step for step in steps if isinstance(step, PublicAction))

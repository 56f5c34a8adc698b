"""An agent does its part of a joint plan at less cost, while the others do theirs as before.

This is best-response planning (Jonsson and Rovatsos, 2011): the others' public steps keep their
order and their effects, the agent may put any actions of its own between them, and all goals must
hold in the end. Own steps must be supported by what is on the ledger, as in any plan. So the others
can execute their parts as they are, if none of them has private actions that look at public facts;
and since theirs cost what they did, the joint plan is cheaper if the own part is. Nobody has to be
told what private actions cost.

With `spared`, others' steps may be left out, too: the agent takes over what they did. What is left
out takes with it what needed its tokens (`tacit.party.extension.others`). Whether the others can do
what is left is for them to say, and what they save the agent can only estimate.

All this is one classical task over the public facts, the own private facts, the own tokens, and the
place among the others' steps. The core makes it, without whatever does not concern the own part
(`src/core/extension/response.hpp`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise

from tacit import native
from tacit.native import flat
from tacit.party.disclosure.graph import INIT, Edge
from tacit.party.extension.extension import Extender
from tacit.party.extension.others import Linker
from tacit.party.extension.replanning import Step
from tacit.planners import ClassicalTask
from tacit.planners.cheapest import Cheapest
from tacit.public.task import PublicAction


class BestResponse:
    """Improves the own part of public plans, with what is disclosed."""

    def __init__(
        self,
        extender: Extender,
        disclosed: Sequence[Edge],
        seed: int,
        make_linker: Callable[[], Linker],
    ):
        self._extender = extender
        self.disclosed = disclosed
        self._seed = seed
        self._make_linker = make_linker

    def improve(
        self, steps: Sequence[Step], done: Sequence[tuple[int, int]], spared: int | None = None
    ) -> tuple[Step, ...] | None:
        """A public plan in which the own part is cheaper; None if none was found.

        `done` are the own actions so far, each with the number of public steps before it. `spared`
        is what a step of others that is left out saves besides its cost.
        """
        if not done and spared is None:
            return None  # nothing costs less than nothing
        own = self._own
        if spared is not None:
            linked = self._linker.linked(steps, own.facts)
            own, steps = linked.joined(own), linked.steps
        along = Along(own, steps, spared)
        before = along.numbers(steps, done)
        after = Cheapest(along.task, self._seed, self._extender.policy.response).below(before)
        if after == tuple(before) and along.has_all_of(done):
            return None
        number = self._extender.own.number
        return tuple(
            number[step] if isinstance(step, int) else step
            for step in along.read(after)
            if not isinstance(step, int) or step in number
        )

    @cached_property
    def _linker(self) -> Linker:
        return self._make_linker()

    @cached_property
    def _own(self) -> native.StripsTask:
        """What the agent can do with what is disclosed."""
        own = self._extender.own
        positive = [edge for edge in self.disclosed if edge.positive]
        achieved = [
            (action, edge.token)
            for edge in positive
            for action in ([INIT] if edge.achiever == INIT else own.members[edge.achiever])
        ]
        achiever, token = zip(*achieved, strict=True) if achieved else ((), ())
        return own.supported_task(achiever, token, self._extender.price)


class Along:
    """The classical task of one response, and plans in its numbers."""

    def __init__(self, own: native.StripsTask, steps: Sequence[Step], spared: int | None):
        self._others = [step for step in steps if isinstance(step, PublicAction)]
        rows = (
            flat([step.needs for step in self._others]),
            flat([step.adds for step in self._others]),
            flat([step.deletes for step in self._others]),
        )
        costs = [] if spared is None else [step.cost + spared for step in self._others]
        made, meaning = native.response(own, *rows, costs)
        self._meaning: list[int] = meaning.tolist()
        self._own_count = len(own)
        self._number = {meant: n for n, meant in enumerate(self._meaning) if meant >= 0}
        self.task = ClassicalTask(
            *(made.facts, made.init, made.goal, made.pre, made.add, made.del_, made.cost),
            [0] * len(made),
        )

    def has_all_of(self, done: Sequence[tuple[int, int]]) -> bool:
        """Can each of these own actions be of use?"""
        return all(action in self._number for action, _ in done)

    def numbers(self, steps: Sequence[Step], done: Sequence[tuple[int, int]]) -> list[int]:
        """A joint plan as actions of the task, without what is of no use."""
        plan: list[int] = []
        own, others = iter(sorted(done, key=lambda item: item[1])), self._own_count
        following = next(own, None)
        for place, step in enumerate([*steps, None]):
            while following is not None and following[1] == place:
                plan.append(following[0])
                following = next(own, None)
            if isinstance(step, PublicAction):
                plan.append(others)
                others += 1
        return [self._number[meant] for meant in plan if meant in self._number]

    def read(self, plan: Sequence[int]) -> list[int | PublicAction]:
        """Own actions and the others' steps; those of no concern come as early as they can, which
        leaves the others most freedom.
        """
        steps = range(len(self._others))
        concerned = [step for step in steps if self._own_count + step in self._number]
        parts = pairwise([*concerned, len(self._others)])
        read: list[int | PublicAction] = [*self._others[: concerned[0] if concerned else None]]
        for meant in (self._meaning[action] for action in plan):
            if 0 <= meant < self._own_count:
                read.append(meant)
                continue
            step, until = next(parts)
            read += self._others[step:until] if meant >= 0 else ()
        return read

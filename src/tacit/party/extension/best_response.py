"""An agent does its part of a joint plan at less cost, while the others do theirs as before.

This is best-response planning (Jonsson and Rovatsos, 2011): the others' public steps keep their
order and their effects, the agent may put any actions of its own between them, and all goals must
hold in the end. Own steps must be supported by what is on the ledger, as in any plan. So the others
can execute their parts as they are, if none of them has private actions that look at public facts;
and since theirs cost what they did, the joint plan is cheaper if the own part is. Nobody has to be
told what private actions cost.

With `spared`, others' steps may be left out, too: the agent takes over what they did. Whether the
others can do what is left is for them to say, and what they save the agent can only estimate.

All this is one classical task over the public facts, the own private facts, the own tokens, and the
place among the others' steps.
"""

from __future__ import annotations

from collections.abc import Sequence

from tacit.native import flat
from tacit.party.disclosure.graph import INIT, Edge
from tacit.party.extension.extension import Extender, achieved_by
from tacit.party.extension.replanning import Step
from tacit.planners import ClassicalTask
from tacit.planners.cheapest import Cheapest
from tacit.policy import CheapestPolicy
from tacit.public.task import PublicAction

Rows = tuple[list[int], list[int], list[int]]
"""What an action needs, adds and deletes."""


class BestResponse:
    """Improves the own part of public plans, with what is disclosed."""

    def __init__(
        self, extender: Extender, disclosed: Sequence[Edge], seed: int, policy: CheapestPolicy
    ):
        self._extender = extender
        self._disclosed = disclosed
        self._seed = seed
        self._policy = policy

    def improve(
        self, steps: Sequence[Step], done: Sequence[tuple[int, int]], spared: int | None = None
    ) -> tuple[Step, ...] | None:
        """A public plan in which the own part is cheaper; None if none was found.

        `done` are the own actions so far, each with the number of public steps before it. `spared`
        is what a step of others that is left out saves besides its cost.
        """
        builder = _Builder(self._extender, self._disclosed, steps, spared)
        before = builder.numbers(steps, done)
        after = Cheapest(builder.task(), self._seed, self._policy).below(before)
        return None if after == tuple(before) else builder.read(after)


class _Builder:
    """The classical task: facts of the local task, tokens, one fact for each place."""

    def __init__(
        self,
        extender: Extender,
        disclosed: Sequence[Edge],
        steps: Sequence[Step],
        spared: int | None,
    ):
        self._extender = extender
        self._own = own = extender.own
        self._task = own.task
        self._tokens_from = self._task.public_count + len(self._task.private_facts)
        self._first_place = self._tokens_from + len(own.token_facts)
        self._achieved = achieved_by(disclosed)
        self._rows: list[Rows] = []
        self._costs: list[int] = []
        self._meaning: list[Step | None] = []
        for action in range(len(self._task.cost)):
            self._add_own(action)
        self._others = [step for step in steps if isinstance(step, PublicAction)]
        self._first_step = len(self._meaning)
        for place, step in enumerate(self._others, self._first_place):
            cost = 0 if spared is None else step.cost + spared
            rows = ([*step.needs, place], [*step.adds, place + 1], [*step.deletes, place])
            self._add(rows, cost, step)
        if spared is not None:
            for place in range(self._first_place, self._first_place + len(self._others)):
                self._add(([place], [place + 1], [place]), 0, None)

    def _add_own(self, action: int) -> None:
        task, own = self._task, self._own
        rows = (list(task.pre[action]), list(task.add[action]), list(task.delete[action]))
        step: int | None = None
        if task.arrays.is_public[action]:
            step = own.number[action]
            deleted = (t for t in own.certain_deletes[action] if t < len(own.token_facts))
            changed = (own.graph.needs[step], self._achieved.get(step, ()), deleted)
            for row, tokens in zip(rows, changed, strict=True):
                row.extend(self._tokens_from + token for token in tokens)
        self._add(rows, self._extender.price[action], step)

    def _add(self, rows: Rows, cost: int, step: Step | None) -> None:
        self._rows.append(rows)
        self._costs.append(cost)
        self._meaning.append(step)

    def task(self) -> ClassicalTask:
        arrays, end = self._task.arrays, self._first_place + len(self._others)
        needs, adds, deletes = (flat([rows[n] for rows in self._rows]) for n in range(3))
        goal = [*arrays.goal.tolist(), end]
        goal += (self._tokens_from + token for token in self._own.goal)
        init = [*arrays.init.tolist(), self._first_place]
        init += (self._tokens_from + token for token in self._achieved.get(INIT, ()))
        count = len(self._costs)
        return ClassicalTask(end + 1, init, goal, needs, adds, deletes, self._costs, [0] * count)

    def numbers(self, steps: Sequence[Step], done: Sequence[tuple[int, int]]) -> list[int]:
        """A joint plan as actions of the task."""
        plan: list[int] = []
        own, others = iter(sorted(done, key=lambda item: item[1])), 0
        following = next(own, None)
        for place, step in enumerate([*steps, None]):
            while following is not None and following[1] == place:
                plan.append(following[0])
                following = next(own, None)
            if isinstance(step, PublicAction):
                plan.append(self._first_step + others)
                others += 1
        return plan

    def read(self, plan: Sequence[int]) -> tuple[Step, ...]:
        return tuple(step for n in plan if (step := self._meaning[n]) is not None)

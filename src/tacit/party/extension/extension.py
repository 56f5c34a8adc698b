"""An agent extends a public plan by its private actions, exactly (docs/solving.md).

The agent's private actions may stand anywhere between its public steps; a step may be done by any
own action with the very same public projection, as the others cannot distinguish them; and the plan
must stay *supported*: every token of every step was achieved by a disclosed edge of an earlier own
step or of the initial state, and no own step in between certainly deleted it.

All this is one small classical task over the agent's private facts, its tokens and its place in
the plan, and the embedded planner decides it. The public state is known at every place, so a
private action with public preconditions is allowed just where they hold; only if there are such
actions do the others' steps count as places. An agent without private actions need not search.

What the planner finds first may be far from the best. So a part that is to be executed (`best`) is
made as cheap as can be: by a search to optimality, bounded, and where that bound is too low, by
searches below the cost of what was found. Costs come first, then the number of steps, so that no
private step is in it that is of no use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from tacit.native import flat
from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.disclosure.graph import INIT, Edge
from tacit.party.extension.walk import TooWide, Walker
from tacit.planners import ClassicalTask, PlannerLimits, PlannerOutcome
from tacit.planners.cheapest import Cheapest
from tacit.planners.native import NativeSearch
from tacit.policy import POLICY, ExtensionPolicy
from tacit.public.settings import Objective


@dataclass(frozen=True, slots=True)
class Place:
    """A step of the public plan as one agent sees it: `own` is its public action, if it is its own.

    `holds` are the public facts before the step. The end of the plan is a place without a step.
    """

    own: int | None
    holds: frozenset[int]


@dataclass(frozen=True, slots=True)
class LocalPlan:
    """Own actions (local numbers) with the number of public-plan steps that come before each."""

    actions: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Found:
    """`plan` is None if there is none; `decided` is False if the search gave up."""

    plan: LocalPlan | None
    decided: bool = True


class PrivateAction(NamedTuple):
    """A private action: its local number, the public facts that it needs, and its private part."""

    number: int
    public_needs: frozenset[int]
    needs: list[int]
    adds: list[int]
    deletes: list[int]


class Extender:
    """Extends public plans for one agent."""

    def __init__(
        self,
        dependencies: Dependencies,
        seed: int,
        policy: ExtensionPolicy = POLICY.extension,
    ):
        self.own = dependencies
        self.policy = policy
        self._task = dependencies.task
        self._seed = seed
        self._first_private = self._task.public_count
        self._private_count = self._task.private_count
        self._walker: tuple[Sequence[Edge], Walker] | None = None

    def extend(
        self,
        places: Sequence[Place],
        disclosed: Sequence[Edge],
        with_goal: bool,
        best: bool = False,
    ) -> Found:
        """Execute the steps in order and, if asked, reach the private goals behind them; at little
        cost if that is asked, too.

        The last place is the end of the plan.
        """
        if not self.private_actions:
            try:
                return self._walk(places, disclosed, with_goal)
            except TooWide:
                pass  # the planner can do it as well
        builder = _Builder(self, places, disclosed, with_goal)
        limits = PlannerLimits(self.policy.evaluations)
        task = builder.task()
        result = NativeSearch(task, self._seed).run(limits)
        if result.outcome is not PlannerOutcome.SOLVED:
            return Found(None, decided=result.outcome is PlannerOutcome.UNSOLVABLE)
        plan = result.plan
        if best:
            plan = Cheapest(task, self._seed, self.policy.best).below(plan)
        return Found(LocalPlan(tuple(builder.read(plan))))

    def cost(self, plan: LocalPlan) -> int:
        """What an own part costs by the objective, its public steps included."""
        return sum(self.price[action] for action, _ in plan.actions)

    def private_amount(self, plan: LocalPlan) -> int:
        """The same of its private actions alone."""
        is_public = self._task.arrays.is_public
        return sum(self.price[action] for action, _ in plan.actions if not is_public[action])

    @cached_property
    def price(self) -> Sequence[int]:
        """What own actions cost by the objective: as they say, or a step each."""
        if self.own.settings.objective is Objective.COST:
            return self._task.cost
        return [1] * len(self._task.cost)

    def _walk(self, places: Sequence[Place], disclosed: Sequence[Edge], with_goal: bool) -> Found:
        if self._walker is None or self._walker[0] is not disclosed:
            achieved, most = achieved_by(disclosed), self.policy.walk_states
            self._walker = disclosed, Walker(self.own, self.alike, achieved, most)
        steps = [(n, place.own) for n, place in enumerate(places) if place.own is not None]
        done = self._walker[1].walk((own for _, own in steps), with_goal)
        if done is None:
            return Found(None)
        pairs = zip(done, (place for place, _ in steps), strict=True)
        return Found(LocalPlan(tuple(pairs)))

    @cached_property
    def alike(self) -> list[list[int]]:
        """Per public action, the local actions with the very same public projection."""
        kinds: dict[object, list[int]] = {}
        for group in self.own.members:
            kinds.setdefault(self.own.public_part[group[0]], []).extend(group)
        return [kinds[self.own.public_part[group[0]]] for group in self.own.members]

    def private_part(self, row: Sequence[int]) -> list[int]:
        return [fact - self._first_private for fact in row if fact >= self._first_private]

    @cached_property
    def private_actions(self) -> list[PrivateAction]:
        """The agent's private actions."""
        task, first, part = self._task, self._first_private, self.private_part
        return [
            PrivateAction(
                action,
                frozenset(fact for fact in task.pre[action] if fact < first),
                part(task.pre[action]),
                part(task.add[action]),
                part(task.delete[action]),
            )
            for action, is_public in enumerate(task.arrays.is_public)
            if not is_public
        ]

    @cached_property
    def others_matter(self) -> bool:
        """Does any private action have public preconditions?"""
        return any(action.public_needs for action in self.private_actions)


def achieved_by(disclosed: Sequence[Edge]) -> dict[int, list[int]]:
    """Per achiever, the tokens of its disclosed edges."""
    achieved: dict[int, list[int]] = {}
    for edge in disclosed:
        if edge.positive:
            achieved.setdefault(edge.achiever, []).append(edge.token)
    return achieved


class _Builder:
    """The classical task of one extension: private facts, tokens, places."""

    def __init__(
        self,
        extender: Extender,
        places: Sequence[Place],
        disclosed: Sequence[Edge],
        with_goal: bool,
    ):
        self._extender = extender
        self._own = extender.own
        self._local = extender._task
        self._with_goal = with_goal
        self._tokens_from = extender._private_count
        self._places_from = self._tokens_from + len(self._own.token_facts)
        self._achieved_tokens = achieved_by(disclosed)
        self._steps = list(enumerate(places[:-1]))
        self._end = places[-1]
        self._length = len(self._steps)
        if not extender.others_matter:
            self._steps = [entry for entry in self._steps if entry[1].own is not None]
        self._needs: list[list[int]] = []
        self._adds: list[list[int]] = []
        self._deletes: list[list[int]] = []
        self._meaning: list[int | None] = []

    def task(self) -> ClassicalTask:
        self._add_private_actions()
        for place, (_, step) in enumerate(self._steps):
            self._add_step(place, step)
        last = self._places_from + len(self._steps)
        goal = [last]
        if self._with_goal:
            goal += self._extender.private_part(self._local.arrays.goal.tolist())
            goal += (self._tokens_from + token for token in self._own.goal)
        init = self._extender.private_part(self._local.arrays.init.tolist())
        init += (self._tokens_from + token for token in self._achieved_tokens.get(INIT, ()))
        count = len(self._meaning)
        return ClassicalTask(
            last + 1,
            [*init, self._places_from],
            goal,
            flat(self._needs),
            flat(self._adds),
            flat(self._deletes),
            [0 if action is None else self._extender.price[action] for action in self._meaning],
            [0] * count,
        )

    def read(self, plan: Sequence[int]) -> list[tuple[int, int]]:
        """The plan's own actions, each with the number of public steps before it."""
        done: list[tuple[int, int]] = []
        place = 0
        for number in plan:
            action = self._meaning[number]
            before = self._steps[place][0] if place < len(self._steps) else self._length
            if action is not None:
                done.append((action, before))
            place += number >= self._first_step
        return done

    def _add(
        self, needs: list[int], adds: list[int], deletes: list[int], action: int | None
    ) -> None:
        self._needs.append(needs)
        self._adds.append(adds)
        self._deletes.append(deletes)
        self._meaning.append(action)

    def _add_private_actions(self) -> None:
        for action, public_needs, needs, adds, deletes in self._extender.private_actions:
            if not public_needs:
                self._add(needs, adds, deletes, action)
                continue
            for place, step in enumerate([*(step for _, step in self._steps), self._end]):
                if public_needs <= step.holds:
                    self._add([*needs, self._places_from + place], adds, deletes, action)
        self._first_step = len(self._meaning)

    def _add_step(self, place: int, step: Place) -> None:
        here, then = self._places_from + place, self._places_from + place + 1
        if step.own is None:
            self._add([here], [then], [here], None)
            return
        part, task, own = self._extender.private_part, self._local, self._own
        for action in self._extender.alike[step.own]:
            public = own.number[action]
            tokens = [self._tokens_from + token for token in own.graph.needs[public]]
            achieved = [
                self._tokens_from + token for token in self._achieved_tokens.get(public, ())
            ]
            deleted = [
                self._tokens_from + token
                for token in own.certain_deletes[action]
                if token < len(own.token_facts)
            ]
            self._add(
                [*part(task.pre[action]), *tokens, here],
                [*part(task.add[action]), *achieved, then],
                [*part(task.delete[action]), *deleted, here],
                action,
            )

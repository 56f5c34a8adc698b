"""The cheapest plan that an agent may hope for, and which of its own edges that needs.

The agent plans as if all its own edges were disclosed, and as if the others achieved what it infers
of them. Its own part is the real one, private actions and their costs included, since what a plan
costs is often decided there: lifts that carry two at a time, planes that fly round trips. Of the
others it knows public actions alone. It supposes that each of their steps costs what its own cost
on average, private actions included; else everybody would leave the work to others, who seem to do
it for nothing. That is a guess. Where it leads to no cheaper plan, others' steps count twice as
much, and twice again, until the agent does all that it can: what it would do if others were dearer
than it supposes may be cheaper than what they do.

Plans are searched for from the cheapest so far (`Cheapest`), which stays a plan: edges are only
ever added. Effort counts evaluations, and there is an end to it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction

from tacit import native, watch
from tacit.native import flat
from tacit.party.disclosure.graph import INIT, Edge, Graph, Work
from tacit.party.disclosure.public_view import PublicView
from tacit.planners import ClassicalTask, PlannerLimits, PlannerOutcome
from tacit.planners.cheapest import Cheapest
from tacit.planners.native import NativeSearch
from tacit.policy import HopingPolicy

Pairs = Iterable[tuple[int, int]]
"""Actions of the projection, or `native.INIT`, with tokens of it."""


class Hoping:
    """One agent's hopeful plan."""

    def __init__(
        self, graph: Graph, work: Work, public: PublicView, seed: int, policy: HopingPolicy
    ):
        self._graph, self._work = graph, work
        self._seed, self._policy = seed, policy
        self._achieved: defaultdict[int, list[int]] = defaultdict(list)
        columns = graph.columns
        for place in range(len(columns)):
            if (edge := columns[place]).positive:
                self._achieved[edge.achiever].append(edge.token)
        self._others = _Others(public, work.facts + graph.tokens)
        self._extra: Fraction | None = None
        """What each step of others is supposed to cost beside its public cost."""
        self._doubled = 0
        self._plan: tuple[int, ...] = ()
        self._looks = policy.looks

    def saw(self, achieves: Pairs, deletes: Pairs) -> None:
        """Others achieve and delete these tokens, or are supposed to."""
        self._others.learn(achieves, deletes)

    def finds_cheaper(self) -> bool:
        """Is a cheaper plan hoped for than the last one, or any for the first time?"""
        if self._extra is None:
            self._extra = self._own_average()
        while self._looks > 0:
            self._looks -= 1
            task = self._task(self._extra * 2**self._doubled)
            before, self._plan = self._plan, self._below(task, self._plan)
            if self._plan != before:
                return True
            if self._extra * 2**self._doubled >= self._dear:
                return False
            self._doubled += 1
        return False

    @property
    def _dear(self) -> int:
        """At this price others do as little as can be."""
        return self._policy.dear * max(1, *self._work.price)

    def _own_average(self) -> Fraction:
        """What an own public step costs with the private actions before it, where others do as
        little as can be.
        """
        work = self._work
        plan = self._below(self._task(Fraction(self._dear)))
        own = [action for action in plan if action < len(work.price)]
        steps = sum(action in work.number for action in own)
        private = sum(work.price[action] for action in own if action not in work.number)
        return Fraction(private, steps) if steps else Fraction(self._dear)

    def _below(self, task: ClassicalTask, plan: tuple[int, ...] = ()) -> tuple[int, ...]:
        """A cheaper plan if there is one, or any; empty if none is found."""
        if not plan:
            result = NativeSearch(task, self._seed).run(PlannerLimits(self._policy.first))
            if result.outcome is not PlannerOutcome.SOLVED:
                return ()
            plan = result.plan
        return Cheapest(task, self._seed, self._policy.cheaper).below(plan)

    def _task(self, extra: Fraction) -> ClassicalTask:
        """Facts are public, own private ones, own tokens, others'; actions own ones, others'. Costs
        are multiplied so that they are whole.
        """
        work, tokens, others = self._work, self._work.facts, self._others
        pre, add, delete = (list(rows) for rows in (work.pre, work.add, work.delete))
        for action, number in work.number.items():
            pre[action] += (tokens + t for t in self._graph.needs[number])
            add[action] += (tokens + t for t in self._achieved.get(number, ()))
            delete[action] += (tokens + t for t in work.deletes[action])
        is_counted = any(price != 1 for price in work.price)
        unit = extra.denominator
        prices = [extra.numerator + unit * (cost if is_counted else 1) for cost in others.cost]
        init = [*work.init, *others.init, *(tokens + t for t in self._achieved.get(INIT, ()))]
        goal = [*work.goal, *others.goal, *(tokens + t for t in self._work.goal_tokens)]
        rows = zip((pre, add, delete), (others.pre, others.add, others.delete), strict=True)
        needs, adds, deletes = (flat([*own, *rest]) for own, rest in rows)
        costs = [*(unit * price for price in work.price), *prices]
        groups = [0] * len(costs)
        return ClassicalTask(others.facts, init, goal, needs, adds, deletes, costs, groups)

    def edges(self, published: Collection[Edge]) -> list[Edge]:
        """Own edges of the plan that are not published, in the order in which it needs them."""
        work, first, known, found = self._work, dict[int, int](), set[int](), list[Edge]()

        def achieve(achiever: int) -> None:
            for token in self._achieved.get(achiever, ()):
                first.setdefault(token, achiever)
                if Edge(achiever, token) in published:
                    known.add(token)

        def need(tokens: Sequence[int]) -> None:
            for token in tokens:
                if token not in known:
                    known.add(token)
                    found.append(Edge(first[token], token))

        achieve(INIT)
        for action in self._plan:
            if (number := work.number.get(action)) is not None:
                need(self._graph.needs[number])
                for token in work.deletes[action]:
                    first.pop(token, None)
                    known.discard(token)
                achieve(number)
        need(work.goal_tokens)
        return list(dict.fromkeys(found))


class _Others:
    """The others' public actions with their tokens, numbered through all agents."""

    def __init__(self, public: PublicView, first_token: int):
        world = public.world
        self._token = {fact: first_token + n for n, fact in enumerate(world.facts)}
        self._action: dict[int, int] = {}
        self.facts = first_token + len(world.facts)
        self.pre: list[list[int]] = []
        self.add: list[list[int]] = []
        self.delete: list[list[int]] = []
        self.cost: list[int] = []
        self.init: list[int] = []
        self.goal: list[int] = []
        for agent, part in world.published.items():
            if agent == public.agent:
                continue
            place = world.number[agent]
            first, token = world.first_action[place], first_token + world.first_token[place]
            for number, action in enumerate(watch.checked(part.actions)):
                self._action[world.actions[first + number]] = len(self.cost)
                self.pre.append([*action.needs, *(token + t for t in action.tokens)])
                self.add.append([*action.adds])
                self.delete.append([*action.deletes])
                self.cost.append(action.cost)
            self.goal += (token + t for t in part.goal)

    def learn(self, achieves: Pairs, deletes: Pairs) -> None:
        for achiever, fact in achieves:
            if achiever == native.INIT:
                self.init.append(self._token[fact])
            elif (action := self._action.get(achiever)) is not None:
                self.add[action].append(self._token[fact])
        for achiever, fact in deletes:
            if (action := self._action.get(achiever)) is not None and fact in self._token:
                self.delete[action].append(self._token[fact])

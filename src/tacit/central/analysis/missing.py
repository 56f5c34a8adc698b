"""Goals that are out of reach, and the first facts missing on the way to them.

A goal is out of reach if all agents together never reach it, even if nothing is ever deleted. Then
every action that adds it needs a fact that is out of reach as well, and so on, back to facts that
do not hold initially and that no action adds: these are missing. Here they are traced back from the
goal. So are facts about something that is nowhere, such as a truck without a place: actions add
where it is, but each needs that it is somewhere. A missing fact is a *cure* of a goal if the goal
would be in reach if it alone held, and those that cure most goals are named first.

Where no single missing fact is a cure, all facts out of reach are candidates, and the one named is
as far back from the goal as possible: no action that adds it is ever possible.

This is for one user who holds all files: it names private facts with their agents.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from tacit import watch
from tacit.central.analysis.schemas import Instance, Schemas, TooMany
from tacit.central.instance import Instance as Problem
from tacit.central.validate.plan import Step, plan_of
from tacit.central.validate.steps import Condition, Fact, World
from tacit.pddl.agents import natural_key

SHOWN = 8
"""How many other facts that would do as well are named."""


@dataclass(frozen=True)
class Missing:
    """A fact without which some goals are out of reach. `agent` is whose private fact it is, if it
    is private. `is_addable`: there are actions that add it, but none is ever possible. `way` has
    what would follow from it, up to a goal, as pairs of an action and a fact. Each of the facts in
    `instead` would do as well; `more` is how many others.
    """

    fact: str
    agent: str | None
    goals: tuple[str, ...]
    is_addable: bool
    way: tuple[tuple[str, str], ...] = ()
    instead: tuple[str, ...] = ()
    more: int = 0


class Reached:
    """What all agents reach together if nothing is ever deleted."""

    def __init__(self, problem: Problem):
        world = World(problem.source)
        self.goal = world.goal
        self._initial = world.initial
        self._kinds = {fact.name for fact in world.initial}
        self._added: set[Fact] = set(world.initial)
        self._deleted: set[Fact] = set()
        for agent in problem.agents:
            task = problem.local(agent)
            for number in watch.checked(range(len(task.cost))):
                step = plan_of([task.action_name(number)]).steps[0]
                act = world.act(Step(agent, step.name, step.args)).task
                self._added |= cast("frozenset[Fact]", act.adds)
                self._deleted |= cast("frozenset[Fact]", act.deletes - act.adds)
        self._subjects = {_subject(fact) for fact in self._added}

    def is_placed(self, fact: Fact) -> bool:
        """Does some such fact about the same things ever hold, with another last argument?"""
        return _subject(fact) in self._subjects

    def __contains__(self, condition: object) -> bool:
        assert isinstance(condition, Condition)
        if condition.positive:
            return condition.fact in self._added
        return condition.fact not in self._initial or condition.fact in self._deleted

    def holds_initially(self, condition: Condition) -> bool:
        return (condition.fact in self._initial) is condition.positive

    def has_like(self, condition: Condition) -> bool:
        """Does a fact of the same predicate hold initially?"""
        return condition.fact.name in self._kinds


def _subject(fact: Fact) -> Fact:
    return fact._replace(args=fact.args[:-1])


class Trace:
    """All that is out of reach on the way to these goals, and the actions that would add it."""

    def __init__(self, schemas: Schemas, reached: Reached, goals: Sequence[Condition]):
        self.schemas = schemas
        self.reached = reached
        self.goals = tuple(goals)
        self.adders: dict[Condition, list[Instance]] = {}
        self.depth = dict.fromkeys(goals, 0)
        """How far back each condition is from a goal."""
        queue = list(self.goals)
        for condition in watch.checked(queue):
            found = self.adders[condition] = list(schemas.adders(condition, reached))
            for need in (need for instance in found for need in instance.lacks):
                if need not in self.depth:
                    self.depth[need] = self.depth[condition] + 1
                    queue.append(need)

    def is_nowhere(self, one: Condition) -> bool:
        """Is this about something of which no such fact ever holds, and each action that would
        change that needs one?
        """
        if not self.adders[one] or not one.positive or self.reached.is_placed(one.fact):
            return False
        subject = _subject(one.fact)
        return all(
            any(_subject(need.fact) == subject for need in instance.lacks)
            for instance in self.adders[one]
        )

    def cures(self, candidates: Sequence[Condition]) -> dict[Condition, int]:
        """Per condition which candidates, as bits, are a cure of it."""
        found = dict.fromkeys(self.adders, 0)
        found |= {one: 1 << number for number, one in enumerate(candidates)}
        users: dict[Condition, list[tuple[Condition, Instance]]] = {}
        for condition, instances in self.adders.items():
            for instance in instances:
                for need in instance.lacks:
                    users.setdefault(need, []).append((condition, instance))
        stack = list(candidates)
        while stack:
            for condition, instance in users.get(stack.pop(), ()):
                cured = found[condition] | _all(found[need] for need in instance.lacks)
                if cured != found[condition]:
                    found[condition] = cured
                    stack.append(condition)
        return found

    def way(self, cure: Condition, goal: Condition) -> tuple[tuple[str, str], ...]:
        """What follows from a cure, action by action, up to a goal."""
        since, by = {cure: 0}, dict[Condition, Instance]()
        while goal not in since:
            news = {
                condition: instance
                for condition, instances in self.adders.items()
                for instance in instances
                if condition not in since and all(need in since for need in instance.lacks)
            }
            if not news:
                return ()
            since |= dict.fromkeys(news, len(since))
            by |= news
        steps: list[tuple[str, str]] = []
        while goal != cure:
            steps.append((by[goal].name, str(goal)))
            goal = max(by[goal].lacks, key=lambda need: since[need])
        return tuple(reversed(steps))


def _all(bits: Iterable[int]) -> int:
    common = -1
    for some in bits:
        common &= some
    return common


def out_of_reach(problem: Problem) -> tuple[list[str], list[Missing]]:
    """The goals out of reach, and what is missing on the way to them, if it is not too much to
    look at.
    """
    reached = Reached(problem)
    goals = [goal for goal in reached.goal if goal not in reached]
    if not goals:
        return [], []
    schemas = Schemas(problem.source)
    try:
        trace = Trace(schemas, reached, goals)
    except TooMany:
        return [str(goal) for goal in goals], []
    addable = {one for one, instances in trace.adders.items() if instances} | schemas.left_out
    nowhere = [one for one in trace.adders if trace.is_nowhere(one)]
    roots = [one for one in trace.adders if one not in addable]
    found: list[Missing] = []
    goals_left = goals
    for candidates in ([*nowhere, *roots], list(trace.adders)):
        if goals_left:
            named, goals_left = _named(trace, goals_left, candidates, addable)
            found += named
    return [str(goal) for goal in goals], found


def _named(
    trace: Trace,
    goals: Sequence[Condition],
    candidates: Sequence[Condition],
    addable: Container[Condition],
) -> tuple[list[Missing], list[Condition]]:
    """Cures for these goals, as few as possible, and the goals without any."""
    cures = trace.cures(candidates)
    found: list[Missing] = []
    left = [goal for goal in goals if cures[goal]]
    while left:
        counts = {n: sum(cures[goal] >> n & 1 for goal in left) for n in range(len(candidates))}
        most = max(counts.values())
        best = [candidates[n] for n, count in counts.items() if count == most]
        best.sort(key=lambda one: _preference(trace, one))
        cured = [goal for goal in left if cures[goal] >> candidates.index(best[0]) & 1]
        alike = _all(cures[goal] for goal in cured)
        best = [
            one
            for one in best
            if one == best[0]
            or (alike >> candidates.index(one) & 1 and not trace.schemas.may_harm(one))
        ]
        found.append(_missing(trace, best, cured, best[0] in addable))
        left = [goal for goal in left if goal not in cured]
    return found, [goal for goal in goals if not cures[goal]]


def _preference(trace: Trace, one: Condition) -> tuple[object, ...]:
    """First what does no harm; then where something is nowhere; then what is like facts that hold;
    then a fact whose opposite holds, such as the road back; then what is farthest back.
    """
    fact = one.fact
    turned = [
        one._replace(fact=fact._replace(args=(*fact.args[:n], *fact.args[n:][::-1])))
        for n in range(len(fact.args) - 1)
    ]
    has_opposite = any(other != one and trace.reached.holds_initially(other) for other in turned)
    is_likely = has_opposite and one.positive
    return (
        trace.schemas.may_harm(one),
        not trace.is_nowhere(one),
        not trace.reached.has_like(one),
        not is_likely,
        -trace.depth[one],
        natural_key(str(one)),
    )


def _missing(
    trace: Trace, best: Sequence[Condition], goals: Sequence[Condition], is_addable: bool
) -> Missing:
    first, *others = best
    return Missing(
        str(first),
        first.fact.owner,
        tuple(map(str, goals)),
        is_addable,
        trace.way(first, goals[0]),
        tuple(map(str, others[:SHOWN])),
        max(0, len(others) - SHOWN),
    )

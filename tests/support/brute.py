"""Brute force for the joint projection, from the definitions, and problems to try it on.

A state is one integer: the public facts, then per agent its private facts and the tokens that are
supported. An action is three masks. Everything is looked at, so problems must be tiny. Tokens,
edges and certain ends come from `NaiveDependencies`; what is taken from `Dependencies` are the
numbers by which tokens and merged actions are called.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count as counting
from weakref import WeakKeyDictionary

from support.inside import published_of
from support.naive_dependencies import NaiveDependencies
from tacit.central.session import Session
from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.disclosure.graph import INIT, Edge
from tacit.party.extension.extension import Place
from tacit.public.disclosure import FINISH, PublicStep
from tacit.public.settings import NoOp

MOST_STATES = 60_000


class TooLarge(Exception):
    """The problem has too many states to look at all of them."""


def mask(bits: Iterable[int], shift: int = 0) -> int:
    done = 0
    for bit in bits:
        done |= 1 << (bit + shift)
    return done


@dataclass(frozen=True, slots=True)
class Op:
    """An own action of an agent in the joint space; `public` is its public number, or None."""

    agent: str
    local: int
    public: int | None
    needs: int
    deletes: int
    adds: int


class Reading:
    """An agent's dependencies read naively, under the numbers that `Dependencies` gives them."""

    def __init__(self, own: Dependencies):
        naive = NaiveDependencies(own.task, own.settings.chain, own.settings.no_op is NoOp.DROP)
        assert sorted(own.token_facts) == sorted(naive.achievers)
        self._own, self._achievers = own, naive.achievers
        self._token = {fact: token for token, fact in enumerate(own.token_facts)}
        self.ends = {action: self._tokens(ended) for action, ended in naive.ends.items()}
        self.goal = self._tokens(own.task.arrays.goal)

    def _tokens(self, facts: Iterable[int]) -> frozenset[int]:
        return frozenset(self._token[fact] for fact in facts if fact in self._token)

    def needs(self, local: int) -> frozenset[int]:
        """The tokens that a local action needs, read from its preconditions."""
        return self._tokens(self._own.task.pre[local])

    def check(self, edges: Iterable[Edge]) -> None:
        """Every edge is one by the definitions."""
        for edge in edges:
            achievers = [INIT] if edge.achiever == INIT else self._own.members[edge.achiever]
            assert edge.positive
            assert self._achievers[self._own.token_facts[edge.token]].issuperset(achievers)


def reading(own: Dependencies) -> Reading:
    if own not in _READINGS:
        _READINGS[own] = Reading(own)
    return _READINGS[own]


_READINGS: WeakKeyDictionary[Dependencies, Reading] = WeakKeyDictionary()


class Joint:
    """All that all agents can do together, with support as part of the state."""

    def __init__(self, own: Mapping[str, Dependencies], disclosed: Mapping[str, Sequence[Edge]]):
        first = next(iter(own.values())).task
        self.public_mask = mask(range(first.public_count))
        self.init = self.goal = 0
        self.ops: list[Op] = []
        shift = first.public_count
        for agent, dependencies in own.items():
            shift = self._add_agent(agent, dependencies, disclosed[agent], shift)

    def _add_agent(self, agent: str, own: Dependencies, edges: Sequence[Edge], shift: int) -> int:
        task, naive = own.task, reading(own)
        first, tokens = task.public_count, shift + len(task.private_facts)
        naive.check(edges)

        def facts(row: Iterable[int]) -> int:
            return mask(fact if fact < first else fact - first + shift for fact in row)

        given: dict[int, int] = {}
        for edge in edges:
            given[edge.achiever] = given.get(edge.achiever, 0) | mask([edge.token], tokens)
        self.init |= facts(task.arrays.init) | given.get(INIT, 0)
        self.goal |= facts(task.arrays.goal) | mask(naive.goal, tokens)
        for local, is_public in enumerate(task.arrays.is_public):
            needs, adds = facts(task.pre[local]), facts(task.add[local])
            deletes = facts(task.delete[local])
            public = own.number[local] if is_public else None
            if public is not None:
                needs |= mask(naive.needs(local), tokens)
                adds |= given.get(public, 0)
                deletes |= mask(naive.ends[local], tokens)
            self.ops.append(Op(agent, local, public, needs, deletes, adds))
        return tokens + len(own.token_facts)

    def plan(self) -> list[Op] | None:
        """A shortest supported executable plan, None if there is none."""
        goal, ops = self.goal, [(op.needs, ~op.deletes, op.adds, op) for op in self.ops]
        came: dict[int, tuple[int, Op] | None] = {self.init: None}
        queue = deque([self.init])
        while queue:
            state = queue.popleft()
            if state & goal == goal:
                return _trace(came, state)
            for needs, keeps, adds, op in ops:
                if state & needs == needs:
                    then = state & keeps | adds
                    if then not in came:
                        came[then] = (state, op)
                        queue.append(then)
                        if len(came) > MOST_STATES:
                            raise TooLarge
        return None

    def plan_guidance(self, length: int, most: int = 20_000) -> list[tuple[tuple[str, int], ...]]:
        """The public parts of all supported executable plans with up to so many public steps."""
        done: list[tuple[tuple[str, int], ...]] = []
        level = {(): self._settle({self.init})}
        for _ in counting():
            done += [steps for steps, states in level.items() if self._any_goal(states)]
            if not level or len(next(iter(level))) == length:
                return done
            following: dict[tuple[tuple[str, int], ...], set[int]] = {}
            for steps, states in level.items():
                for op in self.ops:
                    if op.public is not None:
                        after = self._after(states, op)
                        if after:
                            key = (*steps, (op.agent, op.public))
                            following.setdefault(key, set()).update(after)
            level = {steps: self._settle(states) for steps, states in following.items()}
            if len(level) > most:
                raise TooLarge
        return done

    def _any_goal(self, states: set[int]) -> bool:
        return any(state & self.goal == self.goal for state in states)

    def _after(self, states: set[int], op: Op) -> set[int]:
        return {s & ~op.deletes | op.adds for s in states if s & op.needs == op.needs}

    def _settle(self, states: set[int]) -> set[int]:
        """All that private actions lead to from these states."""
        seen, stack = set(states), list(states)
        while stack:
            state = stack.pop()
            for op in self.ops:
                if op.public is None and state & op.needs == op.needs:
                    then = state & ~op.deletes | op.adds
                    if then not in seen:
                        seen.add(then)
                        stack.append(then)
        return seen


def _trace(came: Mapping[int, tuple[int, Op] | None], state: int) -> list[Op]:
    done: list[Op] = []
    while (step := came[state]) is not None:
        state, op = step
        done.append(op)
    return done[::-1]


def joint_of(session: Session) -> Joint:
    """The joint space at the budget that the session's agents last disclosed for."""
    own = {name: agent.dependencies for name, agent in session.agents.items()}
    return Joint(own, {name: agent.disclosed for name, agent in session.agents.items()})


def is_supported(own: Dependencies, disclosed: Sequence[Edge], actions: Sequence[int]) -> bool:
    """The definition of support for one agent's actions in order; goals are needs at the end.

    `actions` are local numbers; private ones do not count as steps.
    """
    steps = [action for action in actions if own.task.arrays.is_public[action]]
    naive = reading(own)
    needs = [naive.needs(step) for step in steps] + [naive.goal]
    return all(
        is_given(own, disclosed, steps[:place], token)
        for place, wanted in enumerate(needs)
        for token in wanted
    )


def is_given(
    own: Dependencies, disclosed: Sequence[Edge], steps: Sequence[int], token: int
) -> bool:
    """Does a disclosed edge give the token, by one of these steps or at the start, and none after
    it end it?
    """
    edges = {(edge.achiever, edge.token) for edge in disclosed}
    achievers = [-1] if (INIT, token) in edges else []
    achievers += [n for n, step in enumerate(steps) if (own.number[step], token) in edges]
    ends = reading(own).ends
    return any(all(token not in ends[step] for step in steps[n + 1 :]) for n in achievers)


def can_be_executed(
    own: Dependencies, places: Sequence[Place], disclosed: Sequence[Edge], with_goal: bool
) -> bool:
    """Can the agent carry out these steps? All states it could be in, step by step."""
    task, naive = own.task, reading(own)
    first, tokens = task.public_count, len(task.private_facts)
    naive.check(disclosed)
    given: dict[int, int] = {}
    for edge in disclosed:
        given[edge.achiever] = given.get(edge.achiever, 0) | mask([edge.token], tokens)

    def private(row: Iterable[int]) -> int:
        return mask(fact - first for fact in row if fact >= first)

    def public(action: int) -> object:
        rows = (task.pre[action], task.add[action], task.delete[action])
        return (*(frozenset(f for f in row if f < first) for row in rows), task.cost[action])

    def settled(states: set[int], holds: frozenset[int]) -> set[int]:
        ops = [
            (private(task.pre[a]), ~private(task.delete[a]), private(task.add[a]))
            for a, is_public in enumerate(task.arrays.is_public)
            if not is_public and all(f in holds for f in task.pre[a] if f < first)
        ]
        seen, stack = set(states), list(states)
        while stack:
            state = stack.pop()
            for needs, keeps, adds in ops:
                if state & needs == needs and (then := state & keeps | adds) not in seen:
                    seen.add(then)
                    stack.append(then)
        return seen

    states = {private(task.arrays.init) | given.get(INIT, 0)}
    for place in places[:-1]:
        states = settled(states, place.holds)
        if place.own is None:
            continue
        kind = public(own.members[place.own][0])
        after: set[int] = set()
        for action, is_public in enumerate(task.arrays.is_public):
            if not is_public or public(action) != kind:
                continue
            needs = private(task.pre[action]) | mask(naive.needs(action), tokens)
            keeps = ~(private(task.delete[action]) | mask(naive.ends[action], tokens))
            adds = private(task.add[action]) | given.get(own.number[action], 0)
            after |= {s & keeps | adds for s in states if s & needs == needs}
        states = after
    states = settled(states, places[-1].holds)
    goal = private(task.arrays.goal) | mask(naive.goal, tokens) if with_goal else 0
    return any(state & goal == goal for state in states)


def with_finish(session: Session, steps: Iterable[tuple[str, int]]) -> list[PublicStep]:
    """A public plan in own numbers as it goes over the wire, last actions at its end."""
    done = []
    for agent, number in steps:
        names = published_of(session.agents[agent]).actions
        done.append(PublicStep(agent, names.shown[number]))
    for name, agent in session.agents.items():
        task = agent.task
        if any(fact >= task.public_count for fact in task.arrays.goal):
            done.append(PublicStep(name, FINISH))
    return done

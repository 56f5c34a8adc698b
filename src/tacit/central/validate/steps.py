"""What a step of a plan does, read directly from the syntax tree.

This is the validator's own interpretation of a problem. It shares only the tree and the rules of
privacy in `tacit.pddl.agents` with the grounder, so that each checks the other.

A `World` has a `View` for every pair of files: one in the unfactored form, one per agent in the
factored. A fact carries its owner, so that the private facts of two agents are different facts even
if their files spell them the same. Facts without an owner never hold.

An invalid step raises a `Fault`; no other exception leaves this module.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from tacit.central.validate.plan import Step
from tacit.errors import nearest
from tacit.pddl.agents import (
    NOBODY,
    Privacy,
    agent_types_of,
    agents_of,
    has_agent_parameter,
)
from tacit.pddl.syntax import EQUALS, Action, Atom, Description, Form, Literal, Pair, Typed
from tacit.pddl.types import types_of
from tacit.public.schedule import Task


class Fact(NamedTuple):
    """A ground fact and the agent it is private to."""

    owner: str | None
    name: str
    args: tuple[str, ...]

    def __str__(self) -> str:
        return f"({' '.join((self.name, *self.args))})"


class Condition(NamedTuple):
    """A fact that must hold, or must not."""

    fact: Fact
    positive: bool

    def __str__(self) -> str:
        return str(self.fact) if self.positive else f"(not {self.fact})"


class Fault(Exception):
    """Why a step, or the plan as a whole, is invalid."""

    def __init__(self, reason: str, hint: str | None = None, missing: Iterable[str] = ()):
        super().__init__(reason)
        self.reason, self.hint, self.missing = reason, hint, tuple(missing)


@dataclass(frozen=True, slots=True)
class Act:
    """An instantiated step."""

    agent: str
    conditions: tuple[Condition, ...]
    task: Task
    cost: int


class World:
    """A description as the validator sees it: initial state, goal, and what steps do."""

    def __init__(self, description: Description):
        self.agents = agents_of(description)
        self._factored = description.form is Form.FACTORED
        self._views = tuple(View(pair) for pair in description.pairs)
        self._minimize = any(pair.problem.minimize for pair in description.pairs)
        self.initial = frozenset(fact for view in self._views for fact in view.initial())
        goals = (goal for view in self._views for goal in view.goals())
        self.goal: tuple[Condition, ...] = tuple(dict.fromkeys(goals))

    def act(self, step: Step) -> Act:
        """The effect of a step, or the `Fault` if it is not a step of this problem."""
        view, agent = self._factored_owner(step) if self._factored else self._first_argument(step)
        action = view.actions[step.name]
        _check_count(step, action)
        for arg, parameter in zip(step.args, action.parameters, strict=True):
            self._check_argument(view, agent, step.name, arg, parameter)
        binding = {p.name: arg for p, arg in zip(action.parameters, step.args, strict=True)}
        conditions = tuple(view.conditions(action.precondition, binding, agent))
        effects = tuple(view.conditions(action.effect, binding, agent))
        cost = view.cost(action, binding)
        task = Task(
            agent,
            needs=frozenset(c.fact for c in conditions if c.positive),
            forbids=frozenset(c.fact for c in conditions if not c.positive),
            adds=frozenset(e.fact for e in effects if e.positive),
            deletes=frozenset(e.fact for e in effects if not e.positive),
        )
        return Act(agent, conditions, task, cost if self._minimize else 1)

    def _first_argument(self, step: Step) -> tuple[View, str]:
        view = self._views[0]
        if step.name not in view.actions:
            raise self._unknown_action(step)
        _check_count(step, view.actions[step.name])
        agent = step.args[0]
        if step.agent not in (None, agent):
            raise Fault(f"it is an action of '{agent}', but the plan assigns it to '{step.agent}'")
        return view, agent

    def _factored_owner(self, step: Step) -> tuple[View, str]:
        having = [view for view in self._views if step.name in view.actions]
        if not having:
            raise self._unknown_action(step)
        if step.agent is not None:
            if step.agent not in self.agents:
                hint = nearest(step.agent, self.agents)
                raise Fault(f"there is no agent '{step.agent}'", hint)
            having = [view for view in having if view.agent == step.agent]
            if not having:
                raise Fault(f"agent '{step.agent}' has no action '{step.name}'")
        counted = [v for v in having if len(v.actions[step.name].parameters) == len(step.args)]
        if not counted:
            _check_count(step, having[0].actions[step.name])
        fitting = [view for view in counted if view.may_do(step)]
        named = [view for view in fitting if step.args[:1] == (view.agent,)]
        for found in (fitting, named):
            if len(found) == 1:
                return found[0], found[0].agent
        names = [view.agent for view in fitting or having]
        if fitting:
            who = ", ".join(names)
            raise Fault(f"it may be an action of any of {who}; the plan must name the agent")
        first = step.args[0] if step.args else ""
        who = f"agent '{names[0]}'" if len(names) == 1 else "an agent that has this action"
        raise Fault(f"its first argument must be {who}", nearest(first, names))

    def _unknown_action(self, step: Step) -> Fault:
        known = sorted({name for view in self._views for name in view.actions})
        return Fault(f"there is no action '{step.name}'", nearest(step.name, known))

    def _check_argument(
        self, view: View, agent: str, action: str, arg: str, parameter: Typed
    ) -> None:
        item = view.objects.get(arg)
        if item is None:
            owners = [v.agent for v in self._views if arg in v.objects]
            if owners:
                raise Fault(f"agent '{agent}' may not use '{arg}', an object of '{owners[0]}'")
            raise Fault(f"there is no object '{arg}'", nearest(arg, view.objects))
        if item.owner not in (None, "", agent):
            raise Fault(f"agent '{agent}' may not use '{arg}', which is private to '{item.owner}'")
        if not view.types.accepts(parameter.types, item.types):
            given, wanted = " or ".join(item.types), " or ".join(parameter.types)
            raise Fault(
                f"'{arg}' is of type '{given}', but '{action}' expects '{wanted}' "
                f"as {parameter.name}"
            )


class View:
    """One pair of files: the complete problem, or one agent's part of it."""

    def __init__(self, pair: Pair):
        self._pair = pair
        self.agent = pair.agent or ""
        self.types = types_of(pair.domain.types)
        self.objects = {item.name: item for item in pair.objects}
        self.actions = {action.name: action for action in pair.domain.actions}
        self._privacy = Privacy(pair)
        self._agent_types = agent_types_of(pair, self.types)
        self._values = {(term.name, term.args): value for term, value in pair.problem.values}

    def initial(self) -> Iterator[Fact]:
        """The initial facts that count: those with an owner, in a factored file its own agent."""
        for atom in self._pair.problem.init:
            fact = self._fact(atom.name, atom.args)
            mine = self._pair.agent is None or fact.owner in (None, self._pair.agent)
            if mine and fact.owner != NOBODY:
                yield fact

    def goals(self) -> Iterator[Condition]:
        for literal in self._pair.problem.goal:
            yield Condition(self._fact(literal.atom.name, literal.atom.args), literal.positive)

    def may_do(self, step: Step) -> bool:
        """Whether a step can be this agent's: an agent parameter binds only to it, and so does a
        first parameter that an equality binds to the agent.
        """
        action = self.actions[step.name]
        is_bound = has_agent_parameter(action, self.agent, self._agent_types) or any(
            literal.positive
            and literal.atom.name == EQUALS
            and set(literal.atom.args) == {action.parameters[0].name, self.agent}
            for literal in action.precondition
            if action.parameters
        )
        return not is_bound or step.args[:1] == (self.agent,)

    def conditions(
        self, literals: Iterable[Literal], binding: Mapping[str, str], agent: str
    ) -> Iterator[Condition]:
        """The literals as conditions on facts that `agent` may touch; equalities are decided."""
        for literal in literals:
            name, args = literal.atom.name, _bound(literal.atom, binding)
            if name == EQUALS:
                _check_equality(literal, args)
                continue
            fact = self._fact(name, args)
            if fact.owner == NOBODY:
                raise Fault(f"{fact} is over the private objects of two agents")
            if fact.owner not in (None, agent):
                raise Fault(f"{fact} is private to agent '{fact.owner}'")
            yield Condition(fact, literal.positive)

    def cost(self, action: Action, binding: Mapping[str, str]) -> int:
        """By how much the action increases `total-cost`."""
        total = 0
        for term in action.cost:
            if isinstance(term, Atom):
                key = (term.name, _bound(term, binding))
                if key not in self._values:
                    shown = f"({' '.join((key[0], *key[1]))})"
                    raise Fault(f"its cost is undefined: {shown} has no value", None, [shown])
                total += self._values[key]
            else:
                total += term
        return total

    def _fact(self, name: str, args: tuple[str, ...]) -> Fact:
        return Fact(self._privacy.owner(name, args), name, args)


def _bound(atom: Atom, binding: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(binding.get(arg, arg) for arg in atom.args)


def _check_equality(literal: Literal, args: tuple[str, ...]) -> None:
    if (args[0] == args[1]) != literal.positive:
        shown = f"(= {args[0]} {args[1]})"
        shown = shown if literal.positive else f"(not {shown})"
        raise Fault(f"{shown} does not hold", None, [shown])


def _check_count(step: Step, action: Action) -> None:
    wanted = len(action.parameters)
    if len(step.args) != wanted:
        raise Fault(f"'{step.name}' takes {wanted} arguments, found {len(step.args)}")

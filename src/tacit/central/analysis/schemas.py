"""Actions instantiated backwards, from a fact that they add, out of the files of all agents.

Grounding leaves out what can never be reached, so what *would* add a fact is found from the syntax
tree, with the validator's reading of it (`tacit.central.validate.steps`). There are many instances
of a schema, and most lack several facts that no action adds; instances that lack more than one are
left out, since no single fact makes them possible.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass

from tacit.central.validate.plan import Step
from tacit.central.validate.steps import Condition, Fault, View
from tacit.pddl.syntax import Action, Description, Form, Typed

MOST_INSTANCES = 200_000
"""More are not looked at: it is not worth a user's patience."""
MOST_LACKED = 1


class TooMany(Exception):
    """There are more instances than it is worth to look at."""


@dataclass(frozen=True, slots=True)
class Instance:
    """An action with its arguments; `lacks` are those of its conditions that are out of reach."""

    name: str
    lacks: tuple[Condition, ...]


Binding = dict[str, str]


class Schemas:
    """The actions of all agents, before grounding."""

    def __init__(self, description: Description):
        self._is_factored = description.form is Form.FACTORED
        self._views = tuple(View(pair) for pair in description.pairs)
        self._added = {
            (effect.atom.name, effect.positive)
            for view in self._views
            for action in view.actions.values()
            for effect in action.effect
        }
        self._needed = {
            (literal.atom.name, literal.positive)
            for view in self._views
            for action in view.actions.values()
            for literal in action.precondition
        }
        self._count = 0
        self.left_out: set[Condition] = set()
        """What some instances would make hold that lack too much."""

    def can_add(self, condition: Condition) -> bool:
        """Does any action make conditions of this kind hold?"""
        return (condition.fact.name, condition.positive) in self._added

    def may_harm(self, condition: Condition) -> bool:
        """Does any action need the opposite of such a condition?"""
        return (condition.fact.name, not condition.positive) in self._needed

    def adders(self, wanted: Condition, reached: Container[Condition]) -> Iterator[Instance]:
        """The instances that would make a condition hold."""
        if not self.can_add(wanted):
            return
        for view in self._views:
            if self._is_factored and wanted.fact.owner not in (None, view.agent):
                continue
            for action in view.actions.values():
                for binding in _unified(action, wanted):
                    yield from _Search(self, view, action, wanted, reached).instances(binding)

    def agent(self, view: View, action: Action, binding: Mapping[str, str]) -> str | None:
        """Who would execute it, as far as that is known."""
        return view.agent if self._is_factored else binding.get(action.parameters[0].name)

    def may_do(self, view: View, step: Step) -> bool:
        return not self._is_factored or view.may_do(step)

    def count(self) -> None:
        self._count += 1
        if self._count > MOST_INSTANCES:
            raise TooMany


def _unified(action: Action, wanted: Condition) -> Iterator[Binding]:
    """The bindings under which an effect of the action is what is wanted."""
    for effect in action.effect:
        if (effect.atom.name, effect.positive) != (wanted.fact.name, wanted.positive):
            continue
        binding: Binding = {}
        pairs = zip(effect.atom.args, wanted.fact.args, strict=True)
        if all(
            binding.setdefault(term, arg) == arg if term[:1] == "?" else term == arg
            for term, arg in pairs
        ):
            yield binding


class _Search:
    """All instances of an action under a binding, parameter by parameter."""

    def __init__(
        self,
        schemas: Schemas,
        view: View,
        action: Action,
        wanted: Condition,
        reached: Container[Condition],
    ):
        self._schemas = schemas
        self._view = view
        self._action = action
        self._wanted = wanted
        self._reached = reached

    def instances(self, binding: Binding) -> Iterator[Instance]:
        given = [p for p in self._action.parameters if p.name in binding]
        free = [p for p in self._action.parameters if p.name not in binding]
        if all(self._fits(p, binding[p.name], binding) for p in given):
            yield from self._bind(dict(binding), free)

    def _bind(self, binding: Binding, free: list[Typed]) -> Iterator[Instance]:
        lacks = self._lacks(binding)
        if lacks is None:
            return
        if free:
            parameter, *rest = free
            for name in self._view.objects:
                if self._fits(parameter, name, binding | {parameter.name: name}):
                    yield from self._bind(binding | {parameter.name: name}, rest)
            return
        self._schemas.count()
        args = tuple(binding[p.name] for p in self._action.parameters)
        step = Step(None, self._action.name, args)
        if self._schemas.may_do(self._view, step) and self._is_effective(binding):
            yield Instance(str(step), lacks)

    def _fits(self, parameter: Typed, name: str, binding: Binding) -> bool:
        """May the agent use this object here?"""
        item = self._view.objects.get(name)
        if item is None or not self._view.types.accepts(parameter.types, item.types):
            return False
        agent = self._schemas.agent(self._view, self._action, binding)
        return agent is None or item.owner in (None, "", agent)

    def _lacks(self, binding: Binding) -> tuple[Condition, ...] | None:
        """Of the conditions known under this binding, those out of reach; None if there are too
        many, or it cannot be an action of this agent.
        """
        agent = self._schemas.agent(self._view, self._action, binding)
        if agent is None:
            return ()
        known = [
            literal
            for literal in self._action.precondition
            if all(term in binding for term in literal.atom.args if term[:1] == "?")
        ]
        try:
            conditions = dict.fromkeys(self._view.conditions(known, binding, agent))
        except Fault:
            return None
        if any(one._replace(positive=not one.positive) in conditions for one in conditions):
            return None
        lacks = tuple(one for one in conditions if one not in self._reached)
        never = sum(not self._schemas.can_add(one) for one in lacks)
        if never > MOST_LACKED:
            self._schemas.left_out.add(self._wanted)
            return None
        return lacks

    def _is_effective(self, binding: Binding) -> bool:
        """Has it a cost, and an effect that lasts? What is deleted and added is added."""
        agent = self._schemas.agent(self._view, self._action, binding)
        assert agent is not None
        try:
            self._view.cost(self._action, binding)
            effects = set(self._view.conditions(self._action.effect, binding, agent))
        except Fault:
            return False
        return self._wanted.positive or self._wanted._replace(positive=True) not in effects

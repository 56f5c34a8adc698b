"""MA-PDDL as a `MultiAgentProblem`.

Public predicates become fluents of the environment, private ones fluents of their agents
(`splitting` separates the two). Names are kept where unified-planning, in which no two things may
share a name, allows it: an agent that is also an argument somewhere is also an object called
`NAME-object`. Costs become the number `total-cost`, which actions increase.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from unified_planning.environment import Environment, get_environment
from unified_planning.model import Fluent, FNode, InstantaneousAction, Object, Parameter
from unified_planning.model.multi_agent import Agent, MultiAgentProblem

from tacit.pddl.formula import TOTAL_COST
from tacit.pddl.syntax import OBJECT, Description
from tacit.unified_planning.content import Content
from tacit.unified_planning.terms import Distinct, Equality, Key, Kind, Term, Use, Variant, distinct


def to_problem(
    description: Description, environment: Environment | None = None
) -> MultiAgentProblem:
    """The problem of a description."""
    return _Builder(description, get_environment(environment)).build()


class _Builder:
    def __init__(self, description: Description, environment: Environment):
        self.content = Content(description)
        self.environment = environment
        self.problem = MultiAgentProblem(description.name, environment)
        agents = [view.agent for view in self.content.views]
        self.names = Distinct()
        self.own_names = {agent: self.names.inner() for agent in agents}
        self.agents = {agent: Agent(self.names.new(agent), self.problem) for agent in agents}
        self.fluents: dict[Key, Fluent] = {}
        self.known: dict[Key, Fluent] = {}
        self._kinds: dict[Kind, Any] = {}

    def build(self) -> MultiAgentProblem:
        public = [key for key in self.content.signatures if key.agent is None]
        names = {key: self.names.new(key.name) for key in public}
        total = self.names.new(TOTAL_COST)
        self.objects = self._make_objects()
        self.fluents |= {key: self._fluent(key, names[key]) for key in public}
        for agent in self.agents:
            self._make_own(agent)
        self.total = Fluent(total, self.environment.type_manager.IntType(), None, self.environment)
        if self.content.costs:
            self.problem.ma_environment.add_fluent(self.total, default_initial_value=0)
        self._set_initial()
        for agent in self.agents:
            self._make_actions(agent)
            self.problem.add_agent(self.agents[agent])
        self._add_goals()
        return self.problem

    def _add_goals(self) -> None:
        for use, positive in self.content.goals:
            node = self._applied(use)
            goal = node if positive else self.environment.expression_manager.Not(node)
            if use.key.agent is None:
                self.problem.add_goal(goal)
            else:
                self.agents[use.key.agent].add_private_goal(goal)

    def _kind(self, kind: Kind) -> Any:
        if kind not in self._kinds:
            father = None
            if kind.name != OBJECT:
                above = Kind(kind.owner, self.content.hierarchy.above(kind.name)[1])
                if above.name != OBJECT or kind.owner in self.content.rooted:
                    father = self._kind(above)
            name = kind.name if kind.owner is None else f"{kind.name}-of-{kind.owner}"
            made = self.environment.type_manager.UserType(self.names.new(name), father)
            self._kinds[kind] = made
        return self._kinds[kind]

    def _make_objects(self) -> dict[tuple[str | None, str], Object]:
        """All objects; agents are objects only where something takes them as arguments."""
        content = self.content
        named = {term for use in content.uses for term in use.args if term.is_object}
        named |= {t for v in self._all_variants() for t in v.equated if t.is_object}
        taken = {term.kind for variant in self._all_variants() for term in variant.parameters}
        found: dict[tuple[str | None, str], Object] = {}
        for term in (term for view in content.views for term in view.terms()):
            owner, kind = term.kind
            fits = {Kind(owner, name) for name in content.hierarchy.above(kind)}
            wanted = term.name not in self.agents or term in named or not taken.isdisjoint(fits)
            if wanted and (owner, term.name) not in found:
                is_agent = term.name in self.agents
                name = self.names.new(f"{term.name}-object" if is_agent else term.name)
                found[owner, term.name] = Object(name, self._kind(term.kind), self.environment)
        self.problem.add_objects(found.values())
        return found

    def _all_variants(self) -> Iterator[Variant]:
        return (variant for own in self.content.variants.values() for variant in own)

    def _fluent(self, key: Key, name: str) -> Fluent:
        manager = self.environment.type_manager
        kind = manager.IntType() if key.number else manager.BoolType()
        names = distinct(self.content.parameter_names(key))
        signature = [
            Parameter(own, self._kind(kind), self.environment)
            for own, kind in zip(names, self.content.signatures[key], strict=True)
        ]
        fluent = Fluent(name, kind, signature, self.environment)
        owner = self.problem.ma_environment if key.agent is None else self.agents[key.agent]
        owner.add_fluent(fluent, default_initial_value=0 if key.number else False)
        if key.number and self.content.is_partial(key):
            taken = self.names if key.agent is None else self.own_names[key.agent]
            known = Fluent(taken.new(f"{name}-known"), None, signature, self.environment)
            owner.add_fluent(known, default_initial_value=False)
            self.known[key] = known
        return fluent

    def _make_own(self, agent: str) -> None:
        """The fluents of an agent, named after their private arguments where there are several."""
        signatures = self.content.signatures
        for key in (key for key in signatures if key.agent == agent):
            alike = [k for k in signatures if k.agent in (None, agent) and k.name == key.name]
            names = zip(self.content.parameter_names(key), key.private, strict=True)
            private = [name for name, is_private in names if is_private and len(alike) > 1]
            fluent = self.own_names[agent].new("-".join([key.name, *private]))
            self.fluents[key] = self._fluent(key, fluent)

    def _applied(
        self,
        use: Use,
        parameters: Mapping[str, Any] = MappingProxyType({}),
        agent: str | None = None,
        known: bool = False,
    ) -> FNode:
        """A fluent with its arguments, as seen by an agent or (None) from outside.

        With `known` it is the fluent that is true if this number has a value.
        """
        manager = self.environment.expression_manager
        key = use.key
        fluent = self.known[key] if known else self.fluents[key]
        node = manager.FluentExp(fluent, [self._term(a, parameters) for a in use.args])
        if key.agent is not None and agent is None:
            return manager.Dot(self.agents[key.agent], node)
        return node

    def _term(self, term: Term, parameters: Mapping[str, Any]) -> Any:
        if term.is_object:
            return self.objects[term.kind.owner, term.name]
        return parameters[term.name]

    def _set_initial(self) -> None:
        for use in self.content.facts:
            self.problem.set_initial_value(self._applied(use), True)
        for use, value in self.content.values.items():
            self.problem.set_initial_value(self._applied(use), value)
            if use.key in self.known:
                self.problem.set_initial_value(self._applied(use, known=True), True)

    def _make_actions(self, agent: str) -> None:
        variants = self.content.variants[agent]
        for variant in variants:
            alone = sum(v.schema == variant.schema for v in variants) == 1
            private = [t.name for t in variant.parameters if t.kind.owner is not None]
            name = "-".join([variant.schema, *([] if alone else private)])
            made = self._action(variant, self.own_names[agent].new(name), agent)
            self.agents[agent].add_action(made)

    def _action(self, variant: Variant, name: str, agent: str) -> InstantaneousAction:
        names = distinct(term.name for term in variant.parameters)
        kinds = [self._kind(term.kind) for term in variant.parameters]
        typed = OrderedDict(zip(names, kinds, strict=True))
        action = InstantaneousAction(name, typed, self.environment)
        parameters = {
            t.name: action.parameter(n) for t, n in zip(variant.parameters, names, strict=True)
        }
        manager = self.environment.expression_manager
        for use, positive in variant.needs:
            if isinstance(use, Equality):
                node = manager.Equals(*(self._term(term, parameters) for term in use.args))
            else:
                node = self._applied(use, parameters, agent)
            action.add_precondition(node if positive else manager.Not(node))
        for use, positive in variant.effects:
            action.add_effect(self._applied(use, parameters, agent), positive)
        if self.content.costs and variant.cost:
            self._add_cost(action, variant, parameters, agent)
        return action

    def _add_cost(
        self,
        action: InstantaneousAction,
        variant: Variant,
        parameters: Mapping[str, Any],
        agent: str,
    ) -> None:
        amounts: list[Any] = []
        for term in variant.cost:
            if not isinstance(term, Use):
                amounts.append(term)
                continue
            amounts.append(self._applied(term, parameters, agent))
            if term.key in self.known:
                action.add_precondition(self._applied(term, parameters, agent, known=True))
        many = len(amounts) > 1
        total = self.environment.expression_manager.Plus(*amounts) if many else amounts[0]
        action.add_increase_effect(self.total, total)

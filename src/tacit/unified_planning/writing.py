"""A `MultiAgentProblem` as unfactored MA-PDDL, and the names to translate a plan back.

Identical actions of several agents become one action of MA-PDDL. Goals are those of the problem
and of all agents. Costs are written if the environment has a number `total-cost` that actions
increase: a `MultiAgentProblem` has no metric, and this is PDDL's own convention.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from unified_planning.exceptions import UPProblemDefinitionError
from unified_planning.model import Action, Fluent, FNode, InstantaneousAction, Object
from unified_planning.model.fluent import get_all_fluent_exp
from unified_planning.model.multi_agent import Agent, MultiAgentProblem

from tacit.errors import Diagnostic, InputError, UnsupportedError
from tacit.pddl import syntax
from tacit.pddl.formula import TOTAL_COST
from tacit.pddl.source import Source
from tacit.pddl.syntax import Atom, Form, Literal, Pair, Typed
from tacit.pddl.writer import write_pair
from tacit.unified_planning.expressions import Never, Translator, whole_number
from tacit.unified_planning.vocabulary import Names, Vocabulary, inverted

_SOURCE = Source("unified-planning", "")


@dataclass(frozen=True)
class Written:
    """The texts of domain and problem, and what their names stand for."""

    domain: str
    problem: str
    actions: dict[tuple[str, str], tuple[Agent, Action]]
    objects: dict[str, Object]


def write_problem(problem: MultiAgentProblem) -> Written:
    """Translate a problem; an `UnsupportedError` lists all that cannot be expressed."""
    if not isinstance(problem, MultiAgentProblem):
        raise UnsupportedError("only a MultiAgentProblem can be written as MA-PDDL")
    if not problem.agents:
        raise InputError("the problem has no agents")
    writer = _Writer(problem)
    pair = writer.pair()
    if writer.issues:
        notes = (Diagnostic(text, unsupported=True) for text in dict.fromkeys(writer.issues))
        raise UnsupportedError(notes)
    objects = {new: problem.object(old) for new, old in inverted(writer.vocabulary.objects).items()}
    return Written(*write_pair(pair), writer.actions, objects)


class _Writer:
    def __init__(self, problem: MultiAgentProblem):
        self.problem = problem
        self.issues: list[str] = []
        self.vocabulary = Vocabulary(problem, self.issues)
        self.actions: dict[tuple[str, str], tuple[Agent, Action]] = {}
        self._constants: set[str] = set()

    def pair(self) -> Pair:
        name = Names().new(self.problem.name or "problem")
        goal = tuple(dict.fromkeys(self._goals()))
        init, values = self._initial()
        schemas = tuple(self._schemas())
        vocabulary = self.vocabulary
        everything = [
            *(vocabulary.agent_object(agent.name) for agent in self.problem.agents),
            *(vocabulary.object(item) for item in self.problem.all_objects),
        ]
        everything += self._idle({item.owner for item in everything})
        domain = syntax.Domain(
            _SOURCE,
            Form.UNFACTORED,
            name,
            (":multi-agent", ":unfactored-privacy", ":typing", *self._requirements(schemas, goal)),
            vocabulary.types,
            tuple(item for item in everything if item.name in self._constants),
            tuple(vocabulary.predicates),
            tuple(vocabulary.functions),
            schemas,
        )
        objects = tuple(item for item in everything if item.name not in self._constants)
        costs = any(function.name == TOTAL_COST for function in vocabulary.functions)
        return Pair(
            None,
            domain,
            syntax.Problem(_SOURCE, name, name, objects, init, values, goal, costs),
        )

    def _idle(self, owners: set[str | None]) -> list[syntax.Object]:
        """A private object for every agent without actions, which is what declares the agent."""
        actors = {agent for agent, _ in self.actions}
        idle = [name for name in self.vocabulary.agents.values() if name not in {*actors, *owners}]
        names = Names((*self.vocabulary.agents.values(), *self.vocabulary.objects.values()))
        return [syntax.Object(names.new(f"{n}-own"), (syntax.OBJECT,), n, 0) for n in idle]

    def _requirements(
        self, schemas: Iterable[syntax.Action], goal: Iterable[Literal]
    ) -> Iterator[str]:
        conditions = [*goal, *(x for schema in schemas for x in schema.precondition)]
        if any(x.atom.name == syntax.EQUALS for x in conditions):
            yield ":equality"
        if not all(x.positive for x in conditions):
            yield ":negative-preconditions"
        if self.vocabulary.functions:
            yield ":action-costs"

    def _goals(self) -> Iterator[Literal]:
        for goal in self.problem.goals:
            yield from self._goal(goal, None, "a goal")
        for agent in self.problem.agents:
            for goal in agent.public_goals:
                yield from self._goal(goal, agent.name, f"a goal of '{agent.name}'")
            for goal in agent.private_goals:
                where = f"a private goal of '{agent.name}'"
                for literal in self._goal(goal, agent.name, where):
                    if not self._is_private(literal):
                        self.issues.append(
                            f"{where}: {goal} is public, so the goal would be public too"
                        )
                    yield literal

    def _goal(self, goal: FNode, agent: str | None, where: str) -> Iterator[Literal]:
        translator = Translator(self.vocabulary, self.issues, where, agent)
        try:
            found = list(translator.condition(goal))
        except Never:
            self.issues.append(f"{where}: it is false as it stands")
            return
        if any(literal.atom.name == syntax.EQUALS for literal in found):
            translator.refuse(f"an equality is not supported: {goal}")
        yield from found

    def _is_private(self, literal: Literal) -> bool:
        names = {p.name for p in self.vocabulary.predicates if p.private}
        return literal.atom.name in names

    def _initial(self) -> tuple[tuple[Atom, ...], tuple[tuple[Atom, int], ...]]:
        """The facts of the initial state, and the numeric constants."""
        init: dict[Atom, None] = {}
        values: dict[Atom, int] = {}
        translator = Translator(self.vocabulary, self.issues, "an initial value")
        for fluent, node in self._ground():
            number = fluent.type.is_int_type() or fluent.type.is_real_type()
            try:
                value = self.problem.initial_value(node)
            except UPProblemDefinitionError:
                translator.refuse(f"{node} has none")
                continue
            atom = translator.atom(node, number)
            if atom is None or atom.name == TOTAL_COST:
                continue
            if not number:
                if value.is_true():
                    init[atom] = None
            elif (amount := whole_number(value)) is not None:
                values[atom] = amount
            else:
                translator.refuse(f"{node} must be a whole number from 0 up, not {value}")
        return tuple(init), tuple(values.items())

    def _ground(self) -> Iterator[tuple[Fluent, FNode]]:
        """All ground fluents that may be true or are numbers: as few as the defaults allow."""
        explicit = self.problem.explicit_initial_values
        for owner in (self.problem.ma_environment, *self.problem.agents):
            agent = owner.name if isinstance(owner, Agent) else None
            for fluent in owner.fluents:
                if self.vocabulary.symbol(fluent, agent) is None:
                    continue
                default = owner.fluents_defaults.get(fluent)
                if default is not None and default.is_false():
                    nodes: Iterable[FNode] = (n for n in explicit if _is_of(n, fluent, agent))
                else:
                    nodes = (self._of(n, agent) for n in get_all_fluent_exp(self.problem, fluent))
                yield from ((fluent, node) for node in nodes)

    def _of(self, node: FNode, agent: str | None) -> FNode:
        manager = self.problem.environment.expression_manager
        return node if agent is None else manager.Dot(self.problem.agent(agent), node)

    def _schemas(self) -> Iterator[syntax.Action]:
        """Every action, once for all agents that share it."""
        shared: dict[syntax.Action, list[tuple[Agent, Action]]] = {}
        for agent in self.problem.agents:
            for action in agent.actions:
                schema = self._schema(agent, action)
                if schema is not None:
                    shared.setdefault(schema, []).append((agent, action))
        names = Names()
        for schema, actors in shared.items():
            name = names.new(schema.name)
            kinds = self.vocabulary.agent_types(agent.name for agent, _ in actors)
            first = Typed("?agent", kinds, 0)
            for agent, action in actors:
                self.actions[self.vocabulary.agents[agent.name], name] = (agent, action)
            parameters = (first, *schema.parameters)
            yield replace(schema, name=name, agent=first, parameters=parameters)

    def _schema(self, agent: Agent, action: Action) -> syntax.Action | None:
        """An action without its agent's parameter; None if it is never applicable."""
        where = f"action '{action.name}' of '{agent.name}'"
        if not isinstance(action, InstantaneousAction) or action.simulated_effect is not None:
            self.issues.append(f"{where}: only instantaneous actions are supported")
            return None
        names = Names({"agent"})
        variables = {p.name: f"?{names.new(p.name)}" for p in action.parameters}
        if not all(p.type.is_user_type() for p in action.parameters):
            self.issues.append(f"{where}: it has a parameter that is not an object")
            return None
        parameters = tuple(
            self.vocabulary.typed(variables[p.name], p.type) for p in action.parameters
        )
        translator = Translator(
            self.vocabulary, self.issues, where, agent.name, {**variables, "": "?agent"}
        )
        try:
            needs = tuple(x for node in action.preconditions for x in translator.condition(node))
        except Never:
            return None
        effects = [x for effect in action.effects for x in translator.effect(effect)]
        self._constants |= translator.mentioned
        cost = tuple(x for x in effects if not isinstance(x, Literal))
        changes = tuple(x for x in effects if isinstance(x, Literal))
        return syntax.Action(action.name, None, parameters, needs, changes, cost, 0)


def _is_of(node: Any, fluent: Fluent, agent: str | None) -> bool:
    """Whether it is this fluent of this agent."""
    if agent is None:
        return bool(node.is_fluent_exp() and node.fluent() == fluent)
    return bool(node.is_dot() and node.agent() == agent and node.arg(0).fluent() == fluent)

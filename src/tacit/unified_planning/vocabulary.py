"""The names in a `MultiAgentProblem`, as MA-PDDL spells them.

In unified-planning, agents are not objects, fluents may belong to an agent, and no object is
private. In MA-PDDL, agents are objects, predicates have an argument for their owner, and objects
may be private. So every agent becomes an object of the type `agent`, and a fluent of agents becomes
a predicate whose first parameter is `?agent`; one shared by several agents is one predicate. An
object whose type only one agent uses, in its private fluents and its actions, is private to it.

PDDL accepts lower-case names of a few characters; `Names` makes such names, each once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from unified_planning.model import Fluent, Object
from unified_planning.model.multi_agent import Agent, MultiAgentProblem

from tacit.pddl import syntax
from tacit.pddl.formula import TOTAL_COST
from tacit.pddl.syntax import OBJECT, Typed

_KEYWORDS = {
    "and",
    "or",
    "not",
    "imply",
    "forall",
    "exists",
    "when",
    "either",
    "increase",
    "number",
}


class Names:
    """Names that PDDL accepts, each used once. Letter case does not distinguish them."""

    def __init__(self, taken: Iterable[str] = ()):
        self._taken = {*taken, *_KEYWORDS}

    def new(self, wanted: str) -> str:
        """A name like this one that is not used yet.

        >>> names = Names()
        >>> names.new("At Home"), names.new("at-home"), names.new("1st")
        ('at-home', 'at-home-2', 'x1st')
        """
        base = re.sub(r"[^a-z0-9_-]+", "-", wanted.lower()) or "x"
        base = base if base[0].isalpha() else f"x{base}"
        name, number = base, 2
        while name in self._taken:
            name, number = f"{base}-{number}", number + 1
        self._taken.add(name)
        return name


@dataclass(frozen=True)
class Symbol:
    """How a fluent is spelled. With `of_agent`, its first argument is the agent that has it."""

    name: str
    of_agent: bool
    private: bool
    number: bool


class Vocabulary:
    """Names for everything in a problem. `issues` collects what MA-PDDL cannot express."""

    def __init__(self, problem: MultiAgentProblem, issues: list[str]):
        self.problem = problem
        self._issues = issues
        self._type_names = Names({OBJECT})
        self._types = {t: self._type_name(t) for t in problem.user_types}
        self.agent_type = self._type_names.new("agent")
        self._own_types: dict[str, str] = {}
        names = Names()
        self.agents: dict[str, str] = {a.name: names.new(a.name) for a in problem.agents}
        self.objects: dict[str, str] = {o.name: names.new(o.name) for o in problem.all_objects}
        self._symbols: dict[tuple[str | None, Fluent], Symbol] = {}
        self.predicates: list[syntax.Predicate] = []
        self.functions: list[syntax.Function] = []
        self._name_fluents()
        self._private_to = dict(_private_objects(problem))

    def _type_name(self, kind: object) -> str:
        name, father = getattr(kind, "name", ""), getattr(kind, "father", None)
        return OBJECT if name == OBJECT and father is None else self._type_names.new(name)

    def _name_fluents(self) -> None:
        names = Names({TOTAL_COST, "="})
        for fluent in self.problem.ma_environment.fluents:
            self._add(fluent, (), False, names)
        groups: dict[tuple[Fluent, bool], list[Agent]] = {}
        for agent in self.problem.agents:
            for fluent in agent.fluents:
                groups.setdefault((fluent, fluent not in agent.public_fluents), []).append(agent)
        for (fluent, private), agents in groups.items():
            self._add(fluent, agents, private, names)

    def _add(self, fluent: Fluent, agents: Iterable[Agent], private: bool, names: Names) -> None:
        """Declare a fluent: of the environment if it has no agents."""
        owners = [agent.name for agent in agents] or [None]
        is_number = fluent.type.is_int_type() or fluent.type.is_real_type()
        if not is_number and not fluent.type.is_bool_type():
            self._issues.append(f"fluent '{fluent.name}' is neither Boolean nor a number")
            return
        variables, parameters = Names({"agent"}), []
        for parameter in fluent.signature:
            if not parameter.type.is_user_type():
                self._issues.append(f"fluent '{fluent.name}' has a parameter that is not an object")
                return
            parameters.append(self.typed(f"?{variables.new(parameter.name)}", parameter.type))
        if is_number:
            total = owners == [None] and fluent.name.lower() == TOTAL_COST and not parameters
            name = TOTAL_COST if total else names.new(fluent.name)
            self.functions.append(syntax.Function(name, tuple(parameters), 0))
        else:
            name = names.new(fluent.name)
            kinds = self.agent_types([o for o in owners if o is not None])
            first = [Typed("?agent", kinds, 0)] if owners != [None] else []
            place = 0 if private else None
            self.predicates.append(syntax.Predicate(name, (*first, *parameters), private, place, 0))
        symbol = Symbol(name, owners != [None] and not is_number, private, is_number)
        self._symbols |= {(owner, fluent): symbol for owner in owners}

    def symbol(self, fluent: Fluent, agent: str | None) -> Symbol | None:
        """How the fluent of an agent, or of the environment, is spelled; None if unknown."""
        return self._symbols.get((agent, fluent))

    def typed(self, name: str, kind: object) -> Typed:
        return Typed(name, (self._types[kind],), 0)

    def agent_types(self, agents: Iterable[str]) -> tuple[str, ...]:
        """Types that these agents have and no others."""
        wanted = tuple(dict.fromkeys(agents))
        if len(wanted) == len(self.agents):
            return (self.agent_type,)
        for name in wanted:
            if name not in self._own_types:
                self._own_types[name] = self._type_names.new(f"{name}-type")
        return tuple(self._own_types[name] for name in wanted)

    @property
    def types(self) -> tuple[Typed, ...]:
        """All types, those of agents last. Complete only once all else is translated."""
        found = []
        for kind, name in self._types.items():
            father = getattr(kind, "father", None)
            if name != OBJECT:
                found.append(Typed(name, (self._types[father] if father else OBJECT,), 0))
        found.append(Typed(self.agent_type, (OBJECT,), 0))
        return (*found, *(Typed(n, (self.agent_type,), 0) for n in self._own_types.values()))

    def agent_object(self, name: str) -> syntax.Object:
        kind = self._own_types.get(name, self.agent_type)
        return syntax.Object(self.agents[name], (kind,), None, 0)

    def object(self, item: Object) -> syntax.Object:
        whose = self._private_to.get(item.name)
        owner = None if whose is None else self.agents[whose]
        return syntax.Object(self.objects[item.name], (self._types[item.type],), owner, 0)


def _private_objects(problem: MultiAgentProblem) -> Iterable[tuple[str, str]]:
    """Objects whose types only one agent uses, each with that agent."""
    users: dict[object, set[str | None]] = {}

    def add(kinds: Iterable[object], by: str | None) -> None:
        for kind in kinds:
            users.setdefault(kind, set()).add(by)

    for fluent in problem.ma_environment.fluents:
        add((p.type for p in fluent.signature), None)
    for agent in problem.agents:
        for fluent in agent.fluents:
            by = None if fluent in agent.public_fluents else agent.name
            add((p.type for p in fluent.signature), by)
        for action in agent.actions:
            add((p.type for p in action.parameters), agent.name)
    for item in problem.all_objects:
        found = set().union(*(users.get(kind, set()) for kind in item.type.ancestors))
        whose = found.pop() if len(found) == 1 else None
        if whose is not None:
            yield item.name, whose


def inverted(names: Mapping[str, str]) -> dict[str, str]:
    """The original names, by their PDDL names."""
    return {new: old for old, new in names.items()}

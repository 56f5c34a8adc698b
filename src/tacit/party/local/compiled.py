"""A pair of files as integers: what the grounder takes, and the way back to names.

Objects and predicates are numbered in the order of declaration, schemas likewise; later choices
that break ties by "order of declaration" rest on that. Public facts are ordered by the natural
order of names instead, because that order is the same for every agent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tacit import native
from tacit.errors import Diagnostic, InputError, UnsupportedError, input_error
from tacit.pddl.agents import (
    NOBODY,
    ONE_OWNER,
    Privacy,
    agent_types_of,
    has_agent_parameter,
    natural_order,
    owner_position,
)
from tacit.pddl.syntax import EQUALS, Action, Atom, Form, Literal, Pair, Predicate
from tacit.pddl.types import types_of

MAX_GROUND_ACTIONS = 20_000_000


class Compiled:
    """One pair of files, numbered. `agents` are those whose actions the files describe."""

    def __init__(self, pair: Pair, agents: Sequence[str]):
        self.pair = pair
        self.agents = tuple(agents)
        self._declared = pair.objects
        self.objects = [item.name for item in self._declared]
        self.predicates = [item.name for item in pair.domain.predicates]
        self.object_number = {name: number for number, name in enumerate(self.objects)}
        self.predicate_number = {name: number for number, name in enumerate(self.predicates)}
        self._types = types_of(pair.domain.types)
        self._fitting: dict[tuple[str, ...], list[int]] = {}
        self._agent_types = agent_types_of(pair, self._types)
        actors = {action.name: self._actors(action) for action in pair.domain.actions}
        self.schemas = [a for a in pair.domain.actions if actors[a.name]]
        self._actors_of = actors
        self.goals, self.negative_goals = self._goals()

    def _actors(self, action: Action) -> set[str]:
        """The agents that fit an action and have names for it: their files would have it."""
        if self.pair.domain.form is Form.FACTORED:
            return set(self.agents)
        private = {p.name: p for p in self.pair.domain.predicates if p.private}
        facts = (literal.atom.name for literal in (*action.precondition, *action.effect))
        owned = (private[name] for name in facts if name in private)
        wanted = {p.parameters[p.agent].types for p in owned if p.agent is not None}
        wanted.add(action.parameters[0].types)
        secret = {item.name: item.owner for item in self._declared if item.private}
        owners = {secret[arg] for atom in action.atoms for arg in atom.args if arg in secret}
        known = set(self.agents)
        return {
            item.name
            for item in self._declared
            if item.name in known
            and owners <= {item.name}
            and all(self._types.accepts(kinds, item.types) for kinds in wanted)
        }

    @property
    def changes(self) -> list[str]:
        """Predicates that some schema changes, in the order of declaration."""
        changed = {literal.atom.name for s in self.schemas for literal in s.effect}
        return [name for name in self.predicates if name in changed]

    @property
    def public_changes(self) -> list[str]:
        """Predicates of which some schema may change a public fact, in the order of declaration.

        A parameter that only private objects fit, as often for agents, makes a fact private.
        """
        public = {item.name for item in self._declared if not item.private}
        private = {p.name for p in self.pair.domain.predicates if p.private}
        changed: set[str] = set()
        for schema in self.schemas:
            hidden = {
                p.name for n, p in enumerate(schema.parameters) if self._only_private(schema, n)
            }
            for literal in schema.effect:
                atom = literal.atom
                constants = (arg for arg in atom.args if arg[0] != "?")
                if hidden.isdisjoint(atom.args) and public.issuperset(constants):
                    changed.add(atom.name)
        return [name for name in self.predicates if name in changed - private]

    def _only_private(self, schema: Action, place: int) -> bool:
        """Does nothing but private objects fit this parameter?"""
        parameter = schema.parameters[place]
        is_agent = place == 0 and self._has_agent_parameter(schema)
        return all(
            item.private
            for item in (self._declared[number] for number in self._of_types(parameter.types))
            if not is_agent or item.name in self._actors_of[schema.name]
        )

    @property
    def negates(self) -> list[str]:
        """Predicates that some schema or goal needs negated, in the order of declaration."""
        literals = [*self.pair.problem.goal, *(x for s in self.schemas for x in s.precondition)]
        negated = {literal.atom.name for literal in literals if not literal.positive}
        return [name for name in self.predicates if name in negated]

    @property
    def public_predicates(self) -> list[str]:
        return [p.name for p in self.pair.domain.predicates if not p.private]

    def grounder(self, public_changes: Iterable[str], negated: Iterable[str]) -> native.Grounder:
        """A grounder loaded with the initial facts.

        `public_changes` and `negated` are predicates that anybody changes or needs negated.
        """
        changing = set(public_changes)
        program = self._program(changing.union(self.changes))
        for name in changing.intersection(self.predicates):
            program.set_public_fluent(self.predicate_number[name])
        for name in set(negated).intersection(self.predicates):
            program.set_negated(self.predicate_number[name])
        grounder = native.Grounder(program, MAX_GROUND_ACTIONS)
        problem = self.pair.problem
        terms = [atom for atom, _ in problem.values]
        grounder.initial_values(self._flat_terms(terms, {}), [n for _, n in problem.values])
        grounder.initial(self.flat(problem.init, {}))
        return grounder

    def flat(self, atoms: Iterable[Atom], variables: Mapping[str, int]) -> list[int]:
        """Atoms as the core takes them: predicate, arguments, predicate, arguments, …"""
        return self._flat(atoms, self.predicate_number, variables)

    def fact(self, row: Sequence[int]) -> tuple[str, tuple[str, ...]]:
        """Predicate and arguments of a ground fact that came back from the core."""
        return self.predicates[row[0]], tuple(self.objects[n] for n in row[1:])

    def facts(self, flat: Sequence[int]) -> list[tuple[str, tuple[str, ...]]]:
        """The same for many facts in one flat list."""
        done = []
        position = 0
        while position < len(flat):
            predicate = self.pair.domain.predicates[flat[position]]
            end = position + 1 + len(predicate.parameters)
            done.append(self.fact(flat[position:end]))
            position = end
        return done

    def _flat(
        self, atoms: Iterable[Atom], numbers: Mapping[str, int], variables: Mapping[str, int]
    ) -> list[int]:
        objects = self.object_number
        done: list[int] = []
        for atom in atoms:
            done.append(numbers[atom.name])
            for arg in atom.args:
                done.append(variables[arg] if arg[0] == "?" else ~objects[arg])
        return done

    def _flat_terms(self, atoms: Iterable[Atom], variables: Mapping[str, int]) -> list[int]:
        offset = len(self.predicates)
        numbers = {f.name: offset + n for n, f in enumerate(self.pair.domain.functions)}
        return self._flat(atoms, numbers, variables)

    def _program(self, fluent: set[str]) -> native.Program:
        agent_number = {name: number for number, name in enumerate(self.agents)}
        owners = [
            -1 if item.owner is None else agent_number[item.owner or str(self.pair.agent)]
            for item in self._declared
        ]
        agents_of = [agent_number.get(name, -1) for name in self.objects]
        program = native.Program(owners, agents_of, self.pair.domain.form is Form.FACTORED)
        program.rank_objects(_ranks(self.objects))
        program.unit_cost = not self.pair.problem.minimize
        ranks = _ranks(self.predicates)
        for predicate, rank in zip(self.pair.domain.predicates, ranks, strict=True):
            self._check_arity(predicate)
            position = self._agent_position(predicate)
            program.add_predicate(
                len(predicate.parameters), position, predicate.name in fluent, rank
            )
        for function in self.pair.domain.functions:
            program.add_predicate(len(function.parameters), native.PUBLIC, False, 0)
        sets: dict[tuple[str, ...], int] = {}
        for schema in self.schemas:
            self._add_schema(program, schema, sets)
        return program

    def _check_arity(self, predicate: Predicate) -> None:
        if len(predicate.parameters) > native.MAX_ARITY:
            message = f"'{predicate.name}' has more than {native.MAX_ARITY} parameters"
            source = self.pair.domain.source
            raise UnsupportedError(source.diagnostic(predicate.at, message, unsupported=True))

    def _agent_position(self, predicate: Predicate) -> int:
        if not predicate.private:
            return native.PUBLIC
        position = owner_position(predicate, self._agent_types)
        return native.OWN if position is None else position

    def _add_schema(
        self, program: native.Program, schema: Action, sets: dict[tuple[str, ...], int]
    ) -> None:
        if len(schema.parameters) > native.MAX_PARAMETERS:
            message = f"'{schema.name}' has more than {native.MAX_PARAMETERS} parameters"
            source = self.pair.domain.source
            raise UnsupportedError(source.diagnostic(schema.at, message, unsupported=True))
        for parameter in schema.parameters:
            if parameter.types not in sets:
                sets[parameter.types] = program.add_set(self._of_types(parameter.types))
        variables = {p.name: number for number, p in enumerate(schema.parameters)}
        facts = [x for x in schema.precondition if x.atom.name != EQUALS]
        program.add_schema(
            [sets[p.types] for p in schema.parameters],
            self._has_agent_parameter(schema),
            self.flat((x.atom for x in facts if x.positive), variables),
            self.flat((x.atom for x in facts if not x.positive), variables),
            self.flat((x.atom for x in schema.effect if x.positive), variables),
            self.flat((x.atom for x in schema.effect if not x.positive), variables),
            self._equalities(schema, variables),
            sum(term for term in schema.cost if isinstance(term, int)),
            self._flat_terms((t for t in schema.cost if isinstance(t, Atom)), variables),
        )

    def _of_types(self, types: tuple[str, ...]) -> list[int]:
        """The objects that fit."""
        if types not in self._fitting:
            accepts = self._types.accepts
            self._fitting[types] = [
                number for number, item in enumerate(self._declared) if accepts(types, item.types)
            ]
        return self._fitting[types]

    def _has_agent_parameter(self, schema: Action) -> bool:
        return has_agent_parameter(schema, self.pair.agent, self._agent_types)

    def _equalities(self, schema: Action, variables: Mapping[str, int]) -> list[int]:
        done: list[int] = []
        for literal in schema.precondition:
            if literal.atom.name == EQUALS:
                for arg in literal.atom.args:
                    done.append(variables[arg] if arg[0] == "?" else ~self.object_number[arg])
                done.append(int(literal.positive))
        return done

    def _goals(self) -> tuple[list[int], list[int]]:
        """The goals, positive and negative; every one must be public or one agent's own."""
        problem = self.pair.problem
        privacy = Privacy(self.pair)
        mistakes: list[Diagnostic] = []
        own: list[Literal] = []
        for literal in problem.goal:
            owner = privacy.owner(literal.atom.name, literal.atom.args)
            if owner is None or owner in self.agents:
                own.append(literal)
                continue
            why, hint = f"it is private to '{owner}'", None
            if owner == NOBODY:
                why, hint = privacy.why_nobody(literal.atom.name, literal.atom.args), ONE_OWNER
            message = f"the goal {literal.atom} belongs to no agent here: {why}"
            mistakes.append(problem.source.diagnostic(literal.atom.at, message, hint))
        if mistakes:
            raise input_error(mistakes)
        positive = (literal.atom for literal in own if literal.positive)
        negative = (literal.atom for literal in own if not literal.positive)
        return self.flat(positive, {}), self.flat(negative, {})


def ground_limit(error: native.GroundingLimit) -> InputError:
    """A grounding that grew past all bounds, as a user should hear of it."""
    hint = "look for an action with parameters that no precondition restricts"
    return InputError(f"the problem is too large to ground: {error}", hint)


def _ranks(names: Sequence[str]) -> list[int]:
    place = {name: rank for rank, name in enumerate(natural_order(set(names)))}
    return [place[name] for name in names]

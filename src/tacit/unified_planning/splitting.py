"""MA-PDDL prepared for unified-planning: actions are split until only fluents are private.

In MA-PDDL a fact is private by its predicate or by one of its objects. unified-planning has
private fluents but no private objects. So an agent's private objects get types of their own,
separate from those of public objects, and an action with a parameter that accepts both is split in
two. Then every atom of every action is either public or the agent's own, and so is its fluent. The
owner argument of a private predicate is the agent itself, and is dropped.

This module does not depend on unified-planning.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from tacit.errors import UnsupportedError
from tacit.pddl.agents import Privacy, agent_types_of, has_agent_parameter, owner_position
from tacit.pddl.syntax import EQUALS, Action, Atom, Pair, Typed
from tacit.pddl.types import Types
from tacit.unified_planning.terms import Equality, Key, Kind, Term, Use, Variant

MOST_VARIANTS = 4096
"""How many actions one may be split into."""


class View:
    """One agent's reading of a pair of files: its own pair, or the one that all share."""

    def __init__(self, pair: Pair, agent: str):
        self.pair = pair
        self.agent = agent
        self._types = Types(pair.domain.types)
        self._privacy = Privacy(pair)
        self._agent_types = agent_types_of(pair, self._types)
        self._objects = {item.name: item for item in pair.objects}
        self._owner_place = {
            p.name: owner_position(p, self._agent_types)
            for p in pair.domain.predicates
            if p.private
        }

    def terms(self) -> Iterator[Term]:
        """The objects that the agent knows."""
        for item in self._objects.values():
            if self._whose(item.name) in (None, self.agent):
                yield self.term(item.name)

    def term(self, name: str) -> Term:
        item = self._objects[name]
        if len(item.types) > 1:
            message = f"'{name}' is of several types"
            raise UnsupportedError(message, "unified-planning allows one for each object")
        return Term(Kind(self._whose(name), item.types[0]), name, True)

    def _whose(self, name: str) -> str | None:
        owner = self._objects[name].owner
        return (owner or self.pair.agent) if owner is not None else None

    def owner(self, atom: Atom) -> str | None:
        return self._privacy.owner(atom.name, atom.args)

    def use(self, atom: Atom, terms: dict[str, Term], number: bool = False) -> Use:
        """An atom, public or the agent's own, as a fluent; `terms` are values of its variables."""
        args = [terms[a] if a in terms else self.term(a) for a in atom.args]
        private = tuple(term.kind.owner is not None for term in args)
        is_own = any(private)
        if atom.name in self._owner_place and not number:
            is_own = True
            place = self._owner_place[atom.name]
            if place is not None:
                del args[place]
                private = private[:place] + private[place + 1 :]
        return Use(Key(self.agent if is_own else None, atom.name, private, number), tuple(args))

    def initial(self) -> Iterator[Use]:
        """The initial facts that the agent knows: public ones and its own."""
        for atom in self.pair.problem.init:
            if self.owner(atom) in (None, self.agent):
                yield self.use(atom, {})

    def can_express(self, use: Use) -> bool:
        """Whether the agent knows the predicate and the objects of a public fact."""
        named = all(term.name in self._objects for term in use.args)
        return use.key.agent is None and named and self.parameters(use.key) is not None

    def declared(self) -> Iterator[Use]:
        """Every public predicate, applied to terms of its declared types."""
        for predicate in self.pair.domain.predicates:
            if not predicate.private:
                yield self._example(predicate.name, predicate.parameters)

    def _example(self, name: str, parameters: tuple[Typed, ...]) -> Use:
        args = tuple(Term(Kind(None, p.types[0]), p.name, False) for p in parameters)
        return Use(Key(None, name, (False,) * len(args)), args)

    def parameters(self, key: Key) -> list[Typed] | None:
        """What a predicate or function declares, without its owner argument; None if not here."""
        declared = self.pair.domain.functions if key.number else self.pair.domain.predicates
        found = next((p for p in declared if p.name == key.name), None)
        if found is None:
            return None
        parameters = list(found.parameters)
        place = None if key.number else self._owner_place.get(key.name)
        if place is not None:
            del parameters[place]
        return parameters

    def variants(self) -> Iterator[Variant]:
        """All actions of the agent."""
        for action in self.pair.domain.actions:
            yield from self._split(action)

    def _split(self, action: Action) -> Iterator[Variant]:
        bound = self._bound(action)
        if bound is None:
            return
        free = [p for p in action.parameters if p.name not in bound]
        choices = [list(self._choices(p)) for p in free]
        count = 1
        for choice in choices:
            count *= len(choice)
        if count > MOST_VARIANTS:
            message = f"action '{action.name}' would be split into {count}"
            raise UnsupportedError(message, "its parameters take private objects and public ones")
        myself = {name: self.term(self.agent) for name in bound}
        for kinds in product(*choices):
            own = [Term(k, p.name[1:], False) for p, k in zip(free, kinds, strict=True)]
            terms = {**myself, **{p.name: term for p, term in zip(free, own, strict=True)}}
            made = self._variant(action, tuple(own), terms)
            if made is not None:
                yield made

    def _bound(self, action: Action) -> set[str] | None:
        """The parameters that can only be the agent itself; None if that makes it impossible."""
        bound = set()
        if has_agent_parameter(action, self.pair.agent, self._agent_types):
            bound.add(action.parameters[0].name)
        for literal in (*action.precondition, *action.effect):
            place = self._owner_place.get(literal.atom.name)
            if place is not None:
                bound.add(literal.atom.args[place])
        constants = {name for name in bound if name[0] != "?"}
        fitting = {p.name: p.types for p in action.parameters if p.name in bound}
        here = self._objects.get(self.agent)
        if constants - {self.agent} or (fitting and here is None):
            return None
        if here and not all(self._types.accepts(t, here.types) for t in fitting.values()):
            return None
        return bound - constants

    def _choices(self, parameter: Typed) -> Iterator[Kind]:
        """Types that together cover the objects the parameter accepts and the agent knows."""
        wanted = [
            name
            for name in dict.fromkeys(parameter.types)
            if not any(o != name and self._types.accepts((o,), (name,)) for o in parameter.types)
        ]
        for name in wanted:
            for owner in (None, self.agent):
                if any(
                    term.kind.owner == owner and self._types.accepts((name,), (term.kind.name,))
                    for term in self.terms()
                ):
                    yield Kind(owner, name)

    def _variant(
        self, action: Action, parameters: tuple[Term, ...], terms: dict[str, Term]
    ) -> Variant | None:
        """An action for these kinds of parameters; None if it is never applicable."""
        needs: list[tuple[Use | Equality, bool]] = []
        for literal in action.precondition:
            if literal.atom.name == EQUALS:
                pair = [terms[a] if a in terms else self.term(a) for a in literal.atom.args]
                decided = self._decided(pair[0], pair[1])
                if decided is None:
                    needs.append((Equality((pair[0], pair[1])), literal.positive))
                elif decided != literal.positive:
                    return None
            else:
                needs.append((self.use(literal.atom, terms), literal.positive))
        constants = (
            a for x in (*action.precondition, *action.effect) for a in x.atom.args if a[0] != "?"
        )
        if any(self._whose(name) not in (None, self.agent) for name in constants):
            return None
        effects = tuple((self.use(x.atom, terms), x.positive) for x in action.effect)
        cost = tuple(self.use(t, terms, True) if isinstance(t, Atom) else t for t in action.cost)
        return Variant(action.name, parameters, tuple(needs), effects, cost)

    def _decided(self, one: Term, other: Term) -> bool | None:
        """Whether two terms are equal, if that is already decided; None if it is not."""
        if one == other:
            return True
        if (one.is_object and other.is_object) or one.kind.owner != other.kind.owner:
            return False
        names = ((one.kind.name,), (other.kind.name,))
        return None if self._types.overlap(*names) else False

"""A problem in terms of fluents: initial facts, numbers, goals, actions, and all signatures.

A fluent accepts what its predicate declares and everything it is applied to anywhere: PDDL allows
a variable whose type is wider than the predicate's parameter, unified-planning does not.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from tacit.errors import InputError, UnsupportedError
from tacit.pddl.agents import agents_of
from tacit.pddl.syntax import OBJECT, Description, Form
from tacit.unified_planning.splitting import View
from tacit.unified_planning.terms import Hierarchy, Key, Kind, Use, Variant


class Content:
    """A description, agent by agent. `costs` is true if costs count."""

    def __init__(self, description: Description):
        self.views = _views(description)
        self.hierarchy = Hierarchy(description.pairs)
        self.costs = _costs(description)
        self.variants: dict[str, list[Variant]] = {v.agent: list(v.variants()) for v in self.views}
        self.facts = self._facts()
        self.values = self._values() if self.costs else {}
        self.goals = self._goals(description.form)
        self.uses = list(self._uses())
        self.signatures = self._signatures()
        self.rooted = self._rooted()

    def _facts(self) -> dict[Use, None]:
        """All initial facts; an agent that can express a public one must have it."""
        known = {view.agent: dict.fromkeys(view.initial()) for view in self.views}
        for view in self.views:
            if view.pair.agent is None:
                break  # all share one pair of files
            for other, facts in known.items():
                for use in facts:
                    if use not in known[view.agent] and view.can_express(use):
                        raise InputError(
                            f"agents disagree: ({use}) holds initially for '{other}', "
                            f"but not for '{view.agent}'"
                        )
        return {use: None for facts in known.values() for use in facts}

    def _values(self) -> dict[Use, int]:
        values: dict[Use, int] = {}
        for view in self.views:
            known = {term.name for term in view.terms()}
            for atom, value in view.pair.problem.values:
                if known.issuperset(atom.args):
                    values[view.use(atom, {}, True)] = value
        return values

    def _goals(self, form: Form) -> list[tuple[Use, bool]]:
        goals: dict[tuple[Use, bool], None] = {}
        agents = {view.agent for view in self.views}
        for view in self.views:
            for literal in view.pair.problem.goal:
                owner = view.owner(literal.atom)
                if owner in (None, view.agent):
                    goals[view.use(literal.atom, {}), literal.positive] = None
                elif owner not in agents or form is Form.FACTORED:
                    whose = f"is private to '{owner}'" if owner in agents else "two agents share"
                    raise InputError(f"the goal {literal.atom} has no owner here: it {whose}")
        return list(goals)

    def _uses(self) -> Iterable[Use]:
        for view in self.views:
            yield from view.declared()
            for variant in self.variants[view.agent]:
                yield from (use for use, _ in variant.needs if isinstance(use, Use))
                yield from (use for use, _ in variant.effects)
                if self.costs:
                    yield from (use for use in variant.cost if isinstance(use, Use))
        yield from self.facts
        yield from self.values
        yield from (use for use, _ in self.goals)

    def _signatures(self) -> dict[Key, list[Kind]]:
        found: dict[Key, list[set[str]]] = {}
        for key, args in self.uses:
            if key not in found:
                found[key] = [set() for _ in args]
                for view in self._views_of(key):
                    for names, parameter in zip(
                        found[key], view.parameters(key) or (), strict=False
                    ):
                        names.update(parameter.types)
            for names, term in zip(found[key], args, strict=True):
                names.add(term.kind.name)
        return {
            key: [
                Kind(key.agent if private else None, self.hierarchy.common(names))
                for names, private in zip(columns, key.private, strict=True)
            ]
            for key, columns in found.items()
        }

    def _views_of(self, key: Key) -> list[View]:
        return [view for view in self.views if key.agent in (None, view.agent)]

    def parameter_names(self, key: Key) -> list[str]:
        """The names of a fluent's parameters."""
        declared = (view.parameters(key) for view in self._views_of(key))
        return [p.name[1:] for p in next(found for found in declared if found is not None)]

    def _rooted(self) -> set[str | None]:
        """The owners whose objects need a type above all others."""
        kinds = [kind for signature in self.signatures.values() for kind in signature]
        for view in self.views:
            kinds += [term.kind for term in view.terms()]
            kinds += [t.kind for v in self.variants[view.agent] for t in v.parameters]
        return {kind.owner for kind in kinds if kind.name == OBJECT}

    def is_partial(self, key: Key) -> bool:
        """Whether a numeric fluent has no value for some arguments."""
        sizes = [self._size(kind) for kind in self.signatures[key]]
        return prod(sizes) > sum(use.key == key for use in self.values)

    def _size(self, kind: Kind) -> int:
        found = {
            term
            for view in self.views
            for term in view.terms()
            if term.kind.owner == kind.owner and kind.name in self.hierarchy.above(term.kind.name)
        }
        return len(found)


def _costs(description: Description) -> bool:
    found = {pair.problem.minimize for pair in description.pairs}
    if len(found) > 1:
        raise UnsupportedError("some agents minimise costs and others do not")
    return found == {True}


def _views(description: Description) -> list[View]:
    agents = agents_of(description)
    if description.form is Form.UNFACTORED:
        return [View(description.pairs[0], agent) for agent in agents]
    pairs = {str(pair.agent): pair for pair in description.pairs}
    return [View(pairs[agent], agent) for agent in agents]

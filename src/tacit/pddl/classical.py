"""An unfactored problem as classical PDDL, for single-agent tools (VAL, Fast Downward).

The agent is the first parameter of every action, and nothing is private. Every plan of the
multi-agent problem is a plan of the classical one. The converse holds only where agents cannot use
each other's private objects anyway, which is so in all of CoDMAP's domains. What our reader
accepts and such tools reject is repaired: a type, function or requirement that is used but not
declared, an object that is also a constant, and a variable named like a keyword (VAL crashes on
`?number`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tacit.pddl.formula import TOTAL_COST
from tacit.pddl.syntax import (
    EQUALS,
    OBJECT,
    Action,
    Atom,
    Description,
    Domain,
    Form,
    Function,
    Literal,
    Pair,
    Typed,
)
from tacit.pddl.writer import plain_requirements, unfactored_pair, write_pair

_KEYWORDS = {
    *("number", "object", "either", "and", "or", "not", "imply", "forall", "exists", "when"),
    *("at", "over", "all", "start", "end", "increase", "decrease", "assign", "scale-up"),
    *("scale-down", "define", "domain", "problem", "minimize", "maximize", "preference"),
    *("always", "sometime", "within", "at-most-once", "sometime-after", "sometime-before"),
    *("always-within", "hold-during", "hold-after", "total-time", "is-violated"),
}


def classical(description: Description) -> tuple[str, str]:
    """The texts of a classical domain and problem with the same actions, facts and costs."""
    pair = unfactored_pair(description)
    constants = {item.name for item in pair.domain.constants}
    objects = (item for item in pair.problem.objects if item.name not in constants)
    domain = replace(
        pair.domain,
        form=Form.FACTORED,
        requirements=tuple(_requirements(pair)),
        types=tuple(_types(pair.domain)),
        constants=tuple(replace(item, owner=None) for item in pair.domain.constants),
        predicates=tuple(
            replace(p, parameters=_renamed(p.parameters), private=False, agent=None)
            for p in pair.domain.predicates
        ),
        functions=tuple(_functions(pair)),
        actions=tuple(_action(action) for action in pair.domain.actions),
    )
    objects = (replace(item, owner=None) for item in objects)
    problem = replace(pair.problem, objects=tuple(objects), requirements=())
    return write_pair(Pair(None, domain, problem))


def _requirements(pair: Pair) -> Iterator[str]:
    declared = plain_requirements(pair.domain)
    yield from declared
    conditions = [literal for action in pair.domain.actions for literal in action.precondition]
    used = {
        ":strips": True,
        ":equality": any(literal.atom.name == EQUALS for literal in conditions),
        ":negative-preconditions": not all(
            literal.positive for literal in (*conditions, *pair.problem.goal)
        ),
        ":action-costs": _uses_costs(pair),
    }
    yield from (name for name, needed in used.items() if needed and name not in declared)


def _types(domain: Domain) -> Iterator[Typed]:
    """The declared types except `object`, then parents that are only mentioned."""
    known = {OBJECT}
    for item in domain.types:
        if item.name != OBJECT:
            known.add(item.name)
            yield item
    for item in domain.types:
        for parent in item.types:
            if parent not in known:
                known.add(parent)
                yield Typed(parent, (OBJECT,), item.at)


def _functions(pair: Pair) -> Iterator[Function]:
    if _uses_costs(pair) and all(f.name != TOTAL_COST for f in pair.domain.functions):
        yield Function(TOTAL_COST, (), 0)
    for function in pair.domain.functions:
        yield replace(function, parameters=_renamed(function.parameters))


def _uses_costs(pair: Pair) -> bool:
    return pair.problem.minimize or any(action.cost for action in pair.domain.actions)


def _action(action: Action) -> Action:
    return replace(
        action,
        agent=None,
        parameters=_renamed(action.parameters),
        precondition=tuple(_literal(literal) for literal in action.precondition),
        effect=tuple(_literal(literal) for literal in action.effect),
        cost=tuple(_atom(term) if isinstance(term, Atom) else term for term in action.cost),
    )


def _renamed(parameters: tuple[Typed, ...]) -> tuple[Typed, ...]:
    return tuple(replace(p, name=_variable(p.name)) for p in parameters)


def _literal(literal: Literal) -> Literal:
    return replace(literal, atom=_atom(literal.atom))


def _atom(atom: Atom) -> Atom:
    return replace(atom, args=tuple(_variable(arg) for arg in atom.args))


def _variable(name: str) -> str:
    return f"{name}-var" if name[0] == "?" and name[1:] in _KEYWORDS else name

"""Syntax trees as MA-PDDL text again.

Reading the text back yields the same tree except for offsets. Order is kept, so public and private
names may alternate: every run of names with one owner is a block of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from tacit.errors import InputError
from tacit.pddl.formula import TOTAL_COST
from tacit.pddl.syntax import (
    Action,
    Description,
    Domain,
    Form,
    Function,
    Literal,
    Object,
    Pair,
    Predicate,
    Problem,
    Typed,
)

_MULTI_AGENT = {
    *(":multi-agent", ":unfactored-privacy", ":unfactored_privacy"),
    *(":factored-privacy", ":factored_privacy", ":private-predicates"),
}


def write_pair(pair: Pair) -> tuple[str, str]:
    """The texts of a domain and of its problem."""
    return write_domain(pair.domain), write_problem(pair.problem, pair.domain)


def write_domain(domain: Domain) -> str:
    """The text of a domain, in its own form."""
    parts = [f"(define (domain {domain.name})"]
    if domain.requirements:
        parts.append(f"(:requirements {' '.join(domain.requirements)})")
    if domain.types:
        parts.append(_section(":types", (_typed(t) for t in domain.types)))
    if domain.constants:
        parts.append(_section(":constants", _objects(domain.constants)))
    if domain.predicates:
        parts.append(_section(":predicates", _predicates(domain)))
    if domain.functions:
        parts.append(_section(":functions", (_function(f) for f in domain.functions)))
    parts += (_action(action) for action in domain.actions)
    return "\n".join((*parts, ")\n"))


def write_problem(problem: Problem, domain: Domain) -> str:
    """The text of a problem of `domain`."""
    facts = [str(atom) for atom in problem.init]
    facts += (f"(= {term} {number})" for term, number in problem.values)
    if any(function.name == TOTAL_COST for function in domain.functions):
        facts.append(f"(= ({TOTAL_COST}) 0)")
    parts = [
        f"(define (problem {problem.name})",
        f"(:domain {problem.domain_name})",
        *([f"(:requirements {' '.join(problem.requirements)})"] if problem.requirements else []),
        _section(":objects", _objects(problem.objects)),
        _section(":init", facts),
        f"(:goal {_conjunction(problem.goal)})",
    ]
    if problem.minimize:
        parts.append(f"(:metric minimize ({TOTAL_COST}))")
    return "\n".join((*parts, ")\n"))


def unfactored_pair(description: Description) -> Pair:
    """The pair of an unfactored problem; other forms are made from it."""
    if description.form is not Form.UNFACTORED:
        raise InputError(
            "this problem is in the factored form; expected an unfactored one",
            "name its domain.pddl and problem.pddl",
        )
    return description.pairs[0]


def plain_requirements(domain: Domain) -> tuple[str, ...]:
    """The requirements that do not concern agents, `:typing` among them."""
    plain = [name for name in domain.requirements if name not in _MULTI_AGENT]
    return tuple(dict.fromkeys((":typing", *plain)))


def _section(name: str, lines: Iterable[str]) -> str:
    return "\n".join((f"({name}", *(f"  {line}" for line in lines), ")"))


def _type(types: Sequence[str]) -> str:
    return types[0] if len(types) == 1 else f"(either {' '.join(types)})"


def _typed(item: Typed | Object) -> str:
    return f"{item.name} - {_type(item.types)}"


def _applied(name: str, parameters: Iterable[Typed]) -> str:
    return f"({' '.join((name, *(_typed(p) for p in parameters)))})"


def _objects(items: Iterable[Object]) -> Iterable[str]:
    for owner, run in groupby(items, key=lambda item: item.owner):
        lines = [_typed(item) for item in run]
        yield from lines if owner is None else _private(owner, lines)


def _predicates(domain: Domain) -> Iterable[str]:
    for block, run in groupby(domain.predicates, key=lambda p: _block(p, domain.form)):
        lines = [_applied(p.name, p.parameters) for p in run]
        yield from lines if block is None else _private(block, lines)


def _block(predicate: Predicate, form: Form) -> str | None:
    """What follows `:private` in the block of a predicate, None for a public predicate."""
    if not predicate.private:
        return None
    if form is Form.FACTORED or predicate.agent is None:
        return ""
    return _typed(predicate.parameters[predicate.agent])


def _private(whose: str, lines: Iterable[str]) -> Iterable[str]:
    yield f"(:private {whose}".rstrip()
    yield from (f"  {line}" for line in lines)
    yield ")"


def _function(function: Function) -> str:
    return f"{_applied(function.name, function.parameters)} - number"


def _action(action: Action) -> str:
    lines = []
    own = action.parameters
    if action.agent is not None:
        lines.append(f":agent {_typed(action.agent)}")
        own = own[1:]
    lines.append(f":parameters ({' '.join(_typed(p) for p in own)})")
    lines.append(f":precondition {_conjunction(action.precondition)}")
    increases = [f"(increase ({TOTAL_COST}) {term})" for term in action.cost]
    lines.append(f":effect {_conjunction(action.effect, increases)}")
    return _section(f":action {action.name}", lines)


def _conjunction(literals: Iterable[Literal], more: Iterable[str] = ()) -> str:
    return f"({' '.join(('and', *(str(literal) for literal in literals), *more))})"

"""Preconditions, effects and goals: conjunctions of literals, and action costs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tacit.pddl.report import Mistake, Report
from tacit.pddl.sexpr import Group, Node, Word, need_group, need_name
from tacit.pddl.syntax import EQUALS, Atom, Literal

TOTAL_COST = "total-cost"
MAX_COST = 1_000_000_000
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?")
_UNSUPPORTED_CONDITION = {
    "or": "disjunctions",
    "imply": "implications",
    "forall": "quantifiers",
    "exists": "quantifiers",
    "preference": "preferences",
    "when": "conditional effects",
    "<": "numeric conditions",
    ">": "numeric conditions",
    "<=": "numeric conditions",
    ">=": "numeric conditions",
}
_UNSUPPORTED_EFFECT = {
    "when": "conditional effects",
    "forall": "quantified effects",
    "assign": "numeric effects other than increasing total-cost",
    "decrease": "numeric effects other than increasing total-cost",
    "scale-up": "numeric effects other than increasing total-cost",
    "scale-down": "numeric effects other than increasing total-cost",
    "probabilistic": "probabilistic effects",
    "oneof": "non-deterministic effects",
}
_NUMBERS = "Tacit has facts and costs: write levels as objects, and what counts as (total-cost)"
_INSTEAD = {
    "when": "write an action for each case, with the condition as a precondition",
    "or": "write an action for each alternative",
    "imply": "write an action for each case",
    "forall": "write the fact once for each object",
    "exists": "make what exists a parameter of the action",
    **dict.fromkeys(("<", ">", "<=", ">=", "assign", "decrease"), _NUMBERS),
}
"""What to write instead of what is not supported."""


def read_condition(node: Node, report: Report) -> tuple[Literal, ...]:
    """A conjunction of literals, flattened; `()` and `(and)` are empty."""
    return tuple(report.each(_conjuncts(need_group(node, "a condition")), _condition))


def read_effect(node: Node, report: Report) -> tuple[tuple[Literal, ...], tuple[int | Atom, ...]]:
    """The literals of an effect, and the terms by which it increases `total-cost`."""
    literals: list[Literal] = []
    costs: list[int | Atom] = []

    def keep(part: Group) -> None:
        _refuse(part, _UNSUPPORTED_EFFECT)
        if part.head == "increase":
            costs.append(_increase(part))
            return
        literal = _literal(part)
        if literal.atom.name == EQUALS:
            raise Mistake(part.at, "an effect cannot be an equality")
        literals.append(literal)

    report.each(_conjuncts(need_group(node, "an effect")), keep)
    if sum(term for term in costs if isinstance(term, int)) > MAX_COST:
        raise Mistake(node.at, f"costs above {MAX_COST:,} are not supported", unsupported=True)
    return tuple(literals), tuple(costs)


def read_atom(group: Group, what: str = "a fact") -> Atom:
    """`(name arg …)` with plain words as arguments."""
    if not group.items:
        raise Mistake(group.at, f"expected {what}, found '()'")
    name = group.items[0]
    if isinstance(name, Group) or name.text[0] in "?:-":
        shown = "(" if isinstance(name, Group) else name.text
        raise Mistake(name.at, f"expected the name of a predicate, found '{shown}'")
    args: list[str] = []
    for item in group.items[1:]:
        if isinstance(item, Group):
            raise Mistake(item.at, "expected an object or variable, found '('")
        args.append(item.text)
    return Atom(name.text, tuple(args), group.at)


def read_number(word: Word) -> int:
    """A whole number that is not negative; `5.0` is one."""
    if not _NUMBER.fullmatch(word.text):
        raise Mistake(word.at, f"expected a number, found '{word.text}'")
    value = float(word.text)
    if value < 0 or value > MAX_COST or value != int(value):
        raise Mistake(
            word.at,
            f"cost {word.text} is not supported: costs are whole numbers from 0 to {MAX_COST:,}",
            "scale all costs so that they are whole numbers",
            unsupported=True,
        )
    return int(value)


def _condition(group: Group) -> Literal:
    _refuse(group, _UNSUPPORTED_CONDITION)
    return _literal(group)


def _conjuncts(group: Group) -> Iterator[Group]:
    if not group.items:
        return
    if group.head != "and":
        yield group
        return
    for item in group.items[1:]:
        yield from _conjuncts(need_group(item, "a literal"))


def _refuse(group: Group, words: dict[str, str]) -> None:
    if group.head in words:
        feature = words[group.head]
        text = f"'{group.head}': {feature} are not supported"
        raise Mistake(group.at, text, _INSTEAD.get(group.head), unsupported=True)


def _literal(group: Group) -> Literal:
    if group.head != "not":
        return Literal(_checked(group))
    if len(group.items) != 2:
        raise Mistake(group.at, f"'not' takes one fact, found {len(group.items) - 1}")
    inner = need_group(group.items[1], "a fact")
    _refuse(inner, _UNSUPPORTED_CONDITION)
    if inner.head in ("and", "not"):
        raise Mistake(inner.at, "'not' around anything but a fact is not supported", None, True)
    return Literal(_checked(inner), positive=False)


def _checked(group: Group) -> Atom:
    if group.head == EQUALS:
        if any(isinstance(item, Group) for item in group.items[1:]):
            raise Mistake(group.at, "numeric conditions are not supported", _NUMBERS, True)
        if len(group.items) != 3:
            raise Mistake(group.at, f"'=' compares two things, found {len(group.items) - 1}")
    return read_atom(group)


def _increase(group: Group) -> int | Atom:
    if len(group.items) != 3:
        raise Mistake(group.at, "expected '(increase (total-cost) AMOUNT)'")
    target = need_group(group.items[1], "'(total-cost)'")
    if target.head != TOTAL_COST or len(target.items) != 1:
        raise Mistake(
            target.at, "numeric fluents other than (total-cost) are not supported", _NUMBERS, True
        )
    amount = group.items[2]
    if isinstance(amount, Word):
        return read_number(amount)
    if amount.head in ("+", "-", "*", "/"):
        raise Mistake(amount.at, "arithmetic in costs is not supported", None, True)
    need_name(amount.items[0] if amount.items else amount, "a function or a number")
    return read_atom(amount, "a function term")

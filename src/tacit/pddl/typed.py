"""Typed lists: `a b - t  c - (either t u)  d`."""

from __future__ import annotations

from tacit.pddl.report import Mistake, Report
from tacit.pddl.sexpr import Group, Node, Word, need_name
from tacit.pddl.syntax import OBJECT, Typed


def read_typed(
    items: list[Node], what: str, variables: bool = False, report: Report | None = None
) -> list[Typed]:
    """The names (or variables) of a typed list; a name without a type is an `object`.

    Converters write `- board` where there are no boards. With a `report` that is a warning.
    """
    done: list[Typed] = []
    waiting: list[Word] = []
    position = 0
    while position < len(items):
        node = items[position]
        if isinstance(node, Word) and node.text == "-":
            if not waiting and report is None:
                hint = "write '?x - TYPE', or leave the type out" if variables else None
                raise Mistake(node.at, f"expected {what} before '-'", hint)
            if position + 1 == len(items):
                raise Mistake(node.at, "expected a type after '-'")
            types = read_type(items[position + 1])
            if not waiting and report is not None:
                listed = " or ".join(types)
                message = f"expected {what} before '- {listed}'; taken as an empty list"
                report.warn("empty list", node.at, message)
            done.extend(Typed(word.text, types, word.at) for word in waiting)
            waiting.clear()
            position += 2
            continue
        waiting.append(_variable(node) if variables else need_name(node, what))
        position += 1
    done.extend(Typed(word.text, (OBJECT,), word.at) for word in waiting)
    return done


def read_type(node: Node) -> tuple[str, ...]:
    """A type name, or the names of an `(either …)`."""
    if isinstance(node, Word):
        return (need_name(node, "a type").text,)
    if node.head != "either":
        raise Mistake(node.at, "expected a type or '(either …)'")
    names = dict.fromkeys(need_name(item, "a type").text for item in node.items[1:])
    if not names:
        raise Mistake(node.at, "'(either)' names no type")
    return tuple(names)


def _variable(node: Node) -> Word:
    if isinstance(node, Group):
        raise Mistake(node.at, "expected a variable, found '('")
    if node.text[0] == "?" and len(node.text) > 1:
        return node
    hint = f"write '?{node.text}'"
    if node.text[0] in "-?:":
        hint = "write '?x - type', with spaces around the '-'"
    raise Mistake(node.at, f"expected a variable, found '{node.text}'", hint)

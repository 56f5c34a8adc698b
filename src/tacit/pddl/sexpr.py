"""From text to nested lists with offsets.

The reader is a loop and not a recursion, so that no input can exhaust the stack; it refuses
nesting deeper than any sane file has, so that everything after it can recurse freely.
"""

from __future__ import annotations

import msgspec

from tacit import watch
from tacit.pddl.parens import misplaced
from tacit.pddl.report import TOKEN, Mistake, Report
from tacit.pddl.source import Source
from tacit.spelling import HIDDEN, hidden

__all__ = ["Group", "Mistake", "Node", "Report", "Word", "need_group", "need_name", "read_sexpr"]

MAX_DEPTH = 60
_ASCII_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


class Word(msgspec.Struct, gc=False):
    """A name, variable, keyword or number, in lower case."""

    text: str
    at: int


class Group(msgspec.Struct):
    """The items between two parentheses."""

    items: list[Word | Group]
    at: int

    @property
    def head(self) -> str | None:
        """The first item, if it is a word."""
        first = self.items[0] if self.items else None
        return first.text if isinstance(first, Word) else None


Node = Word | Group


def read_sexpr(source: Source) -> Group:
    """The one parenthesised form that a PDDL file consists of."""
    report = Report(source)
    try:
        return _read(source)
    except Mistake as mistake:
        report.add(mistake)
    report.check()
    raise AssertionError("unreachable: check() raises")


def _read(source: Source) -> Group:
    text = source.text
    lowered = text.lower()
    if len(lowered) != len(text):  # a few capital letters grow when lowered; offsets must not move
        lowered = text.translate(_ASCII_LOWER)
    if HIDDEN.search(text):
        _refuse_hidden(text)
    top: list[Node] = []
    items = top
    stack: list[Group] = []
    for number, match in enumerate(TOKEN.finditer(lowered)):
        if not number % watch.MANY:
            watch.check()
        token = match[0]
        if token == "(":
            at = match.start()
            group = Group([], at)
            items.append(group)
            stack.append(group)
            items = group.items
            if len(stack) > MAX_DEPTH:
                raise Mistake(at, f"parentheses are nested more than {MAX_DEPTH} deep")
        elif token == ")":
            if not stack:
                raise misplaced(source)
            stack.pop()
            items = stack[-1].items if stack else top
        elif token[0] != ";":
            items.append(Word(token, match.start()))
    if stack:
        raise misplaced(source)
    return _only_form(top, source)


def _refuse_hidden(text: str) -> None:
    """No name holds a character that cannot be seen; comments may."""
    for match in TOKEN.finditer(text):
        found = None if match[0][0] == ";" else hidden(match[0])
        if found is not None:
            at, what = found
            hint = "write the name anew: it has a character that cannot be seen"
            raise Mistake(match.start() + at, f"unexpected {what}", hint)


def _only_form(top: list[Node], source: Source) -> Group:
    if not top:
        raise Mistake(0, "the file is empty; expected '(define …)'")
    first = top[0]
    if not isinstance(first, Group) or first.head != "define":
        raise Mistake(first.at, "expected '(define …)' here")
    for other in top[1:]:
        if isinstance(other, Group) and other.head == "define":
            hint = "a file holds one domain or one problem"
            raise Mistake(other.at, "unexpected second '(define …)'", hint)
    if len(top) > 1:
        raise misplaced(source)
    return first


def need_group(node: Node, what: str) -> Group:
    """The node as a group, or a mistake that says what was expected."""
    if isinstance(node, Group):
        return node
    raise Mistake(node.at, f"expected {what}, found '{node.text}'")


def need_name(node: Node, what: str) -> Word:
    """The node as a plain name, or a mistake that says what was expected."""
    if isinstance(node, Group):
        raise Mistake(node.at, f"expected {what}, found '('")
    if node.text[0] in "?:-" or node.text == "=":
        glued = node.text[0] == "-" and len(node.text) > 1
        hint = "put a space after the '-' of a type" if glued else None
        raise Mistake(node.at, f"expected {what}, found '{node.text}'", hint)
    return node

"""From text to nested lists with offsets, and the way mistakes are collected.

The reader is a loop and not a recursion, so that no input can exhaust the stack; it refuses
nesting deeper than any sane file has, which lets everything behind it recurse freely.

A parser function raises `Mistake` at the first thing wrong in an *item* (a section, an action, a
fact). Whoever loops over items hands the mistake to its `Report` and goes on with the next item,
so that all mistakes of a file are told together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from tacit.errors import Diagnostic, input_error
from tacit.pddl.source import Source

MAX_DEPTH = 60
MAX_MISTAKES = 20
_TOKEN = re.compile(r"[()]|[^\s();]+|;[^\n]*")
_ASCII_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}

T = TypeVar("T")
R = TypeVar("R")


@dataclass(slots=True)
class Word:
    """A name, variable, keyword or number, in lower case."""

    text: str
    at: int


@dataclass(slots=True)
class Group:
    """What stood between two parentheses."""

    items: list[Word | Group]
    at: int

    @property
    def head(self) -> str | None:
        """The first item, if it is a word."""
        first = self.items[0] if self.items else None
        return first.text if isinstance(first, Word) else None


Node = Word | Group


class Mistake(Exception):
    """Something wrong at an offset. Reaches a user only as a `Diagnostic`."""

    def __init__(self, at: int, message: str, hint: str | None = None, unsupported: bool = False):
        super().__init__(message)
        self.at, self.message, self.hint, self.unsupported = at, message, hint, unsupported


@dataclass(slots=True)
class Report:
    """The mistakes and warnings of one text, in the order in which they were found."""

    source: Source
    mistakes: list[Diagnostic] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def add(self, mistake: Mistake) -> None:
        self.mistakes.append(
            self.source.diagnostic(
                mistake.at, mistake.message, mistake.hint, mistake.unsupported
            )
        )

    def warn(self, at: int, message: str) -> None:
        self.warnings.append(f"{self.source.where(at)}: {message}")

    def each(self, items: Iterable[T], work: Callable[[T], R]) -> list[R]:
        """`work` on every item; an item with a mistake is reported and left out."""
        done: list[R] = []
        for item in items:
            try:
                done.append(work(item))
            except Mistake as mistake:
                self.add(mistake)
        return done

    def check(self) -> None:
        """Raise all mistakes together, if there are any."""
        if not self.mistakes:
            return
        shown = sorted(set(self.mistakes), key=lambda d: (d.line or 0, d.column or 0))
        more = len(shown) - MAX_MISTAKES
        if more > 0:
            rest = Diagnostic(f"{more} more mistakes in this file", self.source.name)
            shown = [*shown[:MAX_MISTAKES], rest]
        raise input_error(shown)


def read_sexpr(source: Source) -> Group:
    """The one parenthesised form that a PDDL file consists of."""
    report = Report(source)
    try:
        return _read(source.text)
    except Mistake as mistake:
        report.add(mistake)
    report.check()
    raise AssertionError("unreachable: check() raises")


def _read(text: str) -> Group:
    lowered = text.lower()
    if len(lowered) != len(text):  # a few capital letters grow when lowered; offsets must not move
        lowered = text.translate(_ASCII_LOWER)
    top: list[Node] = []
    items = top
    stack: list[Group] = []
    for match in _TOKEN.finditer(lowered):
        token, at = match.group(), match.start()
        if token == "(":
            group = Group([], at)
            items.append(group)
            stack.append(group)
            items = group.items
            if len(stack) > MAX_DEPTH:
                raise Mistake(at, f"parentheses are nested more than {MAX_DEPTH} deep")
        elif token == ")":
            if not stack:
                raise Mistake(at, "unexpected ')': it closes nothing")
            stack.pop()
            items = stack[-1].items if stack else top
        elif token[0] != ";":
            items.append(Word(token, at))
    if stack:
        raise Mistake(stack[-1].at, "this '(' is never closed", "add the missing ')'")
    return _only_form(top, len(text))


def _only_form(top: list[Node], end: int) -> Group:
    if not top:
        raise Mistake(max(end - 1, 0), "the file is empty; expected '(define …)'")
    first = top[0]
    if not isinstance(first, Group) or first.head != "define":
        raise Mistake(first.at, "expected '(define …)' here")
    if len(top) > 1:
        raise Mistake(top[1].at, "unexpected text after the end of '(define …)'")
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
    if node.text[0] in "?:" or node.text in ("-", "="):
        raise Mistake(node.at, f"expected {what}, found '{node.text}'")
    return node

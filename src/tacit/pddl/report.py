"""How mistakes in a text are collected, and turned into what a user reads.

A parser function raises `Mistake` at the first thing wrong in an *item* (a section, an action, a
fact). The loop over items hands the mistake to its `Report` and goes on with the next item, so
that all mistakes of a file are reported together.

A mistake is reported once. An undeclared name is a mistake at its first use only, and no mistake at
all if declarations that may include it could not be read.

Syntax nodes know the offset of their first character; a mistake also says which word from there
on is wrong. That word is located only when the mistake is reported, so correct files pay nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from tacit import watch
from tacit.errors import Diagnostic, input_error, nearest
from tacit.pddl.source import Source
from tacit.words import counted

MAX_MISTAKES = 20
MAX_LENGTH = 300
MAX_KNOWN = 1000
TOKEN = re.compile(r"[()]|[^\s();]+|;[^\n]*")

T = TypeVar("T")
R = TypeVar("R")


class Notice(str):
    """A warning, with its place. Warnings of the same `kind` are summarised as one."""

    kind: str

    def __new__(cls, text: str, kind: str) -> Notice:
        made = super().__new__(cls, text)
        made.kind = kind
        return made

    def __reduce__(self) -> tuple[type[Notice], tuple[str, str]]:
        return Notice, (str(self), self.kind)


def summed_up(warnings: Sequence[str]) -> list[tuple[str, int]]:
    """The first warning of every kind, and how many more there are of that kind."""
    first: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for warning in warnings:
        kind = warning.kind if isinstance(warning, Notice) else warning
        first.setdefault(kind, warning)
        counts[kind] += 1
    return [(warning, counts[kind] - 1) for kind, warning in first.items()]


class Mistake(Exception):
    """Something wrong at an offset. Reaches a user only as a `Diagnostic`.

    `word` locates the word that is wrong: a number of words after the offset, or the next
    occurrence of a text.
    """

    def __init__(
        self,
        at: int,
        message: str,
        hint: str | None = None,
        unsupported: bool = False,
        word: int | str = 0,
    ):
        super().__init__(message)
        self.at, self.message, self.unsupported, self.word = at, message, unsupported, word
        self._hint = hint

    @property
    def hint(self) -> str | None:
        return self._hint


class Unknown(Mistake):
    """A name of some kind that is not among the `known` ones.

    The hint is the nearest of those, or the `other_hint` if there is none.
    """

    def __init__(
        self,
        at: int,
        kind: str,
        name: str,
        known: Iterable[str],
        *,
        message: str | None = None,
        word: int | str = 0,
        other_hint: str | None = None,
    ):
        super().__init__(at, message or f"{kind} '{name}' is not declared", other_hint, word=word)
        self.kind, self.name, self._known = kind, name, known

    @property
    def hint(self) -> str | None:
        """The nearest known name; among very many, only of those similar in start and length."""
        if len(self.name) > MAX_LENGTH:
            return self._hint
        known = list(self._known)
        if len(known) > MAX_KNOWN:
            size, first = len(self.name), self.name[0]
            known = [k for k in known if k[0] == first and abs(len(k) - size) < 2][:MAX_KNOWN]
        return nearest(self.name, known) or self._hint


@dataclass(slots=True)
class Report:
    """The mistakes and warnings of one text, in the order in which they were found."""

    source: Source
    mistakes: list[Mistake] = field(default_factory=list)
    warnings: list[Notice] = field(default_factory=list)
    _reported: set[tuple[str, str | None]] = field(default_factory=set)

    def add(self, mistake: Mistake) -> None:
        if isinstance(mistake, Unknown):
            key = (mistake.kind, mistake.name)
            if key in self._reported or (mistake.kind, None) in self._reported:
                return
            self._reported.add(key)
        self.mistakes.append(mistake)

    def lose(self, kind: str, name: str | None = None) -> None:
        """The declaration of a name, or of any name of this kind, could not be read."""
        self._reported.add((kind, name))

    def warn(
        self, kind: str, at: int, message: str, hint: str | None = None, word: int | str = 0
    ) -> None:
        place = self.source.where(self._offset(Mistake(at, message, word=word)))
        text = _short(f"{message}; {hint}" if hint else message)
        self.warnings.append(Notice(f"{place}: {text}", kind))

    def each(self, items: Iterable[T], work: Callable[[T], R]) -> list[R]:
        """`work` on every item; an item with a mistake is reported and skipped."""
        done: list[R] = []
        for number, item in enumerate(items):
            if not number % watch.MANY:
                watch.check()
            try:
                done.append(work(item))
            except Mistake as mistake:
                self.add(mistake)
        return done

    def check(self) -> None:
        """Raise all mistakes together, if there are any."""
        if not self.mistakes:
            return
        placed = {(self._offset(m), m.message): m for m in reversed(self.mistakes)}
        ordered = sorted(placed.items(), key=lambda item: item[0])
        shown = [self._diagnostic(at, mistake) for (at, _), mistake in ordered[:MAX_MISTAKES]]
        more = len(ordered) - MAX_MISTAKES
        if more > 0:
            text = f"{counted(more, 'more mistake')} in this file"
            unsupported = all(mistake.unsupported for _, mistake in ordered)
            shown.append(Diagnostic(text, self.source.name, unsupported=unsupported))
        raise input_error(shown)

    def _diagnostic(self, at: int, mistake: Mistake) -> Diagnostic:
        hint = _short(mistake.hint) if mistake.hint else None
        return self.source.diagnostic(at, _short(mistake.message), hint, mistake.unsupported)

    def _offset(self, mistake: Mistake) -> int:
        """The offset of the word that a mistake is about."""
        if not mistake.word:
            return mistake.at
        words = TOKEN.finditer(self.source.text, mistake.at)
        for number, match in enumerate(m for m in words if m[0][0] != ";"):
            if number == mistake.word or (number and match[0].lower() == mistake.word):
                return match.start()
        return mistake.at


def _short(text: str) -> str:
    return text if len(text) <= MAX_LENGTH else text[: MAX_LENGTH - 1] + "…"

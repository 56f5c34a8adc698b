"""Where a parenthesis is missing or superfluous: a guess from what may appear where.

Counting alone finds such a mistake at the end of the file. But every section of a file is an item
of `(define …)` and begins with a keyword. So if a section begins deeper, something before it is
not closed; if anything but a section appears between sections, there is a ')' too many before it.
"""

from __future__ import annotations

from tacit.pddl.report import TOKEN, Mistake
from tacit.pddl.source import Source

_SECTIONS = {
    *(":action", ":constants", ":constraints", ":derived", ":domain", ":durative-action"),
    *(":functions", ":goal", ":init", ":metric", ":objects", ":predicates", ":requirements"),
    ":types",
}


def misplaced(source: Source) -> Mistake:
    """The most likely mistake in a text whose parentheses do not match."""
    return _Balance(source).first()


class _Balance:
    """A walk through the tokens of a text, up to the first that cannot appear where it does."""

    def __init__(self, source: Source):
        self._source = source
        self._open: list[int] = []
        self._closed_at: int | None = None
        self._is_head = False  # after a '('
        self._groups = 0  # in (define …)

    def first(self) -> Mistake:
        for match in TOKEN.finditer(self._source.text):
            token, at = match[0], match.start()
            if token[0] == ";":
                continue
            found = self._close(at) if token == ")" else self._take(token.lower(), at)
            if found is not None:
                return found
            self._is_head = token == "("
        at = self._open[-1] if self._open else 0
        return Mistake(at, "this '(' is never closed", "add the missing ')'")

    def _close(self, at: int) -> Mistake | None:
        if not self._open:
            return Mistake(at, "unexpected ')': it closes nothing")
        self._open.pop()
        self._closed_at = at
        return None

    def _take(self, token: str, at: int) -> Mistake | None:
        depth = len(self._open)
        if depth == 0 and self._closed_at is not None:
            return self._too_early("'(define …)'", "more", at)
        if token == "(":
            self._open.append(at)
            self._groups += depth == 1
            return None
        if self._is_head and depth > 2 and token in _SECTIONS:
            return self._too_late(token)
        if depth == 1 and not self._is_head:
            return self._too_early("a section", f"'{token}'", at)
        if self._is_head and depth == 2 and self._groups > 1 and token[0] != ":":
            return self._too_early("a section", f"'({token}'", at)
        return None

    def _too_early(self, what: str, found: str, at: int) -> Mistake:
        if self._closed_at is None:
            return Mistake(at, f"expected a section '(:name …)', found {found}")
        return Mistake(
            self._closed_at,
            f"this ')' ends {what}, but {found} follows in line {self._source.place(at)[0]}",
            "remove a ')' here or shortly before",
        )

    def _too_late(self, token: str) -> Mistake:
        line, _ = self._source.place(self._open[-1])
        return Mistake(
            self._open[1],
            f"this '(' is still open where '({token}' begins in line {line}",
            "add the missing ')' before that",
        )

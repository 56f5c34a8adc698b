"""Small parts of pages: tiles, bars, tables, lists. Plain values in, HTML out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

LEGEND = (
    ("said", "disclosed"),
    ("certain", "not disclosed, but certain"),
    ("guessed", "not disclosed, but guessed right"),
    ("", "unknown"),
)
MEANING = (
    "Of each agent’s private dependencies: what it disclosed, what follows from the messages for "
    "certain, what a shrewd peer guesses right, and what nobody else knows."
)


@dataclass(frozen=True)
class Bar:
    """What is known of one agent. `total` is how many edges it has, None if that is its secret;
    `certain` and `guessed` are what others know besides what it disclosed, None if that was not
    measured.
    """

    agent: str
    disclosed: int
    total: int | None
    repairs: int = 0
    certain: int | None = None
    guessed: int | None = None
    more: str = ""

    @property
    def unknown(self) -> int:
        """Edges that nobody else knows."""
        known = self.disclosed + (self.certain or 0) + (self.guessed or 0)
        return max(0, (self.total or 0) - known)

    @property
    def text(self) -> str:
        if self.total is None:
            found = [_edges(self.disclosed, "disclosed"), "how many it has is its secret"]
        elif self.certain is None or self.guessed is None:
            found = [f"{self.disclosed:,} of {_edges(self.total, 'disclosed')}"]
            found.append(f"{self.unknown:,} kept")
        else:
            found = [f"{self.disclosed:,} of {_edges(self.total, 'disclosed')}"]
            found += [f"{self.certain:,} certain", f"{self.guessed:,} guessed"]
            found.append(f"{self.unknown:,} unknown")
        if self.repairs:
            found.append(f"{self.repairs:,} repair{'s' * (self.repairs != 1)} besides")
        return ", ".join([*found, self.more] if self.more else found)


def _edges(count: int, what: str) -> str:
    return f"{count:,} edge{'s' * (count != 1)} {what}"


def bars(rows: Sequence[Bar]) -> str:
    """A bar per agent, and what its colours mean."""
    if not rows:
        return "<p>Nobody disclosed anything.</p>"
    measured = any(row.certain is not None for row in rows)
    kinds = LEGEND if measured else (LEGEND[0], ("", "kept"))
    legend = "".join(
        f'<span><i class="{kind or "unknown"}"></i>{escape(text)}</span>' for kind, text in kinds
    )
    return f'<p class="legend">{legend}</p>\n{"".join(map(_bar, rows))}'


def _bar(row: Bar) -> str:
    certain, guessed = row.certain or 0, row.guessed or 0
    total = max(1, row.total or 0, row.disclosed + certain + guessed)
    kinds = (("said", row.disclosed), ("certain", certain), ("guessed", guessed))
    filled = "".join(
        f'<i class="{kind}" style="width:{100 * count / total:.2f}%"></i>' for kind, count in kinds
    )
    if row.total is None:
        filled = '<i class="secret"></i>'
    return (
        f'<div class="agent"><b>{escape(row.agent)}</b><div class="bar">{filled}</div>'
        f"<span>{escape(row.text)}</span></div>\n"
    )


def tiles(values: Mapping[str, str]) -> str:
    """A few numbers, each with what it is."""
    found = (
        f'<div class="tile"><b>{escape(value)}</b><span>{escape(what)}</span></div>'
        for what, value in values.items()
    )
    return f'<div class="tiles">{"".join(found)}</div>'


def table(header: Sequence[str], rows: Iterable[Sequence[str]], label: str) -> str:
    """Rows under a header; the first cell names its row."""
    heads = "".join(f'<th scope="col">{escape(text)}</th>' for text in header)
    lines = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td>{escape(text)}</td>" for text in row[1:])
        + "</tr>\n"
        for row in rows
    )
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(label)}"><table>'
        f"<thead><tr>{heads}</tr></thead>\n<tbody>\n{lines}</tbody></table></div>"
    )


def sentences(lines: Iterable[str]) -> str:
    """Lines of text; one that begins with spaces belongs to the one before it."""
    found: list[str] = []
    for line in lines:
        if line.startswith(" ") and found:
            found.append(f'<p class="under">{escape(line.strip())}</p>')
        else:
            found.append(f"<p>{escape(line)}</p>")
    return "\n".join(found)


def lists(named: Mapping[str, Sequence[str]]) -> str:
    """Lists that open, each under its name and with how long it is."""
    return "\n".join(
        f"<details><summary>{escape(name)} ({len(items):,})</summary><ul>"
        + "".join(f"<li><code>{escape(item)}</code></li>" for item in items)
        + "</ul></details>"
        for name, items in named.items()
        if items
    )

"""Tables as text: Markdown, CSV and LaTeX, with the paper's numbers next to ours.

The best of a line is bold, unless all rankings are equal: the largest #C, and of those that reach
it the smallest M_D%. Columns of one ranking form a group, which LaTeX writes above them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from tacit.errors import InputError
from tacit.experiment.cells import csv_text
from tacit.experiment.paper import published as paper
from tacit.experiment.tables.coverage import Cell1, Row1, Spread, UsedRow

REPLANS = (
    "†n: n of the plans that count there were made by replanning, as the authors' are: the agents "
    "changed the public plan, which discloses more than k."
)


@dataclass(frozen=True)
class Grid:
    """A header and rows of text. `bold` are cells as (row, column).

    `groups` has the group of each column, if any; its header begins with that. `notes` are
    sentences printed below.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    groups: Sequence[str] = ()
    bold: frozenset[tuple[int, int]] = frozenset()
    notes: Sequence[str] = ()

    def short(self, column: int) -> str:
        """The header of a column below that of its group."""
        group = self.groups[column] if self.groups else ""
        return self.header[column].removeprefix(group).strip()


def grid1(rows: Iterable[Row1]) -> Grid:
    """Table 1: per domain #dep and, per ranking, #C and M_D%, each followed by the paper's."""
    found = list(rows)
    rankings = sorted({ranking for row in found for ranking in row.cells})
    compared = [r for r in rankings if any(_theirs(row, r) for row in found)]
    header = ["solver", "domain", "#dep", *(["paper"] if any(map(_printed, found)) else [])]
    groups = [""] * len(header)
    for ranking in rankings:
        names = ["#C", "M_D%", *(["paper"] if ranking in compared else [])]
        header += [f"{ranking} {name}" for name in names]
        groups += [ranking] * len(names)
    bold = frozenset(
        (number, groups.index(ranking) + column)
        for number, row in enumerate(found)
        for ranking, column in _best1(row)
    )
    lines = [_line1(row, rankings, header) for row in found]
    return Grid(header, lines, groups, bold, list(dict.fromkeys(_notes1(found))))


def _notes1(found: Sequence[Row1]) -> Iterator[str]:
    """Why the paper has another #dep, where that is known, and what cannot be right in it."""
    for row in (row for row in found if row.is_papers):
        if why := paper.why_another_count(row.domain, row.dependencies):
            printed = paper.DEPENDENCIES[paper.name(row.domain)]
            yield f"In {row.domain} #dep is {row.dependencies}, {printed} in the paper: {why}."
        yield from paper.remarks1(row.solver, row.domain)
    if any(cell.replanned for row in found for cell in row.cells.values()):
        yield REPLANS


def _best1(row: Row1) -> list[tuple[str, int]]:
    """The best cells of a line, as ranking and column (0 for #C, 1 for M_D%)."""
    most = max(cell.count.mean for cell in row.cells.values())
    if most == 0:
        return []
    shares = {
        ranking: round(cell.share.mean, 9)  # means of equal numbers may differ in the last digit
        for ranking, cell in row.cells.items()
        if cell.count.mean == most and cell.share is not None
    }
    least = min(shares.values())
    quickest = [ranking for ranking, share in shares.items() if share == least]
    found = [(ranking, 0) for ranking in shares if len(shares) < len(row.cells)]
    return found + [(ranking, 1) for ranking in quickest if len(quickest) < len(row.cells)]


def _printed(row: Row1) -> str:
    """The paper's #dep, if these are its problems."""
    printed = paper.DEPENDENCIES.get(paper.name(row.domain)) if row.is_papers else None
    return "" if printed is None else str(printed)


def _theirs(row: Row1, ranking: str) -> str:
    """A cell of the paper, if these are its problems."""
    cells = paper.COVERAGE.get(row.solver, {}) if row.is_papers else {}
    found = cells.get((paper.name(row.domain), ranking))
    return "" if found is None else f"{found[0]} / {found[1]}"


def _line1(row: Row1, rankings: Sequence[str], header: Sequence[str]) -> list[str]:
    cells = [row.solver, row.domain, str(row.dependencies)]
    cells += [_printed(row)] if "paper" in header else []
    for ranking in rankings:
        cells += _ours(row.cells.get(ranking))
        cells += [_theirs(row, ranking)] if f"{ranking} paper" in header else []
    return cells


def _ours(cell: Cell1 | None) -> list[str]:
    if cell is None:
        return ["", ""]
    mark = f" (†{_number(cell.replanned)})" if cell.replanned else ""
    return [_spread(cell.count), _spread(cell.share) + mark]


def _spread(value: Spread | None) -> str:
    """A mean, with its range where seeds differ."""
    if value is None:
        return "–"
    if value.low == value.high:
        return _number(value.mean)
    return f"{value.mean:.1f} ({_number(value.low)}–{_number(value.high)})"


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def grid_used(rows: Iterable[UsedRow]) -> Grid:
    """Edges used: hindsight, first solved budgets and improvement."""
    header = ["solver", "domain", "ranking", "fewest used", "most used"]
    header += ["smallest first k", "largest first k", "cheaper by %"]
    lines = []
    for row in rows:
        counts = (row.least_used, row.most_used, row.least_first, row.most_first)
        cells = ["–" if count is None else str(count) for count in counts]
        gain = "–" if row.improvement is None else f"{row.improvement:.1f}"
        lines.append([row.solver, row.domain, row.ranking, *cells, gain])
    return Grid(header, lines)


def markdown(grid: Grid) -> str:
    def line(cells: Iterable[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"

    bodies = [
        [f"**{cell}**" if (r, c) in grid.bold else cell for c, cell in enumerate(row)]
        for r, row in enumerate(grid.rows)
    ]
    table = "".join(map(line, (grid.header, ["---"] * len(grid.header), *bodies)))
    notes = "".join(f"- {note}\n" for note in grid.notes)
    return f"{table}\n{notes}" if notes else table


def as_csv(grid: Grid) -> str:
    return csv_text((grid.header, *grid.rows))


def latex(grid: Grid) -> str:
    numbers = [c for c in range(len(grid.header)) if all(row[c][:1].isdigit() for row in grid.rows)]
    kinds = "".join("r" if c in numbers else "l" for c in range(len(grid.header)))
    lines = [f"\\begin{{tabular}}{{{kinds}}}", "\\hline"]
    if grid.groups:
        spans = [(group, len(list(members))) for group, members in groupby(grid.groups)]
        heads = [
            f"\\multicolumn{{{n}}}{{c}}{{{_escaped(g)}}}" if g else " & " * (n - 1)
            for g, n in spans
        ]
        lines.append(" & ".join(heads) + " \\\\")
    lines.append(" & ".join(_escaped(grid.short(c)) for c in range(len(grid.header))) + " \\\\")
    lines.append("\\hline")
    for r, row in enumerate(grid.rows):
        cells = [
            f"\\textbf{{{_escaped(cell)}}}" if (r, c) in grid.bold else _escaped(cell)
            for c, cell in enumerate(row)
        ]
        lines.append(" & ".join(cells) + " \\\\")
    notes = [f"\\par{{\\footnotesize {_escaped(note)}\\par}}" for note in grid.notes]
    return "\n".join([*lines, "\\hline", "\\end{tabular}", *notes, ""])


def _escaped(text: str) -> str:
    for mark in "\\&%#_${}":
        text = text.replace(mark, "\\textbackslash " if mark == "\\" else f"\\{mark}")
    return text.replace("–", "--")


FORMATS: dict[str, Callable[[Grid], str]] = {"markdown": markdown, "csv": as_csv, "latex": latex}


def render(grid: Grid, form: str) -> str:
    """A grid in one of the `FORMATS`."""
    if form not in FORMATS:
        raise InputError(f"there is no format '{form}'", f"there are: {', '.join(FORMATS)}")
    return FORMATS[form](grid)

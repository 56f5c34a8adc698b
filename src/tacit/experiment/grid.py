"""Tables as text: Markdown, CSV and LaTeX, the paper's numbers beside ours."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tacit.errors import InputError
from tacit.experiment import paper
from tacit.experiment.tables import Cell1, Row1, Row2, Spread


@dataclass(frozen=True)
class Grid:
    """A header and rows of text."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]


def grid1(rows: Iterable[Row1]) -> Grid:
    """Table 1: per domain #dep and, per ranking, #C and M_D%, each with the paper's behind it."""
    found = list(rows)
    rankings = sorted({ranking for row in found for ranking in row.cells})
    header = ["solver", "domain", "#dep", "paper"]
    for ranking in rankings:
        header += [f"{ranking} #C", f"{ranking} M_D%"]
        header += [f"{ranking} paper"] if ranking in paper.RANKINGS else []
    return Grid(header, [_line1(row, rankings) for row in found])


def _line1(row: Row1, rankings: Sequence[str]) -> list[str]:
    domain = paper.name(row.domain)
    printed = paper.DEPENDENCIES.get(domain)
    cells = [row.solver, row.domain, str(row.dependencies), "" if printed is None else str(printed)]
    for ranking in rankings:
        cells += _ours(row.cells.get(ranking))
        if ranking in paper.RANKINGS:
            theirs = paper.COVERAGE.get(row.solver, {}).get((domain, ranking))
            cells.append("" if theirs is None else f"{theirs[0]} / {theirs[1]}")
    return cells


def _ours(cell: Cell1 | None) -> list[str]:
    return ["", ""] if cell is None else [_spread(cell.count), _spread(cell.share)]


def _spread(value: Spread | None) -> str:
    """A mean, with its range where seeds differ."""
    if value is None:
        return "–"
    if value.low == value.high:
        return _number(value.mean)
    return f"{value.mean:.1f} ({_number(value.low)}–{_number(value.high)})"


def _number(value: float) -> str:
    return f"{value:.0f}" if value == round(value) else f"{value:.1f}"


def grid2(rows: Iterable[Row2]) -> Grid:
    """Table 2: hindsight, first solved budgets and improvement."""
    header = ["solver", "domain", "ranking", "Min", "Max", "Min. dep", "Max. dep", "Imp. %"]
    lines = []
    for row in rows:
        counts = (row.least_used, row.most_used, row.least_first, row.most_first)
        cells = ["–" if count is None else str(count) for count in counts]
        gain = "–" if row.improvement is None else f"{row.improvement:.1f}"
        lines.append([row.solver, row.domain, row.ranking, *cells, gain])
    return Grid(header, lines)


def markdown(grid: Grid) -> str:
    lines = [grid.header, ["---"] * len(grid.header), *grid.rows]
    return "".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in x) + " |\n" for x in lines
    )


def as_csv(grid: Grid) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(grid.header)
    writer.writerows(grid.rows)
    return out.getvalue()


def latex(grid: Grid) -> str:
    lines = [f"\\begin{{tabular}}{{{'l' * len(grid.header)}}}", "\\hline"]
    for number, row in enumerate([grid.header, *grid.rows]):
        lines.append(" & ".join(map(_escaped, row)) + " \\\\")
        lines += ["\\hline"] if number == 0 else []
    return "\n".join([*lines, "\\hline", "\\end{tabular}", ""])


def _escaped(text: str) -> str:
    for mark in "\\&%#_$":
        text = text.replace(mark, "\\textbackslash " if mark == "\\" else f"\\{mark}")
    return text.replace("–", "--")


FORMATS: dict[str, Callable[[Grid], str]] = {"markdown": markdown, "csv": as_csv, "latex": latex}


def render(grid: Grid, form: str) -> str:
    """A grid in one of the `FORMATS`."""
    if form not in FORMATS:
        raise InputError(f"there is no format '{form}'", f"there are: {', '.join(FORMATS)}")
    return FORMATS[form](grid)

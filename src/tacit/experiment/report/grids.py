"""The tables of the page: texts as in `experiment.tables.grid`, with the values to sort them by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from tacit.experiment.report.problems import Case
from tacit.experiment.run.row import OFFLINE, Run, RunOutcome, largest
from tacit.experiment.tables.grid import Grid

UNEXPLAINED = (RunOutcome.UNDECIDED, RunOutcome.CRASH, RunOutcome.INVALID_PLAN)
_EXPLAINED = tuple(outcome for outcome in RunOutcome if outcome not in UNEXPLAINED)


@dataclass(frozen=True)
class Column:
    """A header. `kind` is a class of the style sheet; `starts` if a group begins here."""

    name: str
    kind: str = "n"
    starts: bool = False


@dataclass(frozen=True)
class Cell:
    """A text with the value it is sorted by, and how the page shows it."""

    text: str
    value: str | float
    more: str = ""
    best: bool = False
    link: str = ""


@dataclass(frozen=True)
class Sortable:
    """A sortable table."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    groups: Sequence[tuple[str, int]] = ()
    """Names above columns, with how many they span; the first column is separate and fixed."""


def sortable(grid: Grid) -> Sortable:
    """A complete grid; columns with only numbers are sorted as numbers."""
    rows = [
        [_cell(text, (r, c) in grid.bold) for c, text in enumerate(row)]
        for r, row in enumerate(grid.rows)
    ]
    textual = {c for row in rows for c, cell in enumerate(row) if isinstance(cell.value or 0, str)}
    columns = [Column(name, "" if c in textual else "n") for c, name in enumerate(grid.header)]
    return Sortable(columns, rows)


def by_solver(grid: Grid) -> list[tuple[str, Sortable]]:
    """A grid whose first column is the solver, as one table per solver without that column."""
    numbered = list(enumerate(grid.rows))
    return [
        (solver, _part(grid, list(members)))
        for solver, members in groupby(numbered, lambda item: item[1][0])
    ]


def _part(grid: Grid, numbered: Sequence[tuple[int, Sequence[str]]]) -> Sortable:
    """Some rows of a grid, without its first column and without groups that are empty there."""
    groups = grid.groups or [""] * len(grid.header)
    filled = {groups[c] for _, row in numbered for c, text in enumerate(row) if text}
    kept = [c for c in range(1, len(grid.header)) if groups[c] in filled]
    columns = [
        Column(grid.short(c), _kind(grid, c), starts=groups[c] != groups[c - 1]) for c in kept
    ]
    rows = [[_cell(row[c], (r, c) in grid.bold) for c in kept] for r, row in numbered]
    spans = [(name, len(list(members))) for name, members in groupby(groups[c] for c in kept[1:])]
    return Sortable(columns, rows, [("", 1), *spans] if grid.groups else ())


def _kind(grid: Grid, column: int) -> str:
    if grid.header[column] in ("domain", "ranking"):
        return ""
    return "n paper" if grid.short(column) == "paper" else "n"


def _cell(text: str, best: bool) -> Cell:
    """The mean first, then the range, smaller."""
    mean, _, rest = text.partition(" ")
    if rest and not rest.startswith("("):
        mean, rest = text, ""
    try:
        value: str | float = float(mean)
    except ValueError:
        return Cell(text, "" if text in ("", "–") else _sorted_by(text), best=best)
    return Cell(mean, value, rest, best)


def _sorted_by(text: str) -> str | float:
    """A cell of the paper, as `20 / 10`, by its first number; any other text by itself."""
    first = text.partition(" / ")[0]
    return float(first) if first != text and first.isdecimal() else text


def outcomes(runs: Iterable[Run]) -> Sortable:
    """Outcomes by solver and ranking; the unexplained ones last, apart from the others."""
    counts: dict[tuple[str, str], Counter[RunOutcome]] = {}
    for run in runs:
        counts.setdefault((run.unit.solver, run.unit.series), Counter())[run.outcome] += 1
    there = {outcome for own in counts.values() for outcome in own}
    plain = [outcome for outcome in _EXPLAINED if outcome in there]
    columns = [Column("solver", ""), Column("ranking", ""), Column("runs")]
    columns += [Column(outcome.value, starts=n == 0) for n, outcome in enumerate(plain)]
    columns += [Column(o.value, "n odd", starts=n == 0) for n, o in enumerate(UNEXPLAINED)]
    rows = [
        [
            Cell(solver, solver),
            Cell(ranking, ranking),
            _count(own.total()),
            *(_count(own[outcome]) for outcome in (*plain, *UNEXPLAINED)),
        ]
        for (solver, ranking), own in sorted(counts.items())
    ]
    groups = [("", 1), ("", 2), ("explained", len(plain)), ("unexplained", 3)]
    return Sortable(columns, rows, [group for group in groups if group[1]])


def problems(found: Iterable[Case], links: Mapping[str, str]) -> Sortable:
    """A line per problem, over all its runs."""
    names = ("problem", "agents", "#dep", "runs", "solved", "first k", "fewest used", "best cost")
    columns = [Column(name, "n" if n else "") for n, name in enumerate(names)]
    rows = []
    for case in found:
        good = [run for run in case.runs if run.solved]
        tried = [run for run in good if run.mode == OFFLINE]
        first = min((run.k for run in tried if run.k is not None), default=None)
        cost = min((run.cost for run in good if run.cost is not None), default=None)
        used = min((largest(run.used) for run in good), default=None)
        agents = max(len(run.dependencies) for run in case.runs)
        cells = [agents, case.largest, len(case.runs), len(good), first, used, cost]
        link = links.get(case.name, "")
        rows.append([Cell(case.name, case.name, link=link), *map(_count, cells)])
    return Sortable(columns, rows)


def _count(value: int | None) -> Cell:
    return Cell("–", "") if value is None else Cell(f"{value:,}", value)


def unexplained(runs: Iterable[Run], most: int) -> tuple[list[Run], int]:
    """The first unexplained runs, bugs before those that gave up; and how many there are."""
    found = [run for run in runs if run.outcome in UNEXPLAINED]
    found.sort(key=lambda run: run.outcome is RunOutcome.UNDECIDED)
    return found[:most], len(found)


@dataclass(frozen=True)
class Tile:
    """A number at the top of the page."""

    name: str
    value: int
    warn: bool = False


def tiles(runs: Collection[Run], found: Collection[Case]) -> list[Tile]:
    """The key numbers."""
    solved = sum(any(run.solved for run in case.runs) for case in found)
    count = sum(run.outcome in UNEXPLAINED for run in runs)
    units = [run.unit for run in runs]
    return [
        Tile("problems", len(found)),
        Tile("solved by some run", solved),
        Tile("domains", len({unit.domain for unit in units})),
        Tile("rankings", len({unit.ranking for unit in units})),
        Tile("runs", len(runs)),
        Tile("unexplained", count, warn=count > 0),
    ]

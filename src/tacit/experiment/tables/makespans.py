"""The paper's Table 2: plan makespans, averaged over the solved problems.

Per domain, ranking and solver. Of each problem that was solved: its smallest makespan at any budget
(**Min**), its largest (**Max**), that of the plan at its first solved budget (**Min. dep**) and at
its largest solved budget (**Max. dep**). **Imp.** is the mean over problems of
(Min. dep - Min) / Min. dep, in percent. The last lines are means over the domains.

The paper averages over the problems that a ranking solves at *some* budget, as we do: its numbers
are fractions with the denominators that its Table 1 has as #C, and one more in BlocksWorld, whose
curve never has all of them at once.

So a line is about the same problems as the paper's only where as many were solved. Where we solve
more, `table2(…, as_many=True)` has as many as the paper averages over, our cheapest, those of
smallest Min; a line states how many these are of how many.

Two makespans are averaged. The paper's has unit durations and keeps only causal links; ours also
keeps threats, so that the schedule can be executed, and is how long agents would take.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from itertools import groupby
from statistics import fmean

from tacit.experiment.paper import published as paper
from tacit.experiment.paper.published import AVERAGE, Averages
from tacit.experiment.run.row import SMALLEST, Run, with_cleaned_plan
from tacit.experiment.tables.coverage import Series, grouped
from tacit.experiment.tables.grid import Grid

COLUMNS = ("Min", "Max", "Min. dep", "Max. dep", "Imp. %")
TITLES = {
    "table2": "Table 2: makespan",
    "table2_cleaned": "Table 2, cleaned plans",
    "table2_as_many": "Table 2, as many problems as the paper's",
}
OURS, EXECUTABLE, PAPER = "ours", "exec.", "paper"
"""The paper's makespan of our plans, their executable one, and what the paper prints."""


@dataclass(frozen=True)
class Spans:
    """The makespans of one problem: smallest, largest, with fewest edges and with most."""

    least: int
    most: int
    first: int
    last: int

    @property
    def improvement(self) -> float:
        """In percent of the makespan at the first solved budget."""
        return 100 * (self.first - self.least) / (self.first or 1)


@dataclass(frozen=True)
class Row2:
    """A domain and ranking, or `AVERAGE` and a ranking; None where nothing was solved."""

    solver: str
    domain: str
    ranking: str
    problems: int
    ours: Averages | None
    executable: Averages | None
    is_papers: bool = True
    """Are these the paper's problems?"""
    of: int | None = None
    """How many were solved, if the line is about the cheapest of these."""

    @property
    def printed(self) -> Averages | None:
        """The numbers that the paper prints in this line, if it is about its problems."""
        if not self.is_papers:
            return None
        return paper.MAKESPANS.get(self.solver, {}).get((paper.name(self.domain), self.ranking))


def spans(runs: Iterable[Run], measure: str = "makespan_paper") -> Spans | None:
    """The makespans of the runs of one problem; None if none of them was solved."""
    good = [run for run in runs if run.solved and run.k is not None]
    values = {run.asked: getattr(run, measure) for run in good}
    good = [run for run in good if values[run.asked] is not None]
    if not good:
        return None
    ordered = sorted(good, key=lambda run: (run.k, run.asked == SMALLEST))
    first = values[ordered[0].asked]
    last = next(values[run.asked] for run in ordered if run.k == ordered[-1].k)
    every = [values[run.asked] for run in ordered]
    return Spans(min(every), max(every), first, last)


def averages(series: Iterable[Series], measure: str = "makespan_paper") -> Averages | None:
    """Over all solved problems of some series; a problem counts once for each seed."""
    each = [
        own for one in series for runs in one.problems.values() if (own := spans(runs, measure))
    ]
    if not each:
        return None
    return Averages(
        fmean(own.least for own in each),
        fmean(own.most for own in each),
        fmean(own.first for own in each),
        fmean(own.last for own in each),
        fmean(own.improvement for own in each),
    )


def table2(rows: Iterable[Run], as_many: bool = False) -> list[Row2]:
    """A line per solver, domain and ranking; after each solver its means over domains. `as_many`:
    only lines that the paper has, each over at most as many problems.
    """
    found: list[Row2] = []
    for (solver, domain, ranking), every in grouped(
        rows, lambda one: (one.solver, one.domain, one.ranking)
    ):
        members = every
        names = {problem for one in every for problem in one.problems}
        is_papers = paper.are_its_problems(domain, names)
        solved = sum(map(_solved, every))
        if as_many:
            theirs = paper.averaged_over(solver, domain, ranking)
            if theirs is None or not is_papers:
                continue
            members = [_cheapest(one, theirs) for one in every]
        ours, executable = (averages(members, name) for name in ("makespan_paper", "makespan"))
        count, of = sum(map(_solved, members)), solved if as_many else None
        found.append(Row2(solver, domain, ranking, count, ours, executable, is_papers, of))
    by_solver = groupby(found, lambda row: row.solver)
    return [row for _, own in by_solver for row in _with_averages(list(own))]


def _solved(one: Series) -> int:
    return sum(spans(runs) is not None for runs in one.problems.values())


def _cheapest(one: Series, most: int) -> Series:
    """The solved problems of smallest makespan, so many of them."""
    least = {name: own.least for name, runs in one.problems.items() if (own := spans(runs))}
    chosen = sorted(least, key=lambda name: (least[name], name))[:most]
    return replace(one, problems={name: one.problems[name] for name in chosen})


def _with_averages(own: Sequence[Row2]) -> Iterator[Row2]:
    """The lines of a solver, and a mean for each ranking that has all of its domains."""
    yield from own
    domains = {row.domain for row in own}
    for ranking in sorted({row.ranking for row in own}):
        lines = [row for row in own if row.ranking == ranking]
        ours, executable = (
            _mean([row.ours for row in lines]),
            _mean([row.executable for row in lines]),
        )
        if len(domains) > 1 and len(lines) == len(domains):
            problems = sum(row.problems for row in lines)
            is_papers = all(row.is_papers for row in lines)
            of = sum(row.of or 0 for row in lines) if own[0].of is not None else None
            yield Row2(own[0].solver, AVERAGE, ranking, problems, ours, executable, is_papers, of)


def _mean(each: Sequence[Averages | None]) -> Averages | None:
    known = [astuple(one) for one in each if one is not None]
    if not known or len(known) < len(each):
        return None
    return Averages(*map(fmean, zip(*known, strict=True)))


def grid2(rows: Iterable[Row2]) -> Grid:
    """Table 2: each number as ours, in executable makespan, and as the paper prints it."""
    found = list(rows)
    compared = _compared(found)
    header = ["solver", "domain", "ranking", "#"]
    groups = [""] * len(header)
    kinds = (OURS, EXECUTABLE, PAPER) if compared else (OURS, EXECUTABLE)
    for column in COLUMNS:
        header += [f"{column} {kind}" for kind in kinds]
        groups += [column] * len(kinds)
    lines = []
    for row in found:
        numbers = (row.ours, row.executable, compared.get(row))[: len(kinds)]
        cells = zip(*map(_texts, numbers), strict=True)
        texts = [text for each in cells for text in each]
        count = str(row.problems) if row.of is None else f"{row.problems} of {row.of}"
        lines.append([row.solver, row.domain, row.ranking, count, *texts])
    place = header.index(f"{COLUMNS[-1]} {OURS}")
    bold = frozenset((number, place) for number in _lowest(found))
    return Grid(header, lines, groups, bold, list(dict.fromkeys(_notes(found, compared))))


def grids(runs: Iterable[Run]) -> dict[str, Grid]:
    """The table as it is, of cleaned plans if these were measured, and over as many problems as the
    paper's where that makes a difference; of cleaned plans then, if there are any.
    """
    found = list(runs)
    made = {"table2": grid2(table2(found))}
    if any(run.cleaned for run in found):
        found = [with_cleaned_plan(run) for run in found]
        made["table2_cleaned"] = grid2(table2(found))
    as_many = table2(found, as_many=True)
    if any(row.problems != row.of for row in as_many):
        made["table2_as_many"] = grid2(as_many)
    return made


def _compared(rows: Iterable[Row2]) -> dict[Row2, Averages]:
    """The lines that the paper has too; means over domains if the domains are the paper's."""
    found = list(rows)
    domains: dict[str, set[str]] = {}
    for row in found:
        if row.is_papers:
            domains.setdefault(row.solver, set()).add(paper.name(row.domain))
    expected = {*paper.DEPENDENCIES, AVERAGE}
    return {
        row: row.printed
        for row in found
        if row.printed and (row.domain != AVERAGE or domains[row.solver] == expected)
    }


def _texts(averaged: Averages | None) -> list[str]:
    if averaged is None:
        return ["–"] * len(COLUMNS)
    return [f"{value:.2f}" for value in astuple(averaged)]


def _lowest(rows: Sequence[Row2]) -> Iterator[int]:
    """The lines with the lowest improvement of their domain, unless all are alike."""
    numbered = enumerate(rows)
    for _, members in groupby(numbered, lambda item: (item[1].solver, item[1].domain)):
        gains = {n: round(row.ours.improvement, 2) for n, row in members if row.ours is not None}
        least = [n for n, gain in gains.items() if gain == min(gains.values())]
        yield from least if len(least) < len(gains) else ()


def _notes(rows: Sequence[Row2], compared: Mapping[Row2, Averages]) -> Iterator[str]:
    pairs = [
        (row.ours, theirs)
        for row, theirs in compared.items()
        if row.ours is not None and row.domain != AVERAGE
    ]
    if pairs:
        shorter = [
            sum(getattr(ours, name) <= getattr(theirs, name) for ours, theirs in pairs)
            for name in ("least", "first", "last")
        ]
        lower = sum(a.improvement <= b.improvement for a, b in pairs)
        yield (
            f"Of {len(pairs)} lines that the paper has too, Min is not above the paper's in "
            f"{shorter[0]}, Min. dep in {shorter[1]}, Max. dep in {shorter[2]} and Imp. in "
            f"{lower}. Its averages are over the problems that its solvers solved, ours over "
            f"{'our cheapest, as many' if rows[0].of is not None else 'those that ours did'}."
        )
    for row in compared:
        yield from paper.remarks2(row.solver, row.domain)

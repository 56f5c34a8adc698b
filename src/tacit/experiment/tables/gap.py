"""Table 7: how much of what disclosure can save does a ranking save early?

Per problem, the *gap* lies between the plan where a plan is first found and the plan with
everything disclosed. Where a plan is first found is the smallest budget at which any ranking has
one; where several do, their mean counts, and so it does for what is found with everything
disclosed. So it is the same gap for all rankings. What a ranking *closes* at 25 and 50 percent of
the edges of the agent that has most is the part of it by which its plan is better than the first
one; nothing if it has no plan there. Sums over the problems of a domain are divided, so that gaps
count by their size. Where there is no gap, there is nothing to close.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean

from tacit.experiment.run.row import Run
from tacit.experiment.tables.coverage import Series, series
from tacit.experiment.tables.grid import Grid

LEVELS = (25, 50)
MEASURES = ("cost", "makespan")


@dataclass(frozen=True)
class Row7:
    """A domain with a solver: the ends of the gap, and per ranking and level what is closed."""

    solver: str
    domain: str
    measure: str
    problems: int
    first: float
    full: float
    closed: Mapping[tuple[str, int], float]

    @property
    def gap(self) -> float:
        """In percent of the first plan."""
        return 100 * (self.first - self.full) / (self.first or 1)


def table7(rows: Iterable[Run]) -> list[Row7]:
    """A line per solver, domain and measure, over the problems that all rankings have levels of."""
    found = sorted(series(rows), key=lambda one: (one.solver, one.domain))
    made = []
    for (solver, domain), members in groupby(found, lambda one: (one.solver, one.domain)):
        own = list(members)
        made += [row for what in MEASURES if (row := _row(solver, domain, what, own))]
    return made


def _row(solver: str, domain: str, measure: str, own: Sequence[Series]) -> Row7 | None:
    rankings = sorted({one.ranking for one in own})
    ends: list[tuple[float, float]] = []
    left: dict[tuple[str, int], list[float]] = {}
    for problem in sorted(set.intersection(*(set(one.problems) for one in own))):
        runs = [(one.ranking, budgets(one.problems[problem], measure)) for one in own]
        first = _first([values for _, values in runs])
        full = [values[max(values)] for _, values in runs if values]
        solved = [value for value in full if value is not None]
        if first is None or not solved:
            continue
        ends.append((first, fmean(solved)))
        largest = max(run.largest for one in own for run in one.problems[problem])
        for level in LEVELS:
            k = math.ceil(level * largest / 100)
            for ranking in rankings:
                at = [_at(values, k) for name, values in runs if name == ranking]
                value = fmean(first if one is None else one for one in at)
                left.setdefault((ranking, level), []).append(value)
    if not ends:
        return None
    first, full_mean = (fmean(pair[n] for pair in ends) for n in (0, 1))
    gap = first - full_mean
    closed = {} if gap <= 0 else {key: (first - fmean(own)) / gap for key, own in left.items()}
    return Row7(solver, domain, measure, len(ends), first, full_mean, closed)


def budgets(runs: Iterable[Run], measure: str) -> dict[int, float | None]:
    """Per budget that was tried, what its plan is worth; None without one."""
    tried = [run for run in runs if run.asked.isdecimal()]
    return {int(run.asked): getattr(run, measure) if run.solved else None for run in tried}


def _first(every: Sequence[Mapping[int, float | None]]) -> float | None:
    """What plans at the smallest budget that any ranking solves are worth."""
    solved = [(k, value) for own in every for k, value in own.items() if value is not None]
    least = min((k for k, _ in solved), default=None)
    return None if least is None else fmean(value for k, value in solved if k == least)


def _at(values: Mapping[int, float | None], k: int) -> float | None:
    """At the largest budget that was tried and is not beyond this."""
    below = [budget for budget in values if budget <= k]
    return values[max(below)] if below else None


def grid7(rows: Iterable[Row7]) -> Grid:
    """A column per ranking and level."""
    found = list(rows)
    keys = sorted({key for row in found for key in row.closed}, key=lambda key: (key[1], key[0]))
    header = ["solver", "domain", "of", "problems", "first", "full", "gap %"]
    header += [f"{level} % {ranking}" for ranking, level in keys]
    lines = []
    for row in found:
        ends = [f"{row.first:.1f}", f"{row.full:.1f}", f"{row.gap:.0f}"]
        cells = [f"{100 * row.closed[key]:.0f}" if key in row.closed else "–" for key in keys]
        lines.append([row.solver, row.domain, row.measure, str(row.problems), *ends, *cells])
    groups = [*([""] * 7), *(f"{level} %" for _, level in keys)]
    return Grid(header, lines, groups)

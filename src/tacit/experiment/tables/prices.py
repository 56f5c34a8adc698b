"""The price of disclosure, if agents have prices: one more table of stored runs.

A run's price is that of the agent that pays most, edges and repairs. Per problem it is the lowest
of all its solved runs, which need not be the one with fewest edges. The table also has the bounds
of `minimum`, for the problems that have them: no choice of edges is cheaper than the first, and
the second was found.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean

from tacit.experiment.run.row import BEST_PRICE, LOWER_PRICE, MINIMUM, Run, largest
from tacit.experiment.tables import coverage as tables
from tacit.experiment.tables.grid import Grid


@dataclass(frozen=True)
class Priced:
    """A ranking in a domain: means over solved problems; None where nothing is known."""

    domain: str
    solver: str
    ranking: str
    problems: int
    mean: float | None
    most: int | None
    lower: float | None
    best: float | None


def priced(runs: Iterable[Run]) -> list[Priced]:
    """The prices of all rankings; empty if there are none."""
    rows = list(runs)
    if not any(run.unit.weights for run in rows):
        return []
    lower, best = _bounds(rows, LOWER_PRICE), _bounds(rows, BEST_PRICE)
    paid: dict[tuple[str, str, str], dict[str, list[int]]] = {}
    for one in tables.series(rows):
        own = paid.setdefault((one.solver, one.domain, one.ranking), {})
        for problem, members in one.problems.items():
            prices = [largest(run.price) for run in members if run.solved]
            if prices:
                own.setdefault(problem, []).append(min(prices))
    return [_row(key, own, lower, best) for key, own in sorted(paid.items())]


def _row(
    key: tuple[str, str, str],
    own: Mapping[str, list[int]],
    lower: Mapping[str, int],
    best: Mapping[str, int],
) -> Priced:
    solver, domain, ranking = key
    means = {problem: fmean(prices) for problem, prices in own.items()}
    return Priced(
        domain,
        solver,
        ranking,
        len(means),
        fmean(means.values()) if means else None,
        max((max(prices) for prices in own.values()), default=None),
        _mean(lower, means),
        _mean(best, means),
    )


def _mean(bounds: Mapping[str, int], problems: Iterable[str]) -> float | None:
    found = [bounds[problem] for problem in problems if problem in bounds]
    return fmean(found) if found else None


def _bounds(runs: Iterable[Run], asked: str) -> dict[str, int]:
    return {
        run.unit.problem: largest(run.price)
        for run in runs
        if run.unit.solver == MINIMUM and run.asked == asked and run.solved
    }


def grid4(rows: Iterable[Priced]) -> Grid:
    """Table 4: the price of disclosure."""

    def text(value: float | None) -> str:
        return "–" if value is None else f"{value:.1f}".removesuffix(".0")

    header = [
        "solver",
        "domain",
        "ranking",
        "problems",
        "price",
        "Max",
        "lower bound",
        "best found",
    ]
    lines = [
        [
            row.solver,
            row.domain,
            row.ranking,
            str(row.problems),
            *map(text, (row.mean, row.most, row.lower, row.best)),
        ]
        for row in rows
    ]
    return Grid(header, lines)

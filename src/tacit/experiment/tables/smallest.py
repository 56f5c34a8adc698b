"""What was disclosed at the smallest budget that solves, by ranking: a table of `--smallest` runs.

**Disclosed** is edges plus repairs, as the maximum over agents: a ranking that needs few edges and
many repairs discloses as much. Its mean is over those problems of a domain that every ranking
solved with every seed, so that a ranking gains nothing by solving only easy ones; the table also
has how many each solved. Such budgets are found offline; what runs between agents disclose is in
`tacit.experiment.tables.ledger`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from tacit.experiment.run.row import MINIMUM, SMALLEST, Run
from tacit.experiment.tables.grid import Grid

Attempts = Mapping[str, Sequence[Run]]
"""The runs of a problem that were asked alike, by ranking, one per seed."""


def attempts(
    runs: Iterable[Run], asked: str = SMALLEST
) -> dict[tuple[str, str], dict[str, Attempts]]:
    """Per solver and domain, the attempts on each problem."""
    found: dict[tuple[str, str], dict[str, dict[str, list[Run]]]] = {}
    for run in runs:
        unit = run.unit
        if run.asked == asked and unit.solver != MINIMUM:
            problems = found.setdefault((unit.solver, unit.domain), {})
            problems.setdefault(unit.problem, {}).setdefault(unit.series, []).append(run)
    return {key: dict(problems) for key, problems in sorted(found.items())}


def is_solved(attempt: Attempts, ranking: str) -> bool:
    """With every seed."""
    own = attempt.get(ranking, ())
    return bool(own) and all(run.solved for run in own)


def solved_by_all(problems: Iterable[Attempts], rankings: Iterable[str]) -> list[Attempts]:
    names = list(rankings)
    return [one for one in problems if all(is_solved(one, name) for name in names)]


def mean_disclosed(problems: Iterable[Attempts], ranking: str) -> float | None:
    """Over problems that the ranking solved."""
    means = [fmean(run.most_disclosed for run in one[ranking]) for one in problems]
    return fmean(means) if means else None


@dataclass(frozen=True)
class Row5:
    """A domain: how many of its problems all rankings solved; per ranking the mean disclosed over
    those, and how many it solved itself.
    """

    solver: str
    domain: str
    problems: int
    common: int
    cells: Mapping[str, tuple[float | None, int]]


def table5(runs: Iterable[Run]) -> list[Row5]:
    """Empty if there are no `--smallest` runs."""
    rows: list[Row5] = []
    for (solver, domain), found in attempts(runs).items():
        rankings = sorted({ranking for one in found.values() for ranking in one})
        common = solved_by_all(found.values(), rankings)
        cells = {
            name: (
                mean_disclosed(common, name),
                sum(is_solved(one, name) for one in found.values()),
            )
            for name in rankings
        }
        rows.append(Row5(solver, domain, len(found), len(common), cells))
    return rows


def grid5(rows: Iterable[Row5]) -> Grid:
    """Table 5: per ranking the mean disclosed, and how many it solved if not all; least in bold."""
    found = list(rows)
    rankings = sorted({name for row in found for name in row.cells})
    header = ["solver", "domain", "by all", *rankings]
    lines = [
        [row.solver, row.domain, f"{row.common} of {row.problems}", *_texts(row, rankings)]
        for row in found
    ]
    bold = {
        (number, header.index(name)) for number, row in enumerate(found) for name in _least(row)
    }
    return Grid(header, lines, bold=frozenset(bold))


def _texts(row: Row5, rankings: Iterable[str]) -> Iterator[str]:
    for name in rankings:
        mean, solved = row.cells.get(name, (None, row.problems))
        short = "" if solved == row.problems else f" ({solved} solved)"
        yield ("–" if mean is None else f"{mean:.1f}") + short


def _least(row: Row5) -> list[str]:
    means = {name: mean for name, (mean, _) in row.cells.items() if mean is not None}
    least = [name for name, mean in means.items() if mean == min(means.values())]
    return least if len(least) < len(means) else []

"""Which cells of the paper's Table 1 are reached, and how much of an evaluation is done.

A cell is **reached** if up to the paper's M_D% at least as many problems are solved as the paper
solves at best, or all of them where it has more than there are. The paper's percentages are whole
numbers, so ours count as rounded. Budgets are tried from the largest down, so only cells whose
problems all have a run at 0 are judged, if the sweep has that level; a missing run counts as not
solved. A problem is **done** in a series if it also has a run at each budget that half of the
series have: a problem has the same budgets with every solver and ranking.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tacit.experiment.paper import published as paper
from tacit.experiment.paper.published import PROBLEMS
from tacit.experiment.run.row import ALL, SMALLEST
from tacit.experiment.tables import coverage as tables
from tacit.experiment.tables.coverage import Series
from tacit.experiment.tables.grid import Grid

Asked = Mapping[str, set[str]]
"""Per problem, what was asked."""
Done = Mapping[tuple[str, str, str], Mapping[int, int]]
"""By solver, domain and ranking: how many problems are done with each seed."""


def done(found: Iterable[Series]) -> Done:
    """How many problems of each series are done."""
    asked = [(one, _asked(one)) for one in found]
    needed = _needed([own for _, own in asked])
    made: dict[tuple[str, str, str], dict[int, int]] = {}
    for one, own in asked:
        count = sum(ALL in budgets or budgets >= needed[name] for name, budgets in own.items())
        made.setdefault((one.solver, one.domain, one.ranking), {})[one.seed] = count
    return made


def _needed(asked: Sequence[Asked]) -> dict[str, set[str]]:
    """Per problem, the budgets that half of the series have, and 0 if there is that level."""
    counts: dict[str, Counter[str]] = {}
    for own in asked:
        for problem, budgets in own.items():
            counts.setdefault(problem, Counter()).update(budgets - {ALL, SMALLEST})
    zero = {"0"} if any("0" in count for count in counts.values()) else set[str]()
    series = {problem: sum(problem in own for own in asked) for problem in counts}
    return {
        problem: zero | {budget for budget, times in count.items() if 2 * times >= series[problem]}
        for problem, count in counts.items()
    }


def _asked(one: Series) -> Asked:
    return {problem: {run.asked for run in runs} for problem, runs in one.problems.items()}


def progress(made: Done) -> Grid:
    """How many problems are done; with several seeds, for how many seeds the least of them."""
    rankings = sorted({ranking for _, _, ranking in made})
    lines = []
    for solver, domain in sorted({(solver, domain) for solver, domain, _ in made}):
        cells = [_count(made.get((solver, domain, ranking), {})) for ranking in rankings]
        lines.append([solver, domain, *cells])
    return Grid(["solver", "domain", *rankings], lines)


def _count(seeds: Mapping[int, int]) -> str:
    if not seeds:
        return "–"
    least, most = min(seeds.values()), max(seeds.values())
    count = str(least) if least == most else f"{least}–{most}"
    return count if len(seeds) == 1 else f"{count} × {len(seeds)}"


@dataclass(frozen=True)
class Cell:
    """A cell of Table 1 and the paper's: how many are solved up to its M_D%."""

    solver: str
    domain: str
    ranking: str
    solved: int
    paper_count: int
    paper_share: int

    @property
    def is_reached(self) -> bool:
        return self.solved >= min(self.paper_count, PROBLEMS)


def judged(found: Sequence[Series]) -> list[Cell]:
    """All cells that the paper has and whose problems were tried down to the smallest budget."""
    asked = [_asked(one) for one in found]
    has_zero = any("0" in budgets for own in asked for budgets in own.values())
    cells: list[Cell] = []
    for one, own in zip(found, asked, strict=True):
        domain = paper.name(one.domain)
        count_tried = sum(
            not has_zero or not budgets.isdisjoint(("0", ALL)) for budgets in own.values()
        )
        theirs = paper.COVERAGE.get(one.solver, {}).get((domain, one.ranking))
        if theirs is None or count_tried < PROBLEMS:
            continue
        if not paper.are_its_problems(one.domain, one.problems):
            continue
        count, share = theirs
        ours = solved_by(one, (share + Fraction(1, 2)) * one.dependencies / 100)
        cells.append(Cell(one.solver, domain, one.ranking, ours, count, share))
    return cells


def solved_by(one: Series, x: Fraction) -> int:
    """How many problems a series solves at best with up to x edges."""
    return max((count for place, count in tables.curve(one) if place <= x), default=0)

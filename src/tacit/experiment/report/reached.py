"""Which cells of the paper's Table 1 are reached, and how much of an evaluation is done.

A cell is **reached** if up to the paper's M_D% at least as many problems are solved as the paper
solves at best. The paper's percentages are whole numbers, so ours count as rounded. Only cells
whose runs are there for all problems of the paper are judged. A problem is **done** in a series if
it has a run at each budget that it has in any other: budgets are those of the problem, whatever the
solver and ranking. Budgets are tried from the largest down, so that it must have one at 0 as well,
if the sweep has that level.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tacit.experiment import paper, tables
from tacit.experiment.grid import Grid
from tacit.experiment.phenomena import PROBLEMS
from tacit.experiment.run import ALL, FIRST
from tacit.experiment.tables import Series

Done = Mapping[tuple[str, str, str], Mapping[int, int]]
"""By solver, domain and ranking: how many problems are done with each seed."""


def done(found: Iterable[Series]) -> Done:
    """How many problems of each series are done."""
    asked = [(one, _asked(one)) for one in found]
    needed: dict[str, set[str]] = {}
    for _, own in asked:
        for problem, budgets in own.items():
            needed.setdefault(problem, set()).update(budgets - {ALL, FIRST})
    if any("0" in budgets for budgets in needed.values()):
        for budgets in needed.values():
            budgets.add("0")
    made: dict[tuple[str, str, str], dict[int, int]] = {}
    for one, own in asked:
        count = sum(ALL in budgets or budgets >= needed[name] for name, budgets in own.items())
        made.setdefault((one.solver, one.domain, one.ranking), {})[one.seed] = count
    return made


def _asked(one: Series) -> dict[str, set[str]]:
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
    """A cell of Table 1 beside the paper's: how many are solved up to its M_D%."""

    solver: str
    domain: str
    ranking: str
    solved: int
    paper_count: int
    paper_share: int

    @property
    def is_reached(self) -> bool:
        return self.solved >= self.paper_count


def judged(found: Sequence[Series]) -> list[Cell]:
    """All cells that the paper has and that are done for all of its problems."""
    made = done(found)
    cells: list[Cell] = []
    for one in found:
        domain = paper.name(one.domain)
        theirs = paper.COVERAGE.get(one.solver, {}).get((domain, one.ranking))
        if theirs is None or made[one.solver, one.domain, one.ranking][one.seed] < PROBLEMS:
            continue
        count, share = theirs
        ours = solved_by(one, (share + Fraction(1, 2)) * one.dependencies / 100)
        cells.append(Cell(one.solver, domain, one.ranking, ours, count, share))
    return cells


def solved_by(one: Series, x: Fraction) -> int:
    """How many problems a series solves at best with up to x edges."""
    return max((count for place, count in tables.curve(one) if place <= x), default=0)

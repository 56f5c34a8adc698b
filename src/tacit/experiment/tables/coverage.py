"""The results of a sweep: coverage curves, the paper's Table 1, and the edges that plans used.

Pure functions from runs. A *series* is all problems of one domain with one solver, ranking and
seed. Its **coverage curve** counts at x the problems whose run at their own largest budget ≤ x was
solved; **#C** is the maximum of the curve, and **M_D%** the smallest x that reaches it, in percent
of the domain's dependency maximum. Only runs at given budgets make up a curve; `smallest` does not.
Runs of `minimum` are not a series (`tacit.experiment.tables.minima`), and neither are those whose
budget grew and online ones (`tacit.experiment.tables.ledger`).

Per problem, the first solved budget is the smallest k of any solved run. **Hindsight** is how many
disclosed edges a plan used, the maximum over agents: of the plan at full disclosure (`full`), or
the fewest of any plan of the series (`fewest`). **Improvement** is the mean over solved problems of
(cost at the first solved budget − best cost) / cost at the first solved budget, in percent.

The table of edges used has, per domain, the smallest and largest hindsight over its solved
problems, the smallest and largest first solved budget, and the improvement. The paper's Table 2 is
in `tacit.experiment.tables.makespans`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from statistics import fmean

from tacit.errors import InputError
from tacit.experiment.paper.published import are_its_problems
from tacit.experiment.run.row import ITERATIVE, MINIMUM, ONLINE, REPLANNED, Run, Unit, largest

Curve = tuple[tuple[Fraction, int], ...]
"""Where the count changes, and its value from there on."""

_APART = (ITERATIVE, ONLINE)
_ALIKE = tuple(
    name
    for name in Unit.__struct_fields__
    if name not in ("problem", "domain", "digest", "solver", "ranking", "seed", "ties")
)


@dataclass(frozen=True)
class Series:
    """The runs of one domain with one solver, ranking and seed, by problem.

    If ties were broken at random, `ranking` includes that (`m1 ties`), and `seed` is that of ties.
    """

    domain: str
    solver: str
    ranking: str
    seed: int
    problems: Mapping[str, tuple[Run, ...]]

    @property
    def dependencies(self) -> int:
        """The domain's dependency maximum, over agents and problems."""
        return max((run.largest for runs in self.problems.values() for run in runs), default=0)


def series(rows: Iterable[Run]) -> list[Series]:
    """Runs of one configuration as series; an `InputError` if they are of several."""
    runs = [run for run in rows if run.unit.solver != MINIMUM and run.asked not in _APART]
    for name, values in differences(runs).items():
        message = f"these runs differ in '{name}': {', '.join(values)}"
        raise InputError(message, "choose one of them before making a table")

    def kind(run: Run) -> tuple[str, str, str, int]:
        return (run.unit.domain, run.unit.solver, run.unit.series, run.unit.draw)

    runs.sort(key=lambda run: (*kind(run), run.unit.problem))
    return [
        Series(*key, {p: tuple(own) for p, own in groupby(members, lambda run: run.unit.problem)})
        for key, members in groupby(runs, kind)
    ]


def differences(runs: Iterable[Run]) -> dict[str, list[str]]:
    """The columns that must be equal in all runs of a table but are not, with their values."""
    units = {run.unit for run in runs}
    found = {name: sorted({str(getattr(unit, name)) for unit in units}) for name in _ALIKE}
    return {name: values for name, values in found.items() if len(values) > 1}


def at_budgets(runs: Iterable[Run]) -> list[tuple[int, bool]]:
    """The budgets that were tried and whether each was solved, from the smallest up."""
    return sorted((int(run.asked), run.solved) for run in runs if run.asked.isdecimal())


def has_budgets(runs: Iterable[Run]) -> bool:
    """Whether any run was at a given budget. A sweep with `--smallest` and no levels has none."""
    return any(run.asked.isdecimal() for run in runs)


def curve(one: Series, per_problem: bool = False) -> Curve:
    """How many problems are solved at x.

    x is a number of edges or, `per_problem`, a percentage of each problem's own maximum.
    """
    changes: dict[Fraction, int] = {}
    for runs in one.problems.values():
        most = max(run.largest for run in runs)
        before = False
        for k, solved in at_budgets(runs):
            x = Fraction(100 * k, most or 1) if per_problem else Fraction(k)
            changes[x] = changes.get(x, 0) + solved - before
            before = solved
    count = 0
    points: list[tuple[Fraction, int]] = []
    for x in sorted(changes):
        count += changes[x]
        points.append((x, count))
    return tuple(points)


@dataclass(frozen=True)
class Coverage:
    """#C and M_D% of one series; no M_D% where nothing was solved.

    `replanned` is how many of the plans that count there were made by replanning.
    """

    count: int
    share: float | None
    replanned: int = 0


def coverage(one: Series, per_problem: bool = False, most: int | None = None) -> Coverage:
    """The maximum of a curve, and how much disclosure reaches it, in percent of `most` edges."""
    points = curve(one, per_problem)
    best = max((count for _, count in points), default=0)
    if best == 0:
        return Coverage(0, None)
    x = next(x for x, count in points if count == best)
    total = 100 if per_problem else (one.dependencies if most is None else most) or 1
    made = [run.made for run in counted(one, x, per_problem)]
    return Coverage(best, float(100 * x / total), made.count(REPLANNED))


def counted(one: Series, x: Fraction, per_problem: bool = False) -> list[Run]:
    """The solved runs that make up the curve at x."""
    found: list[Run] = []
    for runs in one.problems.values():
        limit = x * max(run.largest for run in runs) / 100 if per_problem else x
        below = [run for run in runs if run.asked.isdecimal() and int(run.asked) <= limit]
        last = max(below, key=lambda run: int(run.asked), default=None)
        found += [last] if last is not None and last.solved else []
    return found


@dataclass(frozen=True)
class Spread:
    """A mean over seeds, with the smallest and the largest."""

    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread | None:
        return cls(fmean(values), min(values), max(values)) if values else None


@dataclass(frozen=True)
class Cell1:
    """A ranking in a domain: #C and M_D% over its seeds, and how many plans were replanned."""

    count: Spread
    share: Spread | None
    replanned: float = 0.0


@dataclass(frozen=True)
class Row1:
    """A domain in Table 1: its dependency maximum and a cell per ranking."""

    domain: str
    solver: str
    dependencies: int
    cells: Mapping[str, Cell1]
    is_papers: bool = True
    """Are these the paper's problems, so that its numbers mean something beside ours?"""


def table1(rows: Iterable[Run], per_problem: bool = False) -> list[Row1]:
    """#C and M_D% by solver, domain and ranking."""
    found: list[Row1] = []
    for (solver, domain), members in grouped(rows, lambda one: (one.solver, one.domain)):
        cells: dict[str, Cell1] = {}
        most = max(one.dependencies for one in members)
        for ranking in sorted({one.ranking for one in members}):
            each = [coverage(one, per_problem, most) for one in members if one.ranking == ranking]
            count = Spread.of([float(c.count) for c in each])
            share = Spread.of([c.share for c in each if c.share is not None])
            assert count is not None
            cells[ranking] = Cell1(count, share, fmean(c.replanned for c in each))
        is_papers = are_its_problems(domain, {p for one in members for p in one.problems})
        found.append(Row1(domain, solver, most, cells, is_papers))
    return found


@dataclass(frozen=True)
class Solved:
    """One problem that a series solved."""

    problem: str
    first: int
    first_cost: int
    best_cost: int
    full: int | None
    fewest: int

    @property
    def improvement(self) -> Fraction:
        """By how much the best plan is cheaper than the one at the first solved budget."""
        return Fraction(self.first_cost - self.best_cost, self.first_cost or 1)


def solved(one: Series) -> list[Solved]:
    """The problems of a series that were solved, with the values for the table of edges used."""
    found: list[Solved] = []
    for problem, runs in one.problems.items():
        good = [run for run in runs if run.solved and run.k is not None and run.cost is not None]
        if not good:
            continue
        least = min(good, key=lambda run: (_k(run), run.asked == "first", run.asked))
        full = next((largest(run.used) for run in good if run.asked == str(run.largest)), None)
        found.append(
            Solved(
                problem,
                _k(least),
                _cost(least),
                min(map(_cost, good)),
                full,
                min(largest(run.used) for run in good),
            )
        )
    return found


def _k(run: Run) -> int:
    return run.k if run.k is not None else 0


def _cost(run: Run) -> int:
    return run.cost if run.cost is not None else 0


@dataclass(frozen=True)
class UsedRow:
    """A domain and ranking in the table of edges used; None where no problem was solved."""

    domain: str
    solver: str
    ranking: str
    least_used: int | None
    most_used: int | None
    least_first: int | None
    most_first: int | None
    improvement: float | None


def edges_used(rows: Iterable[Run], hindsight: str = "fewest") -> list[UsedRow]:
    """Hindsight (`full` or `fewest`), first solved budgets and improvement, over all seeds."""
    found: list[UsedRow] = []
    kind = grouped(rows, lambda one: (one.solver, one.domain, one.ranking))
    for (solver, domain, ranking), members in kind:
        problems = [problem for one in members for problem in solved(one)]
        used = [
            n for p in problems if (n := p.full if hindsight == "full" else p.fewest) is not None
        ]
        first = [p.first for p in problems]
        gain = [p.improvement for p in problems]
        found.append(
            UsedRow(
                domain,
                solver,
                ranking,
                min(used, default=None),
                max(used, default=None),
                min(first, default=None),
                max(first, default=None),
                float(100 * sum(gain) / len(gain)) if gain else None,
            )
        )
    return found


def grouped(
    rows: Iterable[Run], kind: Callable[[Series], tuple[str, ...]]
) -> list[tuple[tuple[str, ...], list[Series]]]:
    """The series of some runs, grouped by a key."""
    ordered = sorted(series(rows), key=lambda one: (*kind(one), one.seed))
    return [(key, list(members)) for key, members in groupby(ordered, kind)]

"""Rankings against each other in one domain, from stored runs.

They are compared over the problems that all of them solved, by the mean of their first budgets; a
ranking with several seeds counts by its mean over them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean

from tacit.experiment.paper import published as paper
from tacit.experiment.tables.coverage import Series, coverage, solved
from tacit.experiment.tables.grid import Grid


@dataclass(frozen=True)
class Need:
    """A ranking in a domain: #C, M_D in edges, mean first budget where all rankings solve."""

    count: float
    edges: float | None
    mean: float | None


@dataclass(frozen=True)
class Duel:
    """The rankings of a domain with one solver, over `common` of its `problems`."""

    solver: str
    domain: str
    problems: int
    common: int
    needs: Mapping[str, Need]

    def of(self, *rankings: str) -> dict[str, float]:
        """Mean first budgets of these rankings, the smallest first."""
        means = {name: need.mean for name, need in self.needs.items() if name in rankings}
        known = {name: mean for name, mean in means.items() if mean is not None}
        return dict(sorted(known.items(), key=lambda item: item[1]))


def duels(found: Sequence[Series], domain: str) -> list[Duel]:
    """The rankings of a domain against each other, by solver."""
    made: list[Duel] = []
    for (solver, name), own in by_panel(found):
        if paper.name(name) != domain:
            continue
        firsts = {ranking: first_budgets(own, ranking) for ranking in {one.ranking for one in own}}
        common = set.intersection(*(set(each) for each in firsts.values()))
        needs = {
            ranking: Need(
                fmean(coverage(one).count for one in own if one.ranking == ranking),
                _mean(
                    share * one.dependencies / 100
                    for one in own
                    if one.ranking == ranking and (share := coverage(one).share) is not None
                ),
                _mean(firsts[ranking][problem] for problem in common),
            )
            for ranking in sorted(firsts)
        }
        problems = {problem for one in own for problem in one.problems}
        made.append(Duel(solver, name, len(problems), len(common), needs))
    return made


def first_budgets(own: Iterable[Series], ranking: str) -> dict[str, float]:
    """By problem its first budget with this ranking, mean over the seeds that solved it."""
    each: dict[str, list[int]] = {}
    for one in own:
        if one.ranking == ranking:
            for problem in solved(one):
                each.setdefault(problem.problem, []).append(problem.first)
    return {problem: fmean(firsts) for problem, firsts in each.items()}


def by_panel(found: Iterable[Series]) -> list[tuple[tuple[str, str], list[Series]]]:
    """Series by solver and domain."""

    def key(one: Series) -> tuple[str, str]:
        return (one.solver, one.domain)

    return [(name, list(own)) for name, own in groupby(sorted(found, key=key), key)]


def _mean(values: Iterable[float]) -> float | None:
    known = list(values)
    return fmean(known) if known else None


def duel_grid(made: Sequence[Duel]) -> Grid:
    """A line per solver and ranking."""
    lines = [
        [
            duel.solver,
            name,
            f"{need.count:g}",
            "–" if need.edges is None else f"{need.edges:.0f}",
            "–" if need.mean is None else f"{need.mean:.1f}",
            str(duel.common),
        ]
        for duel in made
        for name, need in duel.needs.items()
    ]
    return Grid(["solver", "ranking", "#C", "M_D edges", "mean first k", "over problems"], lines)

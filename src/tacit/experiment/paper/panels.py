"""The paper's rankings side by side, domain by domain and solver by solver."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

from tacit.experiment.paper import published as paper
from tacit.experiment.tables.coverage import Series, coverage
from tacit.experiment.tables.duels import by_panel, first_budgets


@dataclass(frozen=True)
class Panel:
    """The paper's rankings in one domain with one solver."""

    solver: str
    domain: str
    series: Sequence[Series]

    @property
    def problems(self) -> int:
        return len({problem for one in self.series for problem in one.problems})

    @cached_property
    def firsts(self) -> dict[str, dict[str, float]]:
        """Per problem that all of the paper's rankings solved, the first budget of each."""
        own = {name: first_budgets(self.series, name) for name in paper.RANKINGS}
        common = set.intersection(*(set(each) for each in own.values()))
        return {p: {name: own[name][p] for name in paper.RANKINGS} for p in sorted(common)}

    @property
    def means(self) -> dict[str, float]:
        """Mean first budgets over the problems that all solved."""
        return {name: fmean(f[name] for f in self.firsts.values()) for name in paper.RANKINGS}

    @cached_property
    def largest(self) -> dict[str, int]:
        """Per problem, how many dependencies the agent has that has most."""
        pairs = (
            (p, run.largest) for one in self.series for p in one.problems for run in one.problems[p]
        )
        found: dict[str, int] = {}
        for problem, count in pairs:
            found[problem] = max(count, found.get(problem, 0))
        return found

    def reaches(self, ranking: str) -> float:
        """The disclosure at which a ranking reaches its best coverage, in edges."""
        one = next(one for one in self.series if one.ranking == ranking)
        return (coverage(one).share or 0.0) * one.dependencies / 100


def panels_of(found: Sequence[Series], domain: str = "", solver: str = "") -> list[Panel]:
    """The panels where all of the paper's rankings solved some problem in common."""
    made = [
        Panel(s, paper.name(d), [one for one in own if one.ranking in paper.RANKINGS])
        for (s, d), own in by_panel(found)
        if domain in ("", paper.name(d)) and solver in ("", s)
    ]
    return [panel for panel in made if panel.firsts]

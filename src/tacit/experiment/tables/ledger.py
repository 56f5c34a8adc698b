"""What agents disclosed: online runs beside the smallest budgets, which were found offline.

Everything is the ledger's: edges, repairs and their sum over all agents, and edges plus repairs of
the agent that disclosed most. Online a ledger is that of the whole run. Offline it is that of the
smallest budget, as if it alone had been run; finding it took trials at other budgets, which no run
between agents could take back.

Means are over those problems that were solved in every mode that there are runs of, with every
seed, so that two modes are compared on the same problems.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from tacit.experiment.run.row import ONLINE, SMALLEST, Run
from tacit.experiment.tables.grid import Grid
from tacit.experiment.tables.smallest import Attempts, attempts, is_solved

MODES = {SMALLEST: "smallest (offline)", ONLINE: "online"}
"""What was asked, and how tables call it."""
COLUMNS = ("solved", "edges", "repairs", "sum", "largest")


@dataclass(frozen=True)
class Means:
    """Of one mode: how many problems it solved, and means over those that all modes solved: edges,
    repairs and their sum over agents, and edges plus repairs of the largest agent.
    """

    solved: int
    edges: float | None
    repairs: float | None
    sum: float | None
    largest: float | None


@dataclass(frozen=True)
class Row6:
    """A ranking in a domain, by mode; `common` of its `problems` were solved in every mode."""

    solver: str
    domain: str
    ranking: str
    problems: int
    common: int
    modes: Mapping[str, Means]


def table6(runs: Iterable[Run]) -> list[Row6]:
    """Empty if there are neither `--smallest` nor `--online` runs."""
    found = list(runs)
    by_mode = {asked: attempts(found, asked) for asked in MODES}
    keys = sorted({key for own in by_mode.values() for key in own})
    rows: list[Row6] = []
    for solver, domain in keys:
        here = {a: own[solver, domain] for a, own in by_mode.items() if (solver, domain) in own}
        every = [one for problems in here.values() for one in problems.values()]
        for ranking in sorted({name for one in every for name in one}):
            rows.append(_row(solver, domain, ranking, here))
    return rows


def _row(
    solver: str, domain: str, ranking: str, here: Mapping[str, Mapping[str, Attempts]]
) -> Row6:
    own = {
        asked: {name: one[ranking] for name, one in problems.items() if ranking in one}
        for asked, problems in here.items()
    }
    own = {asked: problems for asked, problems in own.items() if problems}
    solved = {
        asked: {name for name in problems if is_solved({ranking: problems[name]}, ranking)}
        for asked, problems in own.items()
    }
    common = sorted(set.intersection(*solved.values()))
    modes = {
        asked: _means(len(solved[asked]), [problems[name] for name in common])
        for asked, problems in own.items()
    }
    every = {name for problems in own.values() for name in problems}
    return Row6(solver, domain, ranking, len(every), len(common), modes)


def _means(solved: int, problems: Sequence[Sequence[Run]]) -> Means:
    if not problems:
        return Means(solved, None, None, None, None)
    each = [
        (
            fmean(sum(run.disclosed.values()) for run in runs),
            fmean(sum(run.repairs.values()) for run in runs),
            fmean(run.sum_disclosed for run in runs),
            fmean(run.most_disclosed for run in runs),
        )
        for runs in problems
    ]
    return Means(solved, *map(fmean, zip(*each, strict=True)))


def grid6(rows: Iterable[Row6]) -> Grid:
    """Table 6: per mode what was disclosed."""
    found = list(rows)
    modes = [asked for asked in MODES if any(asked in row.modes for row in found)]
    header = ["solver", "domain", "ranking", "by all"]
    groups = [""] * len(header)
    for asked in modes:
        header += [f"{MODES[asked]} {column}" for column in COLUMNS]
        groups += [MODES[asked]] * len(COLUMNS)
    lines = []
    for row in found:
        cells = [text for asked in modes for text in _texts(row.modes.get(asked))]
        by_all = f"{row.common} of {row.problems}"
        lines.append([row.solver, row.domain, row.ranking, by_all, *cells])
    return Grid(header, lines, groups)


def _texts(means: Means | None) -> list[str]:
    if means is None:
        return ["–"] * len(COLUMNS)
    numbers = (means.edges, means.repairs, means.sum, means.largest)
    return [str(means.solved), *("–" if n is None else f"{n:.1f}" for n in numbers)]

"""The least that must be disclosed, as rows of a store next to those of rankings.

A sweep with `minimum` has one more unit per problem, of a solver called `minimum` and no ranking.
It has two runs, whose k is for the agent that discloses most: `lower`, a proven lower bound, and
`best`, the fewest edges of a plan that was found, extended and validated. They are not runs at a
budget, so tables and curves of rankings omit them. If agents have prices there are two more,
`lower price` and `best price`: the same for the price of the agent that pays most.

**Closed** is how much of the gap from `random` to the lower bound a ranking closes: the mean over
problems of (first solved k of random − that of the ranking) ÷ (that of random − lower bound), in
percent. Random is its mean over seeds. Problems that a side did not solve, or where random is
already at the bound, do not count. It is negative if a ranking needs more than random.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from tacit.central.analysis.minimum import Minimum, MinimumSearch, Witness
from tacit.experiment.run.job import Job
from tacit.experiment.run.row import (
    BEST,
    BEST_PRICE,
    LOWER,
    LOWER_PRICE,
    MINIMUM,
    Run,
    RunOutcome,
)
from tacit.experiment.tables import coverage as tables
from tacit.experiment.tables.grid import Grid

RANDOM = "random"


def run(job: Job, started: float, report: Callable[[Run], None]) -> None:
    """Execute a unit of solver `minimum`: both of its runs."""
    start = time.process_time()
    instance = job.problem.load()
    loaded = time.process_time()
    search = MinimumSearch(
        instance, job.settings, ("max",), job.unit.seed, _one_each, price_policy=job.price_policy
    )
    ready = time.process_time()
    limit = job.unit.time_limit

    def left() -> float:
        return math.inf if limit is None else max(0.0, limit - (time.time() - started))

    seconds = left()
    result = search.run(seconds)
    common: dict[str, Any] = {
        "unit": job.unit,
        "dependencies": result.dependencies,
        "seconds_load": loaded - start,
        "seconds_dependencies": ready - loaded,
        "seconds_search": time.process_time() - ready,
        "seconds_total": time.process_time() - start,
        "started": started,
        "ended": time.time(),
    }
    no_plan = result.solvable is False
    lower = RunOutcome.NO_PLAN if no_plan else RunOutcome.SOLVED
    report(Run(asked=LOWER, outcome=lower, k=None if no_plan else result.lower["max"], **common))
    report(Run(asked=BEST, **_best(result, seconds), **common))
    if job.weights is not None:
        seconds = left()
        search = MinimumSearch(
            instance, job.settings, ("max",), job.unit.seed, price_policy=job.price_policy
        )
        result = search.run(seconds)
        common |= {"ended": time.time()}
        price = {} if no_plan else {"max": result.lower["max"]}
        report(Run(asked=LOWER_PRICE, outcome=lower, price=price, **common))
        found = _best(result, seconds)
        witness = result.witness.get("max")
        found |= {} if witness is None else {"k": None, "price": witness.paid}
        report(Run(asked=BEST_PRICE, **found, **common))


def _one_each(agent: str, edge: object) -> int:
    """Edges are counted, regardless of their price; those of `never` are not among them."""
    return 1


def _best(result: Minimum, limit: float) -> dict[str, Any]:
    witness = result.witness.get("max")
    if witness is not None:
        return _found(witness)
    if result.solvable is False:
        return {"outcome": RunOutcome.NO_PLAN}
    return {"outcome": RunOutcome.TIME if result.seconds >= limit else RunOutcome.UNDECIDED}


def _found(witness: Witness) -> dict[str, Any]:
    disclosed = {agent: len(edges) for agent, edges in witness.edges.items()}
    return {
        "outcome": RunOutcome.SOLVED,
        "k": witness.value,
        "disclosed": disclosed,
        "used": disclosed,
        "repairs": witness.repairs,
        "plan": "".join(f"{step}\n" for step in witness.plan.steps),
        "plan_length": witness.verdict.length,
        "cost": witness.verdict.cost,
        "makespan": witness.verdict.makespan,
        "makespan_paper": witness.verdict.makespan_paper,
    }


@dataclass(frozen=True)
class Bounds:
    """The bounds of one problem; None if unknown. `most` is its own maximum of edges."""

    domain: str
    lower: int | None
    best: int | None
    most: int


def bounds(runs: Iterable[Run]) -> dict[str, Bounds]:
    """The bounds of each problem."""
    found: dict[str, dict[str, Run]] = {}
    for one in runs:
        if one.unit.solver == MINIMUM and one.asked in (LOWER, BEST):
            found.setdefault(one.unit.problem, {})[one.asked] = one
    made: dict[str, Bounds] = {}
    for problem, own in found.items():
        some = next(iter(own.values()))
        lower, best = (own[asked].k if asked in own else None for asked in (LOWER, BEST))
        made[problem] = Bounds(some.unit.domain, lower, best, some.largest)
    return made


@dataclass(frozen=True)
class Closed:
    """A ranking in a domain: the share of the gap to the bound in percent, over some problems."""

    domain: str
    solver: str
    ranking: str
    share: float | None
    problems: int


def closed(runs: Iterable[Run]) -> list[Closed]:
    """How much of the gap from random to the lower bound each ranking closes, if one is known."""
    rows = list(runs)
    lower = {name: one.lower for name, one in bounds(rows).items() if one.lower is not None}
    if not lower:
        return []
    firsts: dict[tuple[str, str, str], dict[str, list[int]]] = {}
    for one in tables.series(rows):
        own = firsts.setdefault((one.solver, one.domain, one.ranking), {})
        for problem in tables.solved(one):
            own.setdefault(problem.problem, []).append(problem.first)
    found: list[Closed] = []
    for (solver, domain, ranking), own in sorted(firsts.items()):
        random = firsts.get((solver, domain, RANDOM), {})
        if ranking != RANDOM and random:
            shares = _shares(own, random, lower)
            mean = fmean(shares) if shares else None
            found.append(Closed(domain, solver, ranking, mean, len(shares)))
    return found


def _shares(
    own: Mapping[str, list[int]], random: Mapping[str, list[int]], lower: Mapping[str, int]
) -> list[float]:
    shares: list[float] = []
    for problem in own.keys() & random.keys() & lower.keys():
        far = fmean(random[problem]) - lower[problem]
        if far > 0:
            shares.append(100 * (fmean(random[problem]) - fmean(own[problem])) / far)
    return shares


def grid3(rows: Iterable[Closed]) -> Grid:
    """Table 3: per ranking the share of the gap closed, and over how many problems."""
    found = list(rows)
    rankings = sorted({row.ranking for row in found})
    lines: list[list[str]] = []
    bold: set[tuple[int, int]] = set()
    for solver, domain in dict.fromkeys((row.solver, row.domain) for row in found):
        own = {row.ranking: row for row in found if (row.solver, row.domain) == (solver, domain)}
        most = max(row.problems for row in own.values())
        shares = {name: row.share for name, row in own.items() if row.share is not None}
        best = [name for name, share in shares.items() if share == max(shares.values())]
        if len(best) < len(shares):
            bold |= {(len(lines), 2 + rankings.index(name)) for name in best}
        cells = [_closed(own.get(ranking), most) for ranking in rankings]
        lines.append([solver, domain, *cells, str(most)])
    return Grid(["solver", "domain", *rankings, "problems"], lines, bold=frozenset(bold))


def _closed(row: Closed | None, most: int) -> str:
    if row is None or row.share is None:
        return "–"
    return f"{round(row.share)}" + ("" if row.problems == most else f" (of {row.problems})")

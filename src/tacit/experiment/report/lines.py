"""The curves of a report as plain numbers, for figures and for the page.

A *panel* is a domain with a solver. Its lines are rankings; one with several seeds is a mean with a
band from the least to the most of any seed. Four things are measured, each as a function of
disclosure x, where a problem stands for its run at its own largest budget ≤ x:

- `coverage`: how many problems are solved, x in edges or in percent of each problem's own maximum.
  **Hindsight** is one more line here: at x it counts the problems for which some plan of any
  ranking used at most x disclosed edges per agent. No ranking can do better with plans that were
  found. If the store has minima, two more: problems whose **lower bound** is at most x, and those
  for which the **best found** choice of edges, computed from all secrets, is. No ranking rises
  above the first of them.
  Where leakage was measured, there is also coverage over what others **know** of the agent of which
  they know most, edges disclosed or guessed right, and over **bits** learned of an agent's graph:
  at x it counts the problems that some run solved with no more than that.
- `cost` and `makespan`: the mean over the problems solved at x of cost ÷ best cost of that problem
  in the store, and the same of makespans.
- `time`: the geometric mean over the problems solved at x of the CPU time of that run.

Cost, makespan and time at two x may be means over different problems; the page states that.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from statistics import fmean

from tacit.experiment.run.row import Run
from tacit.experiment.tables.coverage import Series, curve, solved
from tacit.experiment.tables.minima import Bounds

HINDSIGHT = "hindsight"
LOWER_BOUND, BEST_FOUND = "lower bound", "best found"
ALL_DOMAINS = "all domains together"
MOST_POINTS = 400
"""A line with more points is sampled at this many equidistant places."""

EDGES, PERCENT = "edges", "percent"
KNOWN, BITS = "known", "bits"


@dataclass(frozen=True)
class Line:
    """A step function: from x[i] on it is y[i]. `low` and `high` are the band, if there is one."""

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


@dataclass(frozen=True)
class Panel:
    """All lines of a domain with a solver, by measure and unit of x."""

    domain: str
    solver: str
    problems: int
    lines: Mapping[tuple[str, str], tuple[Line, ...]]
    is_all: bool = False
    """Is this all domains together?"""


Points = Sequence[tuple[Fraction, float]]


def panels(found: Iterable[Series], minima: Mapping[str, Bounds] | None = None) -> list[Panel]:
    """A panel per solver and domain; if minima are known, with two more lines of coverage."""
    ordered = sorted(found, key=lambda one: (one.solver, one.domain, one.ranking, one.seed))
    best = _best(ordered)
    return [
        _panel(solver, domain, list(members), best, minima or {})
        for (solver, domain), members in groupby(ordered, lambda one: (one.solver, one.domain))
    ]


def together(found: Sequence[Series], minima: Mapping[str, Bounds] | None = None) -> list[Panel]:
    """A panel per solver that has several domains, with the rankings that have all of them."""
    made: list[Panel] = []
    for solver in sorted({one.solver for one in found}):
        own = [one for one in found if one.solver == solver]
        domains = {one.domain for one in own}
        merged: list[Series] = []
        for ranking, seed in sorted({(one.ranking, one.seed) for one in own}):
            parts = [one for one in own if (one.ranking, one.seed) == (ranking, seed)]
            if len(parts) == len(domains) > 1:
                problems = {name: runs for one in parts for name, runs in one.problems.items()}
                merged.append(Series(ALL_DOMAINS, solver, ranking, seed, problems))
        if merged:
            panel = _panel(solver, ALL_DOMAINS, merged, _best(merged), minima or {})
            made.append(replace(panel, is_all=True))
    return made


def _best(found: Sequence[Series]) -> dict[str, dict[str, int]]:
    return {measure: best_of(found, measure) for measure in ("cost", "makespan")}


def best_of(found: Iterable[Series], measure: str) -> dict[str, int]:
    """Per problem the least cost, or makespan, of any of its plans."""
    best: dict[str, int] = {}
    for one in found:
        for problem, runs in one.problems.items():
            for run in runs:
                value = getattr(run, measure) if run.solved else None
                if value is not None:
                    best[problem] = min(value, best.get(problem, value))
    return best


def _panel(
    solver: str,
    domain: str,
    own: list[Series],
    best: Mapping[str, Mapping[str, int]],
    minima: Mapping[str, Bounds],
) -> Panel:
    by_ranking = {key: list(members) for key, members in groupby(own, lambda one: one.ranking)}
    makers: dict[tuple[str, str], Callable[[Series], Points]] = {
        ("coverage", EDGES): curve,
        ("coverage", PERCENT): lambda one: curve(one, per_problem=True),
        ("coverage", KNOWN): lambda one: _least(one, lambda run: run.known_edges),
        ("coverage", BITS): lambda one: _least(one, lambda run: run.most_bits),
        ("cost", PERCENT): lambda one: _mean_at(one, lambda run: _ratio(run, "cost", best)),
        ("makespan", PERCENT): lambda one: _mean_at(one, lambda r: _ratio(r, "makespan", best)),
        ("time", PERCENT): lambda one: [(x, math.exp(y)) for x, y in _mean_at(one, _log_time)],
    }
    lines: dict[tuple[str, str], tuple[Line, ...]] = {}
    for (measure, unit), make in makers.items():
        each = [
            line(ranking, [make(one) for one in members]) for ranking, members in by_ranking.items()
        ]
        if measure == "coverage" and unit in (EDGES, PERCENT):
            each.append(_hindsight(own, unit))
            each += _minimum(own, unit, minima)
        lines[measure, unit] = tuple(one for one in each if one.x)
    problems = {problem for one in own for problem in one.problems}
    return Panel(domain, solver, len(problems), lines)


def until(lines: Iterable[Line]) -> float:
    """Where to cut off x: somewhat after the last change of any line, or where they end.

    Of tens of thousands of edges the first few hundred often decide everything.
    """
    known = list(lines)
    end = max((line.x[-1] for line in known), default=0.0)
    last = max((_last_change(line) for line in known), default=0.0)
    return 1.25 * last if 0 < last < 0.5 * end else end


def _last_change(line: Line) -> float:
    values = (line.y, line.low or line.y, line.high or line.y)
    rows = list(zip(*values, strict=True))
    return max((line.x[n] for n in range(1, len(rows)) if rows[n] != rows[n - 1]), default=0.0)


def line(name: str, seeds: Sequence[Points]) -> Line:
    """The mean of some step functions from where the first of them begins, and its band."""
    known = [points for points in seeds if points]
    xs = _thinned(sorted({x for points in known for x, _ in points}))
    table = [[_at(points, x) for points in known] for x in xs]
    rows = [(x, values) for x, row in zip(xs, table, strict=True) if (values := _numbers(row))]
    x = tuple(float(place) for place, _ in rows)
    y = tuple(fmean(values) for _, values in rows)
    if len(seeds) < 2:
        return Line(name, x, y)
    low, high = (tuple(pick(values) for _, values in rows) for pick in (min, max))
    return Line(name, x, y, low, high)


def _thinned(xs: Sequence[Fraction]) -> Sequence[Fraction]:
    if len(xs) <= MOST_POINTS:
        return xs
    step = (xs[-1] - xs[0]) / (MOST_POINTS - 1)
    return [xs[0] + n * step for n in range(MOST_POINTS)]


def _at(points: Points, x: Fraction) -> float | None:
    place = bisect_right(points, x, key=lambda point: point[0])
    return points[place - 1][1] if place else None


def _numbers(row: Iterable[float | None]) -> list[float]:
    return [value for value in row if value is not None and not math.isnan(value)]


def _mean_at(one: Series, value: Callable[[Run], float | None]) -> Points:
    """A mean over problems as a function of x in percent; NaN where no problem has a value."""
    events: list[tuple[Fraction, str, float | None]] = []
    for problem, runs in one.problems.items():
        most = max(run.largest for run in runs) or 1
        for run in runs:
            if run.asked.isdecimal():
                x = Fraction(100 * int(run.asked), most)
                events.append((x, problem, value(run) if run.solved else None))
    events.sort(key=lambda event: event[0])
    now: dict[str, float] = {}
    total = 0.0
    points: list[tuple[Fraction, float]] = []
    for x, changes in groupby(events, lambda event: event[0]):
        for _, problem, number in changes:
            total -= now.pop(problem, 0.0)
            if number is not None:
                now[problem] = number
                total += number
        points.append((x, total / len(now) if now else math.nan))
    return points


def _least(one: Series, value: Callable[[Run], float | None]) -> Points:
    """How many problems were solved with at most x, where that was measured."""
    least = [
        min(found)
        for runs in one.problems.values()
        if (found := [x for run in runs if run.solved and (x := value(run)) is not None])
    ]
    places = sorted(Fraction(x).limit_denominator(1000) for x in least)
    rises: list[tuple[Fraction, float]] = [(x, bisect_right(places, x)) for x in sorted({*places})]
    return [(Fraction(0), 0.0), *rises] if rises and rises[0][0] > 0 else rises


def _ratio(run: Run, measure: str, best: Mapping[str, Mapping[str, int]]) -> float | None:
    value: int | None = getattr(run, measure)
    if value is None:
        return None
    least = best[measure][run.unit.problem]
    return value / least if least else 1.0


def _log_time(run: Run) -> float | None:
    return None if run.seconds_total is None else math.log(max(run.seconds_total, 1e-4))


def _hindsight(own: Iterable[Series], unit: str) -> Line:
    """How many problems have a plan that used at most x edges per agent."""
    fewest: dict[str, Fraction] = {}
    for one in own:
        for problem in solved(one):
            most = max(run.largest for run in one.problems[problem.problem]) or 1
            x = (
                Fraction(100 * problem.fewest, most)
                if unit == PERCENT
                else Fraction(problem.fewest)
            )
            fewest[problem.problem] = min(x, fewest.get(problem.problem, x))
    if not fewest:
        return Line(HINDSIGHT, (), ())
    return _counted(HINDSIGHT, fewest.values(), own, unit)


def _minimum(own: Sequence[Series], unit: str, minima: Mapping[str, Bounds]) -> list[Line]:
    """How many problems may be solvable at x, and how many are with the best edges found."""
    found: list[Line] = []
    known = [minima[p] for p in {p for one in own for p in one.problems} if p in minima]
    for name, end in ((LOWER_BOUND, "lower"), (BEST_FOUND, "best")):
        places = [
            Fraction(100 * k, one.most or 1) if unit == PERCENT else Fraction(k)
            for one in known
            if (k := getattr(one, end)) is not None
        ]
        if places:
            found.append(_counted(name, places, own, unit))
    return found


def _counted(name: str, places: Iterable[Fraction], own: Iterable[Series], unit: str) -> Line:
    """A line that rises by one at each of these places, as far as the curves go."""
    ordered = sorted(places)
    points: list[tuple[Fraction, float]] = [(Fraction(0), 0)]
    points += [(x, bisect_right(ordered, x)) for x in sorted(set(ordered))]
    end = max((x for one in own for x, _ in curve(one, unit == PERCENT)), default=ordered[-1])
    points.append((max(end, ordered[-1]), len(ordered)))
    return line(name, [points])

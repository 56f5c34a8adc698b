"""Runs of random sweeps, and naive readings of them."""

from __future__ import annotations

import random
from fractions import Fraction

import msgspec
from hypothesis import strategies as st

from support.draws import some, up_to
from tacit.experiment.run.row import Run, RunOutcome, Unit

UNIT = Unit("d/p", "d", "factored", "", "projection", "paper", "{}", "m1", 0, None, None, "", "1")


OUTCOMES = (RunOutcome.SOLVED, RunOutcome.SOLVED, RunOutcome.NO_PLAN, RunOutcome.TIME)


def draw_problem(draw, name: str, ranking: str, seed: int) -> list[Run]:
    """One problem with some agents, tried at some budgets, perhaps with `first`."""
    unit = msgspec.structs.replace(UNIT, problem=f"d/{name}", ranking=ranking, seed=seed)
    if draw(up_to(9)) == 0:
        return [Run(unit=unit, asked="all", outcome=RunOutcome.BAD_INPUT)]
    totals = {agent: draw(up_to(12)) for agent in draw(some(tuple("abc"), 1, 3))}
    most = max(totals.values())
    budgets = draw(some(tuple(range(most + 1)), 1, 4))
    found = []
    for asked in [*map(str, budgets), *(["smallest"] if draw(up_to(1)) else [])]:
        outcome = draw(some(OUTCOMES, 1, 1))[0]
        k = int(asked) if asked != "smallest" else draw(up_to(most))
        is_solved = outcome is RunOutcome.SOLVED
        used = {agent: draw(up_to(min(k, n))) for agent, n in totals.items() if is_solved}
        found.append(
            Run(
                unit=unit,
                asked=asked,
                outcome=outcome,
                k=k,
                dependencies=totals,
                cost=draw(up_to(20)) if is_solved else None,
                used=used,
                makespan=draw(up_to(30, 1)) if is_solved else None,
                makespan_paper=draw(up_to(20, 1)) if is_solved else None,
            )
        )
    return found


@st.composite
def sweeps(draw) -> list[Run]:
    found = []
    for ranking, seeds in (("m1", 1), ("random", draw(up_to(3, 1)))):
        for seed in range(seeds):
            for name in ("p1", "p2", "p3")[: draw(up_to(3, 1))]:
                found += draw_problem(draw, name, ranking, seed)
    random.Random(draw(up_to(9))).shuffle(found)
    return found


def naive_count(runs: dict[str, list[Run]], x: Fraction, per_problem: bool) -> int:
    count = 0
    for own in runs.values():
        tried = [run for run in own if run.asked not in ("smallest", "all")]
        scale = max([max(run.dependencies.values(), default=0) for run in own]) or 1
        below = [r for r in tried if (Fraction(100 * r.k, scale) if per_problem else r.k) <= x]
        if below and max(below, key=lambda run: run.k).outcome is RunOutcome.SOLVED:
            count += 1
    return count


def naive_coverage(
    runs: dict[str, list[Run]], per_problem: bool, most: int
) -> tuple[int, float | None]:
    steps = [Fraction(n) for n in range(most + 1)]
    if per_problem:
        steps = sorted({Fraction(100 * k, d) for d in range(1, 13) for k in range(d + 1)})
    counts = [(naive_count(runs, x, per_problem), x) for x in steps]
    best = max(count for count, _ in counts)
    if best == 0:
        return 0, None
    first = min(x for count, x in counts if count == best)
    return best, float(100 * first / (100 if per_problem else most or 1))


def by_problem(rows: list[Run], ranking: str, seed: int) -> dict[str, list[Run]]:
    found: dict[str, list[Run]] = {}
    for run in rows:
        if (run.unit.ranking, run.unit.seed) == (ranking, seed):
            found.setdefault(run.unit.problem, []).append(run)
    return found

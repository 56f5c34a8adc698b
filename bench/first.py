"""What was disclosed at the smallest k that solves, ranking by ranking, from stored sweeps.

    tacit sweep …/unfactored/DOMAIN --smallest --rankings goal,m1,m2,m3,m4 \\
        --solvers projection,mafs --time-limit 60 -o DOMAIN.db
    python bench/first.py [--problems] STORE …

For each solver and domain of the stores: how many problems each ranking solved, and the mean of
edges plus repairs, as the maximum over agents, over those problems that all rankings solved. `best`
is the ranking of the paper with the smallest mean, and `lost` counts the problems that some ranking
of the paper solved and `goal` did not. The mean is given again for the problems in odd and in even
positions of their domain: parameters of `goal` were chosen on the odd ones. `--problems` lists the
problems one by one, as edges + repairs, with `*` where `goal` discloses more than the best.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

from tacit.experiment.run.row import SMALLEST, Run
from tacit.experiment.run.store import Store
from tacit.experiment.tables.smallest import (
    Attempts,
    attempts,
    is_solved,
    mean_disclosed,
    solved_by_all,
)
from tacit.pddl.agents import natural_key

GOAL, PAPER = "goal", ("m1", "m2", "m3", "m4")
RANKINGS = (GOAL, *PAPER)


def read(paths: Iterable[Path]) -> Iterable[Run]:
    for path in paths:
        with Store.open(path) as store:
            yield from store.rows(asked=SMALLEST)


def shown(number: float | None) -> str:
    return f"{'–' if number is None else format(number, '.2f'):>8}"


def cell(runs: Iterable[Run]) -> str:
    return " ".join(map(brief, runs)) or "?"


def brief(run: Run) -> str:
    if not run.solved:
        return run.outcome.value
    most = max(run.disclosed, key=lambda a: run.disclosed[a] + run.repairs.get(a, 0))
    return f"{run.disclosed[most]}+{run.repairs.get(most, 0)}"


def least_disclosed(problem: Attempts) -> int | None:
    """By a ranking of the paper."""
    return min(
        (run.most_disclosed for r in PAPER if is_solved(problem, r) for run in problem[r]),
        default=None,
    )


def is_lost(problem: Attempts) -> bool:
    return least_disclosed(problem) is not None and not is_solved(problem, GOAL)


def is_worse(problem: Attempts) -> bool:
    least = least_disclosed(problem)
    return least is not None and (is_lost(problem) or problem[GOAL][0].most_disclosed > least)


def summary(problems: dict[str, Attempts]) -> str:
    """One domain in a line."""
    every = [problems[name] for name in sorted(problems, key=natural_key)]
    common = solved_by_all(every, RANKINGS)
    odd, even = (solved_by_all(every[start::2], RANKINGS) for start in (0, 1))
    means = {r: mean_disclosed(common, r) for r in RANKINGS}
    cells = "".join(f"{shown(means[r])} {sum(is_solved(p, r) for p in every):3}" for r in RANKINGS)
    best = min(PAPER, key=lambda r: means[r] or 0)
    halves = "".join(
        f"{shown(mean_disclosed(half, GOAL))} /{shown(mean_disclosed(half, best))}"
        for half in (odd, even)
    )
    verdict = "worse" if (means[GOAL] or 0) > (means[best] or 0) else ""
    lost = sum(map(is_lost, every))
    return f"{len(common):4}/{len(every):3}{cells}  {best} {lost:4}  {halves}  {verdict}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("stores", nargs="+", type=Path)
    parser.add_argument("--problems", action="store_true")
    options = parser.parse_args()
    found = attempts(read(options.stores))
    if options.problems:
        for (solver, _), problems in found.items():
            for name in sorted(problems, key=natural_key):
                cells = "".join(f"{cell(problems[name].get(r, ())):>12}" for r in RANKINGS)
                print(f"{solver:11} {name:32}{cells} {'*' * is_worse(problems[name])}")
    heads = "".join(f"{name:>8} {'n':>3}" for name in RANKINGS)
    print(
        f"{'':26}{'all of':>8}{heads} best lost {'odd: goal / best':>18}{'even: goal / best':>18}"
    )
    for (solver, domain), problems in found.items():
        print(f"{solver:11} {domain:14}{summary(problems)}")


if __name__ == "__main__":
    main()

"""What was disclosed at the smallest k that solves, ranking by ranking, from stored sweeps.

    tacit sweep …/unfactored/DOMAIN --first --rankings goal,m1,m2,m3,m4 \\
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
import statistics
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from tacit.experiment.run import FIRST, Run
from tacit.experiment.store import Store
from tacit.pddl.agents import natural_key
from tacit.solvers.asking import most_told

GOAL, PAPER = "goal", ("m1", "m2", "m3", "m4")
RANKINGS = (GOAL, *PAPER)
Row = dict[str, Run]


def told(run: Run) -> int:
    """Edges plus repairs of the agent that told most."""
    return most_told(run.disclosed, run.repairs)


def read(paths: Iterable[Path]) -> dict[tuple[str, str], dict[str, Row]]:
    """Per solver and domain, per problem, per ranking, the run that looked for the smallest k."""
    found: dict[tuple[str, str], dict[str, Row]] = defaultdict(lambda: defaultdict(dict))
    for path in paths:
        with Store.open(path) as store:
            for run in store.rows(asked=FIRST):
                unit = run.unit
                found[unit.solver, unit.domain][unit.problem][unit.series] = run
    return found


def mean(rows: Iterable[Row], ranking: str) -> float | None:
    numbers = [told(row[ranking]) for row in rows]
    return statistics.mean(numbers) if numbers else None


def shown(number: float | None) -> str:
    return f"{'–' if number is None else format(number, '.2f'):>8}"


def cell(run: Run | None) -> str:
    if run is None:
        return "?"
    if not run.solved:
        return run.outcome.value
    most = max(run.disclosed, key=lambda a: run.disclosed[a] + run.repairs.get(a, 0))
    return f"{run.disclosed[most]}+{run.repairs.get(most, 0)}"


def is_worse(row: Row) -> bool:
    paper = [told(row[name]) for name in PAPER if name in row and row[name].solved]
    goal = row.get(GOAL)
    return bool(paper) and (goal is None or not goal.solved or told(goal) > min(paper))


def summary(rows: dict[str, Row]) -> str:
    """One domain in a line."""
    whole = [rows[name] for name in sorted(rows, key=natural_key)]
    place = {id(row): number for number, row in enumerate(whole)}
    solved = {r: sum(r in row and row[r].solved for row in whole) for r in RANKINGS}
    common = [row for row in whole if all(r in row and row[r].solved for r in RANKINGS)]
    odd = [row for row in common if place[id(row)] % 2 == 0]
    even = [row for row in common if place[id(row)] % 2 == 1]
    lost = sum(is_worse(row) and not (GOAL in row and row[GOAL].solved) for row in whole)
    cells = "".join(f"{shown(mean(common, r))} {solved[r]:3}" for r in RANKINGS)
    best = min(PAPER, key=lambda r: mean(common, r) or 0)
    halves = f"{shown(mean(odd, GOAL))} /{shown(mean(odd, best))}"
    halves += f"{shown(mean(even, GOAL))} /{shown(mean(even, best))}"
    verdict = "worse" if common and (mean(common, GOAL) or 0) > (mean(common, best) or 0) else ""
    return f"{len(common):4}/{len(whole):3}{cells}  {best} {lost:4}  {halves}  {verdict}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("stores", nargs="+", type=Path)
    parser.add_argument("--problems", action="store_true")
    options = parser.parse_args()
    found = read(options.stores)
    if options.problems:
        for (solver, _), rows in sorted(found.items()):
            for name in sorted(rows, key=natural_key):
                cells = "".join(f"{cell(rows[name].get(r)):>12}" for r in RANKINGS)
                print(f"{solver:11} {name:32}{cells} {'*' * is_worse(rows[name])}")
    heads = "".join(f"{name:>8} {'n':>3}" for name in RANKINGS)
    print(
        f"{'':26}{'all of':>8}{heads} best lost {'odd: goal / best':>18}{'even: goal / best':>18}"
    )
    for (solver, domain), rows in sorted(found.items()):
        print(f"{solver:11} {domain:14}{summary(rows)}")


if __name__ == "__main__":
    main()

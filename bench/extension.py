"""How many plans at first solved budgets were made by replanning, for rows without that column.

Repeats the first solved run of each problem and ranking of docs/results/paper.csv.gz with the
projection, m1 to m4, and reports how its plan was made. A run that differs from the stored one
(states expanded, cost, makespan) is counted separately: the program has changed since. About two
minutes of CPU time.

    python bench/extension.py [ROWS]
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from measure import CODMAP

from tacit.central.instance import Instance, load
from tacit.central.session import Session
from tacit.experiment.paper import published as paper
from tacit.experiment.run.restore import read_runs
from tacit.experiment.run.row import Run
from tacit.profile import profile
from tacit.public.run_options import RunOptions
from tacit.solvers.limits import Limits

ROWS = Path(__file__).parents[1] / "docs" / "results" / "paper.csv.gz"
SECONDS = 30.0


def firsts(runs: Iterable[Run]) -> list[Run]:
    """The run with the smallest budget that was solved, by problem and ranking."""
    found: dict[tuple[str, str], Run] = {}
    for run in runs:
        key = (run.unit.problem, run.unit.ranking)
        if not run.solved or run.k is None or run.unit.ranking not in paper.RANKINGS:
            continue
        if run.unit.solver == "projection" and (key not in found or run.k < found[key].k):
            found[key] = run
    return [found[key] for key in sorted(found)]


def repeat(run: Run, instance: Instance) -> str:
    """How the plan is made, if the run is the same as the stored one."""
    session = Session(instance, profile("paper"), RunOptions("projection", run.unit.ranking))
    result = session.at(run.k or 0, Limits(SECONDS))
    if result.verdict is None:
        return "otherwise"
    now = (result.counters.expanded, result.verdict.cost, result.verdict.makespan)
    same = now == (run.expanded, run.cost, run.makespan)
    return str(result.extension) if same else "otherwise"


def main(rows: Path) -> None:
    counts: dict[str, Counter[str]] = {}
    name, instance = "", None
    for run in firsts(read_runs(rows)):
        if run.unit.problem != name or instance is None:
            name, instance = run.unit.problem, load(CODMAP / "unfactored" / run.unit.problem)
        counts.setdefault(run.unit.domain, Counter())[repeat(run, instance)] += 1
    print(f"{'domain':12} {'strict':>9} {'replanned':>9} {'otherwise':>9}")
    for domain, own in counts.items():
        print(f"{domain:12} {own['strict']:9} {own['replanned']:9} {own['otherwise']:9}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROWS)

"""The paper's Table 1 for the joint projection: how little disclosure reaches the best coverage.

Each CoDMAP problem is tried at 0, 5, …, 100 % of its largest agent's dependencies, rounded up as
`tacit solve --percent` does. A problem counts at x edges if its run at its largest own k ≤ x
succeeded. #C is the maximum of that curve over a domain, and M_D% the smallest x that reaches it,
in percent of the domain's dependency maximum (docs/experiments.md). A cell has a ! if the paper's
#C is not reached at the paper's M_D%, both rounded; with ~ if it is, and more is reached later.

The time limit is in CPU seconds: on a busy machine let runs take `--slack` times as long in wall
time; one that took more CPU time than the limit counts as not solved.

Every run is a row of the CSV file; existing rows are not run again. If the goal is not relaxed
reachable there is no plan, and nothing is run. Levels go up, and once all problems of a domain are
solved at some x, larger ones can change neither number: they are skipped unless `--all-levels`.

    python bench/table1.py [--profile paper] [--ranking m1]… [--time-limit 10] [--slack 1]
        [--jobs 1] [--rows build/table1.csv] [--all-levels] [--only-print] [DOMAIN …]
"""

from __future__ import annotations

import argparse
import csv
import math
import multiprocessing
from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields
from itertools import groupby
from pathlib import Path

from measure import DOMAINS, problems

from tacit.central.instance import load
from tacit.central.session import Session
from tacit.experiment.paper import published as paper
from tacit.profile import profile
from tacit.public.run_options import RunOptions
from tacit.solvers.limits import Limits

LEVELS = range(0, 101, 5)


@dataclass(frozen=True, slots=True)
class Row:
    profile: str
    limit: float
    domain: str
    problem: str
    ranking: str
    largest: int
    k: int
    outcome: str
    extension: str
    steps: int
    repairs: int
    seconds: float


Unit = tuple[str, float, float, str, Path, str, tuple[int, ...]]


def run(unit: Unit) -> list[Row]:
    """Some budgets of one problem with one ranking."""
    name, limit, slack, domain, folder, ranking, chosen = unit
    session = Session(load(folder), profile(name), RunOptions("projection", ranking))
    head = (name, limit, domain, folder.name, ranking, session.largest)
    rows = []
    for k in chosen:
        if not session.solver.offline.projection(k).is_relaxed_reachable():
            rows.append(Row(*head, k, "no plan", "", 0, 0, 0.0))
            continue
        result = session.at(k, Limits(limit * slack))
        length = len(result.plan.steps) if result.plan else 0
        repairs, spent = max(result.repairs.values()), round(result.seconds["solve"], 3)
        how = result.extension or ""
        outcome = result.outcome.value if spent <= limit else "time"
        rows.append(Row(*head, k, outcome, how, length, repairs, spent))
    return rows


def read(path: Path) -> list[Row]:
    if not path.exists():
        return []
    kinds = {"str": str, "int": int, "float": float}
    with path.open(newline="") as file:
        return [
            Row(*(kinds[str(f.type)](text[f.name]) for f in fields(Row)))
            for text in csv.DictReader(file)
        ]


def write(path: Path, rows: Iterable[Row]) -> None:
    is_new = not path.exists()
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", newline="") as file:
        writer = csv.writer(file)
        if is_new:
            writer.writerow(f.name for f in fields(Row))
        writer.writerows(map(astuple, rows))


def missing(known: list[Row], domain: str, level: int, options: argparse.Namespace) -> list[Unit]:
    """The remaining runs of a domain up to a level in percent of its dependency maximum."""
    units = []
    for ranking in options.ranking:
        rows = [row for row in known if (row.domain, row.ranking) == (domain, ranking)]
        largest = {row.problem: row.largest for row in rows}
        done = {(row.problem, row.k) for row in rows}
        folders = problems(domain)
        started = len(largest) == len(folders)
        if started and not options.all_levels and len(folders) in curve(rows).values():
            continue
        most = math.ceil(max(largest.values()) * level / 100) if started else 0
        for folder in folders:
            own = budgets(largest.get(folder.name, 0))
            left = [k for k in own if k <= most and (folder.name, k) not in done]
            if left:
                limits = (options.time_limit, options.slack)
                head = (options.profile, *limits, domain, folder, ranking)
                units.append((*head, tuple(left)))
    return units


def budgets(largest: int) -> list[int]:
    return sorted({math.ceil(largest * percent / 100) for percent in LEVELS})


def curve(rows: list[Row]) -> dict[int, int]:
    """How many problems count at x, for each x up to which everything was run."""
    by_problem = []
    end = math.inf
    for _, group in groupby(sorted(rows, key=lambda row: row.problem), lambda row: row.problem):
        own = {row.k: row for row in group}
        unknown = [k for k in budgets(max(row.largest for row in own.values())) if k not in own]
        end = min([end, *unknown])
        by_problem.append(sorted((k, row.outcome == "solved") for k, row in own.items()))

    def covered(x: int) -> int:
        return sum([solved for k, solved in own if k <= x][-1] for own in by_problem)

    return {x: covered(x) for x in sorted({row.k for row in rows}) if x < end}


def show(rows: list[Row], domain: str, options: argparse.Namespace) -> None:
    cells = []
    for ranking in options.ranking:
        own = [row for row in rows if (row.domain, row.ranking) == (domain, ranking)]
        theirs = paper.COVERAGE["projection"][paper.name(domain), ranking]
        cells.append(_cell(own, *theirs) if own else "–")
    here = [row for row in rows if row.domain == domain]
    replanned = sum(row.extension == "replanned" for row in here)
    counts = f"{len(here):8,} {replanned:10,}"
    print(f"{domain:12} " + " ".join(f"{cell:>22}" for cell in cells) + counts, flush=True)


def _cell(rows: list[Row], their_count: int, their_percent: int) -> str:
    counts, largest = curve(rows), max(row.largest for row in rows)
    count, x = max((count, -x) for x, count in counts.items())
    percent = -100 * x / largest
    reached = {n for x, n in counts.items() if round(100 * x / largest) <= their_percent}
    verdict = " !" if max(reached, default=0) < min(their_count, paper.PROBLEMS) else ""
    if not verdict and round(percent) > their_percent:
        verdict = " ~"
    tried = len({row.problem for row in rows})
    return f"{count}/{tried} {percent:.1f} ({their_count} {their_percent}){verdict}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("domains", nargs="*", default=DOMAINS)
    parser.add_argument("--profile", default="paper")
    parser.add_argument("--ranking", action="append", choices=paper.RANKINGS)
    parser.add_argument("--time-limit", type=float, default=10)
    parser.add_argument("--slack", type=float, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--rows", type=Path, default=Path("build/table1.csv"))
    parser.add_argument("--all-levels", action="store_true")
    parser.add_argument("--only-print", action="store_true")
    options = parser.parse_args()
    options.ranking = options.ranking or paper.RANKINGS
    print(f"profile {options.profile}, {options.time_limit:g} s per run; #C/of M_D% (the paper's)")
    head = " ".join(f"{ranking:>22}" for ranking in options.ranking)
    print(f"{'domain':12} {head} {'runs':>7} {'replanned':>10}", flush=True)

    def known() -> list[Row]:
        chosen = (options.profile, options.time_limit)
        return [row for row in read(options.rows) if (row.profile, row.limit) == chosen]

    with multiprocessing.get_context("fork").Pool(options.jobs, maxtasksperchild=1) as pool:
        for domain in () if options.only_print else options.domains:
            for level in LEVELS:
                for rows in pool.imap_unordered(run, missing(known(), domain, level, options)):
                    write(options.rows, rows)
            show(known(), domain, options)
    if options.only_print:
        for domain in options.domains:
            show(known(), domain, options)


if __name__ == "__main__":
    main()

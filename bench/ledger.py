"""What agents ever disclose in a run, counted from its transcript, beside what the run reports.

The run is the default one: the smallest budget, ranking `goal`, profile `tacit`. An edge counts
once per agent however often it was sent, and so do a threat and a restored token; every prefix
counts. Rows go to a CSV file as they come (`--store`), and what is in it is not run again. The
table has the means per domain, problems in odd and in even positions apart.

    python bench/ledger.py --sample 21 --store docs/results/ledger-before.csv
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

from measure import DOMAINS, measured, problems

import tacit
from tacit.central.result import Result
from tacit.central.session import Limits, Session
from tacit.profile import profile
from tacit.public.protocol.messages import Disclosed, EdgeDisclosed, PrefixFails, Threatened
from tacit.public.run_options import RunOptions

FIELDS = (
    *("problem", "position", "solver", "outcome", "k", "agents"),
    *("largest_reported", "largest_ever", "sum_reported", "sum_ever", "seconds"),
)
Row = dict[str, str | int | float]


def ever_disclosed(result: Result) -> dict[str, int]:
    """Per agent, everything that its frames disclosed, over the whole run."""
    items: dict[str, set[object]] = {agent: set() for agent in result.dependencies}
    for number, message in enumerate(result.transcript.messages()):
        match message:
            case Disclosed():
                items[message.sender] |= {*message.edges, *message.known}
            case EdgeDisclosed() if message.edge is not None:
                items[message.sender].add(message.edge)
            case Threatened():
                items[message.sender] |= {*message.threats, *message.restored}
            case PrefixFails():
                items[message.sender].add(number)
    return {agent: len(own) for agent, own in items.items()}


def run(folder: Path, position: int, solver: str, seconds: float) -> Row:
    options = RunOptions(solver, drive="roundrobin")
    session = Session(tacit.load(folder), profile("tacit"), options)
    result = session.first(Limits(seconds, clock=time.process_time))
    ever = ever_disclosed(result)
    reported = {a: n + result.repairs.get(a, 0) for a, n in result.disclosed.items()}
    return {
        "problem": f"{folder.parent.name}/{folder.name}",
        "position": position,
        "solver": solver,
        "outcome": result.outcome.value,
        "k": result.k,
        "agents": len(ever),
        "largest_reported": max(reported.values(), default=0),
        "largest_ever": max(ever.values(), default=0),
        "sum_reported": sum(reported.values()),
        "sum_ever": sum(ever.values()),
    }


def chosen(sample: int | None) -> Iterator[tuple[Path, int]]:
    """All problems, or so many in odd positions, evenly over domains; positions count from 1."""
    for domain in DOMAINS:
        places = list(enumerate(problems(domain), start=1))
        if sample is not None:
            odd = [place for place in places if place[0] % 2]
            count = max(1, sample // len(DOMAINS))
            places = [odd[n * len(odd) // count] for n in range(count)]
        yield from ((folder, position) for position, folder in places)


def stored(path: Path | None) -> list[Row]:
    if path is None or not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [dict(row) for row in csv.DictReader(file)]


def keep(path: Path | None, row: Row) -> None:
    if path is None:
        return
    is_new = not path.is_file()
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerow(row)


def show(rows: list[Row]) -> None:
    print(f"{'domain':12} {'solver':11} {'positions':9} {'solved':>7}", end="")
    print(f" {'largest: reported':>18} {'ever':>8} {'sum: reported':>14} {'ever':>8}")
    for domain in DOMAINS:
        for solver in sorted({str(row["solver"]) for row in rows}):
            for name, rest in (("odd", 1), ("even", 0)):
                own = [
                    row
                    for row in rows
                    if str(row["problem"]).startswith(f"{domain}/")
                    and row["solver"] == solver
                    and int(row["position"]) % 2 == rest
                ]
                if own:
                    solved = sum(row["outcome"] == "solved" for row in own)
                    means = [fmean(float(row[name]) for row in own) for name in FIELDS[6:10]]
                    print(f"{domain:12} {solver:11} {name:9} {solved:3}/{len(own):<3}", end="")
                    print(f" {means[0]:18.1f} {means[1]:8.1f} {means[2]:14.1f} {means[3]:8.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sample", type=int, help="so many problems in odd positions; else all")
    parser.add_argument("--solvers", default="projection,mafs")
    parser.add_argument("--seconds", type=float, default=20.0, help="CPU seconds per run")
    parser.add_argument("--store", type=Path, help="a CSV file for the rows")
    args = parser.parse_args()
    rows = stored(args.store)
    done = {(row["problem"], row["solver"]) for row in rows}
    for folder, position in chosen(args.sample):
        for solver in args.solvers.split(","):
            if (f"{folder.parent.name}/{folder.name}", solver) in done:
                continue
            made = measured(lambda: run(folder, position, solver, args.seconds))  # noqa: B023
            row = {**made.result, "seconds": round(made.seconds, 2)}
            rows.append(row)
            keep(args.store, row)
            print(row, file=sys.stderr)
    show(rows)


if __name__ == "__main__":
    main()

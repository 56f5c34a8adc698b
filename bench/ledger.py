"""What agents disclose in an online run, beside what runs disclosed before there was a ledger.

The run is that of `tacit solve`: online, ranking `goal`, profile `tacit`. What is on the result's
ledger is counted again from the frames of the transcript, and must be the same. Rows go to a CSV
file as they come (`--store`), and what is in it is not run again. `--minimum SECONDS` bounds
instead, per problem, what any choice of edges must disclose (`tacit minimum`).

The table has the means per domain, problems in odd and in even positions apart: the agent that
disclosed most, and the sum over agents; before (`--before`, where each budget on the way was
disclosed and was not counted) and after; k of the offline search for the smallest budget, with goal
and with the best of m1 to m4 (docs/results/smallest.csv.gz); and the bounds (`--minima`).

    python bench/ledger.py --sample 21 --store build/ledger.csv
"""

from __future__ import annotations

import argparse
import csv
import gzip
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from generated import generated
from measure import DOMAINS, measured, problems
from rows import keep, stored

import tacit
from tacit.central.analysis.minimum import MinimumSearch
from tacit.central.result import Result
from tacit.central.session import Limits, Session
from tacit.policy import POLICY, Policy
from tacit.profile import profile
from tacit.public.protocol.messages import EdgeDisclosed, PrefixFails, Threatened
from tacit.public.run_options import RunOptions

RESULTS = Path(__file__).resolve().parents[1] / "docs" / "results"
FIELDS = ("problem", "position", "solver", "outcome", "k", "agents")
AFTER = (*FIELDS, "repairs", "largest", "sum", "seconds")
MINIMA = ("problem", "position", "max_lower", "max_best", "sum_lower", "sum_best", "seconds")
Row = Mapping[str, str | int | float | None]


def in_frames(result: Result) -> dict[str, int]:
    """Per agent, everything that its frames disclose. A frame goes to all; a prefix counts once
    for each plan that was asked about.
    """
    items: dict[str, set[object]] = {agent: set() for agent in result.dependencies}
    for frame, message in zip(result.transcript.frames, result.transcript.messages(), strict=True):
        if frame.receiver != "solver":
            continue
        match message:
            case EdgeDisclosed():
                items[message.sender].add(message.edge)
            case Threatened():
                items[message.sender] |= {*message.threats, *message.restored}
            case PrefixFails():
                items[message.sender].add(len(items[message.sender]))
    return {agent: len(own) for agent, own in items.items()}


def run(folder: Path, solver: str, seconds: float, policy: Policy) -> dict[str, str | int]:
    options = RunOptions(solver, drive="roundrobin")
    session = Session(tacit.load(folder), profile("tacit"), options, online=True, policy=policy)
    result = session.online(Limits(seconds, clock=time.process_time))
    counts = result.ledger.per_agent()
    if in_frames(result) != {agent: own.disclosed for agent, own in counts.items()}:
        raise AssertionError(f"{folder}: the ledger is not what the frames disclose")
    return {
        "outcome": result.outcome.value,
        "k": result.k,
        "agents": len(counts),
        "repairs": sum(own.repairs for own in counts.values()),
        "largest": result.ledger.largest,
        "sum": result.ledger.sum,
    }


def changed(policy: Policy, words: list[str]) -> Policy:
    """The policy with some numbers changed, each `GROUP.NAME=N`."""
    for word in words:
        name, value = word.split("=")
        group, field = name.split(".")
        part = getattr(policy, group)
        number = type(getattr(part, field))(value)
        policy = replace(policy, **{group: replace(part, **{field: number})})
    return policy


def bounds(folder: Path, seconds: float) -> dict[str, int | None]:
    """What must be disclosed with any choice of edges, and the least that was found."""
    search = MinimumSearch(tacit.load(folder), profile("tacit"), clock=time.process_time)
    search.run(seconds)
    found: dict[str, int | None] = {}
    for name in ("max", "sum"):
        found[f"{name}_lower"] = search.result.lower[name]
        found[f"{name}_best"] = search.result.best.get(name)
    return found


def chosen(args: argparse.Namespace) -> Iterator[tuple[Path, int]]:
    """All problems, or so many in odd positions (`--even`: in even ones), evenly over domains;
    positions count from 1. Generated ones count as odd.
    """
    if args.generated:
        yield from ((folder, 1) for folder in generated())
        return
    sample = args.sample
    for domain in DOMAINS:
        places = list(enumerate(problems(domain), start=1))
        if sample is not None:
            rest = 0 if getattr(args, "even", False) else 1
            some = [place for place in places if place[0] % 2 == rest]
            count = max(1, sample // len(DOMAINS))
            places = [some[n * len(some) // count] for n in range(count)]
        yield from ((folder, position) for position, folder in places)


def measure_all(
    args: argparse.Namespace,
    kinds: list[str],
    work: Callable[[Path, str], Row],
    fields: tuple[str, ...],
) -> list[Row]:
    """Rows of all problems and kinds, those that are stored and the others."""
    rows = stored(args.store)
    done = {(row["problem"], row.get("solver", "")) for row in rows}
    for folder, position in chosen(args):
        name = f"{folder.parent.name}/{folder.name}"
        for kind in kinds:
            if (name, kind) in done:
                continue
            made = measured(lambda: work(folder, kind))  # noqa: B023
            row = {"problem": name, "position": position, **({"solver": kind} if kind else {})}
            row |= {**made.result, "seconds": round(made.seconds, 2)}
            rows.append(row)
            keep(args.store, row, fields)
            print(row, file=sys.stderr)
    return rows


def offline_k() -> dict[str, dict[str, int]]:
    """Per problem, k of the offline search with goal, and with the best of m1 to m4."""
    found: dict[str, dict[str, int]] = {}
    with gzip.open(RESULTS / "smallest.csv.gz", "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["solver"] == "projection" and row["outcome"] == "solved":
                own = found.setdefault(row["problem"], {})
                name = "goal" if row["ranking"] == "goal" else "best"
                own[name] = min(int(row["k"]), own.get(name, sys.maxsize))
    return found


HEAD = ("domain", "solver", "positions", "solved")
COLUMNS = ("largest: before", "after", "sum: before", "after", "fewest found", "offline k: goal")
TAIL = ("best of m1–m4", "proven k", "CPU s: before", "after")


def show(rows: list[Row], before: list[Row], minima: list[Row]) -> None:
    """A table in Markdown: domain means, problems in odd and in even positions apart."""
    old = {(row["problem"], row["solver"]): row for row in before}
    least = {row["problem"]: row for row in minima}
    offline = offline_k()
    print("|", " | ".join((*HEAD, *COLUMNS, *TAIL)), "|")
    print("|" + "---|" * len((*HEAD, *COLUMNS, *TAIL)))
    for domain in dict.fromkeys(str(row["problem"]).split("/")[0] for row in rows):
        for solver in dict.fromkeys(str(row["solver"]) for row in rows):
            for places, rest in (("odd", 1), ("even", 0)):
                own = [
                    row
                    for row in rows
                    if str(row["problem"]).startswith(f"{domain}/")
                    and row["solver"] == solver
                    and int(str(row["position"])) % 2 == rest
                ]
                if own:
                    peer = "projection" if solver == "auto" else solver
                    then = [old.get((row["problem"], peer), {}) for row in own]
                    known = [offline.get(str(row["problem"]), {}) for row in own]
                    bound = [least.get(row["problem"], {}) for row in own]
                    columns = _columns(own, then, known, bound)
                    print("|", " | ".join((domain, solver, places, *columns)), "|")


def _columns(
    own: list[Row], then: list[Row], known: list[dict[str, int]], bound: list[Row]
) -> list[str]:
    solved, before = (sum(row.get("outcome") == "solved" for row in rows) for rows in (own, then))
    return [
        f"{before} → {solved} of {len(own)}" if any(then) else f"{solved} of {len(own)}",
        *(_mean(then, "largest_ever"), _mean(own, "largest")),
        *(_mean(then, "sum_ever"), _mean(own, "sum"), _mean(bound, "sum_best", counted=True)),
        *(_mean(known, "goal"), _mean(known, "best"), _mean(bound, "max_lower")),
        *(_mean(then, "seconds"), _mean(own, "seconds")),
    ]


def _mean(rows: list[Row] | list[dict[str, int]], field: str, counted: bool = False) -> str:
    """The mean of what is known; `counted`, of how many rows, if not of all."""
    values = [float(str(row[field])) for row in rows if row.get(field) not in (None, "")]
    if not values:
        return "–"
    count = f" ({len(values)})" if counted and len(values) < len(rows) else ""
    return f"{fmean(values):.1f}{count}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sample", type=int, help="so many problems in odd positions; else all")
    parser.add_argument("--generated", action="store_true", help="problems of bench/generated.py")
    parser.add_argument("--set", action="append", default=[], metavar="GROUP.NAME=N")
    parser.add_argument("--solvers", default="auto,projection,mafs")
    parser.add_argument("--seconds", type=float, default=20.0, help="CPU seconds per run")
    parser.add_argument("--store", type=Path, help="a CSV file for the rows")
    parser.add_argument("--before", type=Path, default=RESULTS / "ledger-before.csv")
    parser.add_argument("--minima", type=Path, default=RESULTS / "ledger-minimum.csv")
    parser.add_argument("--minimum", type=float, metavar="SECONDS", help="bound, do not run")
    args = parser.parse_args()
    if args.minimum is not None:
        measure_all(args, [""], lambda folder, _: bounds(folder, args.minimum), MINIMA)
        return
    kinds, policy = args.solvers.split(","), changed(POLICY, args.set)
    rows = measure_all(args, kinds, lambda f, solver: run(f, solver, args.seconds, policy), AFTER)
    show(rows, stored(args.before), stored(args.minima))


if __name__ == "__main__":
    main()

"""How much of what disclosure can save does a ranking save early?

More disclosure allows better plans. Per problem, the *gap* lies between the plan where a plan is
first found and the plan with everything disclosed. Where a plan is first found is the smallest
level (5, 10, … percent of the edges of the agent that has most; by bisection) at which any of m1 to
m4 and goal finds one; if several do there, their mean counts. So it is the same gap for all
rankings. What a ranking *closes* at 25 and 50 percent is the part of it by which its plan is better
than the first one; nothing if it has no plan there. Sums over the problems of a domain are divided,
so that gaps count by their size. Budgets are tried independently of each other, offline.

Rows go to a CSV file as they come (`--store`), and what is in it is not run again. Problems in odd
and in even positions are shown apart.

    python bench/quality.py gap --sample 21 --store build/gap.csv
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

from ledger import chosen
from measure import DOMAINS, measured
from rows import keep, stored

import tacit
from tacit.central.session import Limits, Session
from tacit.choices import chosen as chosen_options

FIRSTS = ("m1", "m2", "m3", "m4", "goal")
FIRST, FULL = "first", "100"
SHOWN = ("25", "50")
STEP = 5
FIELDS = (
    *("problem", "position", "ranking", "level", "objective", "improve", "percent", "k"),
    *("outcome", "cost", "makespan", "disclosed", "seconds"),
)
Row = Mapping[str, Any]


def levels(folder: Path, ranking: str, args: argparse.Namespace) -> list[dict[str, Any]]:
    """What comes of the first level that is solved, and of those that are shown."""
    extra: dict[str, Any] = {"improve": args.improve} if args.improve else {}
    if args.objective != "default":
        extra["objective"] = args.objective
    extra |= {} if ranking == FULL else {"ranking": ranking}
    settings, options = chosen_options("tacit", drive="roundrobin", **extra)
    session = Session(tacit.load(folder), settings, options)
    if ranking == FULL:
        return [_planned(session, 100, args) | {"level": FULL}]
    made: dict[int, dict[str, Any]] = {}

    def at(percent: int) -> bool:
        if percent not in made:
            made[percent] = _planned(session, percent, args)
        return bool(made[percent]["outcome"] == "solved")

    places = [int(level) for level in (*SHOWN, FULL)]
    high = next((percent for percent in places if at(percent)), 100)
    low = max((percent for percent in made if percent < high), default=0)
    while high - low > STEP:
        middle = low + (high - low) // (2 * STEP) * STEP
        low, high = (low, middle) if at(middle) else (middle, high)
    at(int(SHOWN[-1]))
    rows = [made[high] | {"level": FIRST}]
    rows += [made[int(level)] | {"level": level} for level in SHOWN]
    return rows


def _planned(session: Session, percent: int, args: argparse.Namespace) -> dict[str, Any]:
    start = time.process_time()
    k = math.ceil(session.largest * percent / 100)
    result = session.at(k, Limits(args.seconds, clock=time.process_time))
    row = {"percent": percent, "k": k, "outcome": result.outcome.value}
    if result.verdict is not None:
        row |= {"cost": result.verdict.cost, "makespan": result.verdict.makespan}
    seconds = round(time.process_time() - start, 2)
    return row | {"disclosed": result.ledger.sum, "seconds": seconds}


def measure_all(args: argparse.Namespace) -> list[Row]:
    rows: list[Row] = list(stored(args.store))
    key = ("problem", "ranking", "objective", "improve")
    done = {tuple(str(row[field]) for field in key) for row in rows}
    for folder, position in _chosen(args):
        name = f"{folder.parent.name}/{folder.name}"
        for ranking in (FULL, *args.rankings.split(",")):
            mine = {"problem": name, "position": position, "ranking": ranking}
            mine |= {"objective": args.objective, "improve": args.improve}
            if tuple(str(mine[field]) for field in key) in done:
                continue
            for row in measured(lambda r=ranking, f=folder: levels(f, r, args), 1200).result:
                rows.append(mine | row)
                keep(args.store, rows[-1], FIELDS)
                print(*rows[-1].values(), file=sys.stderr)
    return rows


def _chosen(args: argparse.Namespace) -> Iterator[tuple[Path, int]]:
    for folder, position in chosen(args):
        if not args.domains or folder.parent.name in args.domains:
            yield folder, position


def show(rows: list[Row], objective: str, improve: float) -> None:
    """Per domain the ends of the gap, and what of it each ranking closes."""
    asked = (objective, str(improve))
    rows = [row for row in rows if (row["objective"], str(row["improve"])) == asked]
    rankings = [r for r in dict.fromkeys(row["ranking"] for row in rows) if r != FULL]
    what = "makespan" if objective == "makespan" else "cost"
    print(f"| {what} | positions | problems | first | full | gap |", end=" ")
    print(" | ".join(f"{r} {level} %" for level in SHOWN for r in rankings), "|")
    print("|" + "---|" * (6 + len(SHOWN) * len(rankings)))
    for domain in dict.fromkeys([*DOMAINS, *(row["problem"].split("/")[0] for row in rows)]):
        for places, rest in (("odd", 1), ("even", 0)):
            here = [row for row in rows if row["problem"].startswith(f"{domain}/")]
            here = [row for row in here if int(row["position"]) % 2 == rest]
            if values := _values(here, rankings, what):
                _print(domain, places, values)


Own = dict[tuple[str, str], tuple[float, int] | None]
Values = list[tuple[float, float, list[float]]]


def _values(rows: list[Row], rankings: list[str], what: str) -> Values:
    """Per problem the ends of its gap, and the values of all rankings at all levels shown."""
    found: dict[str, Own] = {}
    for row in rows:
        value = (float(row[what]), int(row["k"])) if row["outcome"] == "solved" else None
        found.setdefault(row["problem"], {})[row["ranking"], row["level"]] = value
    made: Values = []
    for own in found.values():
        firsts = _firsts(own)
        full = own.get((FULL, FULL))
        keys = [(r, level) for level in SHOWN for r in rankings]
        if full is None or not firsts or not all(key in own for key in keys):
            continue
        first = fmean(firsts)
        at = [first if (value := own[key]) is None else value[0] for key in keys]
        made.append((first, full[0], at))
    return made


def _firsts(own: Own) -> list[float]:
    """What plans at the smallest level that is solved are worth."""
    solved = [one for r in FIRSTS if (one := own.get((r, FIRST))) is not None]
    least = min((k for _, k in solved), default=0)
    return [value for value, k in solved if k == least]


def _print(domain: str, places: str, values: Values) -> None:
    first, full = (fmean(row[n] for row in values) for n in (0, 1))
    gap = first - full
    cells = []
    for n in range(len(values[0][2])):
        closed = first - fmean(row[2][n] for row in values)
        cells.append(f"{closed / gap:.0%}" if gap > 0 else f"{closed:+.1f}")
    ends = f"{first:.1f} | {full:.1f} | {gap / first:.0%}"
    print(f"| {domain} | {places} | {len(values)} | {ends} |", " | ".join(cells), "|")


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("domains", nargs="*")
    parser.add_argument("--sample", type=int, help="so many problems in odd positions; else all")
    parser.add_argument("--even", action="store_true", help="the sample from even positions")
    parser.add_argument("--generated", action="store_true", help="problems of bench/generated.py")
    parser.add_argument("--rankings", default="m1,m2,m3,m4,goal,cost")
    parser.add_argument("--objective", default="default")
    parser.add_argument("--improve", type=float, default=0.0, help="seconds for each plan")
    parser.add_argument("--seconds", type=float, default=5.0, help="CPU seconds until a plan")
    parser.add_argument("--store", type=Path, help="a CSV file for the rows")
    args = parser.parse_args(words)
    show(measure_all(args), args.objective, args.improve)

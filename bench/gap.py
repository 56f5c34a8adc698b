"""How much of what disclosure can save does a ranking save early?

More disclosure allows better plans. Per problem, the *gap* lies between the plan where a plan is
first found and the best plan that is known with everything disclosed: whatever is found with less
is a plan then, too. Where a plan is first found is the smallest level (5, 10, … percent of the
edges of the agent that has most; by bisection) at which any of m1 to m4 and goal finds one; if
several do there, their mean counts. So it is the same gap for all rankings. What a ranking *closes*
at 25 and 50 percent is the part of it by which its best plan up to there is better than the first
one; nothing if it has no plan. Values are those of the objective. Budgets are tried independently
of each other, offline, and each plan is improved for the same time (`--improve`), since without
that it depends more on what the search happens to come across than on what is disclosed.
With `--small --objective proved` it depends on what is disclosed alone: small generated problems
are solved with a proof that no plan is cheaper at that budget.

Sums over the problems of a domain are divided, so that gaps count by their size. The last line is
of the domains with a gap of at least 5 %: their mean, each ranking's shares likewise.

Rows go to a CSV file as they come (`--store`), and what is in it is not run again. Problems in odd
and in even positions are shown apart.

    python bench/quality.py gap --sample 14 --improve 1 --store build/gap.csv
    python bench/quality.py gap --small --objective proved --store build/gap.csv
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

from generated import SMALL, generated
from ledger import chosen
from measure import DOMAINS, measured
from rows import keep, stored

import tacit
from tacit.central.session import Limits, Session
from tacit.choices import chosen as chosen_options

FIRSTS = ("m1", "m2", "m3", "m4", "goal")
FIRST, FULL, PROVED = "first", "100", "proved"
SHOWN = ("25", "50")
STEP = 5
WIDE = 0.05
"""Gaps that count in the last line."""
FIELDS = (
    *("problem", "position", "ranking", "level", "objective", "improve", "percent", "k"),
    *("outcome", "cost", "makespan", "disclosed", "seconds"),
)
Row = Mapping[str, Any]


def levels(
    folder: Path, ranking: str, least: int, args: argparse.Namespace
) -> list[dict[str, Any]]:
    """What comes of the levels that are shown, and of the first that is solved if that is not
    above `least`, where another ranking has a plan.
    """
    extra: dict[str, Any] = {"improve": args.improve} if args.improve else {}
    if args.objective == PROVED:
        extra["solver"] = "mad-astar"
    elif args.objective != "default":
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

    high, low = least, 0
    if at(least):
        while high - low > STEP:
            middle = low + (high - low) // (2 * STEP) * STEP
            low, high = (low, middle) if at(middle) else (middle, high)
    rows = [made[high] | {"level": FIRST}]
    for level in SHOWN:
        at(int(level))
        rows.append(made[int(level)] | {"level": level})
    return rows


def _planned(session: Session, percent: int, args: argparse.Namespace) -> dict[str, Any]:
    start = time.process_time()
    k = math.ceil(session.largest * percent / 100)
    result = session.at(k, Limits(args.seconds, clock=time.process_time))
    outcome = result.outcome.value
    if args.objective == PROVED and result.solved and not result.is_optimal:
        outcome = "unproved"
    row: dict[str, Any] = {"percent": percent, "k": k, "outcome": outcome}
    if result.verdict is not None:
        row |= {"cost": result.verdict.cost, "makespan": result.verdict.makespan}
    seconds = round(time.process_time() - start, 2)
    return row | {"disclosed": result.ledger.sum, "seconds": seconds}


def measure_all(args: argparse.Namespace) -> list[Row]:
    rows: list[Row] = list(stored(args.store))
    for folder, position in _chosen(args):
        name = f"{folder.parent.name}/{folder.name}"
        kind: Row = {"problem": name, "objective": args.objective, "improve": args.improve}
        own = [row for row in rows if all(str(row[field]) == str(kind[field]) for field in kind)]
        for ranking in (FULL, *args.rankings.split(",")):
            if any(row["ranking"] == ranking for row in own):
                continue
            least = min(_first_levels(own), default=100)
            made = measured(partial(levels, folder, ranking, least, args), 1200).result
            for row in made:
                own.append({**kind, "position": position, "ranking": ranking, **row})
                keep(args.store, own[-1], FIELDS)
                print(*own[-1].values(), file=sys.stderr)
            rows += own[-len(made) :]
    return rows


def _first_levels(rows: Iterable[Row]) -> Iterator[int]:
    """The smallest levels at which there are plans, of rankings that count for that."""
    solved = (row for row in rows if row["level"] == FIRST and row["outcome"] == "solved")
    return (int(row["percent"]) for row in solved if row["ranking"] in FIRSTS)


def _chosen(args: argparse.Namespace) -> Iterator[tuple[Path, int]]:
    small = ((folder, 1) for folder in generated(args.seeds, SMALL))
    for folder, position in small if args.small else chosen(args):
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
    for places, rest in (("odd", 1), ("even", 0)):
        wide: list[Means] = []
        for domain in dict.fromkeys([*DOMAINS, *(row["problem"].split("/")[0] for row in rows)]):
            here = [row for row in rows if row["problem"].startswith(f"{domain}/")]
            here = [row for row in here if int(row["position"]) % 2 == rest]
            if values := _values(here, rankings, what):
                means = [fmean(column) for column in zip(*values, strict=True)]
                wide += [means] if _share(means) >= WIDE else []
                _print(domain, places, len(values), means)
        if wide:
            means = [fmean(column) for column in zip(*wide, strict=True)]
            _print(f"gaps of {WIDE:.0%} or more", places, len(wide), means)


Means = list[float]
"""The ends of the gap, and the values of all rankings at all levels shown."""


def _values(rows: list[Row], rankings: list[str], what: str) -> list[Means]:
    """Of the problems that all rankings were tried on."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row["problem"], []).append(row)
    made = []
    for own in found.values():
        if {row["ranking"] for row in own} != {FULL, *rankings}:
            continue
        if firsts := _firsts(own, what):
            full = min(_worth(own, what, 100))
            keys = [(r, int(level)) for level in SHOWN for r in rankings]
            at = [
                min(_worth((row for row in own if row["ranking"] == r), what, level), default=None)
                for r, level in keys
            ]
            first = fmean(firsts)
            made.append([first, full, *(first if one is None else one for one in at)])
    return made


def _worth(rows: Iterable[Row], what: str, most: int) -> Iterator[float]:
    """What plans at levels up to there are worth."""
    solved = (row for row in rows if row["outcome"] == "solved")
    return (float(row[what]) for row in solved if int(row["percent"]) <= most)


def _firsts(own: list[Row], what: str) -> list[float]:
    """What plans at the smallest level that is solved are worth."""
    least = min(_first_levels(own), default=0)
    at_first = (row for row in own if row["level"] == FIRST and row["ranking"] in FIRSTS)
    return list(_worth((row for row in at_first if int(row["percent"]) == least), what, least))


def _share(means: Means) -> float:
    """The gap as a part of what the first plan is worth."""
    return (means[0] - means[1]) / (means[0] or 1)


def _print(domain: str, places: str, count: int, means: Means) -> None:
    first, full, *at = means
    gap = first - full
    cells = (f"{(first - one) / gap:.0%}" if gap else "–" for one in at)
    ends = f"{first:.1f} | {full:.1f} | {_share(means):.0%}"
    print(f"| {domain} | {places} | {count} | {ends} |", " | ".join(cells), "|")


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("domains", nargs="*")
    parser.add_argument("--sample", type=int, help="so many problems in odd positions; else all")
    parser.add_argument("--even", action="store_true", help="the sample from even positions")
    parser.add_argument("--generated", action="store_true", help="problems of bench/generated.py")
    parser.add_argument("--rankings", default="goal,m1,m2,m3,m4,cost")
    parser.add_argument("--small", action="store_true", help="small ones of bench/generated.py")
    parser.add_argument("--seeds", type=int, nargs="*", default=(0, 1), help="of small ones")
    parser.add_argument("--objective", default="default", help="or 'proved': cheapest plans")
    parser.add_argument("--improve", type=float, default=0.0, help="seconds for each plan")
    parser.add_argument("--seconds", type=float, default=5.0, help="CPU seconds until a plan")
    parser.add_argument("--store", type=Path, help="a CSV file for the rows")
    args = parser.parse_args(words)
    args.seeds = tuple(args.seeds)
    show(measure_all(args), args.objective, args.improve)

"""How good plans are: cost and makespan of `tacit solve`, beside Fast Downward's plans.

Ours are `full` (everything disclosed, `--percent 100`) and `ledger` (what the default discloses in
an online run), at once and with `--improve N`. The peers plan the classical problem, in which
nothing is private: `lama-first`, and `lama` with N seconds of CPU time for its search. Makespans of
all plans are those of our scheduler, and all plans pass our validator. Rows go to a CSV file as
they come (`--store`), and what is in it is not run again.

The table has means per domain over the problems that all ways in it solved; problems in odd and
in even positions apart. `quality.py gap` is about rankings: `gap.py`.

    python bench/quality.py --sample 21 --ways full,ledger,lama-first,full+20,lama+20 \\
        --store build/quality.csv
"""

from __future__ import annotations

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import gap
from grounding import NAMES, use_translator
from ledger import chosen
from measure import DOMAINS, measured
from rows import keep, stored
from solve import to_sas

import tacit
from tacit.central.instance import describe
from tacit.central.result import Result
from tacit.central.session import Limits, Session
from tacit.central.validate.judge import Verdict, validate
from tacit.central.validate.plan import plan_of
from tacit.choices import chosen as chosen_options
from tacit.pddl.classical import classical
from tacit.planners.fast_downward import find_driver

FIELDS = (
    *("problem", "position", "way", "objective", "improve", "outcome"),
    *("cost", "length", "makespan", "disclosed", "seconds"),
)
PEERS = ("lama-first", "lama")
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Way:
    """A way to plan, `NAME` or `NAME+SECONDS`; what follows a colon are options of `solve`."""

    name: str
    improve: float
    options: tuple[str, ...] = ()

    @classmethod
    def of(cls, text: str) -> Way:
        text, *options = text.split(":")
        name, _, seconds = text.partition("+")
        return cls(name, float(seconds or 0), tuple(options))

    @property
    def label(self) -> str:
        return ":".join((self.name, *self.options))


def ours(folder: Path, way: Way, objective: str, limit: float) -> dict[str, Any]:
    """Plan, and say what came of it."""
    extra: dict[str, Any] = dict(word.split("=") for word in way.options)
    name = extra.pop("profile", "tacit")
    if way.improve:
        extra["improve"] = way.improve
    if objective != "default":
        extra["objective"] = objective
    settings, options = chosen_options(name, drive="roundrobin", **extra)
    session = Session(tacit.load(folder), settings, options, online=way.name == "ledger")
    limits = Limits(limit, clock=time.process_time)
    result: Result
    result = session.online(limits) if session.is_online else session.at(session.largest, limits)
    return {
        "outcome": result.outcome.value,
        "disclosed": result.ledger.sum,
        **_values(result.verdict),
    }


def _values(verdict: Verdict | None) -> dict[str, Any]:
    if verdict is None:
        return {}
    assert verdict.valid, verdict.message
    return {"cost": verdict.cost, "length": verdict.length, "makespan": verdict.makespan}


def theirs(folder: Path, way: Way, limit: float) -> dict[str, Any]:
    """Fast Downward's last plan, judged by us."""
    seconds = way.improve or limit
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        for name, text in zip(NAMES, classical(describe(folder)), strict=True):
            (place / name).write_text(text)
        with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
            to_sas(place)
        command = [sys.executable, str(find_driver()), "--plan-file", str(place / "plan")]
        command += ["--search-time-limit", f"{int(seconds)}s", "--alias", way.name]
        subprocess.run(
            [*command, str(place / "output.sas")],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=scratch,
            check=False,
        )
        plans = sorted(place.glob("plan*"), key=lambda p: int(p.suffix[1:] or 0))
        if not plans:
            return {"outcome": "undecided"}
        lines = [line for line in plans[-1].read_text().splitlines() if line[:1] == "("]
    verdict = validate(describe(folder), plan_of(lines))
    return {"outcome": "solved", **_values(verdict)}


def measure_all(args: argparse.Namespace) -> list[Row]:
    rows: list[Row] = list(stored(args.store))
    done = {tuple(str(row[f]) for f in ("problem", "way", "objective", "improve")) for row in rows}
    ways = [Way.of(text) for text in args.ways.split(",")]
    for folder, position in chosen(args):
        if args.domains and folder.parent.name not in args.domains:
            continue
        for way in ways:
            name = f"{folder.parent.name}/{folder.name}"
            goal = "cost" if way.name in PEERS else args.objective
            if (name, way.label, goal, str(way.improve)) in done:
                continue
            row = {"problem": name, "position": position, "way": way.label}
            row |= {"objective": goal, "improve": way.improve}
            row |= _measured(folder, way, args)
            rows.append(row)
            keep(args.store, row, FIELDS)
            print(*row.values(), file=sys.stderr)
    return rows


def _measured(folder: Path, way: Way, args: argparse.Namespace) -> dict[str, Any]:
    if way.name in PEERS:
        return {**theirs(folder, way, args.seconds), "seconds": None}
    made = measured(lambda: ours(folder, way, args.objective, args.seconds), timeout=1200)
    return {**made.result, "seconds": round(made.seconds, 2)}


def show(rows: list[Row]) -> None:
    """Means per domain of cost and makespan, one column for each way."""
    ways = list(dict.fromkeys((r["way"], r["objective"], str(r["improve"])) for r in rows))
    names = [f"{way}+{float(n):g} {goal}" if float(n) else way for way, goal, n in ways]
    print("| domain | positions | common |", " | ".join(names), "|")
    print("|" + "---|" * (3 + len(ways)))
    for domain in DOMAINS:
        for places, rest in (("odd", 1), ("even", 0)):
            values = _table(rows, ways, domain, rest)
            if values:
                cells = (f"{_mean(values, n, 0)} / {_mean(values, n, 1)}" for n in range(len(ways)))
                print(f"| {domain} | {places} | {len(values)} |", " | ".join(cells), "|")


Values = list[list[tuple[float, float]]]


def _table(rows: list[Row], ways: list[Any], domain: str, rest: int) -> Values:
    """Per problem that all ways solved, its costs and makespans, in the order of the ways."""
    found: dict[str, dict[Any, tuple[float, float]]] = {}
    for row in rows:
        is_here = str(row["problem"]).startswith(f"{domain}/")
        if is_here and int(row["position"]) % 2 == rest and row["outcome"] == "solved":
            key = (row["way"], row["objective"], str(row["improve"]))
            found.setdefault(row["problem"], {})[key] = float(row["cost"]), float(row["makespan"])
    return [[one[way] for way in ways] for one in found.values() if len(one) == len(ways)]


def _mean(values: Values, way: int, of: int) -> str:
    return f"{fmean(row[way][of] for row in values):.1f}"


def main() -> None:
    if sys.argv[1:2] == ["gap"]:
        gap.main(sys.argv[2:])
        return
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("domains", nargs="*")
    parser.add_argument("--sample", type=int, help="so many problems in odd positions; else all")
    parser.add_argument("--even", action="store_true", help="the sample from even positions")
    parser.add_argument("--generated", action="store_true", help="problems of bench/generated.py")
    parser.add_argument("--ways", default="full,ledger,lama-first")
    parser.add_argument("--objective", default="default", help="of our runs")
    parser.add_argument("--seconds", type=float, default=60.0, help="CPU seconds until a plan")
    parser.add_argument("--store", type=Path, help="a CSV file for the rows")
    args = parser.parse_args()
    use_translator()
    show(measure_all(args))


if __name__ == "__main__":
    main()

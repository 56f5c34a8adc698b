"""The cheapest plans of the CoDMAP problems, by agents and by Fast Downward's A* with LM-cut.

    python bench/optimal.py run [--rows FILE] [--peer FILE …] [--positions N,…] [DOMAIN …]
    python bench/optimal.py table FILE

`run`: every unfactored problem at full disclosure, `--solver mad-astar --cost total --drive
roundrobin`, and `astar(lmcut())` on the classical problem that Fast Downward's own translator
reads, both with so many CPU seconds; rows go to the file, and a run goes on where it stopped. It
begins with odd positions and small problems.
`--positions 1,7,13` takes these of each domain alone. Seconds are those of the search alone: of all
agents together here, without grounding on either side. A cost that differs ends the bench.
`--peer FILE` has Fast Downward's rows from other files, of which the last counts; so does `table`.

`table`: per domain, problems solved with proof by each, and expansions per CPU second of search.
"""

from __future__ import annotations

import argparse
import math
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from measure import DOMAINS, measured, problems
from rows import keep, stored

import tacit
from tacit.central.session import Limits, Session
from tacit.pddl.classical import classical
from tacit.planners.fast_downward import find_driver
from tacit.profile import profile
from tacit.public.run_options import RunOptions

FIELDS = (
    *("domain", "problem", "agents", "outcome", "cost", "seconds", "expanded", "evaluated"),
    *("sent", "mib", "fd_outcome", "fd_cost", "fd_seconds", "fd_expanded", "heuristic"),
)
MEMORY = 4096
"""MiB for each side."""
WAIT = 24 * 3600.0
"""Seconds on the wall, which a busy machine may need many of."""


def ours(folder: Path, seconds: float, heuristic: str | None) -> dict[str, Any]:
    instance = tacit.load(folder)
    options = RunOptions(
        "mad-astar", "m3", heuristic=heuristic, drive="roundrobin", memory_limit=MEMORY
    )
    session = Session(instance, profile("tacit"), options)
    start = time.process_time()
    result = session.at(session.largest, Limits(seconds, clock=time.process_time))
    is_proved = result.solved and result.is_optimal
    return {
        "agents": len(instance.agents),
        "outcome": "proved" if is_proved else result.outcome.value,
        "cost": result.verdict.cost if is_proved and result.verdict else "",
        "seconds": round(time.process_time() - start, 2),
        "expanded": result.counters.expanded,
        "evaluated": result.counters.evaluated,
        "sent": sum(status.states_sent for status in result.searches.values()),
    }


def fast_downward(folder: Path, seconds: float) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        texts = classical(tacit.load(folder).source)
        for file, text in zip(("domain.pddl", "problem.pddl"), texts, strict=True):
            (place / file).write_text(text)
        search = f"astar(lmcut(),max_time={seconds:g})"
        limit = ["--overall-memory-limit", f"{MEMORY}M"]
        command = [sys.executable, str(find_driver()), *limit, "domain.pddl", "problem.pddl"]
        command += ["--search", search]
        done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
    counted = re.findall(r"Expanded (\d+) state", done.stdout)
    spent = re.findall(r"Search time: ([\d.]+)s", done.stdout)
    cost = re.findall(r"Plan cost: (\d+)", done.stdout)
    return {
        "fd_outcome": "proved" if cost else "no plan",
        "fd_cost": cost[0] if cost else "",
        "fd_seconds": spent[-1] if spent else "",
        "fd_expanded": counted[-1] if counted else "",
    }


def chosen(domains: Iterable[str], positions: str | None) -> Iterator[tuple[str, Path]]:
    """Problems in odd positions first, and the small ones of all domains before larger ones."""
    every = {domain: problems(domain) for domain in domains}
    longest = range(1, max(map(len, every.values())) + 1)
    wanted = longest if positions is None else sorted(map(int, positions.split(",")))
    for position in sorted(wanted, key=lambda n: n % 2 == 0):
        for domain, folders in every.items():
            if position <= len(folders):
                yield domain, folders[position - 1]


def peer_rows(files: Iterable[Path]) -> dict[tuple[str, str], dict[str, str]]:
    """What Fast Downward did, as these files have it."""
    return {
        (row["domain"], row["problem"]): {key: row[key] for key in FIELDS if key.startswith("fd_")}
        for file in files
        for row in stored(file)
    }


def run(options: argparse.Namespace) -> None:
    done = {(row["domain"], row["problem"]): row for row in stored(options.rows)}
    peer = peer_rows(options.peer)
    for domain, folder in chosen(options.domains, options.positions):
        name = folder.name.removeprefix("prob")
        if (domain, name) not in done:
            row = {"domain": domain, "problem": name, "heuristic": options.heuristic or ""}
            work = partial(ours, folder, options.seconds, options.heuristic)
            mine = measured(work, timeout=WAIT)
            row |= mine.result | {"mib": round(mine.peak_mib)}
            if (domain, name) in peer:
                row |= peer[domain, name]
            elif not options.alone:
                row |= fast_downward(folder, options.seconds)
            keep(options.rows, row, FIELDS)
            done[domain, name] = {key: str(row.get(key, "")) for key in FIELDS}
        row = done[domain, name]
        print(" ".join(str(row.get(key, "")) for key in FIELDS), flush=True)
        if row["cost"] and row.get("fd_cost") and str(row["cost"]) != str(row["fd_cost"]):
            sys.exit(f"{domain} {name}: {row['cost']} is not {row['fd_cost']}")
    table(done.values())


def rate(rows: Iterable[Mapping[str, Any]], prefix: str) -> float:
    """The geometric mean of expansions per CPU second, where it took long enough to measure."""
    found = [
        float(row[f"{prefix}expanded"]) / float(row[f"{prefix}seconds"])
        for row in rows
        if row[f"{prefix}expanded"] and float(row[f"{prefix}seconds"] or 0) >= 0.1
    ]
    positive = [value for value in found if value > 0]
    return math.exp(sum(map(math.log, positive)) / len(positive)) if positive else math.nan


def table(rows: Iterable[Mapping[str, Any]]) -> None:
    every = list(rows)
    print("| domain | problems | proved | by FD | by both | cost differs | expansions/s | FD's |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for domain in (*DOMAINS, "all"):
        own = [row for row in every if domain in ("all", row["domain"])]
        if not own:
            continue
        mine = [row for row in own if row["cost"]]
        both = [row for row in mine if row["fd_cost"]]
        differs = sum(str(row["cost"]) != str(row["fd_cost"]) for row in both)
        fd = sum(bool(row["fd_cost"]) for row in own)
        print(
            f"| {domain} | {len(own)} | {len(mine)} | {fd} | {len(both)} | {differs} "
            f"| {rate(own, ''):.0f} | {rate(own, 'fd_'):.0f} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["run", "table"])
    parser.add_argument("domains", nargs="*", default=list(DOMAINS))
    parser.add_argument("--rows", type=Path, help="a CSV file that keeps the rows")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--positions", help="of each domain, the first is 1; all if not given")
    parser.add_argument("--heuristic")
    parser.add_argument("--peer", type=Path, action="append", default=[])
    parser.add_argument("--alone", action="store_true", help="without Fast Downward")
    options = parser.parse_intermixed_args()
    if options.what == "table":
        peer = peer_rows(options.peer)
        rows = [row for path in options.domains for row in stored(Path(path))]
        table([{**row, **peer.get((row["domain"], row["problem"]), {})} for row in rows])
    else:
        run(options)


if __name__ == "__main__":
    main()

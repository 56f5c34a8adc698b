"""Exact fronts of disclosure and cost, drawn: generated problems and small CoDMAP ones.

    python bench/fronts.py [--rows FILE] [--folder FOLDER] [--seconds N]

Every domain's small problem with two seeds, a larger one, and the CoDMAP problems in positions 1
and 3; each as `tacit pareto --exact` finds it in so many CPU seconds. Rows go to the file, and a
run goes on where it stopped; each front that has points is drawn as FOLDER/NAME.svg.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from generated import written
from measure import DOMAINS as CODMAP_DOMAINS
from measure import measured, problems
from rows import keep, stored

import tacit
from tacit.central.analysis.exact_front import ExactSearch
from tacit.central.pictures import exact_picture
from tacit.domains import DOMAINS
from tacit.profile import profile

FIELDS = (
    *("problem", "agents", "largest_k", "complete", "points", "open_from_k", "cost_at_least"),
    *("expanded", "seconds", "mib"),
)
SEEDS = (0, 1)
LARGER: dict[str, dict[str, int]] = {
    "blocksworld": {"arms": 3, "blocks": 6},
    "depot": {"depots": 1, "distributors": 1, "trucks": 2, "crates": 3},
    "driverlog": {"drivers": 2, "trucks": 2, "packages": 3, "junctions": 5},
    "elevators": {"floors": 3, "passengers": 3},
    "freight": {"hubs": 2, "parcels": 3},
    "logistics": {"cities": 3, "packages": 3},
    "rovers": {"rovers": 3, "waypoints": 5, "goals": 2},
    "secrets": {"couriers": 2, "offices": 3, "letters": 2, "parcels": 2},
    "sensors": {"rovers": 3, "sites": 4, "goals": 4},
    "zenotravel": {"people": 3, "cities": 4},
}
POSITIONS = (1, 3)
WAIT = 3600.0


def every() -> Iterator[tuple[str, Path]]:
    for seed in SEEDS:
        for domain in DOMAINS:
            yield f"{domain}-small-{seed}", written(domain, "small", seed)
    for domain, sizes in LARGER.items():
        yield f"{domain}-larger-0", written(domain, sizes, 0)
    for position in POSITIONS:
        for domain in CODMAP_DOMAINS:
            folder = problems(domain)[position - 1]
            yield f"codmap-{domain}-{folder.name.removeprefix('prob')}", folder


def front(name: str, path: Path, seconds: float, drawn: Path | None) -> dict[str, Any]:
    instance = tacit.load(path)
    search = ExactSearch(instance, profile("tacit"), clock=time.process_time)
    found = search.run(seconds)
    if drawn is not None and found.points:
        drawn.mkdir(parents=True, exist_ok=True)
        text = exact_picture(name, found)
        (drawn / f"{name}.svg").write_text(text, encoding="utf-8")
    return {
        "problem": name,
        "agents": len(instance.agents),
        "largest_k": search.largest,
        "complete": int(found.is_complete),
        "points": " ".join(f"{point.k}:{point.cost}" for point in found.points),
        "open_from_k": "" if found.open_k is None else found.open_k,
        "cost_at_least": "" if found.open_cost is None else found.open_cost,
        "expanded": found.expanded,
        "seconds": round(found.seconds, 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=Path)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--seconds", type=float, default=10.0)
    options = parser.parse_args()
    done = {row["problem"] for row in stored(options.rows)}
    for name, path in every():
        if name in done:
            continue
        ours = measured(partial(front, name, path, options.seconds, options.folder), timeout=WAIT)
        row = ours.result | {"mib": round(ours.peak_mib)}
        keep(options.rows, row, FIELDS)
        print(" ".join(str(row[key]) for key in FIELDS), flush=True)


if __name__ == "__main__":
    main()

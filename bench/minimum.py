"""How far apart the bounds of `tacit minimum` are on the CoDMAP problems.

    python bench/minimum.py [--seconds S] [--cache FILE] [--measured FILE] [DOMAIN[/PROBLEM] …]

Options of the runs are `--no-op keep --threats none`, as in bench/disclosure.py: a choice suffices
if its projection has a plan. Each problem gets a number of seconds of CPU time after loading, and
stops as soon as the bounds meet. `--measured` is a cache of bench/disclosure.py: the bound must
not exceed any k in it. With `--cache`, problems in the file are not measured again.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import time
from pathlib import Path

from disclosure import SETTINGS, chosen, show
from measure import DOMAINS

import tacit
from tacit.central.analysis.minimum import OBJECTIVES, Minimum, MinimumSearch


class Met(Exception):
    """The bounds meet."""


def stop_when_met(result: Minimum) -> None:
    if result.is_proven:
        raise Met


def measure(folder: Path, seconds: float) -> dict[str, list[int | None]]:
    """Per objective, the bound and the best found."""
    search = MinimumSearch(
        tacit.load(folder), SETTINGS, watch=stop_when_met, clock=time.process_time
    )
    with contextlib.suppress(Met):
        search.run(seconds)
    return {name: [search.result.lower[name], search.result.best.get(name)] for name in OBJECTIVES}


def is_k_of(name: str, problem: str) -> bool:
    """Whether an entry of bench/disclosure.py is a ranking on the problem, not its bound."""
    where, _, ranking = name.rpartition(" ")
    return where == problem and ranking != "least"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("problems", nargs="*")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--measured", type=Path)
    options = parser.parse_args()
    known = (
        json.loads(options.cache.read_text()) if options.cache and options.cache.exists() else {}
    )
    measured = json.loads(options.measured.read_text()) if options.measured else {}
    met = dict.fromkeys(OBJECTIVES, 0)
    total = too_high = 0
    for domain, folders in chosen(options.problems or list(DOMAINS)).items():
        for folder in folders:
            key = f"{domain}/{folder.name}"
            start = time.process_time()
            if key not in known:
                known[key] = measure(folder, options.seconds)
                if options.cache:
                    options.cache.write_text(json.dumps(known, indent=0))
            bounds = known[key]
            total += 1
            for name in OBJECTIVES:
                met[name] += bounds[name][0] == bounds[name][1]
            ks = [k for name, (*_, k) in measured.items() if is_k_of(name, key)]
            above = [k for k in ks if k is not None and k < bounds["max"][0]]
            too_high += bool(above)
            cells = "".join(f"  {n} {bounds[n][0]:3} {show(bounds[n][1]):>4}" for n in OBJECTIVES)
            spent = time.process_time() - start
            print(
                f"{key:36}{cells}  {spent:5.1f} s{'  ABOVE A MEASURED K' if above else ''}",
                flush=True,
            )
    print(f"the bounds meet: max {met['max']}, sum {met['sum']} of {total}")
    if measured:
        print(f"bound above a measured k: {too_high} problems")


if __name__ == "__main__":
    main()

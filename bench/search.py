"""The embedded planner on the CoDMAP problems, centralised: coverage, and speed against FD.

    python bench/search.py coverage [--seconds N] [DOMAIN …]
    python bench/search.py rate [--seconds N] [DOMAIN …]

`coverage`: the portfolio on every unfactored problem, CPU seconds of the search alone; every plan
is validated. `rate`: evaluated states per CPU second of search, ours (engine `lazy`: FF heuristic,
preferred operators in a second queue with boost 1000, unit costs) and Fast Downward's with the same
configuration, `let(h,ff(),lazy_greedy([h],preferred=[h]))`, on the same task twice: as SAS+ with
one binary variable per fact (literally the task that we search), and as its own translator makes
it from classical PDDL (fewer facts, FDR states). The heuristic is shared by `let`: written as
`lazy_greedy([ff()],preferred=[ff()])`, it is computed twice per state. Problems on which Fast
Downward's search on its own FDR task takes less than `--least` seconds are skipped.
"""

from __future__ import annotations

import argparse
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from measure import CODMAP, DOMAINS, measured
from support.centralised import Centralised

import tacit
from tacit.pddl.classical import classical
from tacit.planners import PlannerLimits, PlannerResult
from tacit.planners.fast_downward import find_driver, sas_lines
from tacit.planners.native import Native

SHARED = "let(h,ff(),lazy_greedy([h],preferred=[h],max_time={}))"
MEMORY = 2 << 30


def problems(domain: str) -> list[Path]:
    def natural(path: Path) -> list[object]:
        return [int(x) if x.isdigit() else x for x in re.split(r"(\d+)", path.name)]

    return sorted((CODMAP / "unfactored" / domain).iterdir(), key=natural)


def solve(folder: Path, seconds: float) -> PlannerResult:
    instance = tacit.load(folder)
    central = Centralised(instance)
    result = Native().solve(central.task, PlannerLimits(seconds=seconds, memory=MEMORY))
    if result.solved and not tacit.validate(instance, central.plan(result.plan)).valid:
        raise AssertionError(f"invalid plan for {folder}")
    return result


def coverage(domains: list[str], seconds: float) -> None:
    print(f"{'domain':12} {'solved':>7} {'CPU s':>8} {'slowest':>22} {'steps':>7} {'MiB':>6}")
    solved = total = 0
    for domain in domains:
        runs = [(p, measured(lambda p=p: solve(p, seconds))) for p in problems(domain)]
        done = [(p, run) for p, run in runs if run.result.solved]
        slowest, worst = max(runs, key=lambda item: item[1].result.seconds)
        cpu = sum(run.result.seconds for _, run in runs)
        steps = sum(len(run.result.plan) for _, run in done)
        label = f"{slowest.name.removeprefix('prob')} {worst.result.seconds:.2f}"
        peak = max(run.peak_mib for _, run in runs)
        print(
            f"{domain:12} {len(done):3}/{len(runs):3} {cpu:8.2f} {label:>22} {steps:7} {peak:6.0f}"
        )
        for path, run in runs:
            if not run.result.solved:
                print(f"    not solved: {path.name} ({run.result.outcome.value})")
        solved, total = solved + len(done), total + len(runs)
    print(f"{'all':12} {solved:3}/{total:3}")


def own_rate(folder: Path, seconds: float) -> tuple[int, float]:
    task = Centralised(tacit.load(folder)).task
    result = Native(engines=["lazy"]).solve(task, PlannerLimits(seconds=seconds))
    return result.evaluated, result.seconds


def fast_downward(folder: Path, files: list[str], seconds: float) -> tuple[int, float]:
    command = [sys.executable, str(find_driver()), *files, "--search", SHARED.format(seconds)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    evaluated = re.findall(r"Evaluated (\d+) state", done.stdout)
    time = re.findall(r"Search time: ([\d.]+)s", done.stdout)
    if not evaluated or not time:
        raise RuntimeError(done.stdout[-2000:] + done.stderr[-2000:])
    return int(evaluated[-1]), float(time[-1])


def rate(domains: list[str], seconds: float, least: float) -> None:
    print(f"{'problem':28} {'ours/s':>8} {'FD bin/s':>9} {'FD FDR/s':>9} {'x bin':>6} {'x FDR':>6}")
    ratios: dict[str, list[float]] = {"bin": [], "FDR": []}
    for domain in domains:
        for folder in problems(domain):
            found = rates(folder, seconds, least)
            if found is None:
                continue
            ours, binary, fdr = found
            ratios["bin"].append(ours / binary)
            ratios["FDR"].append(ours / fdr)
            name = f"{domain}/{folder.name.removeprefix('prob')}"
            print(f"{name:28} {ours:8.0f} {binary:9.0f} {fdr:9.0f} ", end="")
            print(f"{ours / binary:5.2f}x {ours / fdr:5.2f}x", flush=True)
    for kind, values in ratios.items():
        if values:
            mean = math.exp(sum(map(math.log, values)) / len(values))
            print(f"{kind}: geometric mean {mean:.2f}x, least {min(values):.2f}x, n={len(values)}")


def rates(folder: Path, seconds: float, least: float) -> tuple[float, float, float] | None:
    instance = tacit.load(folder)
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        domain, problem = classical(instance.source)
        (place / "domain.pddl").write_text(domain)
        (place / "problem.pddl").write_text(problem)
        fdr = fast_downward(place, ["domain.pddl", "problem.pddl"], seconds)
        if fdr[1] < least:
            return None
        (place / "task.sas").write_text("".join(sas_lines(Centralised(instance).task)))
        binary = fast_downward(place, ["task.sas"], seconds)
    ours = measured(lambda: own_rate(folder, seconds)).result
    return ours[0] / ours[1], binary[0] / binary[1], fdr[0] / fdr[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["coverage", "rate"])
    parser.add_argument("domains", nargs="*", default=list(DOMAINS))
    parser.add_argument("--seconds", type=float, help="limit per problem (60, or 5 for rates)")
    parser.add_argument("--least", type=float, default=1.0, help="rate: skip shorter runs")
    options = parser.parse_intermixed_args()
    if options.what == "coverage":
        coverage(options.domains, options.seconds or 60.0)
    else:
        rate(options.domains, options.seconds or 5.0, options.least)


if __name__ == "__main__":
    main()

"""Multi-agent forward search on 21 CoDMAP problems: the 1st, 10th and 20th of each domain.

    python bench/mafs.py [search] [--time-limit N] [--no-peer] [DOMAIN …]
    python bench/mafs.py threads [--time-limit N] [DOMAIN …]
    python bench/mafs.py coverage [--time-limit 60] [DOMAIN …]

`search`: each problem with everything disclosed, agents in turn on one thread. Per problem: the
outcome, CPU seconds of the search (`all`: of the whole run, from text to validated plan), heuristic
evaluations and expansions, evaluations per CPU second of search, frames, states and bytes that
crossed, bytes per stored state, plan length and k; next to it the projection solver (seconds of the
whole run, plan length). An expansion by novelty evaluates nothing, so `expanded` may be larger than
`evaluated`, and its time counts against our rate.

The peer of the rate is Fast Downward's lazy greedy search with the same heuristic on the
centralised problem, nothing private (`bench/search.py` has the configuration): evaluations per
second of its own search time, in the same run. Its rate is not meaningful if its search takes less
than `--least` seconds. Where MAPlan's rate was measured against the same peer, its ratio is printed
next to ours at the end; the goal is twice that.

Two more problems are included for that comparison and not counted among the 21.

`threads`: evaluations per wall second of search on two threads against one. The goal is 1.5 times.
It is meaningful only on a machine with two idle cores, so the load is printed with it.

`coverage`: all problems of the domains with everything disclosed, two threads: how many are solved
within the limit, in wall time, and how long the longest one took.
"""

from __future__ import annotations

import argparse
import math
import os
import tempfile
import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import NamedTuple

from measure import DOMAINS, measured, problems
from msgspec.structs import replace
from search import fast_downward

from tacit.central.instance import describe, load
from tacit.central.session import Session
from tacit.pddl.classical import classical
from tacit.profile import profile
from tacit.public.run_options import RunOptions
from tacit.solvers.coordinator import Driver
from tacit.solvers.limits import Limits

MAPLAN = {
    "blocksworld/BLOCKS-17-0": 1.3,
    "depot/pfile10": 1.3,
    "elevators08/p10": 2.6,
    "rovers/p25": 1.0,
    "zenotravel/pfile20": 2.4,
}
ALSO = {"rovers": "p25", "zenotravel": "pfile20"}
"""Beside the 21, because MAPlan's rate is known there."""
MEMORY = 4 << 30
SHORT = 0.2


class Run(NamedTuple):
    """The result of one search; `seconds` are of the search alone, by the clock used."""

    outcome: str
    seconds: float
    evaluated: int
    expanded: int
    frames: int
    states: int
    sent: int
    per_state: float
    length: int
    k: int


class Timed:
    """A driver whose time is measured."""

    def __init__(self, driver: Driver, clock: Callable[[], float]):
        self._driver = driver
        self._clock = clock
        self.seconds = 0.0

    def work(self, seconds: float, evaluations: int | None) -> None:
        start = self._clock()
        self._driver.work(seconds, evaluations)
        self.seconds += self._clock() - start


def search(folder: Path, limit: float, run_options: RunOptions, clock: Callable[[], float]) -> Run:
    session = Session(load(folder), profile("tacit"), replace(run_options, ranking="m3"))
    timed = session.coordinator.driver = Timed(session.coordinator.driver, clock)
    result = session.at(session.largest, Limits(limit))
    agents = result.searches.values()
    return Run(
        result.outcome.value,
        timed.seconds,
        sum(agent.evaluated for agent in agents),
        sum(agent.expanded for agent in agents),
        sum(agent.sent for agent in agents),
        sum(agent.states_sent for agent in agents),
        sum(agent.bytes_sent for agent in agents),
        sum(agent.memory for agent in agents) / sum(agent.stored for agent in agents),
        len(result.plan.steps) if result.plan else 0,
        result.k,
    )


def project(folder: Path, limit: float) -> tuple[str, int]:
    session = Session(load(folder), profile("tacit"), RunOptions("projection", "m3"))
    result = session.at(session.largest, Limits(limit))
    return result.outcome.value, len(result.plan.steps) if result.plan else 0


def peer(folder: Path, seconds: float, least: float) -> float | None:
    """Fast Downward's evaluations per second, None if its search is too short to measure."""
    files = ("domain.pddl", "problem.pddl")
    with tempfile.TemporaryDirectory() as scratch:
        for file, text in zip(files, classical(describe(folder)), strict=True):
            (Path(scratch) / file).write_text(text)
        evaluated, spent = fast_downward(Path(scratch), list(files), seconds)
    return evaluated / spent if spent >= least else None


def chosen(domains: list[str]) -> list[tuple[str, Path]]:
    found = []
    for domain in domains:
        paths = problems(domain)
        found += [(domain, paths[i]) for i in (0, 9, 19) if i < len(paths)]
    return found


def also(domains: list[str]) -> list[tuple[str, Path]]:
    return [
        (domain, folder)
        for domain in domains
        for folder in problems(domain)
        if folder.name == ALSO.get(domain)
    ]


def compare(options: argparse.Namespace) -> None:
    print(
        f"{'problem':28} {'outcome':8} {'CPU s':>7} {'all':>7} {'evaluated':>9} {'expanded':>9} "
        f"{'ev/s':>7} {'FD ev/s':>7} {'ratio':>6} {'frames':>7} {'states':>8} {'KiB':>8} "
        f"{'B/state':>7} {'steps':>5} {'k':>5} | {'proj. s':>7} {'steps':>5}"
    )
    ratios: dict[str, float] = {}
    solved = 0
    run_options = RunOptions("mafs", memory_limit=MEMORY >> 20, drive="roundrobin")
    limit = options.time_limit
    found = chosen(options.domains)
    for domain, folder in found + also(options.domains):

        def ours(folder: Path = folder) -> Run:
            return search(folder, limit, run_options, time.process_time)

        done = measured(ours, timeout=limit * 4 + 300)
        run: Run = done.result
        other = measured(lambda f=folder: project(f, limit), timeout=limit * 4 + 300)
        theirs = None if options.no_peer else peer(folder, options.seconds, options.least)
        rate = run.evaluated / run.seconds if run.seconds else 0.0
        ratio = rate / theirs if theirs and run.seconds >= options.least else None
        if ratio is not None:
            ratios[name(domain, folder)] = ratio
        solved += run.outcome == "solved" and (domain, folder) in found
        outcome, length = other.result
        print(
            f"{name(domain, folder):28} {run.outcome:8} "
            f"{run.seconds:7.2f} {done.seconds:7.2f} {run.evaluated:9,} {run.expanded:9,} "
            f"{rate:7.0f} {'' if theirs is None else format(theirs, '.0f'):>7} "
            f"{'' if ratio is None else format(ratio, '.2f') + 'x':>6} {run.frames:7,} "
            f"{run.states:8,} {run.sent / 1024:8,.0f} {run.per_state:7.0f} {run.length:5} "
            f"{run.k:5} | {other.seconds:7.2f} {length if outcome == 'solved' else outcome:>5}",
            flush=True,
        )
    print(f"solved {solved} of {len(found)} within {limit:g} s; load {os.getloadavg()[0]:.1f}")
    if ratios:
        print(f"rate against Fast Downward: geometric mean {mean(ratios.values()):.2f}x", end="")
        print(f", least {min(ratios.values()):.2f}x, n={len(ratios)}")
    for problem, maplan in MAPLAN.items():
        if problem in ratios:
            reached = ratios[problem] / maplan
            print(f"{problem:28} ours {ratios[problem]:.2f}x, MAPlan {maplan:.1f}x: ", end="")
            print(f"{reached:.2f} times MAPlan's (goal 2)")


def name(domain: str, folder: Path) -> str:
    return f"{domain}/{folder.name.removeprefix('prob')}"


def mean(values: Collection[float]) -> float:
    """The geometric mean."""
    return math.exp(sum(map(math.log, values)) / len(values))


def threads(options: argparse.Namespace) -> None:
    print(f"{'problem':28} {'1 thread':>10} {'2 threads':>10} {'ratio':>7}   (evaluations/s)")
    work = {1: [0, 0.0], 2: [0, 0.0]}
    ratios = []
    for domain, folder in chosen(options.domains):
        runs: dict[int, Run] = {}
        for count in work:
            run_options = RunOptions(
                "mafs", memory_limit=MEMORY >> 20, drive="threads", threads=count
            )

            def timed(folder: Path = folder, run_options: RunOptions = run_options) -> Run:
                return search(folder, options.time_limit, run_options, time.monotonic)

            runs[count] = measured(timed, timeout=options.time_limit * 4 + 300).result
        label = name(domain, folder)
        if min(run.seconds for run in runs.values()) < SHORT:
            print(f"{label:28} over in less than {SHORT} s: not counted")
            continue
        rates = {count: run.evaluated / run.seconds for count, run in runs.items()}
        for count, run in runs.items():
            work[count][0] += run.evaluated
            work[count][1] += run.seconds
        ratios.append(rates[2] / rates[1])
        print(f"{label:28} {rates[1]:10,.0f} {rates[2]:10,.0f} {ratios[-1]:6.2f}x", flush=True)
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; goal 1.50x")
    if ratios:
        one, two = (evaluated / seconds for evaluated, seconds in work.values())
        print(f"all work: {one:,.0f} and {two:,.0f} evaluations/s, {two / one:.2f}x; ", end="")
        print(f"geometric mean {mean(ratios):.2f}x, n={len(ratios)}")


def coverage(options: argparse.Namespace) -> None:
    run_options = RunOptions("mafs", memory_limit=MEMORY >> 20, drive="threads", threads=2)
    limit = options.time_limit
    solved = total = 0
    for domain in options.domains:
        outcomes: dict[str, str] = {}
        longest = 0.0
        for folder in problems(domain):

            def timed(folder: Path = folder) -> Run:
                return search(folder, limit, run_options, time.monotonic)

            run: Run = measured(timed, timeout=limit * 4 + 300).result
            outcomes[folder.name.removeprefix("prob")] = run.outcome
            longest = max(longest, run.seconds)
        missing = [f"{problem}: {end}" for problem, end in outcomes.items() if end != "solved"]
        solved += len(outcomes) - len(missing)
        total += len(outcomes)
        print(
            f"{domain:12} {len(outcomes) - len(missing):3} of {len(outcomes)}, "
            f"longest {longest:5.1f} s  {', '.join(missing)}",
            flush=True,
        )
    print(f"solved {solved} of {total} within {limit:g} s; load {os.getloadavg()[0]:.1f}")


MODES: dict[str, Callable[[argparse.Namespace], None]] = {
    "search": compare,
    "threads": threads,
    "coverage": coverage,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="*", default=[], help="search, threads, coverage; domains")
    parser.add_argument("--time-limit", type=float, default=30, help="seconds per problem")
    parser.add_argument("--seconds", type=float, default=5, help="for Fast Downward's search")
    parser.add_argument("--least", type=float, default=0.1, help="shorter searches have no rate")
    parser.add_argument("--no-peer", action="store_true", help="without Fast Downward")
    options = parser.parse_intermixed_args()
    mode = options.what[0] if options.what and options.what[0] in MODES else None
    options.domains = options.what[1 if mode else 0 :] or list(DOMAINS)
    MODES[mode or "search"](options)


if __name__ == "__main__":
    main()

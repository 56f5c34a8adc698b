"""The smallest k at which the projection has a plan, problem by problem and ranking by ranking.

    python bench/disclosure.py [--rankings goal,m1,…] [--cache FILE] [DOMAIN | DOMAIN/PROBLEM …]

Options of the runs are `--no-op keep --threats none`, the paper's graph without threats, so that
every k is comparable: only the order of the edges differs. Whether Π_k has a plan is decided by the
embedded planner within a number of evaluated states (`--evaluations`); undecided counts as no plan.
The search for k starts at the relaxed bound of the ranking (the first k at which the goal is
reachable in the delete relaxation), goes up in growing steps and then bisects. `least` is a bound
for every possible ranking: the number of tokens of one agent that are landmarks, at most.

At the end, per domain: by how much `goal` needs less than the best of m1 to m4, mean over problems,
over all of them and over the odd and the even positions of the domain apart. Parameters of `goal`
were chosen on the odd positions. With `--cache`, what the file has is not measured again.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec
from measure import DOMAINS, problems

import tacit
from tacit.central.session import Session
from tacit.party.disclosure.ranking import RANKINGS
from tacit.planners import PlannerLimits, PlannerOutcome
from tacit.planners.native import NativeSearch
from tacit.public.projection import Projection
from tacit.public.run_options import RunOptions
from tacit.public.settings import NoOp, Settings, Threats
from tacit.searchers import classical

SETTINGS = msgspec.structs.replace(Settings(), no_op=NoOp.KEEP, threats=Threats.NONE)
PAPER = ("m1", "m2", "m3", "m4")
COLUMNS = ("goal", *PAPER, "random")


def has_plan(projection: Projection, evaluations: int) -> bool:
    """Whether the embedded planner finds a plan within its limit."""
    limits = PlannerLimits(evaluations=evaluations, seconds=120.0)
    return NativeSearch(classical(projection)).run(limits).outcome is PlannerOutcome.SOLVED


def smallest(low: int, high: int, holds: Callable[[int], bool]) -> int | None:
    """The smallest k that holds: up from `low` in growing steps, then by bisection."""
    k, step = low, 1
    while not holds(k):
        if k >= high:
            return None
        low, k, step = k + 1, min(high, k + step), 2 * step
    high = k
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def smallest_k(folder: Path, ranking: str, seed: int, evaluations: int) -> tuple[int, int | None]:
    """The relaxed bound of a ranking and its smallest k."""
    session = Session(tacit.load(folder), SETTINGS, RunOptions("projection", ranking, seed=seed))
    low = session.budgets.lower_bound()
    offline = session.solver.offline
    found = smallest(low, session.largest, lambda k: has_plan(offline.projection(k), evaluations))
    return low, found


def least_tokens(folder: Path) -> int:
    """A bound on k for every ranking: the most tokens of one agent that every plan needs."""
    session = Session(tacit.load(folder), SETTINGS, RunOptions("projection", "m3"))
    full = session.solver.offline.projection(session.largest)
    some = relaxed_plan(full)
    needed = dict.fromkeys(session.agents, 0)
    for (agent, _), fact in full.tokens.items():
        needed[agent] += fact in some and not supporters(full, without=fact).keys() >= set(
            full.goal
        )
    return max(needed.values(), default=0)


def supporters(task: Projection, without: int | None = None) -> dict[int, int | None]:
    """Relaxed reachable facts if one is never added, and the first achiever of each."""
    users: dict[int, list[int]] = {}
    missing = [len(set(needs)) for needs in task.needs]
    for action, needs in enumerate(task.needs):
        for fact in set(needs):
            users.setdefault(fact, []).append(action)
    found: dict[int, int | None] = dict.fromkeys(task.init)
    found.pop(without, None)
    queue = list(found)
    ready = [action for action, count in enumerate(missing) if count == 0]
    while queue or ready:
        for action in ready:
            for fact in task.adds[action]:
                if fact not in found and fact != without:
                    found[fact] = action
                    queue.append(fact)
        ready = []
        for action in users.get(queue.pop(), ()) if queue else ():
            missing[action] -= 1
            if missing[action] == 0:
                ready.append(action)
    return found


def relaxed_plan(task: Projection) -> set[int]:
    """The facts of one relaxed plan: it has all facts that every plan needs."""
    achiever = supporters(task)
    found: set[int] = set()
    stack = [fact for fact in task.goal if fact in achiever]
    while stack:
        fact = stack.pop()
        action = achiever[fact]
        if fact not in found and action is not None:
            stack += task.needs[action]
        found.add(fact)
    return found


class Bench:
    """Measures what the cache does not have yet."""

    def __init__(self, cache: Path | None, evaluations: int, seeds: int):
        self._file, self._evaluations, self._seeds = cache, evaluations, seeds
        known = cache is not None and cache.exists()
        self._known: dict[str, list[int | None]] = json.loads(cache.read_text()) if known else {}

    def __call__(self, folder: Path, ranking: str) -> list[int | None]:
        """`[bound, k]`, or `[least]`; the mean over the seeds for a random order."""
        key = f"{folder.parent.name}/{folder.name} {ranking}"
        if key not in self._known:
            start = time.process_time()
            self._known[key] = self._measure(folder, ranking)
            print(
                f"  {key} {self._known[key]} {time.process_time() - start:.1f} s", file=sys.stderr
            )
            if self._file is not None:
                self._file.write_text(json.dumps(self._known, indent=0))
        return self._known[key]

    def _measure(self, folder: Path, ranking: str) -> list[int | None]:
        if ranking == "least":
            return [least_tokens(folder)]
        seeds = range(self._seeds if ranking == "random" else 1)
        runs = [smallest_k(folder, ranking, seed, self._evaluations) for seed in seeds]
        found = [k for _, k in runs if k is not None]
        full = len(found) == len(runs)
        return [round(statistics.mean(low for low, _ in runs)), _mean(found) if full else None]


def _mean(numbers: Iterable[int]) -> int:
    return round(statistics.mean(numbers))


def chosen(names: list[str]) -> dict[str, list[Path]]:
    """Per domain its problems, or those that were named."""
    found: dict[str, list[Path]] = {}
    for name in names or DOMAINS:
        domain, _, problem = name.partition("/")
        found.setdefault(domain, []).extend(
            path for path in problems(domain) if problem in ("", path.name)
        )
    return found


def show(number: int | None) -> str:
    return "–" if number is None else str(number)


def reduction(ks: dict[str, int | None]) -> float | None:
    """By which share `goal` needs less than the best of m1 to m4."""
    paper = [k for name in PAPER if (k := ks.get(name)) is not None]
    goal = ks.get("goal")
    if goal is None or not paper:
        return None
    return 1 - goal / min(paper) if min(paper) else 0.0


def mean_of(values: list[float | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{statistics.mean(known):6.1%}" if known else "     –"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("problems", nargs="*")
    parser.add_argument("--rankings", default=",".join(COLUMNS))
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--evaluations", type=int, default=20_000)
    parser.add_argument("--seeds", type=int, default=1)
    options = parser.parse_args()
    rankings = [name for name in options.rankings.split(",") if name in RANKINGS]
    measure = Bench(options.cache, options.evaluations, options.seeds)
    heads = "".join(f" {name:>6}" for name in rankings)
    print(f"{'problem':32} {'least':>6} {'bound':>6}{heads} {'less':>7}")
    summary: list[str] = []
    for domain, folders in chosen(options.problems).items():
        order = [path.name for path in problems(domain)]
        shares: dict[str, float | None] = {}
        for folder in folders:
            least = measure(folder, "least")[0]
            found = {name: measure(folder, name) for name in rankings}
            ks = {name: pair[1] for name, pair in found.items()}
            share = shares[folder.name] = reduction(ks)
            bound = found[rankings[0]][0]
            cells = "".join(f" {show(ks[name]):>6}" for name in rankings)
            print(
                f"{domain + '/' + folder.name:32} {show(least):>6} {show(bound):>6}{cells}", end=""
            )
            print(f" {'' if share is None else format(share, '7.0%')}", flush=True)
        odd = [share for name, share in shares.items() if order.index(name) % 2 == 0]
        even = [share for name, share in shares.items() if order.index(name) % 2 == 1]
        both = mean_of([*shares.values()])
        summary.append(f"{domain:14} {both}   odd {mean_of(odd)}   even {mean_of(even)}")
    print("\nless than the best of m1 to m4, mean over problems")
    print("\n".join(summary))


if __name__ == "__main__":
    main()

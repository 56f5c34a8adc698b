"""Where a larger budget finds no plan although a smaller one does, over generated problems.

    python bench/monotone.py [--seeds N] [--first-seed N] [--domains …] [--solver NAME] [--list]

More edges never invalidate a supported plan (threats `none` and `on-demand`), so an unsolved
budget above a solved one is the solver's failure: a *break*. Every budget is tried independently
here, within a number of evaluated states and without a clock; nothing is taken over from another.
A *cell* is a problem with a ranking and a budget. Each domain's small problem is generated with
several seeds. If an agent has more than `--budgets` edges, that many budgets are tried, evenly
spread.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from msgspec.structs import replace

from tacit.central.instance import Instance
from tacit.central.result import Result
from tacit.central.session import Session
from tacit.domains import DOMAINS
from tacit.pddl.reader import read_texts
from tacit.pddl.source import Source
from tacit.profile import profile
from tacit.public.outcome import Outcome
from tacit.public.run_options import RunOptions
from tacit.solvers.limits import Limits

RANKINGS = ("m1", "m2", "m3", "m4", "goal")


@dataclass
class Family:
    """The results for the problems of one domain. `broken` names the breaks."""

    cells: int = 0
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    changed_over: int = 0
    broken: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def count(self, name: str, results: list[Result]) -> None:
        """The budgets of one problem and ranking, from the smallest up."""
        is_solved = False
        for result in results:
            self.cells += 1
            self.outcomes[result.outcome] += 1
            self.changed_over += result.changed_over
            if is_solved and not result.solved:
                self.broken.append(f"{name} k={result.k} {result.outcome.value}")
            is_solved |= result.solved


def budgets(largest: int, most: int) -> list[int]:
    """All budgets, or `most` of them."""
    if largest < most:
        return list(range(largest + 1))
    return sorted({round(n * largest / (most - 1)) for n in range(most)})


def results(domain: str, seed: int, ranking: str, args: argparse.Namespace) -> Iterator[Result]:
    made = DOMAINS.get(domain).generate("small", seed)
    texts = Source("domain.pddl", made.domain), Source("problem.pddl", made.problem)
    instance = Instance(read_texts(*texts), {})
    run_options = RunOptions(args.solver, drive="roundrobin")
    session = Session(instance, profile("tacit"), replace(run_options, ranking=ranking))
    for k in budgets(session.largest, args.budgets):
        yield session.at(k, Limits(evaluations=args.evaluations))


def line(name: str, family: Family) -> str:
    share = 100 * len(family.broken) / max(1, family.cells)
    counts = (family.outcomes[o] for o in (Outcome.SOLVED, Outcome.NO_PLAN, Outcome.UNDECIDED))
    cells = " ".join(f"{count:>9}" for count in (family.cells, *counts, family.changed_over))
    return f"{name:<12} {cells} {len(family.broken):>7} {share:>6.2f} % {family.seconds:>7.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--domains", default=",".join(sorted(DOMAINS)))
    parser.add_argument("--rankings", default=",".join(RANKINGS))
    parser.add_argument("--solver", default="projection")
    parser.add_argument("--budgets", type=int, default=21)
    parser.add_argument("--evaluations", type=int, default=100_000)
    parser.add_argument("--list", action="store_true", help="name the breaks")
    args = parser.parse_args()
    heads = ("cells", "solved", "no plan", "undecided", "changed")
    print(f"{'':<12} {' '.join(f'{head:>9}' for head in heads)} {'breaks':>7} {'':>8} {'CPU s':>7}")
    total = Family()
    for domain in args.domains.split(","):
        family = Family()
        start = time.process_time()
        for seed in range(args.first_seed, args.first_seed + args.seeds):
            for ranking in args.rankings.split(","):
                found = list(results(domain, seed, ranking, args))
                family.count(f"{domain} {seed} {ranking}", found)
        family.seconds = time.process_time() - start
        print(line(domain, family), *(family.broken if args.list else ()), sep="\n  ", flush=True)
        total.cells += family.cells
        total.outcomes += family.outcomes
        total.changed_over += family.changed_over
        total.broken += family.broken
        total.seconds += family.seconds
    print(line("all", total))


if __name__ == "__main__":
    main()

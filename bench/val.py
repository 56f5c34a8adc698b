"""VAL checks the solvers' plans: problems of all families, both solvers, k from 0 to all.

    python bench/val.py [--seeds N] [--least N] [FAMILY ...]

Each family has a small problem for every seed, and each is solved with both solvers and both
profiles at every budget of a grid from nothing to everything. Every distinct plan goes to VAL and
to our validator, and so do plans spoiled in three ways: *mutated* by one step, on which both must
agree (most are invalid; `private` counts those that only ours rejects, since VAL does not check
privacy); *emptied* and *ill-typed*, which both must reject. The exit code is 1 if the two disagree,
if both accept a plan that is certainly invalid, or if there are fewer than `--least` plans.
"""

from __future__ import annotations

import argparse
import dataclasses
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import msgspec
from support.against_val import Disagreement, Judge, compare, mutations, why_not

from tacit.central.instance import Instance
from tacit.central.session import InvalidResult, Session
from tacit.central.validate.plan import Plan, Step, plan_of
from tacit.domains import DOMAINS, EXAMPLES, Generated
from tacit.pddl.reader import read_texts
from tacit.pddl.source import Source
from tacit.profile import PROFILES, profile
from tacit.public.run_options import RunOptions
from tacit.solvers.limits import Limits

RANKINGS = ("m1", "m2", "m3", "m4", "goal", "random")
SOLVERS = ("projection", "mafs")
POINTS = 10
SECONDS = 10.0
MUTATIONS = 7
COLUMNS = (
    *("problems", "runs", "solved", "distinct", "accepted", "mutated", "rejected", "still valid"),
    *("private", "spoiled", "disagree"),
)


def instances(family: str, seeds: int) -> Iterator[tuple[int, Generated]]:
    """A small problem of the family for every seed, or the one of an example."""
    if family in EXAMPLES:
        yield 0, EXAMPLES.get(family).make()
    else:
        generator = DOMAINS.get(family)
        yield from ((seed, generator.generate("small", seed)) for seed in range(1, seeds + 1))


def other(family: str, seed: int) -> Generated:
    """Another problem of the family, whose steps are put into plans."""
    if family in EXAMPLES:
        return EXAMPLES.get(family).make()
    return DOMAINS.get(family).generate("small", seed + 50)


def budgets(largest: int) -> list[int]:
    """From 0 to all, evenly, at most `POINTS` + 1 of them."""
    return sorted({largest * point // POINTS for point in range(POINTS + 1)})


class Family:
    """The results for one family's problems."""

    def __init__(self, name: str, folder: Path):
        self.name = name
        self.count: Counter[str] = Counter()
        self.complaints: list[str] = []
        self._folder = folder
        self._rng = random.Random(name)

    def try_all(self, seed: int, made: Generated, other: Plan) -> None:
        """Solve one problem in all ways, and check every distinct plan."""
        sources = Source("domain", made.domain), Source("problem", made.problem)
        instance = Instance(read_texts(*sources), {})
        judge = Judge(instance.source, self._folder)
        self.count["problems"] += 1
        for plan in dict.fromkeys(self._plans(instance, seed)):
            self.count["distinct"] += 1
            self.count["accepted"] += self._judged(instance, judge, plan) == "valid"
            self._spoil(instance, judge, plan, other)

    def _plans(self, instance: Instance, seed: int) -> Iterator[Plan]:
        """The plans of both solvers and profiles at all budgets, without the names of agents."""
        for solver in SOLVERS:
            for settings in map(profile, PROFILES):
                run_options = RunOptions(solver, drive="roundrobin")
                ranking = RANKINGS[seed % len(RANKINGS)]
                session = Session(
                    instance,
                    settings,
                    msgspec.structs.replace(run_options, ranking=ranking, seed=seed),
                )
                for k in budgets(session.largest):
                    self.count["runs"] += 1
                    try:
                        result = session.at(k, Limits(SECONDS))
                    except InvalidResult as error:
                        self._complain(f"{solver}, k = {k}: {error}")
                        continue
                    if result.plan is not None:
                        self.count["solved"] += 1
                        yield Plan(
                            tuple(dataclasses.replace(s, agent=None) for s in result.plan.steps)
                        )
                session.close()

    def _spoil(self, instance: Instance, judge: Judge, plan: Plan, other: Plan) -> None:
        """Check plans that are almost this one, and some that are certainly invalid."""
        if not plan.steps:
            return
        columns = {"valid": "still valid", "invalid": "rejected", "privacy": "private"}
        for mutated in mutations(plan, other, instance.source, self._rng, MUTATIONS):
            self.count["mutated"] += 1
            verdict = self._judged(instance, judge, mutated)
            self.count[columns.get(verdict, verdict)] += verdict in columns
        for spoiled in (Plan(()), ill_typed(plan, self._rng)):
            self.count["spoiled"] += 1
            verdict = self._judged(instance, judge, spoiled)
            if verdict not in {"invalid", "disagree"}:
                self._complain(f"this plan is invalid, but the verdict is '{verdict}':\n{spoiled}")

    def _judged(self, instance: Instance, judge: Judge, plan: Plan) -> str:
        try:
            return compare(instance.source, judge, plan)
        except Disagreement as error:
            self._complain(str(error))
            return "disagree"

    def _complain(self, what: str) -> None:
        self.count["disagree"] += 1
        self.complaints.append(f"{self.name}: {what}")


def ill_typed(plan: Plan, rng: random.Random) -> Plan:
    """The plan with a step whose arguments are all its agent."""
    steps = list(plan.steps)
    at = rng.choice([n for n, step in enumerate(steps) if len(step.args) > 1])
    steps[at] = Step(None, steps[at].name, steps[at].args[:1] * len(steps[at].args))
    return Plan(tuple(steps))


def row(name: str, count: Counter[str]) -> str:
    return f"{name:14}" + "".join(f"{count[column]:>{len(column) + 2}}" for column in COLUMNS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="*", default=[*DOMAINS, *EXAMPLES])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--least", type=int, default=500, help="how many plans there must be")
    options = parser.parse_args()
    missing = why_not()
    if missing:
        sys.exit(missing)
    total: Counter[str] = Counter()
    complaints: list[str] = []
    print(f"{'':14}" + "".join(f"  {column}" for column in COLUMNS))
    for name in options.families:
        with tempfile.TemporaryDirectory() as folder:
            family = Family(name, Path(folder))
            for seed, made in instances(name, options.seeds):
                family.try_all(seed, made, plan_of(other(name, seed).plan))
        print(row(name, family.count), flush=True)
        total += family.count
        complaints += family.complaints
    print(row("all", total))
    print(f"{time.process_time():.0f} CPU s without VAL's.")
    for complaint in complaints:
        print(complaint)
    if complaints or total["distinct"] < options.least:
        plans = f"{total['distinct']} distinct plans, expected {options.least} or more"
        sys.exit(f"{len(complaints)} complaints; {plans}")


if __name__ == "__main__":
    main()

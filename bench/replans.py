"""Thirty replans of a changing task: what they disclose, and what they would have had to.

    python bench/replans.py [SEQUENCE…] [--from SEED] [--evaluations N] [--seconds S] [--store DIR]

A sequence is thirty problems with one domain and the same objects; goals and initial states differ.
Each is planned online, with ranking `goal` and solver `auto`, without any ledger (*alone*) and with
the lasting ledgers of all days before. Edges of the initial state are not counted: it is another
one each day. The goal: all days together disclose at most 1.3 times what the worst one does alone.

Whether that can be done at all is decided in hindsight and with all secrets, by implicit hitting
sets. A *cut* is a set of edges one of which some day needs: without all of them its goals are out
of relaxed reach, or the joint task of that day, under the rule `supported`, is searched to its end
without a plan. The fewest edges that hit all cuts bound what any way of disclosing takes (*at
least*). If all days have a plan with such a choice it is the minimum. Otherwise, or where a search
gives up, *in hindsight* is the smallest choice found with which every day has a plan: what was
disclosed, without each edge that no day needs. The columns tell apart what cannot be reached from
what was missed.

What a sequence has found is in `DIR/NAME.json`, and is not computed again; hindsight is computed
anew if `--evaluations` or `--seconds` (per sequence) are larger than they were.
"""

from __future__ import annotations

import argparse
import json
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from measure import CODMAP as CODMAP  # tests/support can be imported from there on
from support.daily import day, roaming
from support.forms import generated
from support.replans import replan

from tacit import native
from tacit.central.analysis.minimum.bound import Bound
from tacit.central.analysis.minimum.trials import Trials
from tacit.central.instance import Instance
from tacit.party.disclosure.graph import INIT, Edge
from tacit.pddl.syntax import Description
from tacit.planners import PlannerOutcome
from tacit.public.settings import Settings

DAYS = 30
BRANCHES = 200_000
"""Of one hitting set."""

STORE = Path(__file__).resolve().parents[1] / "build" / "replans"

Named = tuple[str, str]
"""An agent and one of its edges, in its owner's words."""
Days = Callable[[int], Iterator[Description]]
"""The problems of a sequence, from a first seed on."""


def _daily(make: Callable[[Random], Description]) -> Days:
    def days(first: int) -> Iterator[Description]:
        rng = Random(first + 1)
        return (make(rng) for _ in range(DAYS))

    return days


def _generated(domain: str, size: str) -> Days:
    return lambda first: (generated(domain, first + seed, size) for seed in range(DAYS))


SEQUENCES: dict[str, Days] = {
    "deliveries": _daily(day),
    "roaming": _daily(roaming),
    "roaming-two-planes": _daily(lambda rng: roaming(rng, planes=2, packages=6)),
    "roaming-four-places": _daily(lambda rng: roaming(rng, 2, planes=2, packages=5, others=3)),
    **{
        f"{domain}-{size}": _generated(domain, size)
        for domain, size in (
            *((name, "medium") for name in ("logistics", "zenotravel", "secrets", "rovers")),
            *((name, "small") for name in ("sensors", "elevators", "blocksworld", "depot")),
            *((name, "medium") for name in ("depot", "blocksworld")),
        )
    },
}


class Hindsight:
    """All days of a sequence with all secrets: which edges do for all of them?"""

    def __init__(self, problems: Iterable[Description], evaluations: int, seconds: float):
        self._evaluations = evaluations
        self._end = time.process_time() + seconds
        self._days = [Today(problem) for problem in problems]
        self._names = sorted({named for today in self._days for named in today.names})
        self._number = {named: n for n, named in enumerate(self._names)}
        count = len(self._names)
        self._hitting = native.HittingSet([0] * count, [1] * count)
        self.lower = 0
        self.best: set[Named] | None = None

    @property
    def is_over(self) -> bool:
        return time.process_time() > self._end

    def run(self, disclosed: set[Named]) -> None:
        """Raise the bound, then look for the fewest with which all days have a plan; `disclosed`
        is known to be enough.
        """
        self.best = disclosed
        self._raise()
        self._shrink()

    def _raise(self) -> None:
        while not self.is_over:
            if self._cut_away(self._named(self._hitting.some(False)), Today.relaxed_cuts):
                continue
            lower, _, chosen = self._hitting.least_sum(BRANCHES)
            self.lower = max(self.lower, lower)
            named = self._named(chosen)
            if self._cut_away(named, Today.relaxed_cuts):
                continue
            if self._cut_away(named, self._proven_cuts):
                continue
            if all(today.has_plan(named, self._evaluations) for today in self._days):
                self.best = named
            return

    def _proven_cuts(self, today: Today, chosen: set[Named]) -> Iterator[set[Named]]:
        cut = None if self.is_over else today.proven_cut(chosen, self._evaluations)
        if cut:
            yield cut

    def _cut_away(
        self, chosen: set[Named], cuts: Callable[[Today, set[Named]], Iterator[set[Named]]]
    ) -> bool:
        """Add cuts that this choice does not hit; are there any?"""
        is_new = False
        for today in self._days:
            for cut in cuts(today, chosen):
                self._hitting.add(sorted(self._number[named] for named in cut))
                is_new = True
        return is_new

    def _named(self, chosen: Iterable[int]) -> set[Named]:
        return {self._names[n] for n in chosen}

    def _shrink(self) -> None:
        """Leave out what no day needs, those edges first that fewest days have a use for."""
        assert self.best is not None
        uses = {named: sum(named in today.number for today in self._days) for named in self.best}
        for named in sorted(self.best, key=lambda named: (uses[named], named)):
            less = self.best - {named}
            if self.is_over or len(self.best) <= self.lower:
                return
            concerned = (today for today in self._days if named in today.number)
            if all(today.has_plan(less, self._evaluations) for today in concerned):
                self.best = less


class Today:
    """One day, with all secrets; `number` has its edges, those of the initial state apart."""

    def __init__(self, problem: Description):
        self._trials = Trials(Instance(problem, {}), Settings(), 0, _price)
        choices = self._choices = self._trials.choices
        self._bound = Bound(choices)
        owners = (choices.names[group] for group in choices.group)
        self.names = [
            (name, self._trials.agents[name].dependencies.describe(edge))
            for name, edge in zip(owners, choices.edges, strict=True)
        ]
        self.number = {named: n for n, named in enumerate(self.names)}
        self._known: dict[frozenset[int], PlannerOutcome] = {}

    def _chosen(self, named: Iterable[Named]) -> frozenset[int]:
        return frozenset(self.number[one] for one in named if one in self.number)

    def relaxed_cuts(self, named: set[Named]) -> Iterator[set[Named]]:
        """Disjoint cuts that a choice does not hit, by relaxed reachability."""
        chosen = sorted(self._chosen(named))
        while cut := self._bound.relaxed_cut(chosen):
            yield {self.names[n] for n in cut}
            chosen += cut

    def has_plan(self, named: set[Named], evaluations: int) -> bool:
        return self._join(self._chosen(named), evaluations) is PlannerOutcome.SOLVED

    def proven_cut(self, named: set[Named], evaluations: int) -> set[Named] | None:
        """The same, by searching the joint task to its end: more edges are taken along while there
        is provably no plan.
        """
        chosen = self._chosen(named)
        if self._join(chosen, evaluations) is not PlannerOutcome.UNSOLVABLE:
            return None
        rest = sorted(frozenset(range(len(self.names))) - chosen)
        stack, cut = [rest], list[int]()
        while stack:
            some = stack.pop()
            more = chosen | frozenset(some)
            if self._join(more, evaluations) is PlannerOutcome.UNSOLVABLE:
                chosen = more
            elif len(some) == 1:
                cut += some
            else:
                stack += [some[: len(some) // 2], some[len(some) // 2 :]]
        return {self.names[n] for n in cut}

    def _join(self, chosen: frozenset[int], evaluations: int) -> PlannerOutcome:
        found = self._known.get(chosen)
        if found is None:
            if not self._bound.may_suffice(chosen):
                found = PlannerOutcome.UNSOLVABLE
            else:
                found = self._trials.join(chosen, evaluations, 60.0).outcome
            self._known[chosen] = found
        return found


def _price(agent: str, edge: Edge) -> int:
    return 0 if edge.achiever == INIT else 1


def run_days(name: str, first: int, store: Path) -> dict[str, Any]:
    """Plan all days of a sequence, without and with ledgers."""
    folder = store / f"{name}-ledgers"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    found = replan(SEQUENCES[name](first), folder)
    shutil.rmtree(folder)
    return {
        "alone": [len(today.alone) for today in found.days],
        "new": [len(today.new) for today in found.days],
        "without": found.without,
        "edges": sorted(named for today in found.days for named in today.new),
    }


def measured(name: str, chosen: argparse.Namespace) -> dict[str, Any]:
    """What is known of a sequence, computed as far as it is not stored."""
    suffix = f"-from{chosen.first}" if chosen.first else ""
    path = chosen.store / f"{name}{suffix}.json"
    found: dict[str, Any] = json.loads(path.read_text()) if path.is_file() else {}
    if "alone" not in found:
        found = run_days(name, chosen.first, chosen.store)
        path.write_text(json.dumps(found))
    effort = [chosen.evaluations, chosen.seconds]
    if any(more > had for more, had in zip(effort, found.get("effort", [0, 0]), strict=True)):
        hindsight = Hindsight(SEQUENCES[name](chosen.first), *effort)
        hindsight.run({(agent, edge) for agent, edge in found["edges"]})
        found |= {
            "effort": effort,
            "lower": max(hindsight.lower, found.get("lower", 0)),
            "best": min(len(hindsight.best or ()), found.get("best", len(found["edges"]))),
        }
        path.write_text(json.dumps(found))
    return found


def verdict(kept: int, found: dict[str, Any], bound: float) -> str:
    if kept <= bound:
        return "held"
    if found["lower"] > bound:
        return "cannot be held"
    return "missed, could be held in hindsight" if found["best"] <= bound else "missed, open"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("sequences", nargs="*", default=[*SEQUENCES])
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--evaluations", type=int, default=20_000)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--store", type=Path, default=STORE)
    chosen = parser.parse_args()
    chosen.store.mkdir(parents=True, exist_ok=True)
    print(
        "| days | worst alone | all without a ledger | all with one | at least | in hindsight |",
        end="",
    )
    print(" 1.3 × worst | |\n|---|---|---|---|---|---|---|---|")
    for name in chosen.sequences:
        found = measured(name, chosen)
        worst, kept = max(found["alone"]), sum(found["new"])
        counts = (worst, found["without"], kept, found["lower"], found["best"])
        bound = round(1.3 * worst, 1)
        cells = " | ".join(map(str, counts))
        print(f"| {name} | {cells} | {bound:g} | {verdict(kept, found, bound)} |", flush=True)


if __name__ == "__main__":
    main()

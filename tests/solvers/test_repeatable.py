"""Same problem, same seed, same run: counts do not depend on the interpreter, on what ran before,
or on the form of the files. And they stay within bounds that only a broken search exceeds.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from support.centralised import Centralised
from support.forms import factored, generated
from support.forward import LIMITS, searching
from support.places import TESTS
from support.tallies import everything, ordering, solving

import tacit
from tacit import native
from tacit.central.instance import Instance
from tacit.domains import DOMAINS
from tacit.party.disclosure.ranking import RANKINGS
from tacit.pddl.factor_writer import factor
from tacit.planners import PlannerLimits, PlannerOutcome
from tacit.planners.native import PORTFOLIO, NativeSearch

SMALL = [f"{domain}/small" for domain in DOMAINS]
MEDIUM = [f"{domain}/medium" for domain in DOMAINS if domain != "secrets"]  # too many rounds
LARGE = ["blocksworld/large", "depot/large", "driverlog/large"]
FROM_CODMAP = [
    "blocksworld/probBLOCKS-9-0",
    "blocksworld/probBLOCKS-12-1",
    "depot/pfile7",
    "driverlog/pfile13",
    "elevators08/p10",
]


# ------------------------------------------------------------------ repeatable


def test_another_interpreter_counts_the_same():
    """Sets of names have another order there."""
    names = [*SMALL, "driverlog/medium"]
    environment = {**os.environ, "PYTHONPATH": str(TESTS), "PYTHONHASHSEED": "1"}
    command = [sys.executable, "-m", "support.tallies", *names]
    done = subprocess.run(command, env=environment, capture_output=True, check=True)
    assert json.loads(done.stdout) == everything(names)


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_both_forms_of_a_problem_count_the_same(domain):
    description = generated(domain, 3)
    unfactored = Instance(description, {})
    assert solving(Instance(factored(factor(description)), {})) == solving(unfactored)
    assert solving(unfactored) == solving(unfactored), "what ran before leaves nothing behind"


@pytest.mark.parametrize("ranking", list(RANKINGS))
def test_orders_are_repeatable_and_complete(ranking):
    for name in ("zenotravel/medium", "driverlog/small", "blocksworld/small"):
        instance = tacit.load(name)
        order = ordering(instance, ranking)
        assert order == ordering(instance, ranking), name
        assert sorted(order) == sorted(ordering(instance, "m1")), name


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_forward_search_in_turns_is_repeatable(domain):
    """Agents on threads and in processes have no order to repeat: see `transport/test_drive`."""
    session, again = (searching(tacit.load(f"{domain}/small")) for _ in range(2))
    found, repeated = (each.at(each.largest, LIMITS) for each in (session, again))
    assert found.solved
    assert repeated.searches == found.searches
    assert repeated.counters == found.counters
    assert repeated.plan == found.plan


# ------------------------------------------------------------------ within bounds


def check_bounds(instance: Instance, per_step: int, rounds: int) -> None:
    """With everything disclosed, little is repaired and the search hardly strays from its plan.

    The bounds are some ten times what is needed today: they are there for searches that no longer
    see where to go, not for tuning.
    """
    found = solving(instance)
    assert found["solved"]
    assert found["evaluated"] <= per_step * found["steps"]
    assert found["rounds"] <= rounds
    assert found["repairs"] <= found["dependencies"]


@pytest.mark.parametrize("name", [*SMALL, *MEDIUM])
def test_embedded_problems_take_little(name):
    check_bounds(tacit.load(name), per_step=200, rounds=10)


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_large_problems_take_little(name):
    check_bounds(tacit.load(name), per_step=1000, rounds=50)


@pytest.mark.parametrize("name", FROM_CODMAP)
def test_codmap_problems_take_little(codmap, name):
    check_bounds(tacit.load(codmap / "unfactored" / name), per_step=200, rounds=10)


@pytest.mark.parametrize("name", ["blocksworld/large", "depot/medium"])
def test_a_portfolio_is_as_good_as_its_best_engine(name):
    """Engines take turns, so all together take no more than each as long as the best."""
    task = Centralised(tacit.load(name)).task
    limits = PlannerLimits(evaluations=20_000)
    alone = {engine: NativeSearch(task, 1, [engine]).run(limits) for engine in native.ENGINES}
    solved = [engine for engine, r in alone.items() if r.outcome is PlannerOutcome.SOLVED]
    assert len(solved) > len(alone) / 2
    best = min(alone[engine].evaluated for engine in solved if engine in PORTFOLIO)
    together = NativeSearch(task, 1).run(limits)
    assert together.outcome is PlannerOutcome.SOLVED
    assert together.evaluated <= 2 * len(PORTFOLIO) * max(best, 1000)

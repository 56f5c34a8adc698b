"""What solving costs, counted and not timed: rounds, evaluated states and repairs for a fixed seed.

The search is integer arithmetic and its slices are counted in evaluations, so the numbers are the
same on every machine and are compared exactly with `counters.json`. A change that moves them may
well be right, but it must be meant: look at the difference, then write the table anew with

    python tests/test_counters.py

which leaves the numbers of the CoDMAP problems as they are where those are not at hand.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import CODMAP

import tacit
from tacit import native
from tacit.central.centralised import Centralised
from tacit.central.instance import Instance
from tacit.central.solve import Session
from tacit.domains import DOMAINS
from tacit.planners import PlannerLimits
from tacit.planners.native import NativeSearch
from tacit.profile import profile
from tacit.public.protocol.messages import Carry, decode
from tacit.public.settings import NoOp, Settings, Threats

TABLE = Path(__file__).with_name("counters.json")
SEED = 1
SOLVED = [
    *(f"{domain}/small" for domain in DOMAINS),
    *(f"{domain}/medium" for domain in DOMAINS if domain != "secrets"),  # it takes too many rounds
    "blocksworld/large",
    "depot/large",
    "driverlog/large",
]
FROM_CODMAP = [
    "blocksworld/probBLOCKS-9-0",
    "blocksworld/probBLOCKS-12-1",
    "depot/pfile7",
    "driverlog/pfile13",
    "elevators08/p10",
]
SEARCHED = ["blocksworld/large", "depot/medium"]
ORDERED = [f"{domain}/medium" for domain in DOMAINS if domain != "secrets"]
EVALUATIONS = 20_000
SLOW = {"depot/large", "driverlog/large"}

Counts = dict[str, int]


def embedded(name: str) -> Instance:
    return tacit.load(name)


def solving(instance: Instance) -> Counts:
    """`solve --percent 100`, counted."""
    session = Session(instance, profile("tacit"), seed=SEED)
    result = session.at(session.largest)
    asked = [decode(frame.payload) for frame in result.transcript.frames]
    carried = sum(isinstance(message, Carry) for message in asked)
    return {
        "solved": int(result.solved),
        "rounds": carried // len(instance.agents),
        "evaluated": result.counters.evaluated,
        "repairs": sum(result.repairs.values()),
        "steps": len(result.plan.steps) if result.plan else 0,
    }


def searching(instance: Instance) -> Counts:
    """Each engine alone on the whole problem: what it evaluated until its plan or its limit."""
    task = Centralised(instance).task
    limits = PlannerLimits(evaluations=EVALUATIONS)
    return {
        engine: NativeSearch(task, SEED, [engine]).run(limits).evaluated
        for engine in native.ENGINES
    }


def ordering(instance: Instance) -> Counts:
    """All edges of all agents in the order of `goal`, as a checksum, by how threats are treated."""
    found: Counts = {}
    for threats in (Threats.NONE, Threats.ON_DEMAND):
        session = Session(instance, Settings(no_op=NoOp.KEEP, threats=threats), "goal", SEED)
        orders = [(agent, session.order(agent)) for agent in session.agents]
        told = [(agent, e.giver, e.token, e.positive) for agent, order in orders for e in order]
        found[threats.value] = zlib.crc32(repr(told).encode())
    return found


def codmap_instance(name: str) -> Instance:
    return tacit.load(CODMAP / "unfactored" / name)


def compare(kind: str, name: str, found: Counts) -> None:
    expected = json.loads(TABLE.read_text())[kind].get(name)
    assert found == expected, "if this is meant: python tests/test_counters.py"


def slowly(name: str):
    return pytest.param(name, marks=pytest.mark.slow if name in SLOW else ())


@pytest.mark.parametrize("name", [slowly(name) for name in SOLVED])
def test_solving(name):
    compare("solved", name, solving(embedded(name)))


@pytest.mark.parametrize("name", FROM_CODMAP)
def test_solving_codmap(codmap, name):
    compare("codmap", name, solving(codmap_instance(name)))


@pytest.mark.parametrize("name", SEARCHED)
def test_searching(name):
    compare("searched", name, searching(embedded(name)))


@pytest.mark.parametrize("name", ORDERED)
def test_ordering(name):
    compare("ordered", name, ordering(embedded(name)))


def test_the_table_has_no_other_rows():
    table = json.loads(TABLE.read_text())
    names = {kind: list(rows) for kind, rows in table.items()}
    assert names == {
        "solved": SOLVED,
        "codmap": FROM_CODMAP,
        "searched": SEARCHED,
        "ordered": ORDERED,
    }


def rows(names: list[str], count: Callable[[str], Counts]) -> dict[str, Counts]:
    return {name: count(name) for name in names}


def main() -> None:
    table = json.loads(TABLE.read_text()) if TABLE.exists() else {"codmap": {}}
    codmap = table["codmap"]
    if CODMAP.is_dir():
        codmap = rows(FROM_CODMAP, lambda name: solving(codmap_instance(name)))
    made = {
        "solved": rows(SOLVED, lambda name: solving(embedded(name))),
        "codmap": codmap,
        "searched": rows(SEARCHED, lambda name: searching(embedded(name))),
        "ordered": rows(ORDERED, lambda name: ordering(embedded(name))),
    }
    TABLE.write_text(json.dumps(made, indent=1) + "\n")


if __name__ == "__main__":
    main()

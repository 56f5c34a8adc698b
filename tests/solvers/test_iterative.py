"""The iterative method: nothing is disclosed at first, then one edge per agent and round."""

from __future__ import annotations

import json
from itertools import pairwise

import msgspec
import pytest
from msgspec.structs import replace
from support.forward import LIMITS, TURNS
from support.inside import messages_of
from support.sweeps import small, stored, swept

import tacit
from tacit.central.session import Session
from tacit.cli.main import run as run_command
from tacit.errors import InputError
from tacit.experiment.tables import coverage as tables
from tacit.profile import profile
from tacit.public.disclosure import PublicEdge
from tacit.public.outcome import Outcome
from tacit.public.protocol.messages import Begin, Disclosed, Learn
from tacit.public.settings import Rule, Settings
from tacit.solvers.limits import Limits

CASES = [
    ("logistics/small", "m1"),
    ("zenotravel/small", "random"),
    ("driverlog/small", "m3"),
    ("depot/small", "goal"),
]


@pytest.mark.parametrize(("problem", "ranking"), CASES)
@pytest.mark.parametrize("rule", list(Rule))
def test_it_ends_at_a_budget_that_solves_and_refutes_smaller_ones(problem, ranking, rule):
    chosen = msgspec.structs.replace(Settings(), rule=rule)
    session = Session(tacit.load(problem), chosen, replace(TURNS, ranking=ranking))
    found = session.iterate(LIMITS)
    assert found.solved
    assert found.refuted is not None
    assert found.refuted < found.k
    assert session.at(found.k, LIMITS).solved
    if found.refuted >= 0:
        assert session.at(found.refuted, LIMITS).outcome is Outcome.NO_PLAN


@pytest.mark.parametrize(("problem", "ranking"), CASES)
def test_every_round_discloses_one_edge_of_each_agent(problem, ranking):
    session = Session(tacit.load(problem), Settings(), replace(TURNS, ranking=ranking))
    found = session.iterate(LIMITS)
    disclosed: dict[str, tuple[PublicEdge, ...]] = {}
    rounds = []
    for message in messages_of(session):
        if isinstance(message, Disclosed):
            disclosed[message.sender] = message.edges
        elif isinstance(message, Begin | Learn):
            rounds.append(dict(disclosed))
    rounds = rounds[:: len(session.agents)]  # everybody is asked the same
    assert len(rounds) == found.k + 1 > 1
    assert not any(rounds[0].values())
    for before, after in pairwise(rounds):
        for agent, edges in after.items():
            assert set(before[agent]) <= set(edges)
            assert len(edges) <= len(before[agent]) + 1


def test_states_that_were_held_back_are_not_searched_for_again():
    session = Session(tacit.load("depot/small"), Settings(), replace(TURNS, ranking="m3"))
    grown = session.iterate(LIMITS)
    anew = [session.at(k, LIMITS).counters.expanded for k in range(grown.k + 1)]
    assert sum(status.deferred for status in grown.searches.values()) > 0
    assert grown.counters.expanded < sum(anew)


def test_it_ends_with_all_edges_or_with_the_time():
    knows_no_way = tacit.load("secrets/small")
    session = Session(knows_no_way, profile("paper"), replace(TURNS, ranking="m1"))
    assert session.iterate(Limits(0)).outcome is Outcome.TIME
    with pytest.raises(InputError, match="grow"):
        Session(knows_no_way, Settings()).iterate(LIMITS)


def test_solve_takes_it(capsys):
    asked = ["solve", "driverlog/small", "--solver", "mafs", "--ranking", "m3", "--iterative"]
    assert run_command([*asked, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    result = tacit.solve(
        tacit.load("driverlog/small"), "mafs", "m3", iterative=True, drive="roundrobin"
    )
    assert (said["k"], said["iterative"]) == (result.k, {"refuted": result.refuted})
    assert run_command(asked) == 0
    assert f"Smaller k: no plan with k = 0 to {result.k - 1}." in capsys.readouterr().out
    assert run_command([*asked, "--k", "3"]) == 2
    assert run_command(["solve", "driverlog/small", "--iterative"]) == 2
    with pytest.raises(InputError):
        tacit.solve(tacit.load("driverlog/small"), "mafs", k=1, iterative=True)


def test_a_sweep_has_a_row_of_its_own_for_it(tmp_path):
    """One per ranking and seed, with forward search alone; the others are as they were."""
    both = {"solvers": ("projection", "mafs"), "rankings": ("m1", "random"), "seeds": 2}
    path = tmp_path / "runs.db"
    before = swept(path, small(**both))
    after = swept(path, small(**both, iterative=True))
    rows = [after[key] for key in after if key not in before]
    assert {key: after[key] for key in before} == before
    assert {(r.unit.solver, r.unit.ranking, r.unit.seed, r.asked) for r in rows} == {
        ("mafs", "m1", 0, "iterative"),
        ("mafs", "random", 0, "iterative"),
        ("mafs", "random", 1, "iterative"),
    }
    instance = tacit.load("logistics/small")
    for row in rows:
        unit = row.unit
        found = Session(
            instance, profile("tacit"), replace(TURNS, ranking=unit.ranking, seed=unit.seed)
        ).iterate(LIMITS)
        assert (row.outcome.value, row.k, row.disclosed) == ("solved", found.k, found.disclosed)
        assert row.detail == f"no plan up to k = {found.k - 1}"
    assert swept(path, small(**both, iterative=True)) == after == stored(path)
    assert tables.edges_used(before.values()) == tables.edges_used(after.values())
    alone = small(**both, levels=(), iterative=True)
    assert {job.unit.solver for job in alone.jobs()} == {"mafs"}
    with pytest.raises(InputError, match="grows inside a search"):
        small(solvers=("projection",), iterative=True).check()

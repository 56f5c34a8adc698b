"""Orders: not made where there is nothing to choose, and the same whatever was asked before."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from support.forward import SOLVERS

from tacit.central.instance import load
from tacit.central.session import Session
from tacit.cli.main import run as run_command
from tacit.domains import DOMAINS
from tacit.errors import ExitCode
from tacit.party.disclosure.ranking import RANKINGS
from tacit.public.run_options import RunOptions
from tacit.public.settings import Settings


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
@pytest.mark.parametrize("ranking", ["m1", "m2", "m3", "m4", "random", "goal"])
def test_with_everything_disclosed_no_ranking_is_made(monkeypatch, solver, ranking):
    made: list[str] = []
    kind = RANKINGS.get(ranking)
    begin = kind.__init__
    monkeypatch.setattr(kind, "__init__", lambda *a: (made.append(ranking), begin(*a))[1])
    asked: list[str] = []
    choose = kind.next
    monkeypatch.setattr(kind, "next", lambda own: (asked.append(ranking), choose(own))[1])
    for domain in ("driverlog", "logistics"):
        session = Session(load(f"{domain}/small"), Settings(), replace(solver, ranking=ranking))
        result = session.at(session.largest)
        assert result.solved
        assert result.disclosed == session.totals
    assert not made
    assert not asked
    session.at(session.largest - 1)
    assert made
    assert asked


def test_the_command_with_all_edges_makes_no_order(monkeypatch, capsys):
    monkeypatch.setattr(RANKINGS.get("m3"), "next", lambda _: pytest.fail("an edge is chosen"))
    for solver in ("projection", "mafs"):
        args = ["solve", "driverlog/small", "--percent", "100", "--solver", solver]
        assert run_command([*args, "--ranking", "m3"]) == ExitCode.SOLVED
    capsys.readouterr()


@pytest.mark.parametrize("ranking", ["m1", "m3", "random"])
@pytest.mark.parametrize("domain", list(DOMAINS))
def test_the_whole_order_is_the_same_whatever_was_asked_before(domain, ranking):
    instance = load(f"{domain}/small")
    fresh, used = (Session(instance, Settings(), RunOptions(ranking=ranking)) for _ in range(2))
    used.disclose(used.largest)
    for agent in instance.agents:
        assert used.order(agent) == fresh.order(agent)
        assert {*fresh.order(agent)} == {*fresh.agents[agent].dependencies.graph.edges}

"""Counting classes of edges that look alike, instead of edges."""

from __future__ import annotations

import msgspec
import pytest
from support.problems import SMALL

import tacit
from tacit.central.leaking import leakage_of
from tacit.central.session import Session
from tacit.errors import InputError
from tacit.party.agent import Agent
from tacit.party.bounds import Bounds
from tacit.public.disclosure import PublicEdge
from tacit.public.ledger import Counts, Kind, Ledger
from tacit.public.protocol.messages import (
    EdgeDisclosed,
    EndLayers,
    Introduce,
    NextEdge,
    NoMore,
    Publish,
    decode,
    encode,
)
from tacit.public.run_options import RunOptions
from tacit.public.settings import Count, Settings
from tacit.solvers.limits import Limits

CLASSES = Settings(count=Count.CLASSES)


def test_a_ledger_counts_the_first_edge_of_each_class():
    ledger = Ledger("ab", lambda agent, edge: edge.token % 2)
    for agent, tokens in (("a", (0, 2, 1, 4)), ("b", (3,))):
        ledger.add(agent, Kind.EDGE, [PublicEdge(0, token) for token in tokens])
    ledger.add("a", Kind.THREAT, [PublicEdge(0, 0, positive=False)])
    assert ledger.counts("a") == Counts(edges=4, repairs=1, alike=2)
    assert (ledger.k, ledger.largest, ledger.sum, ledger.said) == (2, 3, 4, 6)
    assert ledger.as_json({})["counted"] == "classes"
    assert ledger.as_json({})["agents"]["a"]["alike"] == 2
    ledger.forget("a")
    ledger.add("a", Kind.EDGE, [PublicEdge(0, 2)])
    assert ledger.counts("a") == Counts(edges=1)


@pytest.mark.parametrize("domain", SMALL)
def test_the_same_run_counts_what_a_peer_tells_apart(domain):
    """The core's classes of what was disclosed are as many as the ledger counts."""
    options = RunOptions(drive="roundrobin", record=True)
    instance = tacit.load(f"{domain}/small")
    edges = Session(instance, Settings(), options, online=True).online(Limits(20))
    session = Session(instance, CLASSES, options, online=True)
    found = session.online(Limits(20))
    assert found.solved
    assert found.disclosed == edges.disclosed
    known = leakage_of(session, found)
    for agent in instance.agents:
        assert found.ledger.counts(agent).counted == known[agent].classes
    assert found.k == max(own.counted for own in found.ledger.per_agent().values())


def turns(settings: Settings, most: int) -> tuple[list[PublicEdge], Ledger]:
    """All edges that an agent discloses within a bound, if it must in every turn."""
    agent = Agent(tacit.load("driverlog/small").local("driver1"), bounds=Bounds(edges=most))

    def ask(question):
        return decode(agent.answer("asker", encode(question)))

    part = ask(Publish("asker", settings, "m3"))
    ask(Introduce("asker", (part,)))
    ask(EndLayers("asker"))
    shown: list[PublicEdge] = []
    while isinstance(turn := ask(NextEdge("asker", (len(shown),), must=True)), EdgeDisclosed):
        shown.append(turn.edge)
    assert isinstance(turn, NoMore)
    return shown, agent.ledger


@pytest.mark.parametrize("most", [1, 2])
def test_a_bound_leaves_edges_that_look_like_disclosed_ones(most):
    shown, ledger = turns(Settings(), most)
    assert len(shown) == most
    alike, ledger = turns(CLASSES, most)
    assert len(alike) > most
    assert ledger.counts("driver1").counted == most
    assert alike[:most] == shown or ledger.is_alike("driver1", alike[1])


def test_budgets_count_edges():
    with pytest.raises(InputError, match="online runs alone"):
        tacit.solve(tacit.load("logistics/small"), profile=CLASSES, k=1)


def test_settings_say_what_counts():
    assert msgspec.to_builtins(CLASSES)["count"] == "classes"

"""Classes of edges, compared with the core's."""

from __future__ import annotations

import pytest
from hypothesis import given
from support.notes import quick
from support.problems import SMALL

import tacit
from tacit.central.instance import Instance
from tacit.central.session import Session
from tacit.leakage.attacks._evidence import Evidence
from tacit.leakage.reading.traffic import PublicNames
from tacit.leakage.view import traffic_of, view_of
from tacit.public.classes import Classes
from tacit.public.disclosure import INIT, PublicEdge
from tacit.public.settings import Settings
from tacit.testing import problems


def check(instance: Instance) -> int:
    """Classes of all edges of each agent, and of all agents together, are as many as the core's."""
    session = Session(instance, Settings())
    public, agents = instance.public, instance.agents
    names = PublicNames(public.facts, public.init, public.goal)
    evidence = Evidence(view_of(traffic_of(session.transcript.frames, agents, agents), names), {})
    classes = Classes(public.facts, session.coordinator.publications)
    assert evidence.shapes is not None
    edges = {
        agent: [e for e in sorted(session.agents[agent].all_edges) if e.achiever != INIT]
        for agent in agents
    }
    for chosen in ({agent: edges[agent]} for agent in agents):
        found = {classes.of(agent, edge) for agent, own in chosen.items() for edge in own}
        assert len(found) == evidence.shapes.classes(*evidence.numbered(chosen))
    found = {classes.of(agent, edge) for agent, own in edges.items() for edge in own}
    assert len(found) == evidence.shapes.classes(*evidence.numbered(edges))
    return len(found)


@quick(60)
@given(problems())
def test_random_problems(tiny):
    check(tiny.load())


@pytest.mark.parametrize("domain", SMALL)
def test_families(domain):
    assert check(tacit.load(f"{domain}/small"))


def test_edges_of_the_initial_state_and_threats_have_classes_of_their_own():
    instance = tacit.load("logistics/small")
    classes = Classes(instance.public.facts, instance.publications())
    truck = instance.publications()["truck1"]
    token = truck.actions[-1].tokens[0] if truck.actions[-1].tokens else 0
    action = truck.actions[0].id
    three = (PublicEdge(INIT, token), PublicEdge(action, token), PublicEdge(action, token, False))
    assert len({classes.of("truck1", edge) for edge in three}) == 3
    restored = PublicEdge(action, truck.tokens + 1, False)
    assert classes.of("truck1", restored) == ("truck1", restored)

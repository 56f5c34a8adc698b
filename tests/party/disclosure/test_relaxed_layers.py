"""Exploring together: layers by definition, and what they are for."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.notes import say
from support.problems import generated

import tacit
from tacit.central.instance import Instance
from tacit.central.session import Session
from tacit.central.solve import dependencies
from tacit.domains import DOMAINS
from tacit.errors import ProtocolError
from tacit.party.disclosure.relaxed_layers import all_layers
from tacit.party.local.task import LocalTask
from tacit.profile import PROFILES
from tacit.public.protocol.messages import Layer, NextLayer, encode
from tacit.public.settings import Settings
from tacit.testing import problems


def closure(task: LocalTask, facts: set[int], done: set[int]) -> list[set[int]]:
    """New own actions by the number of new own actions that must come before; adds to both sets."""
    layers: list[set[int]] = []
    while True:
        new = {
            a
            for a in range(len(task.arrays.schema))
            if a not in done and facts.issuperset(task.pre[a])
        }
        if not new:
            return layers
        layers.append(new)
        done |= new
        facts.update(*(task.add[a] for a in new))


def by_definition(instance: Instance) -> dict[str, list[list[int]]]:
    """Per agent, its actions layer by layer: rounds, and own layers within a round."""
    tasks = [instance.local(agent) for agent in instance.agents]
    known = set(instance.public.init)
    order: dict[str, list[list[int]]] = {task.agent: [] for task in tasks}
    facts = {task.agent: set(task.arrays.init) for task in tasks}
    done: dict[str, set[int]] = {task.agent: set() for task in tasks}
    while True:
        reached = set(known)
        for task in tasks:
            name = task.agent
            facts[name] |= known
            order[name] += map(sorted, closure(task, facts[name], done[name]))
            reached |= {f for f in facts[name] if f < task.public_count}
        if reached == known:
            return order
        known = reached


def check(instance: Instance) -> None:
    found = all_layers([instance.local(agent) for agent in instance.agents])
    expected = by_definition(instance)
    for agent, layers in found.items():
        say(f"{agent}: {layers}")
        groups: dict[int, list[int]] = {}
        for action, layer in enumerate(layers):
            groups.setdefault(layer, []).append(action)
        inside = [groups[layer] for layer in sorted(groups)]
        unreachable = set(range(len(layers))) - {a for layer in expected[agent] for a in layer}
        assert inside == expected[agent] + ([sorted(unreachable)] if unreachable else [])


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(problems())
def test_random_problems(tiny):
    say("\n".join(tiny.texts))
    check(tiny.load())


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_families(domain):
    for seed in range(3):
        check(generated(domain, "small", seed))


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(problems(), st.sampled_from(sorted(PROFILES)))
def test_asking_finds_the_edges_that_one_place_would(tiny, profile):
    instance = tiny.load()
    session = Session(instance, PROFILES[profile])
    together = dependencies(instance, PROFILES[profile])
    for name, agent in session.agents.items():
        assert agent.dependencies.graph.edges == together[name].graph.edges


def test_rounds_end_when_nobody_has_news():
    session = Session(tacit.load("logistics/small"), Settings())
    messages = list(session.at(0).transcript.messages())
    said = [m.facts for m in messages if isinstance(m, Layer)]
    count = len(session.agents)
    assert not any(said[-count:])
    assert any(said[-2 * count : -count])
    every = [fact for facts in said for fact in facts]
    assert set(every) <= set(range(len(session.instance.public.facts)))
    heard = [m.facts for m in messages if isinstance(m, NextLayer)]
    assert not heard[0]


@pytest.mark.parametrize("fact", [-1, 10**6])
def test_unknown_facts_are_refused(fact):
    session = Session(tacit.load("logistics/small"), Settings())
    agent = next(iter(session.agents.values()))
    with pytest.raises(ProtocolError):
        agent.answer("solver", encode(NextLayer("solver", (fact,))))


@pytest.mark.parametrize("profile", sorted(PROFILES))
@pytest.mark.parametrize("ranking", ["m1", "m2", "m3", "m4"])
def test_ten_edges_suffice_in_logistics_10_0(codmap, ranking, profile):
    """Where all of a truck's unloading seems possible at once, it takes 45 of 48."""
    instance = tacit.load(codmap / "unfactored/logistics00/probLOGISTICS-10-0")
    result = tacit.solve(instance, ranking=ranking, profile=profile, smallest=True)
    assert (result.k, result.extension) == (10, "strict")

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
from tacit.natural import natural_order
from tacit.party.disclosure.relaxed_layers import RelaxedLayers
from tacit.party.local.task import LocalTask
from tacit.profile import PROFILES
from tacit.public.protocol.messages import tag_of
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
    """Per agent, its actions layer by layer: what it can do alone, then after each of the others'
    turns before an own one, and own layers within that.
    """
    tasks = {agent: instance.local(agent) for agent in natural_order(instance.agents)}
    facts = {agent: set(task.arrays.init) for agent, task in tasks.items()}
    done: dict[str, set[int]] = {agent: set() for agent in tasks}
    order = {
        agent: [sorted(layer) for layer in closure(task, facts[agent], done[agent])]
        for agent, task in tasks.items()
    }
    known, is_new = set(instance.public.init), True
    while is_new:
        is_new = False
        for agent, task in tasks.items():
            facts[agent] |= known
            order[agent] += map(sorted, closure(task, facts[agent], done[agent]))
            news = {f for f in facts[agent] if f < task.public_count} - known
            known |= news
            is_new |= bool(news)
    return order


def check(instance: Instance) -> None:
    expected = by_definition(instance)
    for agent in instance.agents:
        layers = RelaxedLayers(instance.local(agent)).layers
        say(f"{agent}: {layers}")
        groups: dict[int, list[int]] = {}
        for action, layer in enumerate(layers):
            groups.setdefault(layer, []).append(action)
        assert [groups[layer] for layer in sorted(groups)] == expected[agent]


def check_goals(instance: Instance) -> None:
    """What the coordinator and the agents say is out of reach is what joint relaxed reachability
    does not reach.
    """
    tasks = [instance.local(agent) for agent in instance.agents]
    reached, before = set(instance.public.init), -1
    facts = [set(task.arrays.init) for task in tasks]
    while len(reached) != before:
        before = len(reached)
        for task, own in zip(tasks, facts, strict=True):
            own.update(reached)
            closure(task, own, set())
            reached |= {fact for fact in own if fact < task.public_count}
    goals = tuple(fact for fact in instance.public.goal if fact not in reached)
    agents = tuple(t.agent for t, own in zip(tasks, facts, strict=True) if set(t.arrays.goal) - own)
    found = Session(instance, Settings()).coordinator.out_of_reach
    assert found.goals == goals
    assert set(agents) == set(found.agents) or goals


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(problems())
def test_random_problems(tiny):
    say("\n".join(tiny.texts))
    check(tiny.load())
    check_goals(tiny.load())


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


def test_nothing_is_asked_about_reach_after_grounding():
    session = Session(tacit.load("logistics/small"), Settings())
    kinds = {tag_of(message) for message in session.at(0).transcript.messages()}
    assert "end-layers" in kinds
    assert not {kind for kind in kinds if "layer" in kind} - {"end-layers", "layers-ended"}


@pytest.mark.parametrize("profile", sorted(PROFILES))
@pytest.mark.parametrize("ranking", ["m1", "m2", "m3", "m4"])
def test_ten_edges_suffice_in_logistics_10_0(codmap, ranking, profile):
    """Where all of a truck's unloading seems possible at once, it takes 45 of 48."""
    instance = tacit.load(codmap / "unfactored/logistics00/probLOGISTICS-10-0")
    result = tacit.solve(instance, ranking=ranking, profile=profile, smallest=True)
    assert (result.k, result.extension) == (10, "strict")

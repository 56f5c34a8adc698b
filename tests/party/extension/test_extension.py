"""Carrying out public plans: an extension exists just when brute force finds one."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.brute import can_be_executed, is_supported
from support.notes import quick, say
from support.problems import SMALL, generated, instance_of
from support.public_walks import places_of, walk

from tacit.central.solve import dependencies
from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.disclosure.graph import Edge
from tacit.party.extension.extension import Extender, LocalPlan, Place
from tacit.policy import POLICY, ExtensionPolicy
from tacit.public.settings import Settings
from tacit.testing import problems


def follow(own: Dependencies, places: list[Place], plan: LocalPlan, with_goal: bool) -> None:
    """The local plan does the steps in order, and every action is possible where it stands."""
    task, first = own.task, own.task.public_count
    state = {f for f in task.arrays.init if f >= first}
    last = 0
    done: list[int] = []
    for action, before in plan.actions:
        assert last <= before < len(places)
        last = before
        assert {f for f in task.pre[action] if f >= first} <= state
        assert {f for f in task.pre[action] if f < first} <= places[before].holds
        state -= set(task.delete[action])
        state |= {f for f in task.add[action] if f >= first}
        if task.arrays.is_public[action]:
            done.append(before)
            step = places[before].own
            assert step is not None
            meant = own.members[step][0]
            for rows in (task.pre, task.add, task.delete):
                assert {f for f in rows[action] if f < first} == {
                    f for f in rows[meant] if f < first
                }
    assert done == [n for n, place in enumerate(places) if place.own is not None]
    if with_goal:
        assert {f for f in task.arrays.goal if f >= first} <= state


def check(
    own: Dependencies,
    places: list[Place],
    disclosed: list[Edge],
    with_goal: bool,
    seed: int,
    policy: ExtensionPolicy = POLICY.extension,
) -> bool:
    result = Extender(own, seed, policy).extend(places, disclosed, with_goal)
    assert result.decided
    expected = can_be_executed(own, places, disclosed, with_goal)
    say(f"{own.task.agent} {places} {disclosed} goal {with_goal}: {expected}")
    assert (result.plan is not None) == expected
    if result.plan is not None:
        follow(own, places, result.plan, with_goal)
        if with_goal or not own.goal:
            actions = [action for action, _ in result.plan.actions]
            assert is_supported(own, disclosed, actions)
    return expected


@pytest.mark.parametrize("merge", [True, False], ids=["merged", "apart"])
@pytest.mark.parametrize("has_public_preconditions", [False, True], ids=["blind", "looking"])
def test_random_public_plans(has_public_preconditions, merge):
    answers: Counter[bool] = Counter()

    @quick(90)
    @given(problems(public_preconditions=has_public_preconditions), st.data())
    def run(tiny, data):
        say("\n".join(tiny.texts))
        instance = tiny.load()
        own = dependencies(instance, Settings(merge=merge))
        length = data.draw(st.integers(0, 6))
        choose = lambda options: data.draw(st.sampled_from(options))  # noqa: E731
        steps, states = walk(instance, own, choose, length)
        for agent, deps in own.items():
            edges = list(deps.graph.edges)
            told = [edge for edge in edges if data.draw(st.integers(0, 3))]
            places = places_of(agent, steps, states)
            with_goal = data.draw(st.booleans())
            answers[check(deps, places, told, with_goal, data.draw(st.integers(0, 2)))] += 1

    run()
    assert min(answers[True], answers[False]) > 0.04 * answers.total()


@pytest.mark.parametrize("domain", list(SMALL))
def test_random_public_plans_of_families(domain):
    @quick(15)
    @given(st.integers(0, 5), st.randoms(use_true_random=False))
    def run(seed, rng):
        sizes = SMALL[domain]
        instance = generated(domain, sizes[seed % len(sizes)], seed)
        own = dependencies(instance, Settings())
        steps, states = walk(instance, own, rng.choice, rng.randint(1, 8))
        for agent, deps in own.items():
            told = [edge for edge in deps.graph.edges if rng.random() < 0.9]
            places = places_of(agent, steps, states)
            check(deps, places, told, rng.random() < 0.5, seed)

    run()


@pytest.mark.parametrize("most", [0, POLICY.extension.walk_states], ids=["planner", "walk"])
def test_an_agent_without_private_actions_walks_or_plans(most):
    """Following all states along the plan and searching decide alike: both as brute force does."""
    policy = ExtensionPolicy(walk_states=most)
    answers: Counter[bool] = Counter()
    for seed in range(40):
        rng = random.Random(seed)
        instance = generated("blocksworld", {"arms": 2, "blocks": 3}, seed)
        own = dependencies(instance, Settings())
        steps, states = walk(instance, own, rng.choice, rng.randint(1, 6))
        for agent, deps in own.items():
            assert not Extender(deps, 0).private_actions
            told = [edge for edge in deps.graph.edges if rng.random() < 0.95]
            answers[check(deps, places_of(agent, steps, states), told, False, seed, policy)] += 1
    assert min(answers[True], answers[False]) > 5


def test_another_action_with_the_same_public_part_may_do_a_step():
    """Both ways of `use` look alike from outside; only one of them can be done."""
    domain = """(define (domain d) (:types agent)
      (:predicates (g) (p) (q) (:private ?a - agent (e ?a - agent) (f ?a - agent)))
      (:action make-e :agent ?a - agent :parameters () :effect (and (p) (e ?a)))
      (:action make-f :agent ?a - agent :parameters () :effect (and (q) (f ?a)))
      (:action use-e :agent ?a - agent :parameters () :precondition (e ?a) :effect (g))
      (:action use-f :agent ?a - agent :parameters () :precondition (f ?a) :effect (g)))"""
    problem = """(define (problem d) (:domain d) (:objects (:private a a - agent))
      (:init) (:goal (g)))"""
    own = dependencies(instance_of(domain, problem), Settings())["a"]
    number = {own.task.action_name(group[0]): n for n, group in enumerate(own.members)}
    nothing = frozenset[int]()
    places = [
        Place(number["(make-e a)"], nothing),
        Place(number["(use-f a)"], nothing),
        Place(None, nothing),
    ]
    edges = list(own.graph.edges)
    assert check(own, places, edges, False, 0)
    gives_e = [e for e in edges if e.achiever == number["(make-e a)"]]
    assert not check(own, places, [e for e in edges if e not in gives_e], False, 0)

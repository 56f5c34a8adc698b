"""Repairs: no answer excludes a supported plan."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import brute
from support.brute import TooLarge, joint_of, with_finish
from support.inside import projection_of
from support.notes import quick, say
from support.projections import masks

from tacit.central.session import Session
from tacit.policy import POLICY
from tacit.public.disclosure import PublicStep
from tacit.public.ledger import Prefix
from tacit.public.projection import Projection
from tacit.public.protocol.messages import (
    Extended,
    PrefixFails,
    Repair,
    Scope,
    Threatened,
)
from tacit.public.settings import Settings
from tacit.testing import problems


def plans_of(projection: Projection, length: int, most: int) -> list[tuple[int, ...]]:
    """Plans of the projection with up to so many actions, shortest first."""
    ops, goal = masks(projection), brute.mask(projection.goal)
    level = [((), brute.mask(set(projection.init)))]
    found: list[tuple[int, ...]] = []
    for _ in range(length + 1):
        following = []
        for plan, state in level:
            if state & goal == goal:
                found.append(plan)
                continue
            for number, (needs, adds, keeps, _) in enumerate(ops):
                then = state & keeps | adds
                if state & needs == needs and then != state:
                    following.append(((*plan, number), then))
        level = following[:3000]
    return found[:most]


def executes(projection: Projection, plan: list[int]) -> bool:
    ops, state = masks(projection), brute.mask(set(projection.init))
    for number in plan:
        needs, adds, keeps, _ = ops[number]
        if state & needs != needs:
            return False
        state = state & keeps | adds
    goal = brute.mask(projection.goal)
    return state & goal == goal


def is_forbidden(plan: list[PublicStep], agent: str, prefix: Prefix) -> bool:
    steps = plan if prefix.joint else [step for step in plan if step.agent == agent]
    return steps[: len(prefix.steps)] == list(prefix.steps)


EAGER = replace(POLICY, repair=replace(POLICY.repair, single_answers=0))


@pytest.mark.parametrize("eager", [False, True], ids=["as is", "all threats at once"])
@pytest.mark.parametrize("has_public_preconditions", [False, True], ids=["blind", "looking"])
def test_no_answer_excludes_a_supported_plan(has_public_preconditions, eager):
    """Plans of the projection that cannot be extended, one by one; the answers add up."""
    met: set[object] = set()
    policy = EAGER if eager else POLICY

    @quick(100)
    @given(problems(public_preconditions=has_public_preconditions, most_actions=5), st.data())
    def run(tiny, data):
        say("\n".join(tiny.texts))
        session = Session(tiny.load(), Settings(), policy=policy)
        k = data.draw(st.integers(0, session.largest))
        projection, coordinator = projection_of(session, k), session.coordinator
        own = {name: agent.dependencies for name, agent in session.agents.items()}
        everything = {name: each.graph.edges for name, each in own.items()}
        try:
            kept = joint_of(session).plan_guidance(4)
            with_all = brute.Joint(own, everything).plan_guidance(3)
        except TooLarge:
            return
        for plan in plans_of(projection, 5, 12):
            steps = tuple(projection.steps[number] for number in plan)
            for name, answer in coordinator.extend_all(steps).items():
                if isinstance(answer, Extended):
                    continue
                say(f"k={k} {steps} → {answer}")
                assert isinstance(answer, Repair), name
                met.add(answer.scope if isinstance(answer, PrefixFails) else type(answer))
        repaired, ledger = coordinator.projection(), coordinator.ledger
        prefixes = [(name, prefix) for name in ledger.agents for prefix in ledger.prefixes(name)]
        for good in (with_finish(session, plan) for plan in kept):
            say(f"supported: {good}")
            assert executes(repaired, [repaired.number[step] for step in good])
            assert not any(is_forbidden(good, *prefix) for prefix in prefixes)
        for good in (with_finish(session, plan) for plan in with_all):
            assert not any(is_forbidden(good, *p) for p in prefixes if p[1].for_good)
        met.update(prefix.for_good for _, prefix in prefixes)

    run()
    assert Threatened in met
    assert has_public_preconditions or Scope.OWN in met
    assert True in met, "some prefixes hold for good"

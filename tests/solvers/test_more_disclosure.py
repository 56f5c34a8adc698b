"""More disclosure loses no plan and no public state (corollary 1)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import brute
from support.cheapest import NO_THREATS
from support.inside import projection_of
from support.notes import quick
from support.problems import SMALL, generated
from support.projections import masks, optimal_cost, reachable

import tacit
from tacit.central.session import Session
from tacit.public.run_options import RunOptions
from tacit.testing import problems


def check_more_disclosure(session: Session, less: int, more: int) -> None:
    """Plans stay plans, the optimal cost does not rise, reachable public states stay reachable."""
    small, large = projection_of(session, less), projection_of(session, more)
    assert small.steps == large.steps
    assert small.facts == large.facts
    goal, wanted = brute.mask(small.goal), brute.mask(large.goal)
    public = brute.mask(range(len(session.instance.public.facts)))
    start = (brute.mask(set(small.init)), brute.mask(set(large.init)))
    seen, stack = {start}, [start]
    while stack:  # every plan of the first, followed in both
        a, b = stack.pop()
        assert a & b == a
        assert a & public == b & public
        assert a & goal != goal or b & wanted == wanted
        pairs = zip(masks(small), masks(large), strict=True)
        for (needs, adds, keeps, _), (needs_b, adds_b, keeps_b, _) in pairs:
            if a & needs != needs:
                continue
            assert b & needs_b == needs_b
            then = (a & keeps | adds, b & keeps_b | adds_b)
            if then not in seen:
                seen.add(then)
                stack.append(then)
    assert optimal_cost(large) <= optimal_cost(small)
    before, after = reachable(small), reachable(large)
    assert {state & public for state in before} <= {state & public for state in after}
    assert {a for a, _ in seen} == before
    assert {b for _, b in seen} <= after


@quick(60)
@given(problems(most_actions=5), st.integers(0, 3), st.data())
def test_more_disclosure_loses_no_plan_and_no_public_state(tiny, seed, data):
    session = Session(tiny.load(), NO_THREATS, RunOptions(seed=seed))
    less = data.draw(st.integers(0, session.largest))
    check_more_disclosure(session, less, data.draw(st.integers(less, session.largest)))


@pytest.mark.parametrize("domain", ["logistics", "secrets", "sensors", "zenotravel", "driverlog"])
def test_more_disclosure_loses_no_plan_and_no_public_state_in_families(domain):
    session = Session(generated(domain, SMALL[domain][0], 0), NO_THREATS)
    for less, more in [(0, 1), (1, 2), (0, session.largest), (2, session.largest)]:
        check_more_disclosure(session, min(less, session.largest), min(more, session.largest))


def test_states_of_the_projection_may_become_fewer_but_not_public_ones():
    """The paper's Corollary 1 (3) says that states do not become fewer: not if tokens count."""
    instance = tacit.load("driverlog/small")
    session = Session(instance, NO_THREATS, RunOptions(ranking="random"))
    small, large = (reachable(projection_of(session, k)) for k in (19, 27))
    assert (len(small), len(large)) == (19_459, 8_677)
    facts = brute.mask(range(len(instance.public.facts)))
    assert {state & facts for state in small} == {state & facts for state in large}
    assert len({state & facts for state in small}) == 900

"""Public facts that private actions are guessed to need: good where it can be, never harmful."""

from __future__ import annotations

from random import Random

from hypothesis import example, given
from hypothesis import strategies as st
from support.inside import projection_of
from support.notes import quick, say
from support.peeking import lamp
from support.problems import RESTORED
from support.projections import executes

from tacit.central.session import Session
from tacit.profile import profile
from tacit.public.outcome import Outcome
from tacit.public.protocol.messages import Extend
from tacit.public.run_options import RunOptions
from tacit.searchers import Clock, make_search
from tacit.solvers.attempt import Counters
from tacit.solvers.observed_facts import early, observed_facts, with_all_of
from tacit.testing import problems


def test_what_nothing_published_needs_is_achieved_first():
    session = Session(lamp(), profile("tacit"), RunOptions(ranking="m3"))
    result = session.at(session.largest)
    assert result.solved
    assert not result.changed_over
    assert result.repairs == dict.fromkeys(session.agents, 0)
    asked = [m for m in result.transcript.messages() if isinstance(m, Extend)]
    assert len(asked) == len(session.agents), "the first public plan was not carried out"
    assert [step.name for step in result.plan.steps] == ["ring", "light", "peek", "report"]


def test_facts_that_are_needed_in_public_are_not_observed():
    instance = lamp()
    projection = projection_of(Session(instance, profile("tacit"), RunOptions(ranking="m3")), 9)
    facts = instance.public.facts
    found = observed_facts(projection, len(facts))
    assert {facts[fact].predicate for fact in found} == {"lit", "rung"}


def test_a_plan_with_observed_facts_is_a_plan_however_it_is_ordered():
    solved = 0

    @quick(80)
    @given(problems(public_preconditions=True), st.integers(0, 2**32).map(Random))
    @example(RESTORED, Random(0))
    def run(tiny, rng):
        nonlocal solved
        instance = tiny.load()
        projection = projection_of(Session(instance, profile("tacit"), RunOptions(ranking="m1")))
        facts = observed_facts(projection, len(instance.public.facts))
        search = make_search(with_all_of(projection, facts), 0, "native", 0, None, Clock())
        outcome, plan = search.run(float("inf"), 5_000, Counters())
        say(f"{outcome} {plan} observed {facts}")
        if outcome is not Outcome.SOLVED:
            return
        solved += 1
        assert executes(projection, plan)
        moved = early(projection, plan, facts)
        assert sorted(moved) == sorted(plan)
        assert executes(projection, moved)
        some = rng.sample(facts, rng.randint(0, len(facts)))
        assert executes(projection, early(projection, plan, some))
        held = set(projection.init).union(*(projection.adds[action] for action in plan))
        assert held.issuperset(facts)

    run()
    assert solved

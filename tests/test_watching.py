"""A guess at what private actions look at: good where it can be, never harmful."""

from __future__ import annotations

from brute import quick, say, tinies
from hypothesis import given
from hypothesis import strategies as st
from peeking import lamp

from tacit.central.solve import Session
from tacit.profile import profile
from tacit.public.outcome import Outcome
from tacit.public.protocol.messages import Carry
from tacit.searchers import Clock, make_search
from tacit.solvers.asking import Counters
from tacit.solvers.watching import _is_plan, early, watched, with_all_of


def test_what_nothing_published_asks_for_is_brought_about_first():
    session = Session(lamp(), profile("tacit"), "m3")
    result = session.at(session.largest)
    assert result.solved
    assert not result.changed_over
    assert result.repairs == dict.fromkeys(session.agents, 0)
    asked = [m for m in result.transcript.messages() if isinstance(m, Carry)]
    assert len(asked) == len(session.agents), "the first public plan was not carried out"
    assert [step.name for step in result.plan.steps] == ["ring", "light", "peek", "report"]


def test_facts_that_are_asked_for_are_not_watched():
    instance = lamp()
    projection = Session(instance, profile("tacit"), "m3")._solver.projection(9)
    facts = instance.public.facts
    found = watched(projection, len(facts))
    assert {facts[fact].predicate for fact in found} == {"lit", "rung"}


@quick(80)
@given(tinies(looks=True), st.randoms(use_true_random=False))
def test_a_plan_of_the_guess_is_a_plan_however_it_is_ordered(tiny, random):
    instance = tiny.load()
    session = Session(instance, profile("tacit"), "m1")
    projection = session._solver.projection(session.largest)
    facts = watched(projection, len(instance.public.facts))
    guess = with_all_of(projection, facts)
    search = make_search(guess, 0, "native", 0, None, Clock())
    outcome, plan = search.run(float("inf"), 5_000, Counters())
    say(f"{outcome} {plan} watched {facts}")
    if outcome is not Outcome.SOLVED:
        return
    assert _is_plan(projection, plan)
    moved = early(projection, plan, facts)
    assert sorted(moved) == sorted(plan)
    assert _is_plan(projection, moved)
    some = random.sample(facts, random.randint(0, len(facts)))
    assert _is_plan(projection, early(projection, plan, some))
    held = set(projection.init).union(*(projection.adds[action] for action in plan))
    assert held.issuperset(facts)

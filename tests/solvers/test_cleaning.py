"""What of a plan is redundant, and responses put together."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from support.notes import quick

from tacit.public.disclosure import PublicStep
from tacit.public.projection import Projection
from tacit.solvers.agreeing import Responses
from tacit.solvers.cleaning import PublicPlans

FACTS = 6
rows = st.lists(st.integers(0, FACTS - 1), max_size=2, unique=True).map(tuple)


@st.composite
def projections(draw) -> tuple[Projection, tuple[int, ...]]:
    """A projection, and a plan of it: what can be done of a list of actions."""
    made = Projection(FACTS, draw(st.lists(st.integers(0, FACTS - 1), max_size=3)), [])
    for number in range(draw(st.integers(1, 6))):
        needs, adds, deletes = draw(rows), draw(rows), draw(rows)
        made._add_action(PublicStep("a", number), 0, needs, adds, deletes, 1)
    state, plan = set(made.init), list[int]()
    for action in draw(st.lists(st.integers(0, len(made.cost) - 1), max_size=10)):
        if state.issuperset(made.needs[action]):
            plan.append(action)
            state = (state - set(made.deletes[action])) | set(made.adds[action])
    made.goal = draw(st.lists(st.sampled_from(sorted(state)), unique=True)) if state else []
    return made, tuple(plan)


def without(task: Projection, plan: tuple[int, ...], place: int) -> tuple[int, ...] | None:
    """The plan without a step and what then cannot be done, state by state."""
    state, kept = set(task.init), list[int]()
    for number, action in enumerate(plan):
        if number != place and state.issuperset(task.needs[action]):
            state = (state - set(task.deletes[action])) | set(task.adds[action])
            kept.append(action)
    return tuple(kept) if state.issuperset(task.goal) else None


@quick(200)
@given(projections())
def test_what_can_be_left_out_is_as_state_by_state(made):
    task, plan = made
    plans = PublicPlans(task, task.named(plan))
    expected = {kept for place in range(len(plan)) if (kept := without(task, plan, place))}
    assert set(plans.shorter(plan)) == expected
    assert task.is_plan(plans.eliminated(plan))


steps = st.builds(PublicStep, st.sampled_from("abc"), st.integers(0, 9))


@quick(200)
@given(st.data())
def test_responses_put_together_keep_every_part(data):
    """Each agent's part is as it has it, and with one response the plan is its own."""
    plan = tuple(data.draw(st.lists(steps, max_size=8)))
    found = {}
    for agent in data.draw(st.sets(st.sampled_from("abc"))):
        others = [step for step in plan if step.agent != agent]
        for number in range(data.draw(st.integers(0, 4))):
            others.insert(data.draw(st.integers(0, len(others))), PublicStep(agent, 10 + number))
        found[agent] = tuple(others)
    together = Responses(plan).together(found)
    for agent in "abc":
        own = found.get(agent, plan)
        assert [s for s in together if s.agent == agent] == [s for s in own if s.agent == agent]
    assert Counter(step.agent for step in together).keys() <= {"a", "b", "c"}
    for agent, response in found.items():
        assert Responses(plan).together({agent: response}) == response

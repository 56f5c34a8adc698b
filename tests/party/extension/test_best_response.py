"""The task of a best response: small, and as good as the whole one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from support.notes import quick

from tacit import native
from tacit.party.extension.best_response import Along
from tacit.planners import ClassicalTask, PlannerOutcome
from tacit.planners.native import NativeSearch, strips
from tacit.public.task import PublicAction

FACTS = 8
fact_lists = st.lists(st.integers(0, FACTS - 1), max_size=2, unique=True)
parts = st.tuples(fact_lists, fact_lists, fact_lists)


def flat_rows(actions, part: int):
    return native.flat([action[part] for action in actions])


def task_of(facts: int, init, goal, actions, cost) -> ClassicalTask:
    pre, add, delete = (flat_rows(actions, part) for part in range(3))
    return ClassicalTask(facts, init, goal, pre, add, delete, cost, [0] * len(cost))


def cheapest(task: ClassicalTask) -> int | None:
    result = NativeSearch(task, 0, ("optimal",), ("hmax",), use_costs=True).run()
    assert result.outcome in (PlannerOutcome.SOLVED, PlannerOutcome.UNSOLVABLE)
    return (
        sum(task.cost[a] for a in result.plan) if result.outcome is PlannerOutcome.SOLVED else None
    )


def whole(init, goal, own, cost, given_steps, optional: list[int]) -> ClassicalTask:
    """The response with all facts and all steps."""
    chain = list(range(FACTS, FACTS + len(given_steps) + 1))
    actions, prices = list(own), list(cost)
    for n, (needs, adds, deletes) in enumerate(given_steps):
        here, then = chain[n], chain[n + 1]
        actions.append(([*needs, here], [*adds, then], [*deletes, here]))
        prices.append(optional[n] if optional else 0)
        if optional:
            actions.append(([here], [then], [here]))
            prices.append(0)
    return task_of(chain[-1] + 1, [*init, chain[0]], [*goal, chain[-1]], actions, prices)


@st.composite
def responses(draw):
    """Own actions and given steps along which some plan of all can be executed."""
    own = draw(st.lists(parts, max_size=6))
    cost = [draw(st.integers(1, 3)) for _ in own]
    init = draw(fact_lists)
    state, given_steps = set(init), []
    for _ in range(draw(st.integers(0, 6))):
        if own and draw(st.booleans()):
            needs, adds, deletes = own[draw(st.integers(0, len(own) - 1))]
            if not state.issuperset(needs):
                continue
        else:
            held = st.sampled_from(sorted(state)) if state else st.nothing()
            needs = draw(st.lists(held, max_size=2, unique=True)) if state else []
            adds, deletes = draw(fact_lists), draw(fact_lists)
            given_steps.append((needs, adds, deletes))
        state = (state - set(deletes)) | set(adds)
    goal = draw(st.lists(st.sampled_from(sorted(state)), unique=True)) if state else []
    return init, goal, own, cost, given_steps


@quick(200)
@given(responses(), st.booleans(), st.data())
def test_the_task_of_a_response_has_the_same_cheapest_plans(made, is_optional, data):
    init, goal, own, cost, given_steps = made
    optional = [data.draw(st.integers(0, 4)) for _ in given_steps] if is_optional else []
    rows = (flat_rows(given_steps, part) for part in range(3))
    task, meaning = native.response(strips(task_of(FACTS, init, goal, own, cost)), *rows, optional)
    small = ClassicalTask(
        *(task.facts, task.init, task.goal, task.pre, task.add, task.del_, task.cost),
        [0] * len(task),
    )
    assert cheapest(small) == cheapest(whole(init, goal, own, cost, given_steps, optional))
    assert len(meaning) == len(task)
    kept = [m - len(own) for m in meaning.tolist() if m >= len(own)]
    assert kept == sorted(kept)
    assert all(0 <= n < len(given_steps) for n in kept)


@quick(100)
@given(responses())
def test_a_plan_that_is_read_has_all_steps_of_others_in_their_order(made):
    init, goal, own, cost, given_steps = made
    steps = [PublicAction("b", n, 1, *map(tuple, step)) for n, step in enumerate(given_steps)]
    along = Along(strips(task_of(FACTS, init, goal, own, cost)), steps, None)
    found = NativeSearch(along.task, 0).run()
    if found.outcome is not PlannerOutcome.SOLVED:
        return
    read = along.read(found.plan)
    assert [step for step in read if isinstance(step, PublicAction)] == steps
    state = set(init)
    for step in read:
        needs, adds, deletes = (
            own[step] if isinstance(step, int) else (step.needs, step.adds, step.deletes)
        )
        assert state.issuperset(needs)
        state = (state - set(deletes)) | set(adds)
    assert state.issuperset(goal)


def test_steps_of_no_concern_are_left_out():
    """A truck between two places, and a hundred steps of others about other goods."""
    there, here, loaded, free = range(4)
    own = [([here], [loaded], [here]), ([loaded], [there], [loaded])]
    given_steps = [([4 + n % 4], [4 + (n + 1) % 4], [4 + n % 4]) for n in range(100)]
    given_steps.insert(50, ([there], [free], [there]))
    rows = (flat_rows(given_steps, part) for part in range(3))
    local = task_of(FACTS, [here, 4], [free], own, [1, 1])
    task, meaning = native.response(strips(local), *rows, [])
    assert meaning.tolist() == [0, 1, 2 + 50]
    assert len(task) == 3

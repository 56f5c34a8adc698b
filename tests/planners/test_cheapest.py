"""Searches below a cost: to optimality as brute force has it, never worse than what is known."""

from __future__ import annotations

import heapq
from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st
from support.notes import quick
from support.small_tasks import Small, small_tasks

from tacit.planners import ClassicalTask, PlannerOutcome
from tacit.planners.cheapest import Cheapest
from tacit.planners.native import NativeSearch
from tacit.policy import CheapestPolicy


def cheapest(task: Small, costs: list[int]) -> tuple[int, int] | None:
    """The least cost, and the fewest steps at that cost, by looking at everything."""
    queue: list[tuple[int, int, tuple[int, ...]]] = [(0, 0, tuple(sorted(task.init)))]
    seen = set()
    while queue:
        cost, length, facts = heapq.heappop(queue)
        state = frozenset(facts)
        if state in seen:
            continue
        seen.add(state)
        if task.goal <= state:
            return cost, length
        for action, price in enumerate(costs):
            then = task.after(state, action)
            if then is not None:
                heapq.heappush(queue, (cost + price, length + 1, tuple(sorted(then))))
    return None


def value(plan: tuple[int, ...], costs: list[int]) -> tuple[int, int]:
    return sum(costs[action] for action in plan), len(plan)


def priced(task: Small, costs: list[int]) -> ClassicalTask:
    return replace(task.classical(), cost=costs)


@quick(150)
@given(small_tasks(), st.data())
def test_a_search_to_optimality_finds_the_least_cost(task, data):
    costs = [data.draw(st.integers(0, 4)) for _ in task.actions]
    found = NativeSearch(task.classical()).run()
    assume(found.solved)
    search = Cheapest(priced(task, costs), 0, CheapestPolicy(100_000, 0))
    best = search.below(found.plan)
    assert search.is_optimal
    assert value(best, costs) == cheapest(task, costs)


@quick(100)
@given(small_tasks(), st.data())
def test_what_is_found_below_a_plan_is_a_plan_and_never_worse(task, data):
    costs = [data.draw(st.integers(0, 4)) for _ in task.actions]
    found = NativeSearch(task.classical(), engines=["lazy"]).run()
    assume(found.solved)
    most = data.draw(st.sampled_from([1, 3, 20]))
    best = Cheapest(priced(task, costs), 0, CheapestPolicy(most, 5)).below(found.plan)
    state = task.init
    for action in best:
        after = task.after(state, action)
        assert after is not None
        state = after
    assert task.goal <= state
    assert value(best, costs) <= value(found.plan, costs)


@quick(100)
@given(small_tasks(), st.sampled_from(["weighted-1", "weighted-5", "optimal"]), st.data())
def test_there_is_a_plan_below_a_bound_just_if_brute_force_finds_one(task, engine, data):
    costs = [data.draw(st.integers(1, 4)) for _ in task.actions]
    least = cheapest(task, costs)
    search = NativeSearch(priced(task, costs), 0, [engine], ["hmax"], use_costs=True)
    bound = data.draw(st.integers(0, 12))
    search.bound(bound)
    result = search.run()
    if least is None or least[0] >= bound:
        assert result.outcome is PlannerOutcome.UNSOLVABLE
    else:
        assert result.solved
        assert value(result.plan, costs)[0] < bound

"""Each agent's part is its best: as cheap as brute force finds, and better ones while others keep
theirs.
"""

from __future__ import annotations

import heapq
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.notes import quick, say
from support.problems import SMALL, generated
from support.public_walks import places_of, walk

from tacit.central.solve import dependencies
from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.disclosure.graph import INIT, Edge
from tacit.party.extension.extension import Extender, LocalPlan, Place
from tacit.public.settings import Objective, Settings
from tacit.testing import problems


def least_cost(
    own: Dependencies, places: list[Place], disclosed: list[Edge], with_goal: bool, unit: bool
) -> tuple[int, int] | None:
    """The least cost of an extension and the fewest actions at that cost, by Dijkstra's algorithm
    over (place, private facts, supported tokens), straight from the definitions.
    """
    task, first = own.task, own.task.public_count
    edges = {(edge.achiever, edge.token) for edge in disclosed if edge.positive}
    price = [1] * len(task.cost) if unit else list(task.cost)

    def look(action: int) -> object:
        rows = (task.pre[action], task.add[action], task.delete[action])
        return (*(frozenset(f for f in row if f < first) for row in rows), task.cost[action])

    def private(row) -> frozenset[int]:
        return frozenset(f for f in row if f >= first)

    start = private(task.arrays.init)
    tokens = frozenset(token for achiever, token in edges if achiever == INIT)
    goal = private(task.arrays.goal) if with_goal else frozenset()
    wanted = frozenset(own.goal) if with_goal else frozenset()
    queue = [(0, 0, 0, tuple(sorted(start)), tuple(sorted(tokens)))]
    seen = set()
    while queue:
        cost, length, place, *state = heapq.heappop(queue)
        if (place, *state) in seen:
            continue
        seen.add((place, *state))
        facts, held = map(frozenset, state)
        if place == len(places) - 1 and goal <= facts and wanted <= held:
            return cost, length
        step = places[place].own
        if place < len(places) - 1 and step is None:
            heapq.heappush(queue, (cost, length, place + 1, *state))
        for action, is_public in enumerate(task.arrays.is_public):
            if not private(task.pre[action]) <= facts:
                continue
            then = (facts - set(task.delete[action])) | private(task.add[action])
            if not is_public:
                if places[place].holds.issuperset(f for f in task.pre[action] if f < first):
                    more = (cost + price[action], length + 1, place)
                    heapq.heappush(queue, (*more, tuple(sorted(then)), tuple(sorted(held))))
            elif step is not None and look(action) == look(own.members[step][0]):
                number = own.number[action]
                if not held.issuperset(own.graph.needs[number]):
                    continue
                kept = held - set(own.certain_deletes[action])
                kept |= {token for achiever, token in edges if achiever == number}
                more = (cost + price[action], length + 1, place + 1)
                heapq.heappush(queue, (*more, tuple(sorted(then)), tuple(sorted(kept))))
    return None


def value(extender: Extender, plan: LocalPlan) -> tuple[int, int]:
    return extender.cost(plan), len(plan.actions)


def check(own: Dependencies, places: list[Place], told: list[Edge], with_goal: bool) -> bool:
    extender = Extender(own, 0)
    found = extender.extend(places, told, with_goal, best=True)
    unit = own.settings.objective is not Objective.COST
    expected = least_cost(own, places, told, with_goal, unit)
    say(f"{own.task.agent} {places} {told} goal {with_goal}: {expected}")
    assert (found.plan is None) == (expected is None)
    if found.plan is None:
        return False
    assert value(extender, found.plan) == expected
    first = extender.extend(places, told, with_goal).plan
    assert first is not None
    return value(extender, found.plan) < value(extender, first)


@pytest.mark.parametrize("objective", [Objective.COST, Objective.LENGTH])
def test_a_part_costs_as_little_as_brute_force_finds(objective):
    better: Counter[bool] = Counter()

    @quick(120)
    @given(problems(), st.data())
    def run(tiny, data):
        say("\n".join(tiny.texts))
        instance = tiny.load()
        own = dependencies(instance, Settings(objective=objective))
        choose = lambda options: data.draw(st.sampled_from(options))  # noqa: E731
        steps, states = walk(instance, own, choose, data.draw(st.integers(0, 5)))
        for agent, deps in own.items():
            told = [edge for edge in deps.graph.edges if data.draw(st.integers(0, 5))]
            places = places_of(agent, steps, states)
            better[check(deps, places, told, data.draw(st.booleans()))] += 1

    run()
    assert better.total() > 50


@pytest.mark.parametrize("domain", ["elevators", "rovers", "driverlog", "logistics"])
def test_parts_of_families_cost_as_little_as_brute_force_finds(domain):
    """Elevators have costs that differ; the first extension found is not always the best."""
    better: Counter[bool] = Counter()

    @quick(12)
    @given(st.integers(0, 5), st.randoms(use_true_random=False))
    def run(seed, rng):
        instance = generated(domain, SMALL[domain][0], seed)
        own = dependencies(instance, Settings())
        steps, states = walk(instance, own, rng.choice, rng.randint(1, 6))
        for agent, deps in own.items():
            edges = list(deps.graph.edges)
            better[check(deps, places_of(agent, steps, states), edges, rng.random() < 0.5)] += 1

    run()

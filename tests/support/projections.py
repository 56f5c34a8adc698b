"""Ground projections, taken apart: all their states, their cheapest plans."""

from __future__ import annotations

import heapq

from support import brute
from support.brute import TooLarge
from tacit.public.projection import Projection


def masks(projection: Projection) -> list[tuple[int, int, int, int]]:
    rows = zip(projection.needs, projection.adds, projection.deletes, projection.cost, strict=True)
    return [
        (brute.mask(set(needs)), brute.mask(set(adds)), ~brute.mask(set(deletes)), cost)
        for needs, adds, deletes, cost in rows
    ]


def reachable(projection: Projection) -> set[int]:
    ops = masks(projection)
    seen = {brute.mask(set(projection.init))}
    stack = list(seen)
    while stack:
        state = stack.pop()
        for needs, adds, keeps, _ in ops:
            if state & needs == needs and (then := state & keeps | adds) not in seen:
                seen.add(then)
                stack.append(then)
                if len(seen) > brute.MOST_STATES:
                    raise TooLarge
    return seen


def optimal_cost(projection: Projection) -> float:
    ops, goal = masks(projection), brute.mask(projection.goal)
    queue = [(0, brute.mask(set(projection.init)))]
    best = {queue[0][1]: 0}
    while queue:
        cost, state = heapq.heappop(queue)
        if state & goal == goal:
            return cost
        if cost > best[state]:
            continue
        for needs, adds, keeps, price in ops:
            if state & needs == needs:
                then = state & keeps | adds
                if cost + price < best.get(then, float("inf")):
                    best[then] = cost + price
                    heapq.heappush(queue, (cost + price, then))
    return float("inf")


def executes(projection: Projection, plan: tuple[int, ...]) -> bool:
    holds = set(projection.init)
    for action in plan:
        if not holds.issuperset(projection.needs[action]):
            return False
        holds = holds.difference(projection.deletes[action]).union(projection.adds[action])
    return holds.issuperset(projection.goal)

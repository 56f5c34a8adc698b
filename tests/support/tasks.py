"""Classical tasks made by hand."""

from __future__ import annotations

from tacit.planners import ClassicalTask


def flat(rows: list[list[int]]) -> tuple[list[int], list[int]]:
    start = [0]
    for row in rows:
        start.append(start[-1] + len(row))
    return start, [fact for row in rows for fact in row]


def hard() -> ClassicalTask:
    """Every goal is easy without deletes, all together are impossible; 2^24 states and more."""
    size = 24
    pre = [[], *[[n] for n in range(size)], *[[] for _ in range(size)]]
    add = [[size], *[[size + 1] for n in range(size)], *[[n] for n in range(size)]]
    delete = [[size + 1], *[[size] for n in range(size)], *[[(n + 1) % size] for n in range(size)]]
    count = len(pre)
    goal = [size, size + 1]
    return ClassicalTask(
        size + 2, [], goal, flat(pre), flat(add), flat(delete), [1] * count, [0] * count
    )

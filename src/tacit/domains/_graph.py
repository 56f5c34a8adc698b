"""Random connected graphs and shortest ways in them, for the domains that have maps."""

from __future__ import annotations

from collections import deque
from random import Random

Edge = tuple[str, str]
Graph = dict[str, list[str]]


def connected(rng: Random, nodes: list[str], extra: int) -> list[Edge]:
    """The edges of a random connected graph: a tree and up to `extra` edges more."""
    order = list(nodes)
    rng.shuffle(order)
    tree = [(order[rng.randrange(i)], order[i]) for i in range(1, len(order))]
    edges = dict.fromkeys(tree)
    for _ in range(extra if len(order) > 1 else 0):
        x, y = rng.sample(order, 2)
        if (y, x) not in edges:
            edges[x, y] = None
    return list(edges)


def neighbours(edges: list[Edge]) -> Graph:
    """Who is next to whom, in the order of the edges."""
    graph: Graph = {}
    for x, y in edges:
        graph.setdefault(x, []).append(y)
        graph.setdefault(y, []).append(x)
    return graph


def hops(graph: Graph, start: str, end: str) -> list[Edge]:
    """The moves of a shortest way from start to end; none if they are the same."""
    came: dict[str, str] = {start: start}
    queue = deque([start])
    while end not in came:
        here = queue.popleft()
        for there in graph[here]:
            if there not in came:
                came[there] = here
                queue.append(there)
    way: list[Edge] = []
    while end != start:
        way.append((came[end], end))
        end = came[end]
    return way[::-1]

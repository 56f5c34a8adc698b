"""Random connected graphs and shortest paths in them, for the domains that have maps."""

from __future__ import annotations

from collections import deque
from random import Random

Edge = tuple[str, str]
Graph = dict[str, list[str]]


def connected(rng: Random, nodes: list[str], extra: int) -> list[Edge]:
    """The edges of a random connected graph: a tree and up to `extra` more edges."""
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
    """The neighbours of every node, in the order of the edges."""
    graph: Graph = {}
    for x, y in edges:
        graph.setdefault(x, []).append(y)
        graph.setdefault(y, []).append(x)
    return graph


def hops(graph: Graph, start: str, end: str) -> list[Edge]:
    """The moves of a shortest path from start to end; empty if they are the same."""
    parent: dict[str, str] = {start: start}
    queue = deque([start])
    while end not in parent:
        here = queue.popleft()
        for there in graph[here]:
            if there not in parent:
                parent[there] = here
                queue.append(there)
    path: list[Edge] = []
    while end != start:
        path.append((parent[end], end))
        end = parent[end]
    return path[::-1]

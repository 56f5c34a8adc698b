"""The layout of a picture of a dependency graph, which does not depend on k.

Four rows as in the paper's figures, with the initial state at the end of its row. Nodes of the
first two rows are sized by the number of lines out of them, nodes of the last two by the lines into
them, as far as neighbours leave room. The picture is as wide as its names need, within a screen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from tacit.draw.labels import RowLabels, row_labels, short, text_width
from tacit.draw.layers import Links, arrange
from tacit.party.disclosure.named_graph import NamedGraph

LEFT, RIGHT, GAP, HEAD, FOOT = 230.0, 116.0, 170.0, 66.0, 54.0
WIDTHS = (720.0, 1240.0)
"""Least and greatest width of the area for nodes."""
LARGEST = 10.0
KINDS = ("achiever", "token", "action", "fact")


@dataclass(frozen=True)
class Row:
    """A row of nodes: names, places, lines per node, sizes, labels.

    `degree` determines the size of a node: the lines out of it in the first two rows, and into it
    in the last two. `lines` counts both.
    """

    kind: str
    names: Sequence[str]
    x: Sequence[float]
    y: float
    degree: Sequence[int]
    lines: Sequence[int]
    radius: Sequence[float]
    labels: RowLabels


@dataclass(frozen=True)
class Picture:
    """A graph with its layout."""

    graph: NamedGraph
    rows: tuple[Row, ...]
    width: float
    height: float


def lay_out(
    graph: NamedGraph,
    head: float = HEAD,
    widths: tuple[float, float] = WIDTHS,
    gap: float = GAP,
) -> Picture:
    """Lay out a graph, below a heading."""
    names = (graph.achievers, graph.tokens, graph.actions, graph.facts)
    edges = [(edge.achiever, edge.token) for edge in (*graph.edges, *graph.known)]
    links = (edges, graph.needs, graph.achieves)
    texts = [[short(name, graph.agent) for name in row] for row in names]
    inner = _inner_width(texts, *widths)
    ends = {} if graph.initial is None else {0: graph.initial}
    places = arrange([len(row) for row in names], links, inner, ends)
    xs = [[LEFT + x for x in row] for row in places]
    into, out_of = _degrees(names, links)
    degrees = [*out_of[:2], *into[2:]]
    labels = [
        row_labels(
            texts[n],
            xs[n],
            [
                math.inf if n == 0 and node == graph.initial else d
                for node, d in enumerate(degrees[n])
            ],
            at_edge=n in (0, 3),
        )
        for n in range(len(names))
    ]
    bottom = head + labels[3].height + 24 + 3 * gap
    rows = tuple(
        Row(
            kind,
            row,
            xs[n],
            bottom - n * gap,
            degrees[n],
            [a + b for a, b in zip(into[n], out_of[n], strict=True)],
            _radii(xs[n], degrees[n]),
            labels[n],
        )
        for n, (kind, row) in enumerate(zip(KINDS, names, strict=True))
    )
    return Picture(graph, rows, LEFT + inner + RIGHT, bottom + labels[0].height + 24 + FOOT)


def _inner_width(texts: Sequence[Sequence[str]], least: float, most: float) -> float:
    """Wide enough for the names of each row, within limits."""
    wanted = [sum(text_width(text) + 12 for text in row) for row in texts]
    wanted += [26.0 * len(row) for row in texts]
    return max(least, min(most, max(wanted)))


def _degrees(
    names: Sequence[Sequence[str]], links: Sequence[Links]
) -> tuple[list[list[int]], list[list[int]]]:
    """How many lines lead into each node, and how many out of it."""
    into, out_of = ([[0] * len(row) for row in names] for _ in range(2))
    for row, pairs in enumerate(links):
        for a, b in pairs:
            out_of[row][a] += 1
            into[row + 1][b] += 1
    return into, out_of


def _radii(places: Sequence[float], degrees: Sequence[int]) -> list[float]:
    """Nodes grow with their degree. Most do not overlap their neighbours; the few of much higher
    degree may, because these are the interesting ones.
    """
    nearest = min((b - a for a, b in pairwise(sorted(places))), default=24.0)
    room = min(LARGEST, max(1.5, 0.42 * nearest))
    least = min(3.5, 0.7 * room)
    usual = max(1, median(degrees))
    of_usual = min(room, LARGEST / math.sqrt(max(degrees) / usual)) if any(degrees) else least
    return [max(least, of_usual * math.sqrt(degree / usual)) for degree in degrees]

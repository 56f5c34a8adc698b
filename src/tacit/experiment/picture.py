"""Where everything in a picture of a dependency graph stands; k does not matter to it.

Four rows as in the paper's Figure 2. The picture is as wide as its names want, within a screen;
nodes grow with their lines as far as their neighbours leave room.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tacit.experiment.labels import RowLabels, row_labels, short, text_width
from tacit.experiment.layers import Links, arrange
from tacit.whole.named_graph import NamedGraph

LEFT, RIGHT, GAP, HEAD, FOOT = 230.0, 116.0, 170.0, 66.0, 54.0
WIDTHS = (720.0, 1240.0)
"""Least and most of the part that the nodes stand in."""
KINDS = ("giver", "token", "action", "fact")


@dataclass(frozen=True)
class Row:
    """A row of nodes: names, places, lines per node, sizes, labels."""

    kind: str
    names: Sequence[str]
    x: Sequence[float]
    y: float
    degree: Sequence[int]
    radius: Sequence[float]
    labels: RowLabels


@dataclass(frozen=True)
class Picture:
    """A graph with a place for everything."""

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
    """Find a place for everything, below a heading; k does not matter here."""
    names = (graph.givers, graph.tokens, graph.actions, graph.facts)
    gives = [(edge.giver, edge.token) for edge in (*graph.edges, *graph.known)]
    links = (gives, graph.needs, graph.achieves)
    texts = [[short(name, graph.agent) for name in row] for row in names]
    inner = _inner_width(texts, *widths)
    places = arrange([len(row) for row in names], links, inner)
    xs = [[LEFT + x for x in row] for row in places]
    degrees = _degrees(names, links)
    labels = [
        row_labels(
            texts[n],
            xs[n],
            [
                math.inf if n == 0 and node == graph.start else d
                for node, d in enumerate(degrees[n])
            ],
            at_edge=n in (0, 3),
        )
        for n in range(len(names))
    ]
    bottom = head + labels[3].height + 24 + 3 * gap
    rows = tuple(
        Row(kind, row, xs[n], bottom - n * gap, degrees[n], _radii(xs[n], degrees[n]), labels[n])
        for n, (kind, row) in enumerate(zip(KINDS, names, strict=True))
    )
    return Picture(graph, rows, LEFT + inner + RIGHT, bottom + labels[0].height + 24 + FOOT)


def _inner_width(texts: Sequence[Sequence[str]], least: float, most: float) -> float:
    """Wide enough for the names of each row, if a screen is."""
    wanted = [sum(text_width(text) + 12 for text in row) for row in texts]
    wanted += [26.0 * len(row) for row in texts]
    return max(least, min(most, max(wanted)))


def _degrees(names: Sequence[Sequence[str]], links: Sequence[Links]) -> list[list[int]]:
    degrees = [[0] * len(row) for row in names]
    for row, pairs in enumerate(links):
        for a, b in pairs:
            degrees[row][a] += 1
            degrees[row + 1][b] += 1
    return degrees


def _radii(places: Sequence[float], degrees: Sequence[int]) -> list[float]:
    """Nodes grow with their lines, as far as their neighbours leave room."""
    nearest = min((b - a for a, b in pairwise(sorted(places))), default=24.0)
    most = min(10.0, max(1.5, 0.42 * nearest))
    least = min(3.5, 0.7 * most)
    top = max(degrees)
    return [least + (most - least) * math.sqrt(degree / top) for degree in degrees]

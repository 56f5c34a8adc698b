"""A dependency graph as a figure for papers: the picture of `graph_svg`, drawn by matplotlib.

Places, sizes and names are those of `draw.picture`; only the drawing library differs,
because papers need PDF and the fonts of the other figures.
"""

from __future__ import annotations

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.markers import MarkerStyle
from matplotlib.patches import PathPatch
from matplotlib.path import Path as Curve

from tacit.draw.graph_svg import CAPTIONS, achieved_tokens, enabled_actions
from tacit.draw.labels import LINE, SIZE
from tacit.draw.picture import Picture, Row
from tacit.experiment.report.figures import STYLE, TWO_COLUMNS
from tacit.words import counted

_DISCLOSED, _PRIVATE, _FACT, _INK = "#0072b2", "#9aa1ab", "#009e73", "#2b2f36"
_THREAT = "#d55e00"


def graph_figure(picture: Picture, k: int) -> Figure:
    """The picture with its first k edges disclosed."""
    with mpl.rc_context({**STYLE, "axes.grid": False}):
        scale = TWO_COLUMNS / picture.width
        figure = Figure(figsize=(TWO_COLUMNS, picture.height * scale))
        axis = figure.add_axes((0, 0, 1, 1))
        axis.set_xlim(0, picture.width)
        axis.set_ylim(picture.height, 0)
        axis.set_axis_off()
        point = 72 * scale
        _captions(axis, picture, k, point)
        for row, pairs in ((2, picture.graph.achieves), (1, picture.graph.needs)):
            for a, b in pairs:
                _curve(axis, picture.rows[row], a, picture.rows[row + 1], b, "#c9cdd3", 0.4)
        _edges(axis, picture, k)
        _nodes(axis, picture, k, point)
        _labels(axis, picture, point)
        _legend(axis, picture, point)
    return figure


def _captions(axis: Axes, picture: Picture, k: int, point: float) -> None:
    graph = picture.graph
    about = f"{graph.agent}, {graph.ranking}: {k} of {counted(len(graph.edges), 'edge')} disclosed"
    axis.text(20, picture.height - 20, about, va="center", fontsize=14 * point, color=_INK)
    for row, caption in zip(picture.rows, CAPTIONS, strict=True):
        text = f"{caption} ({len(row.names):,})"
        axis.text(20, row.y, text, va="center", fontsize=14 * point, color=_INK)


def _curve(
    axis: Axes,
    below: Row,
    a: int,
    above: Row,
    b: int,
    colour: str,
    width: float,
    dashed: bool = False,
) -> None:
    middle = (below.y + above.y) / 2
    x, z = below.x[a], above.x[b]
    points = [(x, below.y), (x, middle), (z, middle), (z, above.y)]
    codes = [Curve.MOVETO, Curve.CURVE4, Curve.CURVE4, Curve.CURVE4]
    path = Curve(points, codes)
    axis.add_patch(
        PathPatch(
            path, fill=False, edgecolor=colour, linewidth=width, linestyle="--" if dashed else "-"
        )
    )


def _edges(axis: Axes, picture: Picture, k: int) -> None:
    """The last edge first, so that disclosed edges are on top."""
    below, above = picture.rows[:2]
    graph = picture.graph
    numbered = [*enumerate(graph.edges, start=1), *((0, edge) for edge in graph.known)]
    for place, edge in reversed(numbered):
        strong = _DISCLOSED if edge.positive else _THREAT
        colour, width = (strong, 1.1) if place <= k else (_PRIVATE, 0.5)
        _curve(axis, below, edge.achiever, above, edge.token, colour, width, not edge.positive)


def _nodes(axis: Axes, picture: Picture, k: int, point: float) -> None:
    graph = picture.graph
    achieved = achieved_tokens(graph.edges[:k])
    filled = {"token": achieved, "action": enabled_actions(graph, achieved)}
    for row in picture.rows:
        for node in range(len(row.names)):
            initial = row.kind == "achiever" and node == graph.initial
            face, edge = _colours(row.kind, node in filled.get(row.kind, ()), initial)
            marker = "D" if initial else "s" if row.kind == "action" else "o"
            size = max(1.6, 2 * row.radius[node] * point)
            axis.plot(
                [row.x[node]],
                [row.y],
                marker=MarkerStyle(marker),
                markersize=size,
                markerfacecolor=face,
                markeredgecolor=edge,
                markeredgewidth=0.6,
                linestyle="none",
            )


def _colours(kind: str, on: bool, initial: bool) -> tuple[str, str]:
    if kind == "achiever":
        return (_INK, _INK) if initial else ("#6b7280", "white")
    if kind == "fact":
        return _FACT, "white"
    return (_DISCLOSED, _DISCLOSED) if on else ("white", _DISCLOSED)


def _labels(axis: Axes, picture: Picture, point: float) -> None:
    """In the size of the layout, so that no two names touch."""
    for row in picture.rows:
        down, clear = row.kind == "achiever", max(row.radius) + 6
        for node, label in enumerate(row.labels.labels):
            if label is None:
                continue
            away = clear + label.line * LINE
            axis.text(
                row.x[node],
                row.y + away if down else row.y - away,
                label.text,
                ha="center",
                va="top" if down else "bottom",
                rotation=90 if row.labels.upright else 0,
                fontsize=SIZE * point,
                color=_INK,
            )


def _legend(axis: Axes, picture: Picture, point: float) -> None:
    entries = [("disclosed", _DISCLOSED, 1.4, False), ("not disclosed", _PRIVATE, 0.8, False)]
    if any(not edge.positive for edge in (*picture.graph.edges, *picture.graph.known)):
        entries.append(("threat, disclosed", _THREAT, 1.4, True))
    axis.legend(
        [_sample(colour, width, dashed) for _, colour, width, dashed in entries],
        [name for name, *_ in entries],
        loc="lower right",
        fontsize=14 * point,
        ncols=len(entries),
        frameon=False,
    )


def _sample(colour: str, width: float, dashed: bool) -> Line2D:
    return Line2D([], [], color=colour, linewidth=width, linestyle="--" if dashed else "-")

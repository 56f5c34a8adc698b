"""An agent's dependency graph as SVG, in four rows as in the paper's figures.

From the bottom: the achievers of tokens (the initial state is a diamond, at the end of the row),
the tokens, the public actions that need them, the public facts that these achieve. The first k
edges are disclosed and drawn on top in colour; a token that one of them achieves, and an action
whose tokens are all achieved, is filled. Threats are dashed. Nodes of the lower two rows grow with
the lines out of them, of the upper two with those into them. Names are written where they fit; the
full name is in every node's `<title>`. Colour-blind readers can distinguish the colours, which also
differ in weight and dashing. Nothing is loaded from elsewhere.

`bare` draws the same without any name, as a small file: for places that others see.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from tacit.draw.labels import LINE, text_width
from tacit.draw.picture import LEFT, RIGHT, Picture, Row
from tacit.party.disclosure.named_graph import NamedEdge, NamedGraph
from tacit.words import counted

TINY = 3.0
"""Nodes smaller than this have no outline."""
TITLED = 4000
"""Up to this many lines of one kind have a tooltip each."""
CAPTIONS = ("achievers", "tokens", "actions that need them", "public facts")


def svg(
    picture: Picture, k: int, inline: bool = False, numbered: bool = False, name: str = ""
) -> str:
    """The picture with its first k edges disclosed, `numbered` in the order of the ranking.

    `inline` is for a place within HTML, which has a heading of its own; with a `name` it is one of
    several there, which share `STYLE`.
    """
    graph = picture.graph
    size = f'viewBox="0 0 {_n(picture.width)} {_n(picture.height)}"'
    if not inline:
        size += f' width="{_n(picture.width)}" height="{_n(picture.height)}"'
        size += ' xmlns="http://www.w3.org/2000/svg"'
    title = f"Private dependencies of {graph.agent} in {graph.problem}"
    parts = [
        f'<svg {size} id="{name or "graph"}" role="img" aria-label="{escape(title)}">',
        f"<title>{escape(title)}</title>" if not inline else "",
        f"<style>{'' if name else STYLE}{_strengths(graph, k, name)}</style>",
        f'<rect class="paper" width="{_n(picture.width)}" height="{_n(picture.height)}"/>',
        *(() if inline else _heading(picture, k)),
        *_captions(picture),
        *_lines(picture, "achieves", 2, graph.achieves),
        *_lines(picture, "needs", 1, graph.needs),
        *_edges(picture, k),
        *_nodes(picture, k),
        *(_places(picture, k) if numbered else ()),
        *_labels(picture),
        *_legend(picture, k),
        "</svg>",
    ]
    return "\n".join(part for part in parts if part) + "\n"


def bare(picture: Picture) -> str:
    """The graph alone, nothing disclosed and nothing named; one path for all lines of a kind."""
    graph, rows = picture.graph, picture.rows
    left, top = LEFT - 24, min(row.y for row in rows) - 24
    width, height = picture.width - RIGHT - LEFT + 48, max(row.y for row in rows) - top + 24
    edges = [(edge.achiever, edge.token) for edge in (*graph.edges, *graph.known)]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{_n(left)} {_n(top)} {_n(width)} '
        f'{_n(height)}" width="{_n(width)}" height="{_n(height)}" role="img" '
        'aria-label="A dependency graph">',
        f"<style>{STYLE}{_strengths(graph, 0)}</style>",
        f'<rect class="paper" x="{_n(left)}" y="{_n(top)}" width="{_n(width)}" '
        f'height="{_n(height)}"/>',
    ]
    for n, (kind, pairs) in enumerate(
        (("edge", edges), ("needs", graph.needs), ("achieves", graph.achieves))
    ):
        curves = "".join(_curve(rows[n], a, rows[n + 1], b) for a, b in sorted(set(pairs)))
        parts.append(f'<g class="lines"><path class="{kind}" d="{curves}"/></g>')
    for row in rows:
        initial = graph.initial if row.kind == "achiever" else None
        by_size: dict[float, list[str]] = {}
        for node in sorted(range(len(row.x)), key=lambda node: row.radius[node]):
            if node != initial:
                by_size.setdefault(row.radius[node], []).append(_shape(row, node, False))
        for shapes in by_size.values():  # the largest on top
            parts.append(f'<path class="node {row.kind}" d="{"".join(shapes)}"/>')
        if initial is not None:
            parts.append(f'<path class="node achiever initial" d="{_shape(row, initial, True)}"/>')
    return "\n".join([*parts, "</svg>", ""])


def achieved_tokens(edges: Iterable[NamedEdge]) -> set[int]:
    """The tokens that these edges achieve."""
    return {edge.token for edge in edges if edge.positive}


def enabled_actions(graph: NamedGraph, achieved: set[int]) -> set[int]:
    """The actions whose tokens are all achieved."""
    missing = {action for token, action in graph.needs if token not in achieved}
    return set(range(len(graph.actions))) - missing


STYLE = Path(__file__).with_name("graph.css").read_text(encoding="utf-8")


def _strengths(graph: NamedGraph, k: int, name: str = "") -> str:
    """The more lines, the thinner and fainter each, in the graph of that name."""
    of = f"#{name} " if name else ""

    def faint(count: int, strongest: float) -> str:
        opacity = max(0.06, min(strongest, 5 / math.sqrt(count + 1)))
        return f"stroke-opacity:{opacity:.2f};stroke-width:{max(0.5, min(1.2, opacity * 3)):.2f}"

    width = max(0.8, min(2.0, 14 / math.sqrt(k + 1)))
    return (
        f"{of}.edge{{{faint(len(graph.edges), 0.6)}}}"
        f"{of}.needs{{{faint(len(graph.needs), 0.4)}}}"
        f"{of}.achieves{{{faint(len(graph.achieves), 0.4)}}}"
        f"{of}.edge.disclosed{{stroke-width:{width:.2f};stroke-opacity:.85}}"
    )


def _heading(picture: Picture, k: int) -> Iterable[str]:
    graph = picture.graph
    yield f'<text class="title" x="24" y="32">Private dependencies of {escape(graph.agent)}</text>'
    edges = counted(len(graph.edges), "edge")
    about = f"{graph.problem} · ranking {graph.ranking} · {k} of {edges} disclosed"
    yield f'<text class="about" x="24" y="52">{escape(about)} · only for its owner</text>'


def _captions(picture: Picture) -> Iterable[str]:
    for row, caption in zip(picture.rows, CAPTIONS, strict=True):
        yield f'<text class="caption" x="24" y="{_n(row.y)}">{caption}</text>'
        yield f'<text class="count" x="24" y="{_n(row.y + 15)}">{len(row.names):,}</text>'


def _curve(below: Row, a: int, above: Row, b: int) -> str:
    middle = _n((below.y + above.y) / 2)
    x, z = _n(below.x[a]), _n(above.x[b])
    return f"M{x} {_n(below.y)}C{x} {middle} {z} {middle} {z} {_n(above.y)}"


def _lines(
    picture: Picture, kind: str, row: int, pairs: Sequence[tuple[int, int]]
) -> Iterable[str]:
    below, above = picture.rows[row], picture.rows[row + 1]
    yield f'<g class="lines {kind}-lines">'
    for a, b in pairs:
        yield f'<path class="{kind}" data-a="{a}" data-b="{b}" d="{_curve(below, a, above, b)}"/>'
    yield "</g>"


def _edges(picture: Picture, k: int) -> Iterable[str]:
    """The last edge first, so that disclosed edges are on top for every k."""
    graph, (below, above) = picture.graph, picture.rows[:2]
    yield '<g class="lines edges">'
    numbered = [*enumerate(graph.edges, start=1), *((0, edge) for edge in graph.known)]
    for place, edge in reversed(numbered):
        kind = "edge" if edge.positive else "edge threat"
        kind += " disclosed" if place <= k else ""
        curve = _curve(below, edge.achiever, above, edge.token)
        data = f'data-a="{edge.achiever}" data-b="{edge.token}" data-place="{place}"'
        title = ""
        if len(graph.edges) <= TITLED:
            verb = "achieves" if edge.positive else "deletes"
            text = f"{graph.achievers[edge.achiever]} {verb} {graph.tokens[edge.token]}"
            title = f"<title>{place or 'known'}: {escape(text)}</title>"
        yield f'<path class="{kind}" {data} d="{curve}">{title}</path>'
    yield "</g>"


def _places(picture: Picture, k: int) -> Iterable[str]:
    """A number on each disclosed edge, where it is farthest from the others."""
    below, above = picture.rows[:2]
    disclosed = picture.graph.edges[:k]
    ends = [(below.x[edge.achiever], below.y, above.x[edge.token], above.y) for edge in disclosed]
    dots = [[_on_curve(*own, n / 12) for n in range(13)] for own in ends]
    for place, own in enumerate(ends, start=1):
        others = [dot for n, row in enumerate(dots, start=1) if n != place for dot in row]
        spots = [_on_curve(*own, n / 20) for n in (10, 9, 11, 8, 12, 7, 13, 6, 14)]
        x, y = max(spots, key=lambda s: min((math.dist(s, dot) for dot in others), default=0))
        yield f'<g class="place"><circle cx="{_n(x)}" cy="{_n(y)}" r="8"/>'
        yield f'<text x="{_n(x)}" y="{_n(y + 4)}" text-anchor="middle">{place}</text></g>'


def _on_curve(x: float, y: float, z: float, w: float, t: float) -> tuple[float, float]:
    """A point of the curve between two rows, at t from 0 to 1."""
    flat = 3 * t * t - 2 * t * t * t
    tall = (1 - t) ** 3 * y + 3 * t * (1 - t) * (y + w) / 2 + t**3 * w
    return (x + (z - x) * flat, tall)


def _nodes(picture: Picture, k: int) -> Iterable[str]:
    graph = picture.graph
    achieved = achieved_tokens(graph.edges[:k])
    filled = {"token": achieved, "action": enabled_actions(graph, achieved)}
    for row in picture.rows:
        tiny = " tiny" if max(row.radius) < TINY else ""
        yield f'<g class="nodes {row.kind}s{tiny}">'
        for node, name in enumerate(row.names):
            is_initial = row.kind == "achiever" and node == graph.initial
            kind = f"node {row.kind}" + (" initial" if is_initial else "")
            kind += " on" if node in filled.get(row.kind, ()) else ""
            shape = _shape(row, node, is_initial)
            lines = f"{counted(row.lines[node], 'line')}"
            title = f"<title>{escape(name)}: {lines}</title>"
            yield f'<path class="{kind}" data-n="{node}" d="{shape}">{title}</path>'
        yield "</g>"


def _shape(row: Row, node: int, is_initial: bool) -> str:
    x, y, r = row.x[node], row.y, round(row.radius[node], 1)
    if is_initial:
        r = max(r * 1.2, 6.0)
        return f"M{_n(x)} {_n(y - r)}l{_n(r)} {_n(r)}l{_n(-r)} {_n(r)}l{_n(-r)} {_n(-r)}z"
    if row.kind == "action":
        return f"M{_n(x - r)} {_n(y - r)}h{_n(2 * r)}v{_n(2 * r)}h{_n(-2 * r)}z"
    half = f"a{_n(r)} {_n(r)} 0 1 0"
    return f"M{_n(x - r)} {_n(y)}{half} {_n(2 * r)} 0{half} {_n(-2 * r)} 0z"


def _labels(picture: Picture) -> Iterable[str]:
    """Outwards at the edges of the picture, otherwise just above the row."""
    yield '<g class="labels">'
    for row in picture.rows:
        down, clear = row.kind == "achiever", max(row.radius) + 6
        for node, label in enumerate(row.labels.labels):
            if label is None:
                continue
            x, away = row.x[node], clear + label.line * LINE
            text = escape(label.text)
            if row.labels.upright:
                y = row.y + away if down else row.y - away
                anchor = "end" if down else "start"
                turn = f'transform="translate({_n(x + 4)} {_n(y)}) rotate(-90)"'
                yield f'<text {turn} text-anchor="{anchor}">{text}</text>'
            else:
                y = row.y + away + 9 if down else row.y - away
                yield f'<text x="{_n(x)}" y="{_n(y)}" text-anchor="middle">{text}</text>'
    yield "</g>"


def _legend(picture: Picture, k: int) -> Iterable[str]:
    graph, y = picture.graph, picture.height - 24
    lines = [("disclosed", "disclosed"), ("", "not disclosed")]
    if any(not edge.positive for edge in (*graph.edges, *graph.known)):
        lines += [("threat disclosed", "threat, disclosed"), ("threat", "threat, not disclosed")]
    nodes = [("token on", "achieved by a disclosed edge"), ("token", "not achieved")]
    wide = 61.0 * len(lines) + 45 * len(nodes)
    wide += sum(text_width(text) for _, text in (*lines, *nodes))
    x = max(24.0, min(LEFT, picture.width - wide))
    yield '<g class="legend">'
    for kind, text in lines:
        yield f'<path class="{f"sample {kind}".rstrip()}" d="M{_n(x)} {_n(y - 4)}h26"/>'
        yield f'<text x="{_n(x + 33)}" y="{_n(y)}">{text}</text>'
        x += 61 + text_width(text)
    for kind, text in nodes:
        circle = f"M{_n(x)} {_n(y - 4)}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z"
        yield f'<path class="sample-node {kind}" d="{circle}"/>'
        yield f'<text x="{_n(x + 17)}" y="{_n(y)}">{text}</text>'
        x += 45 + text_width(text)
    yield "</g>"


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")

"""Dependency graphs of several agents on one page, each with what was disclosed of it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from tacit.draw.graph_page import LOOK, SCRIPT
from tacit.draw.graph_svg import STYLE, svg
from tacit.draw.page import asset
from tacit.draw.picture import lay_out
from tacit.party.disclosure.named_graph import NamedGraph

MOST_LINES = 6000
"""Graphs with more lines than this, or together with those before them, are not drawn: a page with
them would be slow."""
GAP = 120.0
"""Between two rows of a graph: less than where it has a page of its own."""
OPEN = 3
"""So many graphs are open from the beginning: those of which most was disclosed."""

GRAPH_STYLE = STYLE + LOOK
GRAPH_SCRIPT = SCRIPT + asset("graph_part.js")
"""What a page needs that has `graphs` on it."""


def graphs(drawn: Sequence[tuple[NamedGraph, int]]) -> str:
    """A graph per agent, its first edges disclosed, as many as the number says."""
    ranked = sorted(range(len(drawn)), key=lambda n: -drawn[n][1])
    opened, left, parts = set(ranked[:OPEN]), MOST_LINES, list[str]()
    for n, (graph, k) in enumerate(drawn):
        about = f"{escape(graph.agent)}: {k:,} of {len(graph.edges):,} edges disclosed"
        if graph.lines > left:
            parts.append(f"<p>{about}. The graph is too large for this page.</p>")
            continue
        left -= graph.lines
        picture = svg(lay_out(graph, head=12, gap=GAP), k, inline=True, name=f"graph-{n}")
        parts.append(
            f"<details{' open' * (n in opened)}><summary>{about}</summary>"
            '<div class="scroll graph-place" tabindex="0" role="region" '
            'aria-label="The graph. Arrow keys go from node to node, Escape leaves.">'
            f'{picture}</div><p class="note pointed" role="status"></p></details>'
        )
    return "\n".join(parts)

"""The picture as an HTML page: a slider over k, neighbours on hover, keys for everything.

All the page's data about the graph is in the picture (`data-` attributes and titles), so names are
escaped in one place.
"""

from __future__ import annotations

from tacit.draw.graph_svg import svg
from tacit.draw.page import Page, Section, asset
from tacit.draw.picture import lay_out
from tacit.party.disclosure.named_graph import NamedGraph

LOOK = asset("graph_look.css")
SCRIPT = asset("graph.js")
"""What a page needs to show a graph of `graph_svg`; the graph has its own style in it."""


def page(graph: NamedGraph, k: int) -> str:
    """A page that starts with k edges disclosed."""
    total = len(graph.edges)
    body = f"""<div class="slider">
<label for="k">Disclosed edges</label>
<input id="k" type="range" min="0" max="{total}" value="{k}" step="1">
<output id="count" for="k">{k} of {total}</output>
<span id="effect"></span>
</div>
<p id="newest" class="note" role="status"></p>
<div id="place" class="scroll graph-place" tabindex="0" role="region"
aria-label="The graph. Arrow keys go from node to node, Escape leaves.">
{svg(lay_out(graph, head=12), k, inline=True)}</div>
<p id="pointed" class="note" role="status">Point at a node, or press Tab and use the arrow keys, to
see what it is connected with.</p>"""
    return Page(
        f"Private dependencies of {graph.agent}",
        f"{graph.problem} · ranking {graph.ranking}",
        "Names are from the agent’s own files: only for its owner.",
        [Section("", body)],
        asset("graph_page.css") + LOOK,
        SCRIPT + asset("graph_page.js"),
    ).html()

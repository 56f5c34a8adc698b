"""The picture as an HTML page: a slider over k, neighbours on hover, keys for everything.

The page is one file and loads nothing: style, script and picture are in it. All its data about the
graph is in the picture (`data-` attributes and titles), so names are escaped in one place.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

from tacit.draw.graph_svg import svg
from tacit.draw.picture import lay_out
from tacit.party.disclosure.named_graph import NamedGraph

_HERE = Path(__file__)


def _text(*names: str) -> str:
    return "".join(_HERE.with_name(name).read_text(encoding="utf-8") for name in names)


LOOK = _text("graph_look.css")
SCRIPT = _text("graph.js")
"""What a page needs to show a graph of `graph_svg`; the graph has its own style in it."""


def page(graph: NamedGraph, k: int) -> str:
    """A page that starts with k edges disclosed."""
    title = f"Private dependencies of {escape(graph.agent)}"
    total = len(graph.edges)
    about = f"{escape(graph.problem)} · ranking {escape(graph.ranking)}"
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>{_text("graph_page.css")}{LOOK}</style>
</head>
<body>
<header>
<h1>{title}</h1>
<p>{about} · names are from the agent’s own files: only for its owner</p>
</header>
<div class="bar">
<label for="k">Disclosed edges</label>
<input id="k" type="range" min="0" max="{total}" value="{k}" step="1">
<output id="count" for="k">{k} of {total}</output>
<span id="effect"></span>
</div>
<p id="newest" role="status"></p>
<main tabindex="0" aria-label="The graph. Arrow keys go from node to node, Escape leaves.">
{svg(lay_out(graph, head=12), k, inline=True)}</main>
<p id="pointed" role="status">Point at a node, or press Tab and use the arrow keys, to see what
it is connected with.</p>
<script>{SCRIPT}{_text("graph_page.js")}</script>
</body>
</html>
"""

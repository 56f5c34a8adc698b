"""The pictures of docs are what their scripts draw, and the pages read them right."""

from __future__ import annotations

import importlib.util
import re
import sys
from dataclasses import replace

from support.places import ROOT

from tacit.central.named_graph import NamedEdge, NamedGraph

DOCS = ROOT / "docs"


def script(name: str = "pictures"):
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # where its dataclasses are looked up
    spec.loader.exec_module(module)
    return module


def test_pictures_are_up_to_date():
    drawn = dict(script().pictures())
    there = {path.name: path.read_text(encoding="utf-8") for path in DOCS.glob("pictures/*.svg")}
    assert drawn == there, "run python docs/pictures.py"


def reaches(made, edges) -> bool:
    """Can the goal be reached with these edges? Whatever gives a token can be done here."""
    given = {edge.token for edge in edges}
    users = made.USERS.values()
    done = [facts for tokens, facts in users if given.issuperset(made.places(tokens))]
    return any(set(made.GOAL) & set(made.places(facts)) for facts in done)


def test_the_page_says_how_many_edges_each_ranking_takes():
    made = script()
    text = (DOCS / "rankings.md").read_text(encoding="utf-8")
    head = "| " + " | ".join(f"`{name}`" for name in made.SHOWN) + " |"
    row = text.partition(head)[2].split("\n")[2]
    said = [int(number) for number in re.findall(r"\d+", row)]
    found = []
    for name in made.SHOWN:
        edges = made.named(name).edges
        found.append(next(k for k in range(len(edges)) if reaches(made, edges[:k])))
    assert said == found


def test_every_ranking_begins_elsewhere():
    made = script()
    first = {name: made.named(name).edges[0].token for name in made.SHOWN if name != "random"}
    assert len(set(first.values())) == len(first)


def small_graph(*needs: tuple[int, int], achieves: tuple[tuple[int, int], ...]) -> NamedGraph:
    edges = tuple(NamedEdge(n, n % 2) for n in range(4))
    names = [tuple("abcd"), ("t", "u"), ("x", "y", "z"), ("f", "g")]
    return NamedGraph("p", "a", "m1", *names, edges, needs, achieves)


def test_how_uneven_a_graph_is():
    graphs = script("graphs")
    graph = small_graph((0, 0), (0, 1), (0, 2), (1, 2), achieves=((0, 0), (1, 0), (2, 0), (2, 1)))
    other = replace(graph, edges=graph.edges[::2])
    found = graphs.Degrees.of({"m1": graph, "m3": other})
    assert (found.edges, found.layers) == (4, (4, 2, 3, 2))
    assert found.needed == (2.0, 3)
    assert found.achieved == (1, 2.0, 3)
    assert found.variation == 0.5
    assert found.tokens == {"m1": 2, "m3": 1}


def test_the_graphs_of_the_results_name_nothing_of_the_problems():
    """Whoever reads the page sees shapes; names of problems are in the rows already."""
    pictures = sorted((DOCS / "results/graphs").glob("*.svg"))
    page = (DOCS / "results/graphs/index.md").read_text(encoding="utf-8")
    assert len(pictures) == 7
    for path in pictures:
        text = path.read_text(encoding="utf-8")
        assert f"({path.name})" in page
        assert "<text" not in text
        assert "<title" not in text
        assert len(text) < 100_000

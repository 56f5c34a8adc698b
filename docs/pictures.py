"""The pictures of docs/rankings.md: one small graph, and the edges that each ranking begins with.

    python docs/pictures.py

The graph is made up so that every ranking begins with another token; the goal is f5. It is drawn as
`tacit inspect --graph` draws, always in the same places, so that only the numbered edges differ.
The picture of docs/example.md is the graph of `rover1` in the embedded problem `paper/example`.
That of docs/index.md is drawn by `journey.py`. Run it again when a ranking or the drawing has
changed; a test compares.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from tacit.central.instance import load
from tacit.central.named_graph import NamedEdge, NamedGraph, named_graph
from tacit.central.session import Session
from tacit.draw.graph_svg import svg
from tacit.draw.picture import lay_out
from tacit.party.disclosure.graph import Edge, EdgeColumns, Graph
from tacit.party.disclosure.public_view import PublicView
from tacit.party.disclosure.ranking import RANKINGS, full_order
from tacit.profile import profile
from tacit.public.run_options import RunOptions

sys.path.append(str(Path(__file__).parent))
from journey import drawing

FOLDER = Path(__file__).with_name("pictures")
SHOWN = ("m1", "m2", "m3", "m4", "random", "goal")
FIRST = 4
ACHIEVERS = ("start", "p", "q", "r", "s")
TOKENS = ("t1", "t2", "t3", "t4", "t5")
FACTS = ("f1", "f2", "f3", "f4", "f5")
GOAL = (FACTS.index("f5"),)
GIVES = "start t1, start t3, p t1, p t5, q t2, q t4, r t2, r t3, s t4, s t5"
"""Edges, in the order in which ties break."""
USERS = {
    "a": ("t1 t2", "f1 f5"),
    "b": ("t1 t3", "f1"),
    "c": ("t1 t4", "f1"),
    "d": ("t1 t4", "f1"),
    "e": ("t2 t5", "f2 f3 f4"),
    "g": ("t3", "f1"),
    "h": ("t3", "f1"),
    "i": ("t4", "f2 f3"),
    "j": ("t5", "f5"),
}
"""Public actions: the tokens they need, the public facts they achieve."""


def example() -> tuple[Graph, PublicView]:
    """The graph as a ranking gets it, and a world in which only `GOAL` is wanted."""
    nothing: list[tuple[int, ...]] = [()] * (len(ACHIEVERS) - 1)
    pairs = (pair.split() for pair in GIVES.split(", "))
    edges = [Edge(ACHIEVERS.index(achiever) - 1, TOKENS.index(token)) for achiever, token in pairs]
    needs, achieves = ([places(user[n]) for user in USERS.values()] for n in (0, 1))
    columns = EdgeColumns.of(edges)
    graph = Graph(len(TOKENS), [*nothing, *needs], [*nothing, *achieves], columns)
    alone = PublicView.alone(graph)
    numbers = (alone.actions, alone.tokens)
    return graph, PublicView.of("me", alone.task.facts, (), GOAL, alone.published, numbers)


def places(names: str) -> tuple[int, ...]:
    """Tokens or facts by their numbers."""
    return tuple((TOKENS if name in TOKENS else FACTS).index(name) for name in names.split())


def named(ranking: str) -> NamedGraph:
    """The same by its names, in the order of a ranking."""
    graph, view = example()
    order = full_order(RANKINGS.get(ranking)(graph, view, 0))
    return NamedGraph(
        "a small example",
        "an agent",
        ranking,
        ACHIEVERS,
        TOKENS,
        tuple(USERS),
        FACTS,
        tuple(NamedEdge(edge.achiever + 1, edge.token) for edge in order),
        tuple((token, n) for n, (own, _) in enumerate(USERS.values()) for token in places(own)),
        tuple((n, fact) for n, (_, own) in enumerate(USERS.values()) for fact in places(own)),
        ACHIEVERS.index("start"),
    )


def pictures() -> Iterator[tuple[str, str]]:
    """Names of files and what is in them."""
    for ranking in SHOWN:
        picture = lay_out(named(ranking), widths=(380.0, 380.0), gap=112.0)
        yield f"{ranking}.svg", svg(picture, FIRST, numbered=True)
    session = Session(load("paper/example"), profile("paper"), RunOptions(ranking="m4"))
    yield "journey.svg", drawing()
    yield "example.svg", svg(lay_out(named_graph(session, "rover1", "m4")), 3, numbered=True)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, text in pictures():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

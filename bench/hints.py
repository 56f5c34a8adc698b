"""How much of what an agent did not tell shows in the order of what it told.

    python bench/hints.py [--first 3] [--trials 20] [PROBLEM …]

An observer who knows the method and all that is public sees the first edges of an agent. Somebody
takes an edge away that the agent has not told (`less`), or gives it one more at random (`more`),
and the agents begin again. If the edges it tells first are others now, the observer could have told
the two agents apart. Printed is how often, and for `more` how often of this the new edge is not
even told itself (`hidden`): that is what the order says beyond its own edges. Agents that have told
everything by then are left out, and so are rankings that draw by lot: the lot is a secret.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from dataclasses import replace

import tacit
from tacit.central.solve import Session
from tacit.domains import DOMAINS
from tacit.party.disclosure.graph import Edge, EdgeColumns, Graph
from tacit.party.disclosure.public_view import PublicView
from tacit.party.disclosure.ranking import RANKINGS, listens, minds_ends
from tacit.profile import profile

Graphs = dict[str, Graph]
Views = dict[str, PublicView]


def beginnings(name: str, graphs: Graphs, views: Views, rounds: int) -> dict[str, list[Edge]]:
    """The first edges of every agent, told in turn if the ranking listens."""
    make = RANKINGS.get(name)
    rankings = {agent: make(graph, views[agent], 0) for agent, graph in graphs.items()}
    told: dict[str, list[Edge]] = {agent: [] for agent in graphs}
    for _ in range(rounds):
        for agent, ranking in rankings.items():
            edge = ranking.next()
            if edge is None:
                continue
            told[agent].append(edge)
            if listens(make):
                shown = views[agent].show(edge)
                for other, listener in rankings.items():
                    if other != agent:
                        listener.saw(agent, shown)
    return told


def with_edges(graph: Graph, edges: list[Edge]) -> Graph:
    return replace(graph, columns=EdgeColumns.of(edges))


Changed = tuple[Graph, Edge] | None


def less(graph: Graph, told: list[Edge], chance: random.Random) -> Changed:
    """Without an edge that was not told."""
    secret = [edge for edge in graph.edges if edge not in told]
    if not secret:
        return None
    gone = chance.choice(secret)
    return with_edges(graph, [edge for edge in graph.edges if edge != gone]), gone


def more(graph: Graph, told: list[Edge], chance: random.Random) -> Changed:
    """With an edge that was not there, anywhere among ties."""
    givers = sorted({edge.giver for edge in graph.edges})
    there = set(graph.edges)
    new = [Edge(g, t) for g in givers for t in range(graph.tokens) if Edge(g, t) not in there]
    if not new:
        return None
    edges = list(graph.edges)
    added = chance.choice(new)
    edges.insert(chance.randrange(len(edges) + 1), added)
    return with_edges(graph, edges), added


def measure(name: str, session: Session, rounds: int, trials: int) -> Counter[str]:
    """How often a change was tried, and how often it showed."""
    ready = {agent: made._ready() for agent, made in session.agents.items()}
    views = {agent: one._met()._view for agent, one in ready.items()}
    ends = minds_ends(RANKINGS.get(name))
    graphs = {
        agent: one.dependencies.graph_with_ends if ends else one.dependencies.graph
        for agent, one in ready.items()
    }
    told = beginnings(name, graphs, views, rounds)
    chance, counts = random.Random(0), Counter[str]()
    for agent in [agent for agent, graph in graphs.items() if len(graph.edges) > rounds]:
        for kind in (less, more):
            for _ in range(trials):
                changed = kind(graphs[agent], told[agent], chance)
                if changed is None:
                    break
                graph, edge = changed
                again = beginnings(name, {**graphs, agent: graph}, views, rounds)[agent]
                counts[kind.__name__] += 1
                counts[f"{kind.__name__} shows"] += again != told[agent]
                counts["hidden"] += again != told[agent] and edge not in again and kind is more
    return counts


def line(counts: Counter[str]) -> str:
    tried = [max(1, counts[kind]) for kind in ("less", "more", "more")]
    shown = [counts[kind] for kind in ("less shows", "more shows", "hidden")]
    shares = [f"{100 * n / of:3.0f} %" for n, of in zip(shown, tried, strict=True)]
    return f"less {shares[0]}, more {shares[1]}, hidden {shares[2]} of {counts['more']}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--first", type=int, default=3, help="how many edges the observer sees")
    parser.add_argument("--trials", type=int, default=20, help="changes of each kind and agent")
    parser.add_argument("problems", nargs="*")
    options = parser.parse_args()
    names = [name for name in RANKINGS if not getattr(RANKINGS.get(name), "drawn", False)]
    total = {name: Counter[str]() for name in names if name != "random"}
    for problem in options.problems or [f"{domain}/small" for domain in DOMAINS]:
        instance = tacit.load(problem)
        for name, counts in total.items():
            session = Session(instance, profile("tacit"), name)
            own = measure(name, session, options.first, options.trials)
            counts.update(own)
            print(f"{problem:22} {name:6} {line(own)}")
    for name, counts in total.items():
        print(f"{'all':22} {name:6} {line(counts)}")


if __name__ == "__main__":
    main()

"""How much the order of disclosed edges reveals about an agent's other edges.

    python bench/hints.py [--first 3] [--trials 20] [PROBLEM …]

An observer who knows the method and all that is public sees the first edges of an agent. Then an
edge that the agent has not disclosed is removed (`less`), or a random one is added (`more`), and
the agents start again. If the first edges differ now, the observer could distinguish the two
agents. Printed is how often, and for `more` how often the new edge is not even among those
disclosed (`hidden`): that is what the order reveals beyond its own edges. Agents that have
disclosed everything by then are skipped, and so are random rankings, whose seed is secret.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from dataclasses import replace

import tacit
from tacit.central.session import Session
from tacit.domains import DOMAINS
from tacit.party.disclosure.graph import Edge, EdgeColumns, Graph
from tacit.party.disclosure.public_view import PublicView
from tacit.party.disclosure.ranking import (
    RANKINGS,
    is_interactive,
    next_anyway,
    uses_deletes,
)
from tacit.profile import profile
from tacit.public.run_options import RunOptions

Graphs = dict[str, Graph]
Views = dict[str, PublicView]


def first_edges(name: str, graphs: Graphs, views: Views, rounds: int) -> dict[str, list[Edge]]:
    """The first edges of every agent, disclosed in turn if the ranking is interactive."""
    make = RANKINGS.get(name)
    rankings = {agent: make(graph, views[agent], 0) for agent, graph in graphs.items()}
    disclosed: dict[str, list[Edge]] = {agent: [] for agent in graphs}
    for _ in range(rounds):
        for agent, ranking in rankings.items():
            edge = next_anyway(ranking)
            if edge is None:
                continue
            disclosed[agent].append(edge)
            if is_interactive(make):
                shown = views[agent].show(edge)
                for other, observer in rankings.items():
                    if other != agent:
                        observer.saw(agent, shown)
    return disclosed


def with_edges(graph: Graph, edges: list[Edge]) -> Graph:
    return replace(graph, columns=EdgeColumns.of(edges))


Changed = tuple[Graph, Edge] | None


def less(graph: Graph, disclosed: list[Edge], chance: random.Random) -> Changed:
    """Without an edge that was not disclosed."""
    secret = [edge for edge in graph.edges if edge not in disclosed]
    if not secret:
        return None
    gone = chance.choice(secret)
    return with_edges(graph, [edge for edge in graph.edges if edge != gone]), gone


def more(graph: Graph, disclosed: list[Edge], chance: random.Random) -> Changed:
    """With a new edge, anywhere among ties."""
    achievers = sorted({edge.achiever for edge in graph.edges})
    there = set(graph.edges)
    new = [Edge(g, t) for g in achievers for t in range(graph.tokens) if Edge(g, t) not in there]
    if not new:
        return None
    edges = list(graph.edges)
    added = chance.choice(new)
    edges.insert(chance.randrange(len(edges) + 1), added)
    return with_edges(graph, edges), added


def measure(name: str, session: Session, rounds: int, trials: int) -> Counter[str]:
    """How often a change was tried, and how often it showed."""
    ready = {agent: made._disclosing for agent, made in session.agents.items()}
    views = {agent: one.order._view for agent, one in ready.items()}
    with_deletes = uses_deletes(RANKINGS.get(name))
    graphs = {
        agent: one.published.dependencies.graph_with_deletes
        if with_deletes
        else one.published.dependencies.graph
        for agent, one in ready.items()
    }
    disclosed = first_edges(name, graphs, views, rounds)
    chance, counts = random.Random(0), Counter[str]()
    for agent in [agent for agent, graph in graphs.items() if len(graph.edges) > rounds]:
        for kind in (less, more):
            for _ in range(trials):
                changed = kind(graphs[agent], disclosed[agent], chance)
                if changed is None:
                    break
                graph, edge = changed
                again = first_edges(name, {**graphs, agent: graph}, views, rounds)[agent]
                counts[kind.__name__] += 1
                counts[f"{kind.__name__} shows"] += again != disclosed[agent]
                counts["hidden"] += again != disclosed[agent] and edge not in again and kind is more
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
            session = Session(instance, profile("tacit"), RunOptions(ranking=name))
            own = measure(name, session, options.first, options.trials)
            counts.update(own)
            print(f"{problem:22} {name:6} {line(own)}")
    for name, counts in total.items():
        print(f"{'all':22} {name:6} {line(counts)}")


if __name__ == "__main__":
    main()

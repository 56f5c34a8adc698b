"""Rankings: the paper's example, and what every ranking must do, unasked for new ones."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tacit
from tacit.central.solve import dependencies
from tacit.domains import DOMAINS
from tacit.party.disclosure.graph import Edge, EdgeColumns, Graph
from tacit.party.disclosure.public_view import PublicView
from tacit.party.disclosure.ranking import RANKINGS, full_order
from tacit.profile import PROFILES

# The example of the paper's Figure 2: n7, n8, n9 are tokens 0, 1, 2; n1 to n6 are actions 0 to 5
# and give them; n10 to n13 are actions 6 to 9 and need them; n14 to n16 are public facts.
FIGURE = Graph(
    3,
    [(), (), (), (), (), (), (0,), (0, 1), (0, 1, 2), (2,)],
    [(), (), (), (), (), (), (14,), (14, 15), (14, 15, 16), (16,)],
    EdgeColumns.of(Edge(n, n // 2) for n in range(6)),
)
SCORES = {
    "m1": ((3, 2, 2), (2, 2, 2)),
    "m2": ((3, 3, 3), (2, 3, 3)),
    "m3": ((1, 0, 1), (1 / 2, 1, 1)),
    "m4": ((1, 0, 1), (1 / 2, 3 / 2, 1)),
}


@pytest.mark.parametrize("name", SCORES)
def test_the_scores_of_the_papers_example(name):
    ranking = RANKINGS.get(name)(FIGURE, None, 0)
    before, after = SCORES[name]
    assert tuple(ranking.score(token) for token in range(3)) == pytest.approx(before)
    assert ranking.next() == Edge(0, 0)
    assert tuple(ranking.score(token) for token in range(3)) == pytest.approx(after)


@st.composite
def graphs(draw):
    tokens = draw(st.integers(1, 4))
    actions = draw(st.integers(1, 6))
    some = st.sets(st.integers(0, tokens - 1), max_size=3)
    needs = [tuple(sorted(draw(some))) for _ in range(actions)]
    facts = st.sets(st.integers(0, 4), max_size=3)
    achieves = [tuple(sorted(draw(facts))) for _ in range(actions)]
    pairs = st.tuples(st.integers(-1, actions - 1), st.integers(0, tokens - 1), st.booleans())
    edges = [Edge(*parts) for parts in draw(st.lists(pairs, unique=True, max_size=25))]
    return Graph(tokens, needs, achieves, EdgeColumns.of(edges))


@settings(max_examples=150, deadline=None)
@given(graphs(), st.sampled_from(list(RANKINGS)), st.integers(0, 3))
def test_an_order_is_a_permutation_and_repeatable(graph, name, seed):
    make = RANKINGS.get(name)
    view = PublicView.alone(graph)
    order = full_order(make(graph, view, seed))
    assert sorted(order) == sorted(graph.edges)
    assert order == full_order(make(graph, view, seed))


class Definition:
    """The scores of docs/rankings.md, word by word."""

    def __init__(self, graph: Graph, name: str):
        self.graph, self.name = graph, name
        self.published: list[Edge] = []
        self.times: dict[tuple[str, int], int] = {}

    def given(self, token: int) -> bool:
        return any(e.token == token and e.positive for e in self.published)

    def items(self, token: int) -> list[tuple[str, int]]:
        enabled = [
            a
            for a, tokens in enumerate(self.graph.needs)
            if token in tokens and all(self.given(t) for t in tokens if t != token)
        ]
        if self.name == "m3":
            return [("action", a) for a in enabled]
        return [("fact", f) for f in sorted({f for a in enabled for f in self.graph.achieves[a]})]

    def score(self, edge: Edge) -> float:
        same = [e for e in self.published if e.token == edge.token and e.positive == edge.positive]
        if not edge.positive:
            return -len(same)
        users = self.graph.needed_by[edge.token]
        if self.name == "m1":
            return len(users) - len(same)
        if self.name == "m2":
            return len({f for a in users for f in self.graph.achieves[a]}) - len(same)
        return sum(1 / (self.times.get(item, 0) + 1) for item in self.items(edge.token))

    def order(self) -> list[Edge]:
        rest = list(self.graph.edges)
        while rest:
            best = max(rest, key=lambda e: (round(self.score(e), 9), -self.graph.edges.index(e)))
            rest.remove(best)
            if best.positive:
                for item in self.items(best.token):
                    self.times[item] = self.times.get(item, 0) + 1
            self.published.append(best)
        return self.published


@settings(max_examples=200, deadline=None)
@given(graphs(), st.sampled_from(sorted(SCORES)))
def test_the_core_follows_the_definition(graph, name):
    assert full_order(RANKINGS.get(name)(graph, None, 0)) == Definition(graph, name).order()


@pytest.mark.parametrize("name", list(RANKINGS))
@pytest.mark.parametrize("domain", list(DOMAINS))
def test_every_ranking_orders_every_family(domain, name):
    instance = tacit.load(f"{domain}/small")
    for profile in PROFILES.values():
        for own in dependencies(instance, profile).values():
            order = full_order(RANKINGS.get(name)(own.graph, PublicView.alone(own.graph), 1))
            assert sorted(order) == sorted(own.graph.edges)


def test_random_orders_depend_on_the_seed():
    own = dependencies(tacit.load("logistics/medium"), PROFILES["paper"])
    graph = next(iter(own.values())).graph
    orders = {tuple(full_order(RANKINGS.get("random")(graph, None, seed))) for seed in range(5)}
    assert len(orders) == 5


def test_ties_can_be_broken_at_random():
    instance = tacit.load("logistics/medium")
    agent = instance.agents[0]
    graphs = [dependencies(instance, PROFILES["paper"], ties)[agent].graph for ties in (None, 1, 2)]
    assert len({graph.edges for graph in graphs}) == 3
    assert len({frozenset(graph.edges) for graph in graphs}) == 1

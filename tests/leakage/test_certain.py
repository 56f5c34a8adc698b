"""What is certain: against brute force over all graphs, and never against the owner's own."""

from __future__ import annotations

from itertools import product

import pytest
from support.views import Owner, frames_with

from tacit.leakage.certain import Conclusions
from tacit.leakage.reading.knowledge import Round
from tacit.leakage.view import AgentView, traffic_of, view_of
from tacit.public.disclosure import INIT, PublicEdge
from tacit.public.protocol.messages import Publication
from tacit.public.settings import Settings
from tacit.public.task import PublicAction

Graph = dict[int, set[int]]
"""Per token, its achievers."""

SL1, SL2, C = 0, 1, 2


def uav() -> Publication:
    """T3: two surveys, and C, which needs a token of each."""
    rows = ((SL1, (0,), ()), (SL2, (1,), ()), (C, (2,), (0, 1)))
    actions = tuple(PublicAction("uav", n, 1, (), adds, (), tokens) for n, adds, tokens in rows)
    return Publication("uav", actions, 2, (), False)


def seen(plan=(), edges=()) -> Conclusions:
    frames = frames_with(uav(), plan, [PublicEdge(*edge) for edge in edges])
    view = view_of(traffic_of(frames, ["uav", "base"], ["base"]))
    return Conclusions(view.agents["uav"], view.settings)


PLAN, FIRST, BOTH = (SL1, SL2, C), [(SL1, 0)], [(SL1, 0), (SL2, 1)]


@pytest.mark.parametrize(
    ("plan", "edges", "graphs", "bits", "with_total"),
    [
        ((), [], 196, "7.615", 9),
        (PLAN, [], 169, "7.401", 4),
        (PLAN, FIRST, 104, "6.700", 2),
        (PLAN, BOTH, 64, "6.000", 1),
    ],
)
def test_t3_counts_graphs_as_printed(plan, edges, graphs, bits, with_total):
    left = seen(plan, edges).space
    assert round(2 ** left.bits()) == graphs
    assert f"{left.bits():.3f}" == bits
    assert round(2 ** left.bits_with_total(2)) == with_total


def test_t3_bits_by_source():
    found = seen(PLAN, BOTH).bits
    assert f"{found.all:.3f}" == "7.615"
    assert f"{found.learned:.3f}" == "1.615"
    shown = {source: f"{bits:.3f}" for source, bits in found.sources.items() if bits}
    assert shown == {"structure": "0.385", "plan": "0.214", "disclosed": "1.401"}
    assert f"{found.sources['disclosed'] / 7.401:.1%}" == "18.9%"
    assert found.is_exact


# Order


def in_order(ranking: str, *edges: tuple[int, int]) -> Conclusions:
    """Token 0 has two users, token 1 one."""
    actions = tuple(
        PublicAction("a", n, 1, (), (n,), (), tokens)
        for n, tokens in enumerate([(), (0,), (0,), (1,)])
    )
    part = Publication("a", actions, 2, (), False)
    shown = tuple(PublicEdge(*edge) for edge in edges)
    view = AgentView("a", part, shown, in_order=True)
    return Conclusions(view, Settings(), ranking)


def excluded_by(found: Conclusions) -> set[tuple[int, int]]:
    """Achievers and tokens of edges that are excluded, the initial state as 4."""
    tokens = enumerate(found.space.tokens)
    return {(n, token) for token, own in tokens for n in range(5) if own.never >> n & 1}


@pytest.mark.parametrize("ranking", ["m1", "m2"])
def test_the_order_of_disclosing_excludes_edges(ranking):
    assert excluded_by(in_order("goal", (0, 0))) == set()
    assert excluded_by(in_order(ranking, (0, 0))) == {(4, 0)}, "INIT would have come first"
    assert excluded_by(in_order(ranking, (INIT, 0))) == set()
    lower = in_order(ranking, (INIT, 1))
    assert excluded_by(lower) == {(n, 0) for n in range(5)}, "the other token has none left"
    both = in_order(ranking, (INIT, 0), (0, 0))
    assert excluded_by(both) == {(4, 1)}, "after one edge both score alike"


# Brute force


def reached_at(view: AgentView, rounds: tuple[Round, ...], graph: Graph, times) -> bool:
    """Do tokens that come at these times explain what was seen, by achievers of the graph?"""
    part, count = view.part, len(rounds)
    came: dict[int, int] = {}
    for r, answer in enumerate(rounds):
        facts = set(answer.known)
        fresh: set[int] = set()
        tokens = {t for t, at in enumerate(times) if at < r or (r == 0 and INIT in graph[t])}
        while True:
            able = {
                a.id
                for a in part.actions
                if a.id not in came and facts.issuperset(a.needs) and tokens.issuperset(a.tokens)
            }
            came |= dict.fromkeys(able, r)
            fresh |= able
            facts |= {fact for a in part.actions if a.id in able for fact in a.adds}
            more = {t for t, at in enumerate(times) if at == r and graph[t] & fresh} - tokens
            tokens |= more
            if not able and not more:
                break
        if facts != set(answer.known) | set(answer.news):
            return False
        if any(at == r and t not in tokens for t, at in enumerate(times)):
            return False
    return all(at <= count for at in times)


def fits(view: AgentView, graph: Graph) -> bool:
    """Could an owner with this graph have shown this?"""
    if any(not achievers - {INIT} for achievers in graph.values()):
        return False
    if any(edge.achiever not in graph[edge.token] for edge in view.edges):
        return False
    for plan in view.plans:
        for now, step in enumerate(plan):
            alike = [a for a in view.part.actions if looks(a) == looks(view.part.actions[step])]
            before = {INIT} | {
                a.id
                for s in plan[:now]
                for a in view.part.actions
                if looks(a) == looks(view.part.actions[s])
            }
            needed = set.intersection(*(set(a.tokens) for a in alike))
            if any(not graph[t] & before for t in needed):
                return False
    return all(explains(view, rounds, graph) for rounds in view.rounds)


def looks(action: PublicAction) -> object:
    return action.needs, action.adds, action.deletes


def explains(view: AgentView, rounds: tuple[Round, ...], graph: Graph) -> bool:
    ranges = [[0] if INIT in graph[t] else range(len(rounds) + 1) for t in sorted(graph)]
    return any(reached_at(view, rounds, graph, times) for times in product(*ranges))


def brute_force(view: AgentView) -> tuple[set[PublicEdge], int]:
    """The edges of all graphs that fit, and how many do."""
    achievers = [INIT, *(action.id for action in view.part.actions)]
    subsets = [
        {a for n, a in enumerate(achievers) if mask >> n & 1} for mask in range(1 << len(achievers))
    ]
    common: set[PublicEdge] | None = None
    count = 0
    for choice in product(subsets, repeat=view.part.tokens):
        graph = dict(enumerate(choice))
        if fits(view, graph):
            edges = {PublicEdge(a, t) for t, chosen in graph.items() for a in chosen}
            common = edges if common is None else common & edges
            count += 1
    return common or set(), count


SIZES = [(2, 1, 3), (3, 1, 3), (2, 2, 3), (3, 2, 4), (2, 2, 4), (3, 2, 5), (4, 2, 4)]


def compare(seed: int) -> bool:
    """Certain edges and brute force agree; whether there were any beyond those disclosed."""
    actions, tokens, facts = SIZES[seed % len(SIZES)]
    owner = Owner(seed, actions, tokens, facts)
    view = owner.view(sequences=1 + seed % 3 // 2)
    found = Conclusions(view, Settings())
    expected, count = brute_force(view)
    assert found.rounds_fit, seed
    assert found.admits(sorted(owner.edges)), f"seed {seed}: the owner's own graph is excluded"
    assert found.edges == expected, f"seed {seed}"
    assert 2 ** found.space.bits() >= count - 0.5, f"seed {seed}: too few graphs are left"
    return bool(found.undisclosed)


def test_certain_is_what_all_graphs_have():
    """Sound and complete on small views; there is something to find in many of them."""
    assert sum(compare(seed) for seed in range(200)) > 15


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_certain_is_what_all_graphs_have_at_length(part):
    assert sum(compare(seed) for seed in range(1000 + 250 * part, 1250 + 250 * part)) > 25

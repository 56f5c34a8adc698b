"""Pictures of dependency graphs: what is in them, where it stands, and what must not be in them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise, product

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.delivery import DOMAIN, PROBLEM
from support.inside import projection_of
from support.svg import inline, of_class, parsed

import tacit
from tacit.central.instance import Instance
from tacit.central.named_graph import NamedGraph, named_graph
from tacit.central.session import Session
from tacit.domains import DOMAINS
from tacit.draw.graph_page import page
from tacit.draw.graph_svg import bare, svg
from tacit.draw.labels import MOST, row_labels, short, text_width
from tacit.draw.layers import arrange, crossings
from tacit.draw.picture import KINDS, lay_out
from tacit.errors import InputError
from tacit.pddl.reader import read_texts
from tacit.pddl.source import Source
from tacit.profile import PROFILES
from tacit.public.run_options import RunOptions
from tacit.public.settings import Settings, Threats

NASTY = """(<script>alert("1")</script> 'a' & b]]> --> {x} ${y})"""


def graph_of(problem: str, chosen: Settings, agent: str | None = None) -> NamedGraph:
    session = Session(tacit.load(problem), chosen)
    return named_graph(session, agent or next(a for a, n in session.totals.items() if n), "m3")


# ------------------------------------------------------------------ the picture is the graph


@pytest.mark.parametrize("profile", list(PROFILES))
@pytest.mark.parametrize("domain", list(DOMAINS))
def test_a_picture_has_all_nodes_and_lines_of_its_graph(domain, profile):
    session = Session(tacit.load(f"{domain}/small"), PROFILES[profile])
    for agent in session.agents:
        if not session.totals[agent]:
            continue
        graph = named_graph(session, agent, "m3")
        picture = lay_out(graph)
        layers = (graph.achievers, graph.tokens, graph.actions, graph.facts)
        for k in {0, 1, len(graph.edges) // 2, len(graph.edges)}:
            for tree in (parsed(svg(picture, k)), inline(page(graph, k))):
                for kind, names in zip(KINDS, layers, strict=True):
                    nodes = of_class(tree, "node", kind)
                    titles = [node.findtext("title") or "" for node in nodes]
                    assert [t.rpartition(": ")[0] for t in titles] == list(names)
                drawn = {
                    (int(e.get("data-place")), int(e.get("data-a")), int(e.get("data-b")), t)
                    for t in (True, False)
                    for e in of_class(tree, "edge")
                    if ("threat" not in e.get("class")) == t
                }
                edges = enumerate(graph.edges, start=1)
                assert drawn == {(n, e.achiever, e.token, e.positive) for n, e in edges}
                assert len(of_class(tree, "edge")) == len(graph.edges)
                assert len(of_class(tree, "edge", "disclosed")) == k
                assert len(of_class(tree, "needs")) == len(graph.needs)
                assert len(of_class(tree, "achieves")) == len(graph.achieves)


@pytest.mark.parametrize("domain", ["driverlog", "elevators", "depot"])
def test_what_is_filled_is_what_published_edges_give(domain):
    graph = graph_of(f"{domain}/small", PROFILES["paper"])
    picture = lay_out(graph)
    for k in range(0, len(graph.edges) + 1, 3):
        tree = parsed(svg(picture, k))
        given = {e.token for e in graph.edges[:k] if e.positive}
        filled = {int(e.get("data-n")) for e in of_class(tree, "node", "token", "on")}
        assert filled == given
        for node in of_class(tree, "node", "action"):
            needed = {t for t, action in graph.needs if action == int(node.get("data-n"))}
            assert ("on" in node.get("class").split()) == (needed <= given)


def test_rows_stand_as_in_the_paper_and_the_start_at_the_bottom():
    graph = graph_of("driverlog/small", Settings())
    picture = lay_out(graph)
    assert [row.kind for row in picture.rows] == ["achiever", "token", "action", "fact"]
    assert all(below.y > above.y for below, above in pairwise(picture.rows))
    (start,) = of_class(parsed(svg(picture, 0)), "initial")
    assert start.findtext("title").startswith("(the initial state): ")
    assert int(start.get("data-n")) == graph.initial


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_nodes_are_as_large_as_in_the_paper_and_the_initial_state_is_at_the_end(domain):
    graph = graph_of(f"{domain}/small", PROFILES["paper"])
    achievers, tokens, actions, facts = lay_out(graph).rows
    gives = Counter(edge.achiever for edge in graph.edges)
    assert list(achievers.degree) == [gives[n] for n in range(len(graph.achievers))]
    needed = Counter(token for token, _ in graph.needs)
    assert list(tokens.degree) == [needed[n] for n in range(len(graph.tokens))]
    needing = Counter(action for _, action in graph.needs)
    assert list(actions.degree) == [needing[n] for n in range(len(graph.actions))]
    achieved = Counter(fact for _, fact in graph.achieves)
    assert list(facts.degree) == [achieved[n] for n in range(len(graph.facts))]
    for row in (achievers, tokens, actions, facts):
        by_degree = sorted(zip(row.degree, row.radius, strict=True))
        assert all(a[1] <= b[1] for a, b in pairwise(by_degree))
    if graph.initial is not None:
        assert achievers.x[graph.initial] == max(achievers.x)


def test_a_bare_picture_has_no_names():
    graph = graph_of("driverlog/small", PROFILES["paper"])
    text = bare(lay_out(graph))
    tree = parsed(text)
    for name in (*graph.achievers[1:], *graph.tokens, *graph.actions, *graph.facts):
        assert name.strip("()") not in text
    assert graph.agent not in text
    assert not [e for e in tree.iter() if e.tag.endswith(("title", "text"))]
    lines: Counter[str] = Counter()
    for path in tree.iter("path"):
        lines[path.get("class")] += path.get("d").count("M")
    assert lines["edge"] == len({(edge.achiever, edge.token) for edge in graph.edges})
    assert lines["needs"] == len(set(graph.needs))
    assert lines["achieves"] == len(set(graph.achieves))
    assert lines["node achiever"] + 1 == len(graph.achievers)
    assert lines["node achiever initial"] == 1
    assert lines["node fact"] == len(graph.facts)


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_the_published_edges_are_those_that_solving_discloses(domain):
    instance = tacit.load(f"{domain}/small")
    session = Session(instance, Settings(), RunOptions(ranking="m4"))
    for agent in session.agents:
        if not session.totals[agent]:
            continue
        graph = named_graph(session, agent, "m4")
        solving = Session(instance, Settings(), RunOptions(ranking="m4"))
        projection_of(solving, 3)
        own = solving.agents[agent]
        assert sorted(own.dependencies.describe(edge) for edge in own.disclosed) == sorted(
            f"{graph.achievers[e.achiever]} achieves {graph.tokens[e.token]}"
            for e in graph.edges[:3]
        )


def test_threats_are_dashed_and_known_ones_always_disclosed():
    known = msgspec.structs.replace(Settings(), threats=Threats.KNOWN)
    graph = graph_of("driverlog/small", known)
    assert graph.known
    assert all(edge.positive for edge in graph.edges)
    tree = parsed(svg(lay_out(graph), 2))
    threats = of_class(tree, "edge", "threat")
    assert len(threats) == len(of_class(tree, "edge", "threat", "disclosed")) == len(graph.known)
    assert len(of_class(tree, "edge", "disclosed")) == 2 + len(graph.known)
    assert re.search(r"\.threat\{[^}]*stroke-dasharray", svg(lay_out(graph), 2))
    assert not of_class(parsed(svg(lay_out(graph_of("driverlog/small", Settings())), 2)), "threat")


def test_private_goals_are_an_action_that_reaches_them():
    problem = PROBLEM.replace("(:goal (and (at p1 shop)))", "(:goal (and (holds t1 p1)))")
    description = read_texts(Source("domain.pddl", DOMAIN), Source("problem.pddl", problem))
    graph = named_graph(Session(Instance(description, {}), Settings()), "t1", "m3")
    assert "(reach its private goals)" in graph.actions
    assert "(its private goals)" in graph.facts


def test_an_agent_without_dependencies_has_no_picture():
    session = Session(tacit.load("secrets/small"), Settings())
    with pytest.raises(InputError, match="no private dependencies"):
        named_graph(session, "office2", "m3")


# ------------------------------------------------------------------ names and the outside world


def nasty() -> NamedGraph:
    graph = graph_of("driverlog/small", PROFILES["paper"])
    renamed = {
        layer: tuple(f"{NASTY} {n}" for n in range(len(getattr(graph, layer))))
        for layer in ("achievers", "tokens", "actions", "facts")
    }
    return replace(graph, agent=NASTY, problem=NASTY, ranking=NASTY, **renamed)


def test_names_are_escaped():
    graph = nasty()
    for tree in (parsed(svg(lay_out(graph), 3)), inline(page(graph, 3))):
        (first, *_) = of_class(tree, "node", "token")
        assert first.findtext("title").startswith(f"{NASTY} 0: ")
        assert not [e for e in tree.iter() if e.tag == "script"]
    text = page(graph, 3)
    assert text.count("<script>") == 1
    assert "alert(" not in re.sub(r"&lt;script&gt;alert\(", "", text)


@pytest.mark.parametrize("make", [nasty, lambda: graph_of("logistics/small", Settings())])
def test_nothing_is_loaded_from_elsewhere(make):
    graph = make()
    text = page(graph, 1).replace('<link rel="icon" href="data:,">', "")
    assert not re.search(r"https?:|\bsrc=|href=|url\(|@import|<link|<iframe|fetch\(|import\(", text)
    picture = svg(lay_out(graph), 1)
    assert re.findall(r"https?://[^\"]*", picture) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"href|url\(|@import|<image|<use", picture)


# ------------------------------------------------------------------ where things stand


def rows_and_links():
    sizes = st.lists(st.integers(1, 7), min_size=2, max_size=4)

    def with_links(sizes):
        pairs = [list(product(range(a), range(b))) for a, b in pairwise(sizes)]
        return st.tuples(st.just(sizes), st.tuples(*(st.lists(st.sampled_from(p)) for p in pairs)))

    return sizes.flatmap(with_links)


def brute_crossings(links, below, above) -> int:
    ends = [(below[a], above[b]) for a, b in links]
    return sum((p[0] - q[0]) * (p[1] - q[1]) < 0 for n, p in enumerate(ends) for q in ends[:n])


@settings(max_examples=200, deadline=None)
@given(rows_and_links())
def test_nodes_keep_their_distance_and_lines_cross_no_more_than_before(case):
    sizes, links = case
    places = arrange(sizes, links, 100.0)
    before = after = 0
    for row, pairs in enumerate(links):
        natural = [list(range(size)) for size in sizes[row : row + 2]]
        assert crossings(pairs, *natural) == brute_crossings(pairs, *natural)
        assert crossings(pairs, *places[row : row + 2]) == brute_crossings(
            pairs, *places[row : row + 2]
        )
        before += crossings(pairs, *natural)
        after += crossings(pairs, *places[row : row + 2])
    assert after <= before
    for size, row in zip(sizes, places, strict=True):
        assert len(row) == size
        assert all(-1e-6 <= x <= 100 + 1e-6 for x in row)
        assert all(b - a > 100 / size / 2 for a, b in pairwise(sorted(row)))


@settings(max_examples=100, deadline=None)
@given(rows_and_links(), st.data())
def test_a_node_can_stand_at_the_end_of_its_row(case, data):
    sizes, links = case
    ends = {row: data.draw(st.integers(0, size - 1)) for row, size in enumerate(sizes)}
    places = arrange(sizes, links, 100.0, ends)
    for row, node in ends.items():
        assert places[row][node] == max(places[row])
        assert all(b - a > 100 / sizes[row] / 2 for a, b in pairwise(sorted(places[row])))


def test_a_tangle_is_untangled():
    links = ([(n, 9 - n) for n in range(10)],)
    assert brute_crossings(links[0], range(10), range(10)) == 45
    below, above = arrange([10, 10], links, 100.0)
    assert brute_crossings(links[0], below, above) == 0
    assert all(below[a] == pytest.approx(above[b]) for a, b in links[0])


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(st.text("abc", min_size=1, max_size=12), st.floats(0, 500), st.integers(0, 5)),
        min_size=1,
        max_size=25,
        unique_by=lambda entry: entry[1],
    ),
    st.booleans(),
)
def test_level_labels_do_not_overlap(nodes, at_edge):
    texts, places, weights = zip(*nodes, strict=True)
    found = row_labels(texts, places, weights, at_edge)
    assert at_edge or not found.upright
    assert any(found.labels)
    if found.upright:
        assert all(b - a >= 11 for a, b in pairwise(sorted(places)))
        return
    spans: dict[int, list[tuple[float, float]]] = {}
    for x, label in zip(places, found.labels, strict=True):
        if label is not None:
            half = text_width(label.text) / 2
            spans.setdefault(label.line, []).append((x - half, x + half))
    for line in spans.values():
        assert all(end <= start for (_, end), (start, _) in pairwise(sorted(line)))


@given(st.text("ab ()…-", max_size=80), st.sampled_from(["a", "b"]))
def test_short_names_are_short(name, agent):
    assert len(short(name, agent)) <= max(MOST, 1)


def test_short_names_keep_what_tells_them_apart():
    assert short("(load t1 p1 home)", "t1") == "load p1 home"
    assert short("(load t1 p1 home) and 3 like it", "t1") == "load p1 home +3"
    long = short("(communicated_soil_data_again waypoint12 general)", "r")
    assert long.endswith("waypoint12 general")
    assert "…" in long

"""Parts of pages: what is in them, and that nothing in them is taken for markup."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacit
from tacit.central.named_graph import named_graph
from tacit.central.session import Session
from tacit.draw.graph_part import graphs
from tacit.draw.lanes import BAND, Box, box_of, lanes
from tacit.draw.page import Page, Section
from tacit.draw.parts import Bar, bars, lists, sentences, table, tiles
from tacit.public.settings import Settings


class Reader(HTMLParser):
    """Elements, texts, and whether all that was opened is closed."""

    VOID = frozenset({"meta", "link", "br"})

    def __init__(self, text: str):
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


names = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=8)
NASTY = st.sampled_from(["<b>", "a&b", '"x"', "'", "</script><script>alert(1)//", "a"])


@given(st.lists(st.tuples(st.integers(1, 40), NASTY, NASTY, NASTY), min_size=1, max_size=30))
def test_lanes_have_every_step_once_at_its_time_and_agent(steps):
    boxes = [Box(*step) for step in steps]
    read = Reader(lanes(boxes, sorted({box.agent for box in boxes})))
    assert all(tag in {"div", "b", "small"} for tag, _ in read.elements)
    shown = [a["title"] for tag, a in read.elements if (a.get("class") or "").startswith("step")]
    assert sorted(shown) == sorted(f"{box.name} {box.detail}" for box in boxes)
    widths = [re.search(r"\d+", a["style"]) for _, a in read.elements if a.get("class") == "lanes"]
    assert all(found is not None and int(found[0]) <= BAND * 5 // 4 for found in widths)
    labels = [a["aria-label"] for _, a in read.elements if "aria-label" in a]
    ends = [tuple(map(int, re.findall(r"\d+", label))) for label in labels]
    for time, agent in {(box.time, box.agent) for box in boxes}:
        assert sum(low <= time <= high for low, high in ends) == 1
        assert agent in read.texts
    assert max(high for _, high in ends) == max(box.time for box in boxes)


def test_an_agent_that_is_idle_for_long_has_no_empty_lane():
    text = lanes([box_of(1, "a", "(go a x)"), box_of(30, "b", "(go b y)")], ["a", "b"])
    assert text.count('class="who"') == 2
    assert text.count('class="lanes"') == 2


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
def test_bars_are_as_wide_as_what_they_show(disclosed, certain, guessed, unknown):
    total = disclosed + certain + guessed + unknown
    row = Bar("a", disclosed, total, certain=certain, guessed=guessed)
    assert row.unknown == unknown
    widths = [float(w) for w in re.findall(r"width:([\d.]+)%", bars([row]))]
    shares = [100 * n / max(1, total) for n in (disclosed, certain, guessed)]
    assert widths == pytest.approx(shares, abs=0.01)


def test_what_is_secret_is_not_shown_as_a_share():
    text = bars([Bar("b", 3, None)])
    assert "width:" not in text
    assert "3 edges disclosed, how many it has is its secret" in text


@given(names, NASTY)
def test_a_page_closes_all_it_opens_and_escapes_all_names(one, other):
    parts = [tiles({one: other}), table([one, other], [[other, one]], other)]
    parts += [sentences([one, f"  {other}", other]), lists({one: [other]})]
    sections = [Section(other, part, one) for part in parts]
    read = Reader(Page(other, one, other, sections).html())
    assert "script" not in {tag for tag, _ in read.elements}
    assert {tag for tag, _ in read.elements} >= {"h1", "h2", "table", "details"}
    assert read.texts.count(other) >= 5


def test_a_page_in_a_notebook_is_one_frame():
    page = Page("a <title>", "", "", [Section("b", "<p>c</p>")])
    read = Reader(page.in_notebook())
    [(tag, attributes)] = read.elements
    assert tag == "iframe"
    assert attributes["srcdoc"] == page.html()


def test_graphs_on_one_page_keep_their_strengths_apart():
    session = Session(tacit.load("logistics/small"), Settings())
    named = [named_graph(session, agent, "m3") for agent in ("truck0", "truck1")]
    text = graphs([(graph, n) for n, graph in enumerate(named)])
    assert re.findall(r'id="([\w-]+)"', text) == ["graph-0", "graph-1"]
    rules = re.findall(r"<style>(.*?)</style>", text)
    assert len(rules) == 2
    for n, rule in enumerate(rules):
        parts = [part for part in rule.split("}") if part]
        assert all(part.startswith(f"#graph-{n} .") for part in parts)
    assert "truck1: 1 of 4 edges disclosed" in text
    assert text.count("edge disclosed") == 1


def test_a_graph_that_is_too_large_is_named_instead(monkeypatch):
    monkeypatch.setattr("tacit.draw.graph_part.MOST_LINES", 12)
    session = Session(tacit.load("logistics/small"), Settings())
    named = [named_graph(session, agent, "m3") for agent in ("truck0", "truck1")]
    text = graphs([(graph, 0) for graph in named])
    assert text.count("<svg") == 1
    assert "truck1: 0 of 4 edges disclosed. The graph is too large for this page." in text

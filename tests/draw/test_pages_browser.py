"""The pages of `--html` in a browser: offline, silent, on a desk and a phone, dark and printed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.browser import chromium, silent_page

import tacit
from tacit.cli.main import run as tacit_run

VIEWS = {"desktop": (1280, 900, "light"), "phone": (390, 844, "dark")}
PAGES = ("solve", "explain", "notebook", "rehearse")
OVERLAPS = """() => {
  const boxes = [...document.querySelectorAll(".step, .bar, .agent > b, .agent > span, .tile")]
    .map((node) => [node.textContent, node.getBoundingClientRect()]).filter(([, box]) => box.width);
  const found = [];
  boxes.forEach(([a, x], n) => boxes.slice(n + 1).forEach(([b, y]) => {
    const across = x.left < y.right - 1 && y.left < x.right - 1;
    const down = x.top < y.bottom - 1 && y.top < x.bottom - 1;
    if (across && down) found.push(`${a} | ${b}`);
  }));
  return found;
}"""


def unsolvable(folder: Path) -> Path:
    """Logistics without any place for the plane."""
    assert tacit_run(["generate", "logistics", "-o", str(folder)]) == 0
    problem = folder / "problem.pddl"
    problem.write_text(problem.read_text().replace("(at plane1 airport1)", ""))
    return folder


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    made = {name: folder / f"{name}.html" for name in PAGES}
    assert tacit_run(["solve", "freight/small", "--html", str(made["solve"]), "--json"]) == 0
    odd = str(unsolvable(folder / "odd"))
    assert tacit_run(["explain", odd, "--html", str(made["explain"])]) == 0
    where = ["-o", str(folder / "trial"), "--html", str(made["rehearse"])]
    assert tacit_run(["rehearse", "logistics/small", *where]) == 0
    made["agent"] = folder / "trial" / "page-truck1.html"
    instance = tacit.load("logistics/small")
    result = tacit.solve(instance)
    shown = (instance, result, result.plan)
    texts = "".join(one._repr_html_() for one in shown if one is not None)
    made["notebook"].write_text(f"<!doctype html><meta charset=utf-8>{texts}")
    return made


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


@pytest.fixture(params=list(VIEWS))
def page(browser, request) -> Iterator[Any]:
    with silent_page(browser, *VIEWS[request.param]) as opened:
        yield opened


def visit(page: Any, path: Path) -> None:
    page.goto(path.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "too wide"


def test_a_run_is_shown_as_plan_bars_and_graphs(page, pages):
    visit(page, pages["solve"])
    steps = page.locator(".tile", has_text="steps").locator("b").inner_text()
    assert page.locator(".step").count() == int(steps) > 30
    assert page.locator(".agent").count() == 3
    assert page.locator(".graph-place svg").count() == 3
    assert page.evaluate(OVERLAPS) == []
    graph = page.locator(".graph-place").first
    graph.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".pointed").first.inner_text() != ""
    assert graph.locator(".here").count() == 1


def test_why_not_is_shown(page, pages):
    visit(page, pages["explain"])
    text = page.locator("main").inner_text()
    assert "The first fact missing on the way" in text
    assert "On the way to" in text
    assert page.evaluate(OVERLAPS) == []


def test_a_rehearsal_and_each_of_its_agents_have_a_page(page, pages):
    visit(page, pages["rehearse"])
    assert page.locator(".step").count() >= 13
    assert page.locator(".graph-place .edge.disclosed").count() >= 4
    assert "certain" in page.locator(".agent").first.inner_text()
    assert page.evaluate(OVERLAPS) == []
    visit(page, pages["agent"])
    assert page.locator("h1").inner_text() == "truck1: solved"
    assert page.locator(".graph-place svg").count() == 1
    assert "plane1" in page.locator(".lanes").first.inner_text()
    assert "load-airplane" not in page.content()
    assert page.evaluate(OVERLAPS) == []


def test_notebooks_show_the_same_without_touching_the_rest(page, pages):
    visit(page, pages["notebook"])
    frames = page.locator("iframe")
    assert frames.count() == 3
    frame = frames.nth(1).content_frame
    assert frame.locator(".step").count() == frames.nth(2).content_frame.locator(".step").count()
    assert page.evaluate("getComputedStyle(document.body).margin") == "8px"


def test_it_is_dark_where_readers_want_it_and_light_on_paper(page, pages):
    visit(page, pages["solve"])
    background = "getComputedStyle(document.body).backgroundColor"
    is_dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    assert page.evaluate(background) == ("rgb(20, 23, 28)" if is_dark else "rgb(255, 255, 255)")
    page.emulate_media(media="print")
    assert page.evaluate(background) == "rgb(255, 255, 255)"
    page.set_viewport_size({"width": 702, "height": 1000})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "too wide to print"
    assert page.evaluate(OVERLAPS) == []
    assert page.pdf().startswith(b"%PDF")


def test_on_paper_nothing_is_folded_away_and_what_counts_is_one_row(page, pages):
    visit(page, pages["solve"])
    page.set_viewport_size({"width": 702, "height": 1000})
    folded = page.locator("details:not([open]) li").first
    assert not folded.is_visible(), "on the screen readers unfold it"
    page.emulate_media(media="print")
    assert folded.is_visible()
    tops = page.locator(".tile").evaluate_all("tiles => tiles.map(t => t.offsetTop)")
    assert len(tops) > 6
    assert len(set(tops)) == 1

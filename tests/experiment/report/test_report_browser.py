"""Reports in a browser: from a disk, without network, by mouse and by keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support.browser import chromium, silent_page
from support.reporting import problem, run_of, write

from tacit.cli.main import run as tacit_run

WIDTHS = {"desktop": (1280, 900), "phone": (360, 740)}


@pytest.fixture(scope="session")
def folder(small_report) -> Path:
    return small_report


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


@pytest.fixture(params=list(WIDTHS))
def page(browser, request) -> Iterator[Any]:
    """A page that must neither complain nor ask for anything but files."""
    scheme = "dark" if request.param == "phone" else "light"
    with silent_page(browser, *WIDTHS[request.param], scheme) as opened:
        yield opened


def visit(page: Any, folder: Path, name: str = "index.html") -> None:
    page.goto((folder / name).as_uri())
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "too wide"


def column(page: Any, table: str, number: int) -> list[str]:
    return page.locator(f"{table} tbody tr > :nth-child({number})").all_inner_texts()


def test_tables_sort_by_click_and_by_key(page, folder):
    visit(page, folder)
    table = "#problems table"
    header = page.locator(f"{table} thead th").nth(2)
    before = [int(text) for text in column(page, table, 3)]
    header.locator("button").click()
    assert [int(text) for text in column(page, table, 3)] == sorted(before)
    assert header.get_attribute("aria-sort") == "ascending"
    header.locator("button").focus()
    page.keyboard.press("Enter")
    assert [int(text) for text in column(page, table, 3)] == sorted(before, reverse=True)
    assert header.get_attribute("aria-sort") == "descending"
    first = page.locator(f"{table} thead th").nth(0)
    first.locator("button").click()
    assert column(page, table, 1) == ["driverlog/small", "logistics/small"]
    assert header.get_attribute("aria-sort") is None


@pytest.mark.slow
def test_every_table_sorts(page, folder):
    visit(page, folder)
    for table in page.locator("table.sortable").all():
        rows = table.locator("tbody tr").count()
        for button in table.locator("thead button").all():
            button.click()
            assert table.locator("tbody tr").count() == rows
            assert table.locator("th[aria-sort]").count() == 1


def test_curves_can_be_read_hidden_and_zoomed(page, folder):
    visit(page, folder)
    assert page.locator("#front .chart").count() == 1
    assert page.locator("#charts .chart").count() == 2
    assert "problems solved" in page.locator("#front .chart").inner_text()
    chart = page.locator("#charts .chart").first
    svg = chart.locator("svg")
    svg.hover()
    assert "m1" in chart.locator(".read").inner_text()
    names = chart.locator(".line").evaluate_all("lines => lines.map((l) => l.dataset.name)")
    assert names == ["hindsight", "m1", "m3", "random"]  # what they are compared with below
    page.locator('#legend button[data-name="m1"]').click()
    assert chart.locator('.line[data-name="m1"]').count() == 0
    page.locator('#legend button[data-name="m1"]').click()
    assert chart.locator('.line[data-name="m1"]').count() == 1

    before = svg.locator("text").all_text_contents()
    svg.scroll_into_view_if_needed()
    box = svg.bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.4, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.7, box["y"] + 60, steps=4)
    page.mouse.up()
    assert svg.locator("text").all_text_contents() != before
    chart.locator("figcaption button").click()
    assert svg.locator("text").all_text_contents() == before
    svg.focus()
    page.keyboard.press("+")
    assert svg.locator("text").all_text_contents() != before
    page.keyboard.press("0")
    assert svg.locator("text").all_text_contents() == before
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert "edges:" in chart.locator(".read").inner_text()


def test_every_measure_of_every_solver_draws(page, folder):
    visit(page, folder)
    for solver in ("mafs", "projection"):
        page.select_option("#solver", solver)
        for measure in page.locator("#measure option").evaluate_all("o => o.map((x) => x.value)"):
            page.select_option("#measure", measure)
            assert page.locator("#charts .chart").count() == 2
            for path in page.locator(".chart .line, .chart .band").all():
                assert "NaN" not in path.get_attribute("d")
            assert page.locator(".chart .line").count() >= 6
    assert page.locator("#meaning").inner_text().startswith("CPU time")


def state(page: Any) -> tuple[str, int, str, str]:
    """What the page of a problem shows: budget, published edges, plan, disclosure."""
    return (
        page.locator("#k-is").inner_text(),
        page.locator("#graph-place .edges .edge.disclosed").count(),
        page.locator("#plan").inner_text(),
        page.locator("#disclosed").inner_text(),
    )


def test_the_slider_moves_graph_plan_and_disclosure(page, folder):
    visit(page, folder)
    page.locator("#problems a", has_text="driverlog/small").click()
    page.wait_for_url("**/problems/driverlog-small.html")
    page.select_option("#series", label="projection, m3")
    slider = page.locator("#k")
    slider.focus()
    page.keyboard.press("Home")
    none = state(page)
    assert none[0].startswith("k = 0 ")
    assert none[1] == 0
    assert none[2] == "There is no plan at this k."
    page.keyboard.press("End")
    full = state(page)
    total = page.locator("#graph-place .edges .edge").count()
    assert full[0] == f"k = {total} of {total}"
    assert full[1] == total
    assert "board-truck" in full[2]
    assert full[3] != none[3]
    page.keyboard.press("ArrowLeft")
    between = state(page)
    assert 0 < between[1] < total
    assert slider.get_attribute("aria-valuetext").startswith(f"k = {between[1]}, ")
    steps = page.locator("#plan .step").count()
    words = page.locator("#verdict").inner_text()
    assert f"{steps} steps" in words


def test_the_graph_follows_ranking_and_agent(page, folder):
    visit(page, folder, "problems/driverlog-small.html")
    told = "edges => edges.map((e) => e.dataset.place).sort().join()"

    def published(label: str) -> str:
        page.select_option("#series", label=label)
        page.locator("#k").focus()
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        return page.locator("#graph-place .edges .edge.disclosed").evaluate_all(told)

    assert published("projection, random, seed 0") != published("projection, random, seed 1")
    assert published("projection, m3") == published("mafs, m3")
    name = page.locator("#graph-place svg").get_attribute("aria-label")
    page.select_option("#agent", index=1)
    assert page.locator("#graph-place svg").count() == 1
    assert page.locator("#graph-place svg").get_attribute("aria-label") != name
    page.locator("#graph-place").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    assert page.locator("#graph-place .here").count() == 1
    assert page.locator("#pointed").inner_text() != ""


def test_all_that_works_is_reached_by_tab(page, folder):
    visit(page, folder, "problems/logistics-small.html")
    reached = []
    for _ in range(12):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id"))
    assert [name for name in reached if name][:5] == ["series", "agent", "k", "plan", "graph-place"]


def test_large_budgets_are_shown_to_the_edge(page, tmp_path):
    rows = [run_of("d/p", k, 5 if k else None) for k in (0, 1, 42155)]
    rows = [msgspec.structs.replace(run, dependencies={"a": 42155}) for run in rows]
    store = write(tmp_path / "runs.db", rows)
    assert tacit_run(["report", str(store), "-o", str(tmp_path / "out")]) == 0
    visit(page, tmp_path / "out")
    assert page.locator(".chart figcaption button").inner_text() == "up to 42155"


def test_a_claim_opens_by_key_and_its_table_sorts(page, tmp_path):
    firsts = {"m1": 10, "m2": 1, "m3": 1, "m4": 1}
    names = [f"probLOGISTICS-{n}-0" for n in range(20)]  # other problems have no such section
    rows = [run for name in names for run in problem(name, firsts, "logistics00")]
    store = write(tmp_path / "runs.db", rows)
    assert tacit_run(["report", str(store), "-o", str(tmp_path / "out")]) == 0
    visit(page, tmp_path / "out")
    assert page.locator("#paper details").count() > 0  # at once, where a locator would wait for it
    claim = page.locator("#paper details").first
    assert not claim.locator("table").is_visible()
    claim.locator("summary").focus()
    page.keyboard.press("Enter")
    assert claim.locator("table").is_visible()
    claim.locator("thead button").first.click()
    assert claim.locator("th[aria-sort]").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "too wide"


def test_it_prints(page, folder):
    visit(page, folder)
    page.emulate_media(media="print")
    assert not page.locator("nav").is_visible()
    assert page.locator("#table-1 table").first.is_visible()
    assert page.pdf().startswith(b"%PDF")
    figures = page.locator("figure img")
    assert figures.count() > 0
    assert figures.evaluate_all("all => all.every((one) => one.complete && one.naturalWidth > 0)")

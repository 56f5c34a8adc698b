"""The documentation as a site: built strictly, and looked at in a browser, which stays silent.

It needs what `make docs` installs, Playwright's Python package and a Chromium of the system, and is
skipped without one of these.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from support.places import ROOT

pytestmark = pytest.mark.slow

ZENSICAL = Path(sys.executable).with_name("zensical")
CHROMIUM = os.environ.get("TACIT_CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
WINDOWS = {
    "desktop": (1280, 900, "light"),
    "dark": (1280, 900, "dark"),
    "phone": (390, 844, "dark"),
}
PAGES = ("", "engineers/", "cli/", "results/", "unified-planning/")


def built(folder: Path) -> subprocess.CompletedProcess[str]:
    if not ZENSICAL.is_file():
        pytest.skip("Zensical is not installed; 'make docs' does it")
    words = [ZENSICAL, "build", "--strict", "--clean"]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy, so that the site of this folder is not touched."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copy(ROOT / "zensical.toml", folder)
    shutil.copytree(ROOT / "docs", folder / "docs")
    return folder


@pytest.fixture(scope="module")
def address(source: Path) -> Iterator[str]:
    done = built(source)
    assert done.returncode == 0, done.stdout + done.stderr
    serve = partial(_Quiet, directory=str(source / "site"))
    with ThreadingHTTPServer(("127.0.0.1", 0), serve) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api")
    if not Path(CHROMIUM).is_file():
        pytest.skip(f"there is no Chromium at {CHROMIUM}; TACIT_CHROMIUM can name one")
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.mark.parametrize("window", WINDOWS)
def test_pages_are_silent_and_fit(browser: Any, address: str, window: str) -> None:
    """No word on the console, nothing from elsewhere, nothing wider than the window."""
    width, height, scheme = WINDOWS[window]
    viewport = {"width": width, "height": height}
    context = browser.new_context(viewport=viewport, color_scheme=scheme)
    said: list[str] = []
    asked: list[str] = []
    page = context.new_page()
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    for name in PAGES:
        page.goto(address + name, wait_until="networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        images = page.evaluate("[...document.images].map(i => i.naturalWidth)")
        assert all(images), name
        dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (sum(map(int, re.findall(r"\d+", dark)[:3])) < 200) == (scheme == "dark")
    context.close()
    assert said == []
    assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []


def test_home_has_a_picture_and_two_paths(browser: Any, address: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(address)
    assert page.locator("img[src$='journey.svg']").bounding_box()["width"] > 400
    cards = page.locator(".grid.cards > ul > li")
    assert cards.count() == 2
    page.get_by_role("link", name="From an idea to three hosts").first.click()
    page.wait_for_url("**/engineers/")
    assert page.locator("h1").inner_text().startswith("From an idea to three hosts")
    page.close()


def test_groups_instead_of_a_flat_list(browser: Any, address: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(address)
    assert page.locator(".md-tabs__link").count() <= 7
    page.close()


def test_a_link_that_leads_nowhere_stops_the_build(source: Path, tmp_path: Path) -> None:
    shutil.copytree(source, tmp_path / "broken", ignore=shutil.ignore_patterns("site", ".cache"))
    with (tmp_path / "broken/docs/start.md").open("a") as file:
        file.write("\n[nowhere](glossary.md#no-such-heading)\n")
    assert built(tmp_path / "broken").returncode != 0

"""A browser for pages: from a disk, without network, and with nothing to complain about.

It needs Playwright's Python package and a Chromium of the system; without either tests are skipped.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = os.environ.get("TACIT_CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"


@contextmanager
def chromium() -> Iterator[Any]:
    """The browser of this system."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="Playwright's Python package is not installed"
    )
    if not Path(CHROMIUM).is_file():
        pytest.skip(f"there is no Chromium at {CHROMIUM}; TACIT_CHROMIUM can name one")
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@contextmanager
def silent_page(browser: Any, width: int, height: int, scheme: str) -> Iterator[Any]:
    """A page that must neither complain nor ask for anything but files."""
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, offline=True
    )
    context.set_default_timeout(60_000)
    opened = context.new_page()
    said: list[str] = []
    asked: list[str] = []
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.on("request", lambda request: asked.append(request.url))
    yield opened
    context.close()
    assert said == []
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert any(url.startswith("file:") for url in asked)

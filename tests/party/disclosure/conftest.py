"""Fixtures of tests of disclosure."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.inside import unregister
from support.interactive import ECHO

from tacit.party.disclosure.ranking import RANKINGS
from tacit.registry import load_plugin


@pytest.fixture
def echo(tmp_path: Path):
    file = tmp_path / "echo.py"
    file.write_text(ECHO)
    load_plugin(file)
    yield RANKINGS.get("echo")
    unregister(RANKINGS, "echo")

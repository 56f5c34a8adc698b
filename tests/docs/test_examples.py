"""The programs under examples/ run, and say what they should."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.places import ROOT

EXAMPLES = ROOT / "examples"


def program(*arguments: str | Path) -> str:
    command = [sys.executable, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("name", "expected"),
    [("first_plan", "solved with k = 2"), ("compare_rankings", "best: ")],
)
def test_an_example_runs(name, expected):
    assert expected in program(EXAMPLES / f"{name}.py")


@pytest.mark.parametrize("ranking", ["in-turn", "answer"])
def test_a_ranking_of_ones_own_is_a_plugin(ranking):
    plugin = EXAMPLES / "my_ranking.py"
    shown = program(
        "-m", "tacit", "solve", "logistics/small", "--plugin", plugin, "--ranking", ranking
    )
    assert "solved online; k = " in shown


def test_every_example_is_tested():
    tested = {"first_plan", "compare_rankings", "my_ranking"}
    assert {path.stem for path in EXAMPLES.glob("*.py")} == tested

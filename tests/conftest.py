"""Fixtures that tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacit.cli.main import run as tacit_run

CODMAP = Path(__file__).resolve().parents[1].parent / "shared" / "benchmarks" / "codmap"


@pytest.fixture(scope="session")
def codmap() -> Path:
    """The CoDMAP problems, where they are; they are not part of Tacit."""
    if not CODMAP.is_dir():
        pytest.skip("the CoDMAP problems are not beside the repository (../shared/benchmarks)")
    return CODMAP


@pytest.fixture(scope="session")
def small_store(tmp_path_factory) -> Path:
    """A small sweep with every kind of line: several solvers, rankings and seeds."""
    path = tmp_path_factory.mktemp("sweep") / "runs.db"
    words = (
        "sweep logistics/small driverlog/small --solvers projection,mafs --rankings m1,m3,random"
    )
    words += f" --seeds 2 --levels 0:100:25 --first --time-limit 60 -o {path}"
    assert tacit_run(words.split()) == 0
    return path


@pytest.fixture(scope="session")
def small_report(small_store, tmp_path_factory) -> Path:
    """The report of that sweep; nobody may change it."""
    folder = tmp_path_factory.mktemp("report") / "report"
    assert tacit_run(["report", str(small_store), "-o", str(folder)]) == 0
    return folder

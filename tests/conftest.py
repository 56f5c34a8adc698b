"""Fixtures that tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

CODMAP = Path(__file__).resolve().parents[1].parent / "shared" / "benchmarks" / "codmap"


@pytest.fixture(scope="session")
def codmap() -> Path:
    """The CoDMAP problems, where they are; they are not part of Tacit."""
    if not CODMAP.is_dir():
        pytest.skip("the CoDMAP problems are not beside the repository (../shared/benchmarks)")
    return CODMAP

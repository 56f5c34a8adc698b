"""Fixtures of tests of sweeps."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from support.sweeps import PROGRAM


@pytest.fixture
def write_problem():
    def write(folder: Path) -> Path:
        subprocess.run(
            [*PROGRAM, "generate", "logistics", "-o", folder], check=True, capture_output=True
        )
        return folder

    return write

"""Fixtures of tests of the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.delivery import DOMAIN, PLAN, PROBLEM

from tacit.cli.main import run


class Outcome:
    def __init__(self, code: int, out: str, err: str):
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def tacit(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    """Run the command line in this process; nobody ever sees a traceback."""
    monkeypatch.delenv("TACIT_TRACEBACK", raising=False)

    def call(*args: object) -> Outcome:
        capsys.readouterr()
        code = run([str(arg) for arg in args])
        outcome = Outcome(code, *capsys.readouterr())
        assert "Traceback" not in outcome.out + outcome.err
        return outcome

    return call


@pytest.fixture
def delivery(tmp_path: Path) -> Path:
    folder = tmp_path / "delivery"
    folder.mkdir()
    (folder / "domain.pddl").write_text(DOMAIN)
    (folder / "problem.pddl").write_text(PROBLEM)
    (folder / "plan.txt").write_text(PLAN)
    return folder

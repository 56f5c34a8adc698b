"""`bench/val.py`: it counts what agrees, and finds a validator that is wrong."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

import pytest
from support import against_val
from support.places import ROOT

from tacit.central.validate.judge import Verdict

PROGRAM = ROOT / "bench" / "val.py"

pytestmark = pytest.mark.skipif(
    against_val.why_not() is not None, reason=str(against_val.why_not())
)


@pytest.fixture
def val(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The program, on one problem and few budgets."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    spec = importlib.util.spec_from_file_location("bench_val", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "POINTS", 2)
    return module


def ask(monkeypatch: pytest.MonkeyPatch, module: ModuleType, *options: str) -> None:
    monkeypatch.setattr(sys, "argv", ["val.py", "paper/example", *options])
    module.main()


def test_it_counts_what_agrees(
    val: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(monkeypatch, val, "--least", "2")
    row = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("all"))
    problems, runs, solved, distinct, accepted, mutated, *judged, spoiled, disagree = map(
        int, row.split()[1:]
    )
    assert (problems, runs, disagree) == (1, 12, 0)
    assert runs > solved >= distinct == accepted >= 2
    assert mutated == sum(judged) == distinct * val.MUTATIONS
    assert spoiled == 2 * distinct


def test_too_few_plans_are_not_enough(val: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit, match=r"0 complaints; .* expected 1000 or more"):
        ask(monkeypatch, val, "--least", "1000")


def test_a_validator_that_accepts_everything_is_found(
    val: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(against_val, "validate", lambda *_: Verdict(True, "fine", None, (), 1))
    with pytest.raises(SystemExit, match=r"[1-9]\d* complaints"):
        ask(monkeypatch, val, "--least", "1")
    assert "VAL rejects it; ours: fine" in capsys.readouterr().out


def test_judges_that_both_accept_what_is_no_plan_are_found(
    val: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(val, "compare", lambda *_: "valid")
    with pytest.raises(SystemExit, match=r"[1-9]\d* complaints"):
        ask(monkeypatch, val, "--least", "1")
    assert "this plan is invalid, but the verdict is 'valid'" in capsys.readouterr().out

"""`bench/ablate.py`: every stage can still be left out, and its table says what that does."""

from __future__ import annotations

import importlib
import shutil
import sys
from dataclasses import fields
from types import ModuleType

import pytest
from support.places import ROOT

from tacit.policy import POLICY


@pytest.fixture
def stages(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT / "bench")])
    return importlib.import_module("stages")


def test_numbers_and_switches_are_those_of_the_core(stages, tmp_path):
    """A number that is gone, or a line that a switch no longer finds, ends it with an error."""
    core, other = (shutil.copytree(ROOT / "src/core", tmp_path / name) for name in "ab")
    stages.adjust(core)
    assert "number(" in (core / "util/tuning.hpp").read_text()
    (other / "mafs/frontier.cpp").write_text("")
    with pytest.raises(SystemExit, match="not there once"):
        stages.adjust(other)
    with pytest.raises(SystemExit, match="has no"):
        stages.adjust(core)


def test_numbers_and_methods_are_those_of_python(stages):
    for stage in stages.STAGES:
        for name in stage.policy:
            group, number = name.split(".")
            assert number in {one.name for one in fields(getattr(POLICY, group))}, name
        for name in stage.methods:
            module, owner, attribute = name.split(":")
            assert hasattr(getattr(importlib.import_module(module), owner), attribute), name


def test_every_engine_is_a_stage(stages):
    assert set(stages.ENGINES) == set(POLICY.planner.portfolio)


def test_the_table_compares_the_same_problems(stages):
    table = importlib.import_module("ablation_table").table

    def row(stage, problem, outcome, disclosed, seconds):
        found = {"stage": stage, "way": "auto", "problem": problem, "outcome": outcome}
        return {**found, "sum": str(disclosed), "seconds": str(seconds)}

    whole = [row("nothing left out", p, "solved", n, 1) for p, n in (("a", 2), ("b", 4), ("c", 9))]
    made = table([*whole, row("x", "a", "solved", 6, 2), row("x", "b", "time", 7, 8)])
    assert made.splitlines()[-1] == "| x | auto | 1 of 2 | 1 | 0 | 2.0 → 6.0 | 2.0 → 10.0 |"

"""Leaving out a stage of the policy changes what some run does: `bench/work.py` counts it."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support.places import ROOT

sys.path.append(str(ROOT / "bench"))
stages = importlib.import_module("stages")
sys.path.remove(str(ROOT / "bench"))

Work = dict[str, list[object]]
WHOLE, *LEFT_OUT = stages.STAGES
AT_ONCE = (
    *("pessimistic projection", "engine climb", "auto: a plan of the projection first"),
    *("wishes", "goal: inferred achievers"),
)
"""What shows in the first scene, and needs no other core."""
UNSEEN = {
    "pessimistic search again": "it pays where a plan takes more than 12,000 states",
    "switch after prefixes": "at most 13 are ruled out in any problem that is small",
    "auto: forward search first at the end": "auto ends before everything is disclosed",
    "goal: promise": "it saves time and changes no choice",
    "goal: pauses": "searches in vain are rare where there are few edges",
}
"""No scene shows these, so none of them is checked."""


def work(stage: object, core: Path | None, *args: str) -> Work:
    environment = os.environ | stage.environment  # type: ignore[attr-defined]
    if core is not None:
        environment["TACIT_CORE_DIR"] = str(core)
    program = [sys.executable, str(ROOT / "bench/work.py"), stage.name, *args]  # type: ignore[attr-defined]
    done = subprocess.run(program, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def shown(folder: Path, core: Path | None, *args: str) -> Callable[[object], bool]:
    """Is the last run with a stage left out another one?"""
    whole = work(WHOLE, core, *args)
    (folder / "whole.json").write_text(json.dumps(whole))

    def is_shown(stage: object) -> bool:
        without = work(stage, core, *args, "--but", str(folder / "whole.json"))
        return any(whole[name] != made for name, made in without.items())

    return is_shown


def test_some_switches_work_at_once(tmp_path):
    is_shown = shown(tmp_path, None, "--scenes", "1")
    assert not is_shown(WHOLE), "the same run twice"
    for stage in LEFT_OUT:
        assert stage.name not in AT_ONCE or is_shown(stage), stage.name


@pytest.fixture(scope="module")
def is_shown(tmp_path_factory: pytest.TempPathFactory) -> Callable[[object], bool]:
    return shown(tmp_path_factory.mktemp("switches"), stages.adjustable_core())


def parameters():
    for stage in LEFT_OUT:
        unseen = pytest.mark.xfail(reason=UNSEEN.get(stage.name))
        marks = [pytest.mark.slow, *([unseen] if stage.name in UNSEEN else [])]
        yield pytest.param(stage, id=stage.name, marks=marks)


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("stage", list(parameters()))
def test_every_switch_switches_off_its_stage(stage, is_shown):
    assert is_shown(stage), "no scene of bench/work.py is another one without it"

"""Sweeps are not stopped by a crash, a kill or a broken problem."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.places import MOODS
from support.sweeps import PROGRAM, SEVERAL, small, stored, swept
from support.waiting import until

from tacit.experiment.run import levels, pool, worker
from tacit.experiment.run.row import RunOutcome


def count_of(path: Path) -> int:
    try:
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            (count,) = connection.execute("SELECT count(*) FROM runs").fetchone()
            return int(count)
    except sqlite3.Error:  # there is no store yet
        return 0


def kill_at(path: Path, args: list[str], rows: int, delay: float) -> bool:
    """Kill a sweep some time after its store has so many rows; was it still running?"""
    program = subprocess.Popen(
        [*PROGRAM, *args, "-o", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    while count_of(path) < rows and program.poll() is None:
        time.sleep(0.002)
    time.sleep(delay)
    program.send_signal(signal.SIGKILL)
    return program.wait() == -signal.SIGKILL


@pytest.mark.parametrize("count", [3, pytest.param(20, marks=pytest.mark.slow)])
def test_a_killed_sweep_goes_on_where_it_stopped(tmp_path, count):
    args = ["sweep", *SEVERAL, "--rankings", "m1,random", "--seeds", "2", "--levels", "0:100:10"]
    whole, path = tmp_path / "whole.db", tmp_path / "runs.db"
    subprocess.run([*PROGRAM, *args, "-o", whole], check=True, capture_output=True)
    moments = random.Random(count)
    killed, before = 0, 0
    for _ in range(count):
        more = moments.randrange(count_of(whole) // (2 * count))
        killed += kill_at(
            path, [*args, "--jobs", "2"], before + more, moments.uniform(0, 0.3 / count)
        )
        assert count_of(path) >= before  # nothing is ever lost
        before = count_of(path)
    assert 0 < before < count_of(whole)
    assert killed == count
    subprocess.run([*PROGRAM, *args, "-o", path], check=True, capture_output=True)
    assert stored(path) == stored(whole)


def test_a_sweep_that_is_interrupted_says_how_to_go_on(tmp_path):
    path = tmp_path / "runs.db"
    args = ["sweep", "quick", "--plugin", MOODS, "--solvers", "moody", "--rankings", "random"]
    program = subprocess.Popen(
        [*PROGRAM, *args, "--seeds", "4", "--levels", "0:100:10", "-o", path],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    until(lambda: count_of(path) > 0)
    program.send_signal(signal.SIGINT)
    out, err = program.communicate(timeout=60)
    assert program.returncode == 130
    assert out == ""
    assert "continues from here: tacit sweep quick" in err
    assert "Traceback" not in err
    assert not Path(f"{path}.lock").exists()


EXPECTED = {
    "raise": (RunOutcome.CRASH, "KeyError at moods.py:"),
    "abort": (RunOutcome.CRASH, "SIGABRT"),
    "eat": (RunOutcome.MEMORY, ""),
    "hang": (RunOutcome.TIME, "ended from outside"),
    "kill": (RunOutcome.MEMORY, "killed by the system"),
    "wrong": (RunOutcome.INVALID_PLAN, "the validator rejects the plan"),
    "exit": (RunOutcome.CRASH, "exit code 7"),
}


LATE = pool.Grace(seconds=-54.0, share=0.0)  # with a limit of 60: ended from outside after 6


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS does not limit address space")
def test_whatever_becomes_of_a_run_the_others_go_on(tmp_path):
    options = {
        "rankings": ("random",),
        "seeds": 8,
        "levels": levels.parse_levels("0:100:25"),
        "time_limit": 60.0,
        "memory_limit": 300,
        "smallest": True,
    }
    moody = small(**options, plugins=(MOODS,), solvers=("moody",))
    rows = swept(tmp_path / "moody.db", moody, 2, LATE)
    sane = {
        (r.unit.seed, r.asked): (r.outcome, r.k, r.cost, r.plan)
        for r in swept(tmp_path / "sane.db", small(**options), 2).values()
    }
    assert len(rows) == len(sane) == 8 * 6
    for row in rows.values():
        mood = [*EXPECTED, "fine"][row.unit.seed]
        if row.asked == "3" and mood in EXPECTED:
            outcome, said = EXPECTED[mood]
            assert (mood, row.own_outcome, row.k) == (mood, outcome, 3)
            assert said in row.detail
            assert row.largest == 4
        else:
            assert (row.outcome, row.k, row.cost, row.plan) == sane[row.unit.seed, row.asked]


def leave(_now, out, _life):
    """A worker that ends at once, in its own way."""
    out.close()
    os._exit(7)


def test_the_exit_code_is_right_when_many_processes_end_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr(worker, "main", leave)
    sweep = small(rankings=("random",), seeds=60, levels=levels.parse_levels("0:100:100"))
    rows = swept(tmp_path / "runs.db", sweep, 6)
    assert {r.detail for r in rows.values()} == {"exit code 7"}


def test_a_unit_that_cannot_be_loaded_is_one_row(tmp_path):
    options = {"rankings": ("random",), "seeds": 3, "time_limit": 60.0, "plugins": (MOODS,)}
    rows = swept(tmp_path / "runs.db", small(**options, solvers=("unloadable",)), 2, LATE)
    assert {(r.unit.seed, r.asked): r.outcome for r in rows.values()} == {
        (0, "all"): RunOutcome.BAD_INPUT,
        (1, "all"): RunOutcome.CRASH,
        (2, "all"): RunOutcome.TIME,
    }


def test_a_broken_problem_is_recorded_and_the_rest_goes_on(tmp_path, write_problem):
    write_problem(tmp_path / "tree" / "d" / "good")
    broken = write_problem(tmp_path / "tree" / "d" / "broken")
    (broken / "problem.pddl").write_text("(define (problem")
    rows = swept(tmp_path / "runs.db", small(str(tmp_path / "tree")))
    found = {(r.unit.problem, r.outcome) for r in rows.values()}
    assert ("d/broken", RunOutcome.BAD_INPUT) in found
    assert ("d/good", RunOutcome.SOLVED) in found
    (bad,) = (r for r in rows.values() if r.outcome is RunOutcome.BAD_INPUT)
    assert bad.detail.startswith("problem.pddl:1: ")
    assert bad.asked == "all"

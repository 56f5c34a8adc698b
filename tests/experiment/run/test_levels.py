"""Levels are budgets; what is left is a function of what is there."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.errors import InputError
from tacit.experiment.run import levels
from tacit.experiment.run.row import ONLINE, SMALLEST, Run, RunOutcome, Unit

UNIT = Unit("d/p", "d", "factored", "ab", "projection", "tacit", "{}", "m1", 0, None, None, "", "1")
OTHERS = (SMALLEST, ONLINE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0:100:5", list(range(0, 101, 5))),
        ("10:30:15", [10, 25]),
        ("50, 0,50", [0, 50]),
        ("7:7:1", [7]),
        ("0:1:0.5", [0, Fraction(1, 2), 1]),
        ("33.3", [Fraction(333, 10)]),
    ],
)
def test_levels_are_read(text, expected):
    assert levels.parse_levels(text) == tuple(expected)


@pytest.mark.parametrize(
    "text", ["", "x", "5:1:1", "0:100:0", "0:101:1", "0:100", "-5", "1,,2", "0:100:0.001", "1e2"]
)
def test_malformed_levels_are_refused(text):
    with pytest.raises(InputError):
        levels.parse_levels(text)


@given(st.integers(0, 10**6), st.fractions(0, 100))
def test_a_level_is_rounded_up(largest, level):
    assert levels.budget(level, largest) == math.ceil(level * largest / 100)


def run(asked, outcome=RunOutcome.SOLVED, **fields):
    k = int(asked) if asked.isdecimal() else None
    fields = {"k": k, "dependencies": {"a": 8, "b": 2}, **fields}
    return Run(unit=UNIT, asked=asked, outcome=outcome, **fields)


def test_what_is_left():
    wanted = levels.parse_levels("0:100:25")
    assert levels.remaining({}, wanted, OTHERS) is None
    assert levels.remaining({"4": run("4")}, wanted, OTHERS) == ["8", "6", "2", "0", *OTHERS]
    left = levels.remaining({SMALLEST: run(SMALLEST)}, wanted, OTHERS)
    assert left == ["8", "6", "4", "2", "0", ONLINE]
    assert levels.remaining({"all": run("all", RunOutcome.BAD_INPUT)}, wanted, OTHERS) == []


def test_a_proof_settles_all_below_it():
    done = {"4": run("4", RunOutcome.NO_PLAN, settles=True), "6": run("6", RunOutcome.NO_PLAN)}
    found = [levels.settled_by(done, asked) for asked in ("8", "6", "5", "4", "3", SMALLEST)]
    assert found == [None, None, None, None, 4, None]


def test_levels_are_derived():
    done = {"8": run("8"), "2": run("2", RunOutcome.NO_PLAN)}
    assert levels.result_at(done, Fraction(100)) is done["8"]
    assert levels.result_at(done, Fraction(20)) is levels.result_at(done, Fraction(25)) is done["2"]
    assert levels.result_at(done, Fraction(50)) is None
    broken = {"all": run("all", RunOutcome.CRASH)}
    assert levels.result_at(broken, Fraction(50)) is broken["all"]

"""`bench/first.py`: what it makes of rows of which the answer is plain."""

import importlib.util
import sys

import msgspec
import pytest
from support.places import ROOT
from support.reporting import run_of, write

PROGRAM = ROOT / "bench" / "first.py"


@pytest.fixture(scope="module")
def first():
    spec = importlib.util.spec_from_file_location("bench_first", PROGRAM)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def row(problem, ranking, disclosed, repairs=None, solved=True):
    made = run_of(f"d/{problem}", 3, 5 if solved else None, ranking=ranking)
    return msgspec.structs.replace(
        made, asked="smallest", disclosed=disclosed, repairs=repairs or {}
    )


def rows(problem, goal, others):
    """`goal`, and the four of the paper, as edges of one agent; None is unsolved."""
    told = dict(zip(("goal", "m1", "m2", "m3", "m4"), (goal, *others), strict=True))
    return [row(problem, name, {"a": n or 0}, solved=n is not None) for name, n in told.items()]


def printed(first, monkeypatch, capsys, path, *options):
    monkeypatch.setattr(sys, "argv", ["first.py", *options, str(path)])
    first.main()
    return capsys.readouterr().out.splitlines()


def test_an_agent_that_disclosed_much_is_not_hidden_by_two_that_disclosed_some(first):
    found = row("p1", "goal", {"a": 4, "b": 2}, {"b": 5, "a": 1})
    assert found.most_disclosed == 7
    assert first.cell([found]) == "2+5"


def test_means_are_over_problems_that_all_solved(first, tmp_path, monkeypatch, capsys):
    runs = rows("p1", 2, (4, 8, 6, 8)) + rows("p2", 4, (8, 3, 8, 8))
    runs += rows("p3", 900, (1, 1, None, 1)) + rows("p10", None, (5, None, None, None))
    out = printed(first, monkeypatch, capsys, write(tmp_path / "s.db", runs), "--problems")
    assert [line.split()[1] for line in out[:4]] == ["d/p1", "d/p2", "d/p3", "d/p10"]
    assert [line.endswith("*") for line in out[:4]] == [False, True, True, True]
    run_options = "3.00 3 6.00 4 5.50 3 7.00 2 8.00 3"
    assert (
        " ".join(out[-1].split()) == f"projection d 2/ 4 {run_options} m2 1 2.00 / 8.00 4.00 / 3.00"
    )


def test_it_says_where_goal_is_worse(first, tmp_path, monkeypatch, capsys):
    store = write(tmp_path / "s.db", rows("p1", 9, (8, 9, 9, 9)))
    assert printed(first, monkeypatch, capsys, store)[-1].endswith("worse")

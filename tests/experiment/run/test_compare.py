"""Comparing sweeps, and exporting them."""

from __future__ import annotations

import csv
import io
import json
import sys
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.cli.main import run as command_line
from tacit.errors import ExitCode, InputError
from tacit.experiment.run import export
from tacit.experiment.run.compare import compare
from tacit.experiment.run.restore import read_runs
from tacit.experiment.run.row import Run, RunOutcome, Unit
from tacit.experiment.run.store import Store
from tacit.experiment.run.store_layout import COLUMNS

UNIT = Unit("d/p", "d", "unfactored", "", "projection", "paper", "{}", "m1", 0, 9.0, None, "", "1")


def a_run(asked="3", outcome=RunOutcome.SOLVED, problem="d/p", **fields) -> Run:
    unit = msgspec.structs.replace(UNIT, problem=problem)
    if outcome is RunOutcome.SOLVED:
        fields = {"cost": 7, "k": 3, "plan": "(a b)\n(c)\n", "seconds_total": 1.5, **fields}
    return Run(unit=unit, asked=asked, outcome=outcome, dependencies={"x": 4, "y": 2}, **fields)


def store_of(path: Path, *runs: Run) -> Path:
    with Store.open(path, write=True) as store:
        for run in runs:
            store.add(run)
    return path


def test_a_loss_is_a_loss(tmp_path, capsys):
    before = store_of(
        tmp_path / "a.db",
        a_run("0", RunOutcome.NO_PLAN),
        a_run("1", RunOutcome.TIME),
        a_run("2"),
        a_run("3", cost=9),
        a_run("smallest", k=2),
        a_run("1", problem="d/old"),
    )
    after = store_of(
        tmp_path / "b.db",
        a_run("0", RunOutcome.TIME),
        a_run("1"),
        a_run("2", RunOutcome.MEMORY),
        a_run("3", cost=7),
        a_run("smallest", k=1),
    )
    assert command_line(["compare", str(before), str(after)]) == 1
    told = capsys.readouterr().out
    assert told.startswith(
        "worse: 1 newly solved, 1 lost.\n5 runs in both: 3 solved before, 3 after"
    )
    assert "1 only before, 0 only after" in told
    assert "d/p (unfactored, projection, paper, m1, seed 0, k=2): solved → memory" in told
    assert "seed 0, k=1): time → solved" in told
    assert "seed 0, k=0): no plan → time" in told
    assert "seed 0, k=3): 9 → 7" in told
    assert "seed 0, smallest): 2 → 1" in told
    assert "cost 16 before, 14 after" in told
    assert command_line(["compare", "--json", str(before), str(after)]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["verdict"], len(found["lost"]), found["cost_before"]) == ("worse", 1, 16)


@pytest.mark.parametrize(
    ("outcomes", "verdict"),
    [
        ((RunOutcome.TIME, RunOutcome.SOLVED), "better"),
        ((RunOutcome.TIME, RunOutcome.CRASH), "the same"),
    ],
)
def test_no_loss_no_alarm(tmp_path, capsys, outcomes, verdict):
    paths = [store_of(tmp_path / f"{n}.db", a_run("1", o)) for n, o in enumerate(outcomes)]
    assert command_line(["compare", *map(str, paths)]) == 0
    assert capsys.readouterr().out.startswith(f"{verdict}: ")


def test_what_cannot_be_compared_is_reported(tmp_path, capsys):
    one = store_of(tmp_path / "a.db", a_run("1"))
    other = store_of(tmp_path / "b.db", a_run("2"))
    assert command_line(["compare", str(one), str(other)]) == 31
    assert "no run in common" in capsys.readouterr().err
    assert command_line(["compare", str(one), str(tmp_path / "c.db")]) == 31
    assert "there is no store" in capsys.readouterr().err
    later = msgspec.structs.replace(UNIT, version="2")
    two = [a_run("1"), msgspec.structs.replace(a_run("1"), unit=later)]
    with pytest.raises(InputError, match="two runs of"):
        compare(two, two)


OUTCOMES = st.sampled_from([RunOutcome.SOLVED, RunOutcome.TIME, RunOutcome.NO_PLAN])


@settings(max_examples=100)
@given(st.dictionaries(st.integers(0, 4), st.tuples(OUTCOMES, OUTCOMES), min_size=1))
def test_back_and_forth(pairs):
    old = [a_run(str(k), o) for k, (o, _) in pairs.items()]
    new = [a_run(str(k), o) for k, (_, o) in pairs.items()]
    there, back = compare(old, new), compare(new, old)
    assert [c.run for c in there.gained] == [c.run for c in back.lost]
    assert [c.run for c in there.lost] == [c.run for c in back.gained]
    assert {c.run for c in there.changed} == {c.run for c in back.changed}
    assert there.solved_after - there.solved_before == len(there.gained) - len(there.lost)
    assert (there.verdict == "worse") == any(
        a is RunOutcome.SOLVED and b is not RunOutcome.SOLVED for a, b in pairs.values()
    )


def test_csv_has_everything(tmp_path):
    path = store_of(tmp_path / "a.db", a_run("3", used={"x": 2}), a_run("1", RunOutcome.CRASH))
    target = tmp_path / "runs.csv"
    assert command_line(["export", str(path), "--csv", str(target)]) == 0
    with target.open(newline="") as file:
        crashed, solved = csv.DictReader(file)
    assert list(solved) == list(export.EXPORTED)
    assert set(solved) >= set(COLUMNS)
    assert (solved["plan"], solved["used_max"], solved["cost"]) == ("(a b) (c)", "2", "7")
    assert json.loads(solved["dependencies"]) == {"x": 4, "y": 2}
    assert (crashed["outcome"], crashed["cost"], crashed["plan"]) == ("crash", "", "")


def test_parquet_has_everything(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra 'parquet' is not installed")
    runs = [a_run("1", RunOutcome.CRASH), a_run("3")]
    path = store_of(tmp_path / "a.db", *runs)
    target = tmp_path / "runs.parquet"
    assert command_line(["export", str(path), "--parquet", str(target)]) == 0
    assert parquet.read_table(target).to_pylist() == [export.flat(run) for run in runs]
    assert command_line(["export", str(path), "--parquet", str(tmp_path / "new" / "x")]) == 0
    assert command_line(["export", str(path), "--parquet", str(target / "x")]) == 31


def test_parquet_without_pyarrow(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    path = store_of(tmp_path / "a.db", a_run())
    assert command_line(["export", str(path), "--parquet", str(tmp_path / "x")]) == 31
    assert "pip install '.[parquet]'" in capsys.readouterr().err


def test_lab_gets_a_run_per_level(tmp_path):
    runs = [a_run("0", RunOutcome.NO_PLAN), a_run("2", RunOutcome.CRASH, detail="boom"), a_run("4")]
    path = store_of(tmp_path / "a.db", *runs, a_run("smallest", k=3))
    folder = tmp_path / "eval"
    assert command_line(["export", str(path), "--lab", str(folder), "--levels", "0:100:10"]) == 0
    properties = json.loads((folder / "properties").read_text())
    at = {entry["algorithm"].rpartition(":")[2]: entry for entry in properties.values()}
    assert set(at) == {"0%", "30%", "40%", "50%", "80%", "90%", "100%", "smallest"}
    assert {name for name, entry in at.items() if entry["coverage"]} == {
        "80%",
        "90%",
        "100%",
        "smallest",
    }
    assert at["50%"]["unexplained_errors"] == ["boom"]
    assert "cost" not in at["0%"]
    for name, entry in properties.items():
        assert name == "-".join(entry["id"])
        assert entry["id"] == [entry["algorithm"], entry["domain"], entry["problem"]]
        assert (entry["domain"], entry["problem"]) == ("d", "p")
    later = msgspec.structs.replace(UNIT, version="2")
    with pytest.raises(InputError, match="two runs of"):
        export.lab_properties(
            [runs[0], msgspec.structs.replace(runs[0], unit=later)], [Fraction(0)]
        )


def test_nothing_to_export(tmp_path, capsys):
    path = store_of(tmp_path / "a.db", a_run())
    assert command_line(["export", str(path)]) == 2
    assert "--lab, --csv or --parquet" in capsys.readouterr().err
    assert command_line(["export", str(path), "--csv", str(tmp_path)]) == 31
    assert command_line(["export", str(path), "--lab", str(path)]) == 31


@pytest.mark.parametrize("name", ["runs.csv", "runs.csv.gz"])
def test_what_is_exported_can_be_restored(tmp_path, capsys, name):
    runs = [a_run("1", RunOutcome.CRASH), a_run("3", used={"x": 2}, detail='a, "b"\nc')]
    path, target = store_of(tmp_path / "a.db", *runs), tmp_path / name
    again = tmp_path / "b.db"
    assert command_line(["export", str(path), "--csv", str(target)]) == 0
    for _ in range(2):  # the second time nothing is new
        assert command_line(["restore", str(target), "-o", str(again)]) == 0
    with Store.open(again) as store:
        assert store.rows() == runs
    assert "Restored 2 runs." in capsys.readouterr().out


def test_files_from_before_ties_can_be_restored(tmp_path):
    tied = msgspec.structs.replace(UNIT, ties=3)
    runs = [a_run("1"), msgspec.structs.replace(a_run("2"), unit=tied)]
    target = tmp_path / "runs.csv"
    target.write_text(export.to_csv(runs))
    assert [run.unit.ties for run in read_runs(target)] == [None, 3]
    rows = list(csv.DictReader(io.StringIO(export.to_csv(runs[:1]))))
    names = [name for name in COLUMNS if name != "ties"]
    with target.open("w", newline="") as file:
        writer = csv.DictWriter(file, names, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    assert list(read_runs(target)) == runs[:1]


def test_plans_can_be_left_out(tmp_path):
    path, target = store_of(tmp_path / "a.db", a_run("3")), tmp_path / "runs.csv"
    assert command_line(["export", str(path), "--csv", str(target), "--no-plans"]) == 0
    (run,) = read_runs(target)
    assert run == msgspec.structs.replace(a_run("3"), plan="")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", b"x,y\n1,2\n", "has no column 'problem'"),
        ("a.csv", b"\xff\xfe", "not a text"),
        ("a.csv.gz", b"no gzip", "cannot read"),
        ("none.csv", None, "cannot read"),
    ],
)
def test_what_cannot_be_restored(tmp_path, capsys, name, content, message):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    command = ["restore", str(tmp_path / name), "-o", str(tmp_path / "b.db")]
    assert command_line(command) == ExitCode.BAD_INPUT
    assert message in capsys.readouterr().err
    assert not (tmp_path / "b.db").exists()


def test_a_line_that_is_no_run_is_reported_by_its_number(tmp_path, capsys):
    path, target = store_of(tmp_path / "a.db", a_run("3")), tmp_path / "runs.csv"
    assert command_line(["export", str(path), "--csv", str(target)]) == 0
    target.write_text(target.read_text().replace("solved", "dissolved"))
    assert command_line(["restore", str(target), "-o", str(tmp_path / "b.db")]) == 31
    assert "line 2: Invalid enum value" in capsys.readouterr().err

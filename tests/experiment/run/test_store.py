"""The store keeps runs as they are, refuses what is no store, and has one writer."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.errors import InputError
from tacit.experiment.run.export import to_csv
from tacit.experiment.run.restore import read_runs
from tacit.experiment.run.row import Run, RunOutcome, Unit
from tacit.experiment.run.store import Store
from tacit.experiment.run.store_layout import COLUMNS, SCHEMA

UNIT = Unit("d/p", "d", "factored", "ab", "projection", "tacit", "{}", "m1", 0, 1.5, None, "", "1")
MADE = ("extension", "replanned", "replanned_max", "changed_over", "taken_over", "planner")
COUNTS = st.dictionaries(st.text(max_size=3), st.integers(0, 99), max_size=3)
MAYBE = st.none() | st.integers(0, 10**9)
SECONDS = st.none() | st.floats(0, 1e6)
UNITS = st.builds(
    Unit,
    seed=st.integers(0, 5),
    time_limit=SECONDS,
    memory_limit=st.none() | st.integers(1, 9),
    ties=st.none() | st.integers(0, 5),
)
RUNS = st.builds(
    Run,
    unit=UNITS,
    asked=st.sampled_from(["0", "7", "smallest", "online", "all"]),
    outcome=st.sampled_from(RunOutcome),
    k=MAYBE,
    dependencies=COUNTS,
    used=COUNTS,
    cost=MAYBE,
    extension=st.sampled_from([None, "strict", "replanned"]),
    replanned=COUNTS,
    seconds_total=SECONDS,
    settles=st.booleans(),
    optimal=st.booleans(),
    plan=st.text(),
)


@settings(max_examples=30, deadline=None)
@given(st.lists(RUNS, max_size=6))
def test_what_is_added_is_what_is_read(tmp_path_factory, runs):
    path = tmp_path_factory.mktemp("store") / "runs.db"
    kept = {}
    with Store.open(path, write=True) as store:
        for run in runs:
            store.add(run)
            kept.setdefault((run.unit.key, run.asked), run)
    with Store.open(path) as store:
        rows = store.rows()
        assert len(rows) == len(kept)
        assert {(run.unit.key, run.asked): run for run in rows} == kept
        for key, found in store.done({run.unit.key for run in runs}).items():
            assert found == {asked: run for (k, asked), run in kept.items() if k == key}


def test_rows_can_be_chosen(tmp_path):
    with Store.open(tmp_path / "runs.db", write=True) as store:
        for ranking in ("m1", "m2"):
            unit = msgspec.structs.replace(UNIT, ranking=ranking)
            store.add(
                Run(unit=unit, asked="1", outcome=RunOutcome.SOLVED, disclosed={"a": 1, "b": 4})
            )
        assert [run.unit.ranking for run in store.rows(ranking="m2")] == ["m2"]
        assert len(store.rows(disclosed_max=4)) == 2
        with pytest.raises(InputError, match="no column 'size'"):
            store.rows(size=1)


def test_every_part_of_the_configuration_tells_runs_apart():
    changed = {
        "seed": 1,
        "time_limit": None,
        "memory_limit": 5,
        **{
            name: "other"
            for name in Unit.__struct_fields__
            if name not in ("seed", "time_limit", "memory_limit")
        },
    }
    keys = {msgspec.structs.replace(UNIT, **{name: value}).key for name, value in changed.items()}
    assert len(keys | {UNIT.key}) == len(Unit.__struct_fields__) + 1


def test_the_file_is_plain_sqlite(tmp_path):
    path = tmp_path / "runs.db"
    with Store.open(path, write=True) as store:
        store.add(
            Run(unit=UNIT, asked="1", outcome=RunOutcome.NO_PLAN, dependencies={"a": 3, "b": 9})
        )
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT problem, outcome, dependencies_max FROM runs").fetchall() == [
        ("d/p", "no plan", 9)
    ]
    assert [row[1] for row in connection.execute("PRAGMA table_info(runs)")] == list(COLUMNS)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


@pytest.mark.parametrize("write", [True, False])
def test_what_is_no_store_is_refused(tmp_path, write):
    text = tmp_path / "notes.txt"
    text.write_text("not a database " * 100)
    foreign = tmp_path / "foreign.db"
    old = tmp_path / "old.db"
    new = tmp_path / "new.db"
    Store.open(old, write=True).close()
    Store.open(new, write=True).close()
    for path, script in (
        (foreign, "CREATE TABLE t (x); PRAGMA user_version = 3"),
        (old, "PRAGMA user_version = 0"),
        (new, f"PRAGMA user_version = {SCHEMA + 1}"),
    ):
        connection = sqlite3.connect(path)
        connection.executescript(script)
        connection.close()
    for path, said in (
        (text, "not a store of Tacit"),
        (foreign, "not a store of Tacit"),
        (old, "older Tacit"),
        (new, "newer Tacit"),
        (tmp_path, "not a store" if write else "no store"),
        (tmp_path / "nowhere" / "x.db", "cannot write" if write else "no store"),
    ):
        before = path.read_bytes() if path.is_file() else None
        with pytest.raises(InputError, match=said):
            Store.open(path, write=write)
        assert not path.with_name(path.name + ".lock").exists()
        assert before is None or path.read_bytes() == before


def take_away(connection, layout, *columns):
    """Make a store one of an earlier layout, which lacks these columns, and what came last."""
    lacks = (*columns, *(("leakage",) if layout < 7 else ()))
    lacks += (*(("optimal",) if layout < 8 else ()), "cleaned")
    dropped = "".join(f"ALTER TABLE runs DROP COLUMN {name}; " for name in lacks)
    connection.executescript(f"{dropped}PRAGMA user_version = {layout}")
    connection.close()


def layout_1(path):
    """A store as it was before there were ties, with one run."""
    with Store.open(path, write=True) as store:
        store.add(Run(unit=UNIT, asked="3", outcome=RunOutcome.SOLVED, k=3))
    connection = sqlite3.connect(path)
    take_away(connection, 1, "ties", "weights", "price", "price_max", *MADE)
    return path


def test_a_store_without_ties_is_read_and_written_on(tmp_path):
    path = layout_1(tmp_path / "runs.db")
    before = path.read_bytes()
    with Store.open(path) as store:
        (run,) = store.rows(ties="None", ranking="m1")
        assert run.unit == UNIT
        assert store.rows(ties=0) == []
        assert "3" in store.done([UNIT.key])[UNIT.key]
    assert path.read_bytes() == before
    tied = msgspec.structs.replace(UNIT, ties=4)
    assert tied.key != UNIT.key
    with Store.open(path, write=True) as store:
        store.add(Run(unit=tied, asked="3", outcome=RunOutcome.NO_PLAN, k=3))
        store.add(Run(unit=UNIT, asked="3", outcome=RunOutcome.NO_PLAN, k=3))
    for write in (True, False):
        with Store.open(path, write=write) as store:
            assert {run.unit.ties: run.solved for run in store.rows()} == {None: True, 4: False}
            assert [run.unit for run in store.rows(ties="4")] == [tied]


def test_a_store_without_planners_is_read_and_written_on(tmp_path):
    path = tmp_path / "runs.db"
    other = msgspec.structs.replace(UNIT, planner="fd")
    with Store.open(path, write=True) as store:
        store.add(Run(unit=UNIT, asked="3", outcome=RunOutcome.SOLVED, k=3))
    take_away(sqlite3.connect(path), 4, "planner")
    with Store.open(path, write=True) as store:
        store.add(Run(unit=other, asked="3", outcome=RunOutcome.SOLVED, k=3))
        assert {run.unit for run in store.rows()} == {UNIT, other}


def test_a_store_without_cleaned_plans_is_read_and_written_on(tmp_path):
    path = tmp_path / "runs.db"
    worth = {"plan_length": 3, "cost": 3, "makespan": 2, "makespan_paper": 2}
    with Store.open(path, write=True) as store:
        store.add(Run(unit=UNIT, asked="3", outcome=RunOutcome.SOLVED, k=3, optimal=True))
    take_away(sqlite3.connect(path), 8)
    with Store.open(path) as store:
        (run,) = store.rows()
        assert (run.cleaned, run.optimal) == ({}, True)
    with Store.open(path, write=True) as store:
        store.add(Run(unit=UNIT, asked="4", outcome=RunOutcome.SOLVED, k=4, cleaned=worth))
    with Store.open(path) as store:
        assert {run.asked: run.cleaned for run in store.rows()} == {"3": {}, "4": worth}


def test_a_store_without_leakage_is_read_and_written_on(tmp_path):
    path = tmp_path / "runs.db"
    known = {"a": {"certain": 1.0, "guessed_right": 2.0, "bits_b": 0.5}}
    with Store.open(path, write=True) as store:
        store.add(Run(unit=UNIT, asked="3", outcome=RunOutcome.SOLVED, k=3))
    take_away(sqlite3.connect(path), 6)
    with Store.open(path) as store:
        (run,) = store.rows()
        assert (run.leakage, run.leaked("certain"), run.known_edges) == ({}, None, None)
    more = Run(unit=UNIT, asked="4", outcome=RunOutcome.SOLVED, disclosed={"a": 3}, leakage=known)
    with Store.open(path, write=True) as store:
        store.add(more)
    with Store.open(path) as store:
        (run,) = [run for run in store.rows() if run.leakage]
        assert (run.leakage, run.leaked("bits_b"), run.known_edges) == (known, 0.5, 5)


def test_a_store_without_prices_is_read_and_written_on(tmp_path):
    path = tmp_path / "runs.db"
    tied = msgspec.structs.replace(UNIT, ties=2)
    with Store.open(path, write=True) as store:
        store.add(Run(unit=tied, asked="3", outcome=RunOutcome.SOLVED, k=3))
    take_away(sqlite3.connect(path), 2, "weights", "price", "price_max", *MADE)
    with Store.open(path) as store:
        (run,) = store.rows(ties=2, weights="")
        assert (run.unit, run.price) == (tied, {})
    priced = msgspec.structs.replace(UNIT, weights="ab")
    assert priced.key != UNIT.key
    with Store.open(path, write=True) as store:
        store.add(
            Run(unit=priced, asked="3", outcome=RunOutcome.SOLVED, k=3, price={"a": 4, "b": 2})
        )
        assert [run.price for run in store.rows(price_max=4)] == [{"a": 4, "b": 2}]
        assert [run.price for run in store.rows(weights="")] == [{}]


def test_a_store_that_knew_no_plans_taken_over_is_read_and_written_on(tmp_path):
    path = tmp_path / "runs.db"
    with Store.open(path, write=True) as store:
        store.add(Run(unit=UNIT, asked="3", outcome=RunOutcome.SOLVED, k=3))
    take_away(sqlite3.connect(path), 3, *MADE)
    with Store.open(path) as store:
        (run,) = store.rows(changed_over=0, taken_over="None")
        assert (run.changed_over, run.taken_over) == (False, None)
    taken = Run(
        unit=UNIT, asked="4", outcome=RunOutcome.SOLVED, k=4, taken_over=3, changed_over=True
    )
    with Store.open(path, write=True) as store:
        store.replace([msgspec.structs.replace(run, cost=7), taken])
        assert [run.asked for run in store.rows(taken_over=3)] == ["4"]
        assert store.of_unit(UNIT.key) == {
            "3": msgspec.structs.replace(run, cost=7),
            "4": taken,
        }


@pytest.mark.parametrize("layout", [1, 5])
def test_what_was_asked_has_its_name_of_today(tmp_path, layout):
    """Rows of `--first` are those of `--smallest`, read as they are or brought up to date."""
    path = tmp_path / "runs.db"
    with Store.open(path, write=True) as store:
        for asked in ("3", "smallest"):
            store.add(Run(unit=UNIT, asked=asked, outcome=RunOutcome.SOLVED, k=3))
    connection = sqlite3.connect(path)
    connection.execute("UPDATE runs SET asked = 'first' WHERE asked = 'smallest'")
    connection.commit()
    lacks = ("ties", "weights", "price", "price_max", *MADE) if layout == 1 else ()
    take_away(connection, layout, *lacks)
    before = path.read_bytes()
    with Store.open(path) as store:
        assert {run.asked for run in store.rows()} == {"3", "smallest"}
        for name in ("first", "smallest"):
            assert [run.asked for run in store.rows(asked=name)] == ["smallest"]
        assert set(store.of_unit(UNIT.key)) == set(store.done([UNIT.key])[UNIT.key])
        assert {run.unit.key for run in store.rows()} == {UNIT.key}
    assert path.read_bytes() == before
    with Store.open(path, write=True) as store:
        store.add(Run(unit=UNIT, asked="smallest", outcome=RunOutcome.TIME))
        assert {run.asked: run.solved for run in store.rows()} == {"3": True, "smallest": True}
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA,)
    connection.close()


def test_a_store_that_knew_no_proofs_is_read_and_written_on(tmp_path):
    path = tmp_path / "runs.db"
    with Store.open(path, write=True) as store:
        store.add(Run(unit=UNIT, asked="3", outcome=RunOutcome.SOLVED, k=3, cost=9))
    take_away(sqlite3.connect(path), 7)
    before = path.read_bytes()
    with Store.open(path) as store:
        assert [(run.cost, run.optimal) for run in store.rows(optimal=0)] == [(9, False)]
    assert path.read_bytes() == before
    with Store.open(path, write=True) as store:
        proved = Run(unit=UNIT, asked="4", outcome=RunOutcome.SOLVED, k=4, cost=8, optimal=True)
        store.add(proved)
        assert store.rows(optimal=1) == [proved]


def test_exported_rows_have_the_name_of_today_as_well(tmp_path):
    run = Run(unit=UNIT, asked="smallest", outcome=RunOutcome.SOLVED, k=3)
    path = tmp_path / "runs.csv"
    path.write_text(to_csv([run]).replace(",smallest,", ",first,"))
    assert [one.asked for one in read_runs(path)] == ["smallest"]


def test_what_may_be_missing_can_be_asked_for(tmp_path):
    with Store.open(tmp_path / "runs.db", write=True) as store:
        store.add(Run(unit=UNIT, asked="1", outcome=RunOutcome.SOLVED))
        assert len(store.rows(memory_limit="None", time_limit="1.5")) == 1
        assert store.rows(time_limit="None") == []


def test_keys_are_those_of_stores_before_ties():
    assert UNIT.key == "8104fe5ab562736e51227807a7f27ee2"


def test_damage_is_reported(tmp_path):
    path = tmp_path / "runs.db"
    with Store.open(path, write=True) as store:
        store.add(Run(unit=UNIT, asked="1", outcome=RunOutcome.SOLVED))
    connection = sqlite3.connect(path)
    connection.execute("UPDATE runs SET outcome = 'good'")
    connection.commit()
    connection.close()
    with Store.open(path) as store, pytest.raises(InputError, match="damaged"):
        store.rows()


def test_there_is_one_writer_and_a_dead_one_does_not_count(tmp_path):
    path = tmp_path / "runs.db"
    code = (
        "import sys, os, pathlib; from tacit.experiment.run.store import Store;"
        "s = Store.open(pathlib.Path(sys.argv[1]), write=True);"
        "print('open', flush=True); sys.stdin.read(1); os.kill(os.getpid(), 9)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdin is not None
        assert other.stdout.readline() == b"open\n"
        with pytest.raises(InputError, match="another sweep"):
            Store.open(path, write=True)
        Store.open(path).close()
        other.stdin.close()
    assert other.returncode == -9
    assert os.path.exists(f"{path}.lock")
    Store.open(path, write=True).close()
    assert not os.path.exists(f"{path}.lock")

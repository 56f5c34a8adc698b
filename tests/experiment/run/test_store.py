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
from tacit.experiment.run.row import Run, RunOutcome, Unit
from tacit.experiment.run.store import Store
from tacit.experiment.run.store_layout import COLUMNS, SCHEMA

UNIT = Unit("d/p", "d", "factored", "ab", "projection", "tacit", "{}", "m1", 0, 1.5, None, "", "1")
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


def test_what_may_be_missing_can_be_asked_for(tmp_path):
    with Store.open(tmp_path / "runs.db", write=True) as store:
        store.add(Run(unit=UNIT, asked="1", outcome=RunOutcome.SOLVED))
        assert len(store.rows(memory_limit="None", time_limit="1.5")) == 1
        assert store.rows(time_limit="None") == []


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

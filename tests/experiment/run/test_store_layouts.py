"""Stores and tables of earlier versions are read as they are, and written on."""

from __future__ import annotations

import sqlite3

import msgspec
import pytest

from tacit.experiment.run.export import to_csv
from tacit.experiment.run.restore import read_runs
from tacit.experiment.run.row import Run, RunOutcome, Unit
from tacit.experiment.run.store import Store
from tacit.experiment.run.store_layout import SCHEMA

UNIT = Unit("d/p", "d", "factored", "ab", "projection", "tacit", "{}", "m1", 0, 1.5, None, "", "1")
MADE = ("extension", "replanned", "replanned_max", "changed_over", "taken_over", "planner")


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


def test_keys_are_those_of_stores_before_ties():
    assert UNIT.key == "8104fe5ab562736e51227807a7f27ee2"

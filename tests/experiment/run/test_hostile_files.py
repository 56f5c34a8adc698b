"""Stores and exported runs of somebody else: whatever they hold, reading them is bounded."""

from __future__ import annotations

import csv
import gzip
import io
import sqlite3
import struct
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.cli.main import run as command_line
from tacit.errors import InputError
from tacit.experiment.cells import restored, spelled
from tacit.experiment.run import export
from tacit.experiment.run.restore import Bounds, read_runs
from tacit.experiment.run.row import Run, RunOutcome, Unit
from tacit.experiment.run.store import Store
from tacit.experiment.run.store_layout import LONGEST
from tacit.experiment.tables.grid import Grid, as_csv

UNIT = Unit("d/p", "d", "factored", "ab", "projection", "tacit", "{}", "m1", 0, 1.5, None, "", "1")


def a_run(asked: str = "1", **changes: object) -> Run:
    return Run(unit=UNIT, asked=asked, outcome=RunOutcome.SOLVED, **changes)


def store_of(path: Path, *runs: Run) -> Path:
    with Store.open(path, write=True) as store:
        store.add_all(runs)
    return path


# Exported runs


def test_a_small_file_that_unpacks_to_a_long_line(tmp_path, capsys):
    """Before, all of it was unpacked, and then copied; now no more than the longest row."""
    path = tmp_path / "bomb.csv.gz"
    head = export.to_csv([]).encode()
    path.write_bytes(gzip.compress(head + b"x" * (LONGEST + 2**20), 9))
    assert path.stat().st_size < 2**18
    assert command_line(["restore", str(path), "-o", str(tmp_path / "b.db")]) == 31
    assert "line 2: a row has more than 64 MiB" in capsys.readouterr().err
    assert not (tmp_path / "b.db").exists()


def test_rows_and_files_have_bounds(tmp_path):
    path = tmp_path / "runs.csv"
    path.write_text(export.to_csv([a_run(str(k), detail="x" * 2_000) for k in range(50)]))
    size = path.stat().st_size
    assert len(list(read_runs(path, Bounds(size, size)))) == 50
    with pytest.raises(InputError, match="it has more than"):
        list(read_runs(path, Bounds(size - 1, size)))
    with pytest.raises(InputError, match="line 2: a row has more than"):
        list(read_runs(path, Bounds(size, 1_500)))
    path.write_text(export.to_csv([a_run(detail="a\n" * 1_000)]))  # one row of many lines
    assert len(list(read_runs(path, Bounds(10**6, 3_000)))) == 1
    with pytest.raises(InputError, match="a row has more than"):
        list(read_runs(path, Bounds(10**6, 1_500)))


def test_long_plans_are_no_mistake(tmp_path):
    """The csv module's own limit is less than the length of a long plan."""
    plan = "".join(f"(drive truck{n} here there)\n" for n in range(10_000))
    path = tmp_path / "runs.csv"
    path.write_text(export.to_csv([a_run(plan=plan)]))
    assert [run.plan for run in read_runs(path)] == [plan]


def test_a_file_with_a_nul_or_an_open_quote(tmp_path, capsys):
    text = export.to_csv([a_run()])
    for number, bad in enumerate((text.replace("factored", "fac\0tored"), text + '"a\n')):
        path = tmp_path / f"{number}.csv"
        path.write_text(bad)
        assert command_line(["restore", str(path), "-o", str(tmp_path / "b.db")]) in (0, 31)
        assert "bug" not in capsys.readouterr().err


# Stores


def hostile(path: Path, change: str) -> Path:
    """A store with one run, and something else in it."""
    store_of(path, a_run())
    with sqlite3.connect(path) as connection:
        connection.executescript(change)
    connection.close()
    return path


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT"
CHANGES = {
    "a view that never ends": "ALTER TABLE runs RENAME TO old; CREATE VIEW runs AS "
    f"{ENDLESS} old.* FROM n, old",
    "another view": f"CREATE VIEW more AS {ENDLESS} i FROM n",
    "a trigger": "CREATE TRIGGER t BEFORE INSERT ON runs BEGIN SELECT raise(FAIL, 'x'); END",
    "another table": "CREATE TABLE more (x)",
    "a column that is computed": "ALTER TABLE runs ADD COLUMN more AS (length(zeroblob(k)))",
}


@pytest.mark.parametrize("what", list(CHANGES))
@pytest.mark.parametrize("write", [False, True])
def test_a_store_has_one_table_of_values(tmp_path, what, write):
    path = hostile(tmp_path / "a.db", CHANGES[what])
    with pytest.raises(InputError, match="is not a store of Tacit: it has more than rows of runs"):
        Store.open(path, write=write)


def test_a_plan_that_unpacks_to_very_much(tmp_path):
    path = store_of(tmp_path / "a.db", a_run())
    with sqlite3.connect(path) as connection:
        bomb = zlib.compress(b"x" * (LONGEST + 1), 9)
        connection.execute("UPDATE runs SET plan = ?", (bomb,))
    connection.close()
    with Store.open(path) as store, pytest.raises(InputError, match="damaged: a plan of more than"):
        store.rows()


def folded(path: Path, levels: int) -> None:
    """Give the table's tree more levels, in each of which all branches lead to the same page: few
    pages, and more rows than anybody could read.
    """
    data = bytearray(path.read_bytes())
    size = struct.unpack_from(">H", data, 16)[0]
    root = next(
        at
        for at in range(size, len(data), size)
        if data[at] == 2  # an interior page of a table without rowid
    )
    page, before = data[root : root + size], len(data) // size
    _lead_all(data, root, before + 1)
    for level in range(1, levels + 1):
        below = bytearray(page)
        if level < levels:  # the last one leads to the leaves
            _lead_all(below, 0, before + level + 1)
        data += below
    struct.pack_into(">I", data, 28, len(data) // size)
    path.write_bytes(data)


def _lead_all(data: bytearray, at: int, number: int) -> None:
    (cells,) = struct.unpack_from(">H", data, at + 3)
    struct.pack_into(">I", data, at + 8, number)
    for cell in range(cells):
        (where,) = struct.unpack_from(">H", data, at + 12 + 2 * cell)
        struct.pack_into(">I", data, at + where, number)


def test_a_table_that_is_folded_into_itself(tmp_path):
    path = store_of(tmp_path / "a.db", *(a_run(str(k), detail="x" * 20) for k in range(400)))
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    folded(path, 8)
    with Store.open(path) as store, pytest.raises(InputError, match="damaged"):
        store.rows()


def test_a_store_on_a_full_disk(tmp_path):
    with Store.open(tmp_path / "a.db", write=True) as store:
        store._connection.execute("PRAGMA max_page_count = 3")
        with pytest.raises(InputError, match=r"cannot write .*a\.db': database or disk is full"):
            store.add_all(a_run(str(k), detail=f"{k}" * 999) for k in range(99))
        assert store.rows() == [], "all or none of them"
        with pytest.raises(InputError, match="database or disk is full"):
            store.add(a_run(detail="x" * 99_999))


# Spreadsheets


@pytest.mark.parametrize("text", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", "\tx", "\r=1"])
def test_no_cell_is_a_formula(text, tmp_path):
    run = a_run(detail=text, plan="")
    (row,) = csv.DictReader(io.StringIO(export.to_csv([run]), newline=""))
    assert row["detail"] == f"'{text}"
    (tmp_path / "a.csv").write_bytes(export.to_csv([run]).encode())
    assert list(read_runs(tmp_path / "a.csv")) == [run]
    table = as_csv(Grid(("a", text), ((text, "-3"), ("-0.5", "+7 %"))))
    cells = list(csv.reader(io.StringIO(table, newline="")))
    assert cells == [["a", f"'{text}"], [f"'{text}", "-3"], ["-0.5", "+7 %"]]


@given(st.text(st.sampled_from("='+-@\t\r1.%a "), max_size=6) | st.text(max_size=4))
def test_cells_are_read_back_as_they_were(text):
    assert restored(spelled(text)) == text
    assert spelled(text)[:1] not in ("=", "@", "\t", "\r")

"""How plans were made is stored, survives every way a run can take, and is told apart."""

from __future__ import annotations

import csv
import io
import sqlite3

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.draws import up_to
from support.reporting import Page, run_of, write
from support.runs import by_problem, naive_coverage, sweeps
from support.sweeps import small, swept

from tacit.central.instance import load
from tacit.central.session import Session
from tacit.cli.main import run as tacit_run
from tacit.experiment.run import export, levels
from tacit.experiment.run.compare import compare
from tacit.experiment.run.restore import read_runs
from tacit.experiment.run.row import REPLANNED, STRICT, UNKNOWN, Run, RunOutcome
from tacit.experiment.run.store import Store
from tacit.experiment.tables import coverage as tables
from tacit.experiment.tables import grid, strictness
from tacit.profile import profile
from tacit.public.run_options import RunOptions

REPLANS = '{"extension":"replan"}'


@pytest.fixture(scope="module")
def depot(tmp_path_factory):
    """A store in which the first plans of the projection are replanned, and later ones strict."""
    path = tmp_path_factory.mktemp("depot") / "runs.db"
    chosen = {"settings": profile("paper"), "levels": levels.parse_levels("0:100:10")}
    chosen |= {"profile": "paper", "rankings": ("m1",), "solvers": ("projection", "mafs")}
    swept(path, small("depot/small", **chosen))
    return path


def rows_of(path) -> list[Run]:
    with Store.open(path) as store:
        return store.rows()


def test_a_row_says_how_its_plan_was_made(depot):
    session = Session(load("depot/small"), profile("paper"), RunOptions(ranking="m1"))
    ways = set()
    for run in rows_of(depot):
        if run.unit.solver == "mafs":
            assert run.extension == (STRICT if run.solved else None)
        elif run.settled_by is None:
            result = session.at(int(run.asked))
            assert (run.extension, run.replanned) == (result.extension, result.replanned or {})
            ways.add(run.extension)
    assert ways == {STRICT, REPLANNED, None}


def test_it_survives_a_file(depot, tmp_path):
    runs = rows_of(depot)
    target = tmp_path / "runs.csv"
    target.write_text(export.to_csv(runs))
    assert list(read_runs(target)) == runs
    entries = export.lab_properties(runs, levels.parse_levels("0:100:10")).values()
    assert {entry.get("extension") for entry in entries} == {STRICT, REPLANNED, None}


def test_the_page_marks_replanned_plans_and_counts_strict_ones_alone(depot, tmp_path):
    assert tacit_run(["report", str(depot), "-o", str(tmp_path / "md"), "--markdown"]) == 0
    text = (tmp_path / "md/index.md").read_text(encoding="utf-8")
    assert "Of 1 plan at the first solved k 1 was made by replanning" in text
    before, _, after = text.partition("## Table 1, strict plans only")
    assert "| 1 / 20 (†1) |" in before
    assert "†n: n of the plans that count there were made by replanning" in before
    assert "| 1 / 31.1 |" in after
    assert tacit_run(["report", str(depot), "-o", str(tmp_path / "html")]) == 0
    page = Page((tmp_path / "html/index.html").read_text(encoding="utf-8"))
    assert page.ids["made"] == 1
    assert "Table 1, strict plans only" in page.text
    assert {"tables/table1_strict.tex", "tables/made.csv"} <= set(page.links)


def of_old(runs: list[Run]) -> list[Run]:
    return [msgspec.structs.replace(run, extension=None, replanned={}) for run in runs]


def without(text: str, *names: str) -> str:
    """A table in CSV without some columns, as an older Tacit wrote it."""
    rows = list(csv.DictReader(io.StringIO(text)))
    out = io.StringIO()
    kept = [name for name in rows[0] if name not in names]
    writer = csv.DictWriter(out, kept, extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def test_what_was_not_recorded_is_unknown_and_not_guessed(depot, tmp_path):
    runs = rows_of(depot)
    target = tmp_path / "old.csv"
    lacks = ("extension", "replanned", "replanned_max", "changed_over", "taken_over", "planner")
    target.write_text(without(export.to_csv(runs), *lacks))
    old = list(read_runs(target))
    assert old == of_old(runs)
    made = {(run.unit.solver, run.made) for run in old if run.solved}
    assert made == {("projection", UNKNOWN), ("mafs", STRICT)}
    assert strictness.only_strict(strictness.of_replanners(old)) == []
    assert strictness.made_grid(old).rows == []
    assert "Of 1 plans at the first solved k it is not known" in strictness.summary(old)
    shown = tmp_path / "page"
    assert tacit_run(["restore", str(target), "-o", str(tmp_path / "old.db")]) == 0
    assert tacit_run(["report", str(tmp_path / "old.db"), "-o", str(shown), "--markdown"]) == 0
    text = (shown / "index.md").read_text(encoding="utf-8")
    assert "it is not known" in text
    assert "strict plans alone\n" not in text
    assert "†" not in text


def test_a_store_from_before_is_read_and_written_on(depot, tmp_path):
    runs = rows_of(depot)
    path = write(tmp_path / "runs.db", runs)
    connection = sqlite3.connect(path)
    lacks = ("extension", "replanned", "replanned_max", "changed_over", "taken_over", "planner")
    columns = (*lacks, "leakage", "optimal", "cleaned")
    dropped = "".join(f"ALTER TABLE runs DROP COLUMN {name}; " for name in columns)
    connection.executescript(f"{dropped}PRAGMA user_version = 3")
    connection.close()
    before = path.read_bytes()
    assert rows_of(path) == of_old(runs)
    assert path.read_bytes() == before
    later = msgspec.structs.replace(runs[0].unit, ranking="m9")
    new = run_of("depot/small", 3, 5, domain="depot")
    new = msgspec.structs.replace(new, unit=later, extension=REPLANNED, replanned={"a": 2, "b": 0})
    with Store.open(path, write=True) as store:
        store.add(new)
        assert store.rows(extension=REPLANNED) == [new]
        assert store.rows(replanned_max=2) == [new]
        assert len(store.rows(extension="None")) == len(runs)


def made(run: Run, how: str | None) -> Run:
    unit = msgspec.structs.replace(run.unit, settings=REPLANS)
    return msgspec.structs.replace(run, unit=unit, extension=how)


@settings(max_examples=60, deadline=None)
@given(sweeps(), st.data())
def test_strict_coverage_against_every_x(rows, data):
    ways = (STRICT, REPLANNED)
    rows = [made(r, ways[data.draw(up_to(1))] if r.solved else None) for r in rows]
    found = strictness.only_strict(rows)
    assert len(found) == len(rows)
    naive = [
        msgspec.structs.replace(r, outcome=RunOutcome.NO_PLAN) if r.extension == REPLANNED else r
        for r in rows
    ]
    (row,) = tables.table1(found)
    for ranking, cell in row.cells.items():
        seeds = {run.unit.seed for run in rows if run.unit.ranking == ranking}
        each = [
            naive_coverage(by_problem(naive, ranking, seed), False, row.dependencies)
            for seed in seeds
        ]
        assert cell.count.mean == pytest.approx(sum(count for count, _ in each) / len(each))
        assert cell.replanned == 0
    (marked,) = tables.table1(rows)
    for ranking, cell in marked.cells.items():
        assert 0 <= cell.replanned <= cell.count.mean
        if all(r.extension != REPLANNED for r in rows if r.unit.ranking == ranking):
            assert cell.replanned == 0


def test_a_series_with_an_unknown_plan_is_left_out():
    rows = [made(run_of("p", k, 5, ranking=r), STRICT) for k in (1, 2) for r in ("m1", "m2")]
    rows[0] = made(rows[0], None)
    assert rows[0].made == UNKNOWN
    assert {run.unit.ranking for run in strictness.only_strict(rows)} == {"m2"}
    assert [line[2:] for line in strictness.made_grid(rows).rows] == [
        ["m1", "0", "0", "1", "1", "0", "1"],
        ["m2", "1", "0", "0", "2", "0", "0"],
    ]


def test_the_mark_counts_plans_at_the_point_that_is_shown():
    rows = [made(run_of("p", k, 5), REPLANNED if k < 5 else STRICT) for k in (0, 2, 5)]
    rows += [made(run_of("q", k, None if k < 2 else 5), REPLANNED) for k in (0, 2, 5)]
    shown = grid.grid1(tables.table1(rows))
    assert shown.rows[0][3:5] == ["2", "20 (†2)"]


def test_plans_made_otherwise_are_reported_where_both_are_known():
    run = run_of("p", 1, 5)
    pairs = [(STRICT, REPLANNED), (REPLANNED, REPLANNED), (None, REPLANNED), (REPLANNED, STRICT)]
    names = [f"p{n}" for n in range(len(pairs))]
    units = [msgspec.structs.replace(run.unit, problem=name) for name in names]
    old, new = (
        [
            made(msgspec.structs.replace(run, unit=u), p[n])
            for u, p in zip(units, pairs, strict=True)
        ]
        for n in (0, 1)
    )
    found = compare(old, new)
    assert [(c.before, c.after) for c in found.made] == [(STRICT, REPLANNED), (REPLANNED, STRICT)]
    assert found.verdict == "the same"

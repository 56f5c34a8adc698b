"""Minima in sweeps and reports: both ends stored, two lines, the share of the gap closed."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest

from tacit.errors import InputError
from tacit.experiment.report.lines import panels
from tacit.experiment.run import suite, worker
from tacit.experiment.run.row import Run
from tacit.experiment.run.store import Store
from tacit.experiment.run.sweep import Sweep
from tacit.experiment.tables import coverage as tables
from tacit.experiment.tables import minima
from tacit.public.settings import Settings, Threats


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    """A small sweep with minima, done in this process."""
    problems = suite.find(["logistics/small", "driverlog/small"])
    sweep = Sweep(
        problems,
        Settings(),
        rankings=("m1", "random"),
        levels=tuple(map(Fraction, (50, 100))),
        smallest=True,
        seeds=1,
        minimum=True,
    )
    runs: list[Run] = []
    for job in sweep.jobs():
        assert worker.work(job, lambda said: runs.append(said) if isinstance(said, Run) else None)
        done = {run.asked: run for run in runs if run.unit == job.unit}
        assert job.left(done) == []
    return runs


def test_a_sweep_stores_both_ends(swept, tmp_path):
    with Store.open(tmp_path / "runs.db", write=True) as store:
        for run in swept:
            store.add(run)
        rows = store.rows(solver="minimum")
    assert sorted(row.asked for row in rows) == ["best", "best", "lower", "lower"]
    known = minima.bounds(rows)
    assert {name: (one.lower, one.best) for name, one in known.items()} == {
        "logistics/small": (2, 2),
        "driverlog/small": (2, 2),
    }
    assert all(row.plan and row.cost for row in rows if row.asked == "best")


def test_minima_are_no_series_and_make_two_lines(swept):
    assert {one.solver for one in tables.series(swept)} == {"auto"}
    for panel in panels(tables.series(swept), minima.bounds(swept)):
        for unit in ("edges", "percent"):
            lines = {line.name: line for line in panel.lines["coverage", unit]}
            assert {"lower bound", "best found"} <= lines.keys()
            for name in ("lower bound", "best found"):
                assert lines[name].y[0] == 0
                assert lines[name].y[-1] == 1
        edges = {line.name: line for line in panel.lines["coverage", "edges"]}
        assert edges["lower bound"].x[1] == 2


def test_how_much_of_the_gap_a_ranking_closes(swept):
    found = minima.closed(swept)
    assert {row.ranking for row in found} == {"m1"}
    for row in found:
        firsts = {
            run.unit.ranking: run.k
            for run in swept
            if run.asked == "smallest" and run.unit.domain == row.domain
        }
        far = firsts["random"] - 2
        assert row.problems == (far > 0)
        if far > 0:
            assert row.share == pytest.approx(100 * (firsts["random"] - firsts["m1"]) / far)
    assert minima.grid3(found).header == ["solver", "domain", "m1", "problems"]
    assert minima.closed([run for run in swept if run.unit.solver != "minimum"]) == []


def test_a_sweep_refuses_minima_where_there_are_none():
    chosen = msgspec.structs.replace(Settings(), threats=Threats.RANKED)
    sweep = Sweep(suite.find(["logistics/small"]), chosen, smallest=True, minimum=True)
    with pytest.raises(InputError, match="no minimum"):
        sweep.check()


def test_table_3_has_a_column_per_ranking_and_the_best_bold():
    rows = [
        minima.Closed("d", "mafs", "goal", 100.0, 3),
        minima.Closed("d", "mafs", "m1", -0.2, 2),
        minima.Closed("e", "mafs", "m1", None, 0),
    ]
    grid = minima.grid3(rows)
    assert grid.header == ["solver", "domain", "goal", "m1", "problems"]
    assert grid.rows == [["mafs", "d", "100", "0 (of 2)", "3"], ["mafs", "e", "–", "–", "0"]]
    assert grid.bold == {(0, 2)}

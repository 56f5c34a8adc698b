"""Sweeps measure what plans are worth once they are cleaned, and nothing else changes by that."""

from __future__ import annotations

import msgspec
import pytest
from support.sweeps import small, swept

import tacit
from tacit.central.session import Limits, Session
from tacit.errors import InputError
from tacit.experiment.run.export import to_csv
from tacit.experiment.run.levels import parse_levels
from tacit.experiment.run.restore import read_runs
from tacit.experiment.run.row import CLEANED
from tacit.profile import profile
from tacit.public.run_options import RunOptions
from tacit.public.settings import Settings

TWO = ("depot/small", "zenotravel/small")
LEVELS = parse_levels("0:100:25")
AS_FOUND = msgspec.structs.replace(profile("tacit"), clean=False)


def rows(path, *problems: str, settings: Settings = AS_FOUND, **options) -> dict:
    sweep = small(*problems, settings=settings, levels=LEVELS, rankings=("m3",), **options)
    return swept(path, sweep)


@pytest.mark.parametrize("settings", [AS_FOUND, profile("paper")], ids=["tacit", "paper"])
@pytest.mark.parametrize("solver", ["projection", "mafs"])
def test_all_but_what_is_cleaned_stays_as_it_was(tmp_path, settings, solver):
    options = {"settings": settings, "solvers": (solver,), "smallest": True}
    with_it = rows(tmp_path / "a.db", *TWO, cleaned=True, **options)
    without = rows(tmp_path / "b.db", *TWO, **options)
    assert {
        key: msgspec.structs.replace(run, cleaned={}) for key, run in with_it.items()
    } == without
    for run in with_it.values():
        assert set(run.cleaned) == (set(CLEANED) if run.solved else set())


@pytest.mark.parametrize("solver", ["projection", "mafs"])
def test_plans_are_worth_what_those_of_a_run_that_cleans_are(tmp_path, solver):
    found = rows(tmp_path / "runs.db", "depot/small", solvers=(solver,), cleaned=True)
    is_better = [run.cost > run.cleaned["cost"] for run in found.values() if run.cleaned]
    assert any(is_better) or solver == "mafs"
    for run in found.values():
        if run.solved and run.taken_over is None:
            options = RunOptions(solver, "m3", drive="roundrobin")
            verdict = (
                Session(tacit.load("depot/small"), options=options).at(run.k, Limits(30)).verdict
            )
            expected = (verdict.length, verdict.cost, verdict.makespan, verdict.makespan_paper)
            assert tuple(run.cleaned[name] for name in CLEANED) == expected


def test_files_have_them(tmp_path):
    runs = list(rows(tmp_path / "runs.db", "depot/small", cleaned=True).values())
    assert any(run.cleaned for run in runs)
    path = tmp_path / "runs.csv"
    path.write_text(to_csv(runs))
    assert [run.cleaned for run in read_runs(path)] == [run.cleaned for run in runs]


def test_settings_that_clean_have_nothing_to_add():
    with pytest.raises(InputError, match="clean each plan before"):
        small(cleaned=True).check()

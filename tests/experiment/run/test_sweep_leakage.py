"""Sweeps measure what others know of each agent, as a run of the same budget does."""

from __future__ import annotations

import pytest
from support.sweeps import small, swept

import tacit
from tacit.central.leaking import leakage_of
from tacit.central.session import Limits, Session
from tacit.experiment.run.export import to_csv
from tacit.experiment.run.levels import parse_levels
from tacit.experiment.run.restore import read_runs
from tacit.public.run_options import RunOptions


@pytest.mark.parametrize("solver", ["projection", "mafs"])
def test_columns_are_those_of_a_run_alone(tmp_path, solver):
    sweep = small(solvers=(solver,), levels=parse_levels("0,50,100"), online=True, leakage=True)
    runs = list(swept(tmp_path / "runs.db", sweep).values())
    measured = {run.asked: run.leakage for run in runs if run.leakage}
    assert measured
    for asked in (asked for asked in measured if asked.isdecimal()):
        options = RunOptions(solver, drive="roundrobin", record=True)
        session = Session(tacit.load("logistics/small"), options=options)
        result = session.at(int(asked), Limits(20))
        found = {agent: own.as_json() for agent, own in leakage_of(session, result).items()}
        assert measured[asked] == found
    path = tmp_path / "runs.csv"
    path.write_text(to_csv(runs))
    assert [run.leakage for run in read_runs(path)] == [run.leakage for run in runs]

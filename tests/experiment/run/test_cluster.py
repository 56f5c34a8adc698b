"""The same sweep on a cluster: the same rows, whatever becomes of its workers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from support.places import MOODS
from support.waiting import until

from tacit.cli.main import run as command_line
from tacit.errors import InputError
from tacit.experiment.run import cluster, levels, pool, suite
from tacit.experiment.run.row import RunOutcome, without_times
from tacit.experiment.run.store import Store
from tacit.experiment.run.sweep import Sweep, outlook, run
from tacit.profile import profile

distributed = pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")


class Watcher:
    def __init__(self, act=lambda: None):
        self.runs = 0
        self._act = act

    def run(self, _):
        self.runs += 1
        if self.runs == 3:
            self._act()

    def ended(self, _):
        pass


@pytest.fixture(scope="module")
def dask():
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
        ) as local,
        distributed.Client(local, set_as_default=False) as client,
    ):
        client.address = local.scheduler_address
        yield client


def stored(path: Path):
    with Store.open(path) as store:
        return {(r.unit.key, r.asked): without_times(r) for r in store.rows()}


def swept(path: Path, sweep: Sweep, execute, watcher=None):
    with Store.open(path, write=True) as store:
        run(outlook(sweep, store).todo, store, execute, watcher or Watcher())
    return stored(path)


def test_a_lost_worker_loses_nothing(tmp_path, dask):
    folder = tmp_path / "trees" / "trucks"
    assert command_line(["generate", "logistics", "-o", str(folder / "p0")]) == 0
    sweep = Sweep(
        suite.find([str(folder), "driverlog/small"]),
        profile("tacit"),
        rankings=("m1", "random"),
        levels=levels.parse_levels("0:100:25"),
        seeds=1,
        smallest=True,
    )
    stop = threading.Event()
    expected = swept(tmp_path / "here.db", sweep, lambda jobs: pool.local(jobs, 2, stop))
    pids = list(dask.run(os.getpid).values())
    assert len(pids) == 2
    watcher = Watcher(lambda: os.kill(pids[0], signal.SIGKILL))
    found = swept(
        tmp_path / "there.db",
        sweep,
        lambda jobs: cluster.on_cluster(jobs, dask.address, threading.Event()),
        watcher,
    )
    assert found == expected
    assert watcher.runs == len(expected)  # nothing is reported twice
    assert pids[0] not in dask.run(os.getpid).values()


def test_a_deadly_run_is_recorded_and_its_worker_lives(tmp_path, dask):
    sweep = Sweep(
        suite.find(["logistics/small"]),
        profile("tacit"),
        rankings=("random",),
        solvers=("moody",),
        levels=levels.parse_levels("0:100:25"),
        seeds=3,
        plugins=(MOODS,),
        time_limit=60.0,
        memory_limit=300,
    )
    sweep.check()
    before = set(dask.run(os.getpid).values())
    rows = swept(
        tmp_path / "runs.db",
        sweep,
        lambda jobs: cluster.on_cluster(jobs, dask.address, threading.Event()),
    )
    assert len(rows) == 3 * 5
    assert {r.unit.seed: r.outcome for r in rows.values() if r.asked == "3"} == {
        0: RunOutcome.CRASH,
        1: RunOutcome.CRASH,
        2: RunOutcome.MEMORY,
    }
    assert set(dask.run(os.getpid).values()) == before


def test_the_command_line_uses_a_cluster(tmp_path, dask):
    path = tmp_path / "runs.db"
    args = ["sweep", "rovers/small", "--levels", "0:100:50", "-o", str(path)]
    assert command_line([*args, "--cluster", dask.address]) == 0
    assert len(stored(path)) == 3
    assert command_line(args) == 0  # nothing is left to do
    assert len(stored(path)) == 3


def test_an_interrupted_sweep_ends_what_runs_on_the_cluster(tmp_path, dask):
    program = [sys.executable, "-c", "from tacit.cli.main import main; main()", "sweep"]
    program += ["logistics/small", "--plugin", MOODS, "--solvers", "moody", "--rankings", "random"]
    program += ["--seeds", "4", "--cluster", dask.address, "-o", str(tmp_path / "runs.db")]
    running = subprocess.Popen(program, stderr=subprocess.PIPE, text=True)
    until(lambda: any(dask.run(count_programs).values()))  # seed 3 hangs
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "continues from here" in said
    until(lambda: not any(dask.run(count_programs).values()))


def count_programs() -> int:
    return sum(len(programs) for programs in cluster._running.values())


def test_no_cluster_is_reported(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    args = ["sweep", "rovers/small", "-o", str(tmp_path / "runs.db"), "--cluster", "tcp://x:1"]
    assert command_line(args) == 31
    assert "pip install '.[cluster]'" in capsys.readouterr().err


def test_a_wrong_address_is_reported():
    with pytest.raises(InputError, match="no cluster answers at 'nothing://x:1'"):
        list(cluster.on_cluster([], "nothing://x:1", threading.Event()))

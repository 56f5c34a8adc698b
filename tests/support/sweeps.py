"""Small sweeps in this process."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

from tacit.experiment.run import levels, pool, suite
from tacit.experiment.run.row import without_times
from tacit.experiment.run.store import Store
from tacit.experiment.run.sweep import Sweep, outlook, run
from tacit.profile import profile

LEVELS = levels.parse_levels("0:100:20")


class Quiet:
    def run(self, _):
        pass

    def ended(self, _):
        pass


def small(*names: str, **options) -> Sweep:
    options = {"levels": LEVELS, "settings": profile("tacit"), **options}
    return Sweep(suite.find(names or ["logistics/small"]), **options)


def swept(path: Path, sweep: Sweep, jobs: int = 1, grace: pool.Grace = pool.Grace()):  # noqa: B008
    """Run a sweep in this process; its rows without times, by key."""
    sweep.check()
    stop = threading.Event()
    with Store.open(path, write=True) as store:
        todo = outlook(sweep, store).todo
        run(todo, store, lambda left: pool.local(left, jobs, stop, grace), Quiet())
    return stored(path)


def stored(path: Path):
    with Store.open(path) as store:
        return {(r.unit.key, r.asked): without_times(r) for r in store.rows()}


PROGRAM = [sys.executable, "-c", "from tacit.cli.main import main; main()"]


DOMAINS = ("depot", "driverlog", "logistics", "rovers", "zenotravel")


SEVERAL = [f"{domain}/small" for domain in DOMAINS]

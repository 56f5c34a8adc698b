"""Fixtures that tests share."""

from __future__ import annotations

import fcntl
import os
import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from support.notes import SEED
from support.places import CODMAP, NO_CODMAP

from tacit.cli.main import run as tacit_run
from tacit.garbage import collect_seldom
from tacit.solvers.pessimistic import PessimisticSearch

# A shell has its background ignore Ctrl-C, and so would the programs that tests start there.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    """A seed for hypothesis counts for tests with fixed examples, too. Cycles are collected seldom,
    as in our programs: that was a fifteenth of the time of two folders.
    """
    collect_seldom()
    seed = config.getoption("--hypothesis-seed", None)
    if seed is not None:
        os.environ[SEED] = str(seed)


@pytest.fixture(scope="session")
def codmap() -> Path:
    """The CoDMAP problems, where they are; they are not part of Tacit."""
    if not CODMAP.is_dir():
        pytest.skip(NO_CODMAP)
    return CODMAP


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What was skipped and why, before the closing line: a run shows what it did not look at."""
    why = Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in terminalreporter.stats.get("skipped", ())
        if isinstance(report.longrepr, tuple)
    )
    for reason, times in sorted(why.items()):
        terminalreporter.write_line(f"skipped {times}: {reason}")


TOGETHER = {"test_cluster.py", "test_report_browser.py", "test_pages_browser.py"}
"""Files whose tests share something that one worker alone should start: a cluster, a browser."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Tests go to whichever worker is free, but for these files. (With `--dist loadgroup` of
    pytest-xdist 3.8 groups have no effect under pytest 9.2.)
    """
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            return file if Path(file).name in TOGETHER else nodeid

    return Scheduling(config, log)


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """What takes long to make is made by the worker that needs it first, for all of them."""
    place = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        place = place.parent
    path, mark = place / name, place / f"{name}.made"
    with (place / f"{name}-first").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not mark.exists():
            make(path)
            mark.touch()
        fcntl.flock(lock, fcntl.LOCK_UN)  # also where a child has inherited it
    return path


@pytest.fixture
def _undrawn(monkeypatch) -> None:
    """Figures are made but not written, which takes most of the time of a report."""
    monkeypatch.setattr("matplotlib.figure.Figure.savefig", lambda *_, **__: None)


@pytest.fixture(scope="session")
def small_store(tmp_path_factory) -> Path:
    """A small sweep with every kind of line: several solvers, rankings and seeds."""
    words = (
        "sweep logistics/small driverlog/small --solvers projection,mafs --rankings m1,m3,random"
    )
    words += " --seeds 2 --levels 0:100:25 --smallest --time-limit 60 -o"

    def make(path: Path) -> None:
        assert tacit_run([*words.split(), str(path)]) == 0

    return made_once(tmp_path_factory, "small.db", make)


@pytest.fixture(scope="session")
def small_report(small_store, tmp_path_factory) -> Path:
    """The report of that sweep; nobody may change it."""

    def make(folder: Path) -> None:
        assert tacit_run(["report", str(small_store), "-o", str(folder)]) == 0

    return made_once(tmp_path_factory, "small-report", make)


@pytest.fixture
def _never_pessimistic(monkeypatch) -> None:
    """Nobody guesses what ends tokens: that leaves little to repair."""
    never = property(lambda search: False, lambda search, value: None)
    monkeypatch.setattr(PessimisticSearch, "is_active", never, raising=False)

"""Waiting for a condition, and never for a while."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

PATIENCE = 60


def until(holds: Callable[[], bool], why: Callable[[], object] = lambda: "it never came") -> None:
    """Wait for something that must come soon."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, why()
        time.sleep(0.01)


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def until_at_work(pid: int, seconds: float) -> None:
    """Wait for a process to have used so much CPU time from now on, or to end."""
    start = _cpu_seconds(pid)
    until(lambda: not is_running(pid) or _cpu_seconds(pid) >= start + seconds)


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")

"""How the benches measure: CPU seconds and peak memory of one piece of work, in a forked child.

The parent has everything imported already, so interpreter start and imports are excluded on both
sides; `start_up` measures them separately.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))
from support.places import CODMAP as CODMAP

DOMAINS = (
    *("blocksworld", "depot", "driverlog", "elevators08"),
    *("logistics00", "rovers", "zenotravel"),
)


@dataclass(frozen=True)
class Measured:
    seconds: float
    peak_mib: float
    result: Any


def measured(work: Callable[[], Any], timeout: float = 600) -> Measured:
    """Run `work` in a forked child; its CPU time, its peak memory and what it returned."""
    gc.collect()
    gc.freeze()  # the child's collector leaves the parent's objects alone
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    child = context.Process(target=_child, args=(theirs, work))
    child.start()
    theirs.close()
    if not ours.poll(timeout):
        child.kill()
        raise TimeoutError(f"no answer within {timeout} s")
    seconds, peak, result = ours.recv()
    child.join()
    if isinstance(result, Exception):
        raise result
    return Measured(seconds, peak, result)


def _child(pipe: Connection, work: Callable[[], Any]) -> None:
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        start = time.process_time()
        try:
            result: Any = work()
        except Exception as error:
            result = error
        seconds = time.process_time() - start
    scale = 1 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale / 2**20
    pipe.send((seconds, peak, result))


def start_up(statement: str) -> float:
    """CPU seconds of a fresh interpreter that only runs `statement`."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", statement], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def problems(domain: str, form: str = "unfactored") -> list[Path]:
    """The CoDMAP problems of a domain, numbers sorted as numbers."""
    from tacit.pddl.agents import natural_key

    folder = CODMAP / form / domain
    if not folder.is_dir():
        sys.exit(f"{folder} is not there: this bench needs the CoDMAP problems")
    return sorted(folder.iterdir(), key=lambda path: natural_key(path.name))

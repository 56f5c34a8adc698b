"""What users of unified-planning ask for: the same plan each time, goals of agents, MA-PDDL both
ways with either writer, and a notebook that runs.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys

import pytest

pytest.importorskip("unified_planning", reason="needs the extra 'up' (unified-planning)")

from support.places import ROOT
from support.shapes import loaded, shape
from support.simulation import Simulation
from unified_planning.io import MAPDDLWriter
from unified_planning.shortcuts import Dot, OneshotPlanner, get_environment
from unified_planning.test.examples.multi_agent import get_example_problems

import tacit
import tacit.unified_planning

CASES = ("ma-basic", "ma-loader", "depot", "ma-logistic", "ma-taxi")
NOTEBOOK = ROOT / "examples" / "unified_planning.ipynb"


def example(name):
    """A multi-agent problem that comes with unified-planning, made anew."""
    if name in (cases := get_example_problems()):
        return cases[name].problem
    package = pytest.importorskip("up_test_cases")
    sys.path.append(next(iter(package.__path__)))  # its modules import each other from there
    try:
        module = {"ma-logistic": "logistic", "ma-taxi": "taxi"}.get(name, name)
        found = importlib.import_module(f"up_test_cases.builtin.multiagent.{module}")
        return found.get_test_cases()[name].problem
    finally:
        sys.path.pop()


def solved(problem):
    get_environment().credits_stream = None
    tacit.unified_planning.register()
    with OneshotPlanner(name="tacit") as planner:
        result = planner.solve(problem)
    Simulation(problem).check(result.plan)
    return result.plan


def plans(times):
    """What each example's plan was, in so many attempts."""
    return {name: sorted({str(solved(example(name))) for _ in range(times)}) for name in CASES}


def in_a_process(times, seed):
    words = [sys.executable, __file__, str(times)]
    paths = os.pathsep.join(map(str, (ROOT / "tests", *sys.path)))
    surroundings = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": paths}
    done = subprocess.run(words, env=surroundings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("times", "seeds"),
    [(5, [1]), pytest.param(20, [1, 2, 3, 4, 5], marks=pytest.mark.slow)],
)
def test_the_same_plan_each_time(times, seeds):
    """Also with other hashes of strings, in which a set has another order."""
    expected = {name: [str(solved(example(name)))] for name in CASES}
    for seed in seeds:
        assert in_a_process(times, seed) == expected


@pytest.mark.parametrize("name", CASES)
def test_what_unified_planning_writes_is_read(tmp_path, name):
    """Its writer names files otherwise, and has no private objects; the ground task is the same."""
    problem = example(name)
    writer = MAPDDLWriter(problem)
    writer.write_ma_domain(tmp_path)
    writer.write_ma_problem(tmp_path)
    theirs = tacit.load(tmp_path)
    ours = loaded(tacit.unified_planning.texts(problem))
    assert len(theirs.agents) == len(ours.agents)
    assert shape(theirs) == shape(ours)
    again = tacit.unified_planning.read(tmp_path)
    assert shape(loaded(tacit.unified_planning.texts(again))) == shape(theirs)
    assert len(solved(again).actions) == len(solved(problem).actions)


def test_files_of_unified_planning_come_in_pairs(tmp_path):
    (tmp_path / "robot_domain.pddl").write_text("(define (domain d))")
    with pytest.raises(tacit.InputError, match=r"there is no 'robot_problem\.pddl'"):
        tacit.load(tmp_path)


def test_each_agent_has_a_goal(tmp_path):
    """Public and private ones; what is written and read again has them."""
    problem = example("ma-loader")
    one, two = problem.agents
    place = problem.object("l1")
    pos = one.fluent("pos")
    problem.clear_goals()
    one.add_public_goal(Dot(one, pos(problem.object("l3"))))
    two.add_public_goal(Dot(two, two.fluent("pos")(place)))
    plan = solved(problem)
    assert {step.agent.name for step in plan.actions} == {one.name, two.name}
    tacit.unified_planning.write(problem, tmp_path / "files", factored=True)
    again = tacit.unified_planning.read(tmp_path / "files")
    goals = [*again.goals, *(goal for agent in again.agents for goal in agent.private_goals)]
    assert len(goals) == 2
    assert len(solved(again).actions) == len(plan.actions)


def cells():
    """The cells of the notebook, as Jupyter stores them."""
    return json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]


def test_the_notebook_runs(monkeypatch, tmp_path, capsys):
    """From top to bottom, as Jupyter would; it checks what it says by itself."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    names = {"__name__": "notebook"}
    for number, cell in enumerate(cells()):
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"cell {number}", "exec"), names)
    printed = capsys.readouterr().out
    assert "robot1 does load" in printed
    assert "painter.sweep" in printed
    assert "SOLVED_OPTIMALLY 13" in printed


def test_the_notebook_is_kept_without_outputs():
    code = [cell for cell in cells() if cell["cell_type"] == "code"]
    assert len(code) >= 8
    assert all(not cell["outputs"] and cell["execution_count"] is None for cell in code)


if __name__ == "__main__":
    print(json.dumps(plans(int(sys.argv[1]))))

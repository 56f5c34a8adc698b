"""`tacit.testing`: what it draws can be loaded, written and split, and is worth planning for."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from support.forms import factored
from support.naive import canonical
from support.notes import quick
from support.problems import instance_of

import tacit
from tacit.central.instance import Instance
from tacit.testing import GroundAction, GroundProblem, lifted_problems, problems


@pytest.mark.parametrize("strategy", [problems(), lifted_problems()], ids=["ground", "lifted"])
def test_texts_folders_and_factored_files_are_the_same_problem(strategy, tmp_path):
    @quick(15)
    @given(strategy)
    def run(problem):
        written = problem.written if isinstance(problem, GroundProblem) else problem
        expected = canonical(problem.load())
        assert canonical(instance_of(*problem.texts)) == expected
        assert canonical(tacit.load(written.write(tmp_path / "new" / "folder"))) == expected
        assert canonical(Instance(factored(written.factored()), {})) == expected

    run()


@pytest.mark.parametrize("agents", [1, 2, 3])
def test_problems_are_as_they_were_asked_for(agents):
    kinds = set()

    @quick(60)
    @given(problems(agents, public_facts=2, private_facts=4, public_preconditions=False))
    def run(problem):
        instance = problem.load()
        assert instance.agents == tuple(f"a{n}" for n in range(agents))
        assert (problem.public_facts, problem.private_facts) == (2, 4)
        kinds.add(tacit.solve(instance).solved)
        for action in (action for own in problem.actions for action in own):
            assert is_public(action) or all(kind == "f" for kind, _ in action.needs)

    run()
    assert kinds == {True, False}


def is_public(action: GroundAction) -> bool:
    return any(kind == "p" for kind, _ in (*action.adds, *action.deletes))


def in_python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def test_only_this_module_needs_hypothesis():
    code = "import sys, tacit; tacit.solve, tacit.load; print('hypothesis' in sys.modules)"
    assert in_python(code) == "False\n"


def test_without_hypothesis_the_error_says_what_to_install():
    code = "import sys; sys.modules['hypothesis'] = None; import tacit.testing"
    assert "ImportError: tacit.testing needs hypothesis: pip install hypothesis\n" in in_python(
        code
    )

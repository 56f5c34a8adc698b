"""`tacit generate` and `tacit factor`: problems as files."""

from __future__ import annotations

import json

import pytest

from tacit.domains import DOMAINS
from tacit.errors import ExitCode


def counts(found) -> dict:
    result = json.loads(found.out)
    return {key: result[key] for key in ("agents", "public_facts", "goals")}


@pytest.mark.parametrize("name", ["logistics/small", "secrets/small"])
def test_factor_writes_the_same_task_in_the_other_form(tacit, name, tmp_path):
    assert tacit("factor", name, "-o", tmp_path / "new").code == 0
    factored = tacit("inspect", tmp_path / "new", "--json")
    assert json.loads(factored.out)["form"] == "factored"
    assert counts(factored) == counts(tacit("inspect", name, "--json"))


def test_factor_takes_unfactored_problems_only(tacit, tmp_path):
    tacit("factor", "logistics/small", "-o", tmp_path / "new")
    found = tacit("factor", tmp_path / "new", "-o", tmp_path / "newer")
    assert found.code == ExitCode.BAD_INPUT
    assert not (tmp_path / "newer").exists()


def test_generate_lists_every_domain_and_size(tacit):
    found = tacit("generate", "--list")
    assert found.code == 0
    assert all(f"{d}/{s} " in found.out for d in DOMAINS for s in DOMAINS.get(d).sizes)


@pytest.mark.parametrize("factored", [[], ["--factored"]])
def test_what_was_generated_is_solved_by_its_plan(tacit, factored, tmp_path):
    target = tmp_path / "a" / "b"
    found = tacit("generate", "rovers", "--seed", 5, "-o", target, *factored)
    assert (found.code, found.err) == (0, "")
    assert tacit("validate", target, target / "plan.txt").code == 0
    assert json.loads(tacit("inspect", target, "--json").out)["form"] == (
        "factored" if factored else "unfactored"
    )


def test_generate_with_sizes_parameters_and_seeds(tacit, tmp_path):
    def texts(*args: object) -> dict[str, str]:
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        assert tacit("generate", "logistics", "-o", folder, *args).code == 0
        return {path.name: path.read_text() for path in folder.iterdir()}

    small = texts()
    assert set(small) == {"domain.pddl", "problem.pddl", "plan.txt"}
    assert small == texts("--size", "small", "--seed", 0)
    assert small != texts("--seed", 1)
    assert len(texts("--size", "medium")["problem.pddl"]) > len(small["problem.pddl"])
    assert "airport3" in texts("-p", "cities=4")["problem.pddl"]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["rover"], "did you mean 'rovers'?"),
        (["rovers", "--size", "huge"], "sizes: small, medium, large"),
        (["rovers", "-p", "rover=3"], "did you mean 'rovers'?"),
        (["rovers", "-p", "rovers"], "expected NAME=NUMBER"),
        (["rovers", "-p", "rovers=two"], "expected NAME=NUMBER"),
        (["rovers", "-p", f"rovers={'9' * 5000}"], "expected NAME=NUMBER"),
        (["rovers", "-p", "rovers=0"], "expected 1 or more"),
        (["logistics", "-p", "packages=-5"], "parameter 'packages' is -5; expected 1 or more"),
        (["rovers", "-p", "rovers=--5"], "expected NAME=NUMBER"),
    ],
)
def test_generate_refuses(tacit, args, said, tmp_path):
    found = tacit("generate", *args, "-o", tmp_path / "new")
    assert (found.code, found.out) == (ExitCode.BAD_INPUT, "")
    assert said in found.err
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("command", [["generate", "rovers"], ["factor", "rovers/small"]])
def test_a_folder_that_is_not_empty_is_left_alone(tacit, command, tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    found = tacit(*command, "-o", tmp_path)
    assert found.code == ExitCode.BAD_INPUT
    assert "is not empty" in found.err
    assert "--force" in found.err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    assert tacit(*command, "-o", tmp_path, "--force").code == 0
    assert (tmp_path / "mine.txt").read_text() == "mine"
    assert "cannot write to" in tacit(*command, "-o", tmp_path / "mine.txt").err

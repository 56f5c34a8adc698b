"""The command line: what it prints where, and the exit code it ends with."""

from __future__ import annotations

import inspect
import json
from importlib.metadata import version
from pathlib import Path

import click
import pytest
from support.delivery import DOMAIN, PROBLEM

from tacit.central import instance
from tacit.central.instance import load
from tacit.central.session import Session
from tacit.central.solve import solve
from tacit.cli.main import cli, run
from tacit.errors import ExitCode
from tacit.experiment.run.sweep import Sweep
from tacit.net.config import TermsTable
from tacit.public.protocol.link import Terms
from tacit.public.run_options import DEFAULTS, RunOptions
from tacit.public.settings import Settings
from tacit.solvers import effort, online

COMMANDS = cli.list_commands(click.Context(cli))
COUNTS = ["public_actions", "private_actions", "private_facts", "private_goals"]


def test_version(tacit):
    assert tacit("--version").out == f"tacit, version {version('tacit-planner')}\n"


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_lists_every_command_and_every_exit_code(tacit, option):
    found = tacit(option)
    assert found.code == 0
    assert {"demo", "factor", "generate", "inspect", "validate"} <= set(COMMANDS)
    assert all(f"\n  {name} " in found.out for name in COMMANDS)
    assert "..." not in found.out.split("Commands:")[1]  # no summary is cut off
    text = " ".join(found.out.split())
    assert all(f" {int(code)} " in text for code in ExitCode)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(tacit, command):
    found = tacit(command, "--help")
    assert (found.code, found.err) == (0, "")
    assert f"Usage: tacit {command}" in found.out


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["inspct"], "did you mean 'inspect'?"),
        (["zzz"], "No such command 'zzz'"),
        (["inspect"], "Missing argument 'PROBLEM"),
        (["inspect", "rovers/small", "--jsn"], "--json"),
        (["inspect", "rovers/small", "--seed", "x"], "'x' is not a valid integer"),
        (["factor", "rovers/small"], "Missing option '-o'"),
        (["generate", "rovers"], "Missing option '-o'"),
        (
            ["solve", "rovers/small", "--first"],
            "it is now --smallest, an offline search",
        ),
        (["solve", "rovers/small", "--k", "-1"], "-1 is not in the range"),
        (["solve", "rovers/small", "--percent", "101"], "101.0 is not in the range"),
        (["solve", "rovers/small", "--k", "1", "--smallest"], "exclude each other"),
        (["solve", "rovers/small", "--percent", "1", "--iterative"], "exclude each other"),
        (["solve", "rovers/small", "--iterative"], "it needs --solver mafs"),
        (["solve", "rovers/small", "--budget", "3"], "it needs --weights"),
    ],
)
def test_wrong_usage(tacit, args, said):
    found = tacit(*args)
    assert (found.code, found.out) == (2, "")
    assert said in found.err


def test_inspect(tacit, delivery):
    found = tacit("inspect", delivery)
    assert (found.code, found.err) == (0, "")
    assert "small (unfactored, 2 agents)" in found.out
    assert "1 public and 0 private goals" in found.out


def test_inspect_as_json(tacit, delivery):
    found = tacit("inspect", delivery / "domain.pddl", delivery / "problem.pddl", "--json")
    assert found.code == 0
    result = json.loads(found.out)
    assert list(result) == [
        *("schema", "version", "seed", "name", "form", "profile", "agents", "public_facts"),
        *("goals", "public_goals", "private_goals", "graph", "scores", "bytes_exchanged"),
        "seconds",
    ]
    assert result["schema"] == "tacit.inspect/2"
    assert result["version"] == version("tacit-planner")
    assert (result["seed"], result["form"], result["goals"]) == (0, "unfactored", 1)
    assert {agent: list(counts) for agent, counts in result["agents"].items()} == {
        "t1": COUNTS,
        "t2": COUNTS,
    }
    # t1 may load and drop p1 at depot and shop, which all see, and in its yard, which nobody does.
    assert list(result["agents"]["t1"].values()) == [4, 4, 5, 0]
    # t2 never leaves the shop: where it is parked cannot change.
    assert list(result["agents"]["t2"].values()) == [2, 0, 1, 0]
    assert result["public_facts"] == 2
    assert set(result["seconds"]) == {"parse", "ground"}


def test_validate(tacit, delivery):
    found = tacit("validate", delivery, delivery / "plan.txt")
    assert (found.code, found.err) == (0, "")
    assert found.out == "valid: The plan is valid: 4 steps, cost 5, makespan 4.\n"


def test_validate_names_the_failing_step_and_what_is_missing(tacit, delivery):
    plan = delivery / "wrong.txt"
    plan.write_text("(drive t1 yard depot)\n(drop t1 p1 depot)\n")
    found = tacit("validate", delivery, plan)
    assert found.code == ExitCode.INVALID_PLAN
    assert found.out.startswith("invalid: In step 2, (drop t1 p1 depot), ")
    assert "(holds t1 p1)" in found.out


def test_validate_as_json(tacit, delivery):
    plan = delivery / "short.txt"
    plan.write_text("")
    found = tacit("validate", "--json", delivery, plan)
    assert found.code == ExitCode.INVALID_PLAN
    result = json.loads(found.out)
    assert (result["schema"], result["valid"], result["step"]) == ("tacit.validate/2", False, None)
    assert result["missing"] == ["(at p1 shop)"]


@pytest.mark.parametrize(
    ("plan", "said"),
    [("drive t1\n", "plan.txt:1:1: expected '(action …)'"), (None, "plan.txt: No such file")],
)
def test_validate_with_a_plan_that_is_none(tacit, delivery, plan, said):
    (delivery / "plan.txt").unlink()
    if plan is not None:
        (delivery / "plan.txt").write_text(plan)
    found = tacit("validate", delivery, delivery / "plan.txt")
    assert (found.code, found.out) == (ExitCode.BAD_INPUT, "")
    assert said in found.err


def test_demo(tacit):
    found = tacit("demo")
    assert (found.code, found.err) == (0, "")
    assert "valid: The plan is valid" in found.out
    assert "Solved online, ranked by goal" in found.out
    assert "truck1 disclosed most, 2; the sum over agents is 4." in found.out
    assert "smallest" not in found.out


def test_one_ranking_is_the_default_everywhere(tacit):
    assert inspect.signature(solve).parameters["ranking"].default == DEFAULTS.ranking
    assert RunOptions().ranking == DEFAULTS.ranking
    assert Terms().ranking == TermsTable().ranking == DEFAULTS.ranking
    assert Sweep((), Settings()).rankings == (DEFAULTS.ranking,)
    said = json.loads(tacit("solve", "logistics/small", "--json").out)
    assert said["ranking"] == DEFAULTS.ranking
    assert said["k"] == Session(load("logistics/small"), Settings(), online=True).online().k


def test_bad_input_is_reported_with_its_place_and_a_hint(tacit, delivery):
    problem = delivery / "problem.pddl"
    problem.write_text(PROBLEM.replace("(at p1 depot)", "(att p1 depot) (at p1 nowhere)"))
    found = tacit("inspect", delivery)
    assert (found.code, found.out) == (ExitCode.BAD_INPUT, "")
    assert found.err == (
        f"error: {problem}:9:6: predicate 'att' is not declared\n"
        "  hint: did you mean 'at'?\n"
        f"error: {problem}:9:27: object 'nowhere' in (at p1 nowhere) is not declared\n"
    )


def test_unsupported_input_has_its_own_exit_code(tacit, delivery):
    domain = delivery / "domain.pddl"
    domain.write_text(DOMAIN.replace("(and (parked ?t ?a)", "(or (parked ?t ?a)"))
    found = tacit("inspect", delivery)
    assert (found.code, found.out) == (ExitCode.UNSUPPORTED, "")
    assert found.err == (
        f"error: {domain}:15:19: 'or': disjunctions are not supported\n"
        "  hint: write an action for each alternative\n"
    )


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (["nowhere"], "there is no file, folder or embedded problem 'nowhere'"),
        (["rover/small"], "did you mean 'rovers/small'?"),
        (["rovers/smal"], "sizes: small, medium, large"),
        (["a", "b", "c"], "expected one folder or two files, found 3 paths"),
        (["a", "b"], "a: No such file or directory"),
        ([__file__], "this is one file; a problem has two"),
        ([str(Path(__file__).parent)], "there is no MA-PDDL problem here"),
        (["x" * 5000], "there is no file, folder or embedded problem"),
        (["a\0b"], "there is no file, folder or embedded problem"),
    ],
)
def test_problems_that_are_none(tacit, problem, said):
    found = tacit("inspect", *problem)
    assert (found.code, found.out) == (ExitCode.BAD_INPUT, "")
    assert said in found.err


def test_warnings_go_to_stderr(tacit, tmp_path):
    tacit("generate", "rovers", "-o", tmp_path, "--factored")
    problem = min(tmp_path.glob("problem-*"))
    odd = "(:init (nobodys business) (nobodys fault) (who knows)"
    problem.write_text(problem.read_text().replace("(:init", odd))
    plain, verbose = tacit("inspect", tmp_path), tacit("inspect", tmp_path, "-v")
    line = problem.read_text().split("(:init")[0].count("\n") + 1
    said = "ignored (nobodys business): this agent has no predicate 'nobodys'"
    more = "; and 2 more like this (-v shows all)"
    assert plain.err == f"warning: {problem}:{line}:8: {said}{more}\n"
    assert verbose.err.startswith(f"warning: {problem}:{line}:8: {said}\n")
    assert verbose.err.count("warning: ") == 3
    assert plain.code == verbose.code == 0
    assert "warning" not in plain.out + verbose.out
    as_json = tacit("inspect", tmp_path, "--json")
    assert as_json.err == plain.err
    assert json.loads(as_json.out)["agents"]
    solved = tacit("solve", tmp_path, "--json")
    assert solved.err.startswith(plain.err)
    assert json.loads(solved.out)["schema"] == "tacit.solve/2"


def test_names_are_no_markup(tacit, delivery):
    for file in ("domain.pddl", "problem.pddl"):
        text = (delivery / file).read_text()
        (delivery / file).write_text(text.replace("t1", "[red]").replace("t2", "[bold]"))
    found = tacit("inspect", delivery)
    assert found.code == 0
    assert "[red]" in found.out
    assert "[bold]" in found.out


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (KeyboardInterrupt(), ExitCode.INTERRUPTED, "interrupted"),
        (MemoryError(), ExitCode.MEMORY, "out of memory"),
        (RuntimeError("secret"), ExitCode.INTERNAL, "this is a bug in Tacit (RuntimeError at "),
        (RecursionError(), ExitCode.INTERNAL, "this is a bug in Tacit (RecursionError at "),
    ],
)
def test_whatever_happens_ends_with_a_message(tacit, monkeypatch, error, code, said):
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(instance, "load", fail)
    found = tacit("inspect", "rovers/small")
    assert (found.code, found.out) == (code, "")
    assert found.err.strip().startswith(f"error: {said}")
    assert "secret" not in found.err


def test_a_user_who_does_not_wait_gets_the_best_so_far(tacit, monkeypatch, tmp_path):
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(effort.EffortSearch, "_less", stop)
    plan = tmp_path / "plan.txt"
    found = tacit("solve", "driverlog/small", "--smallest", "--edges", "--plan-file", plan)
    assert found.code == ExitCode.INTERRUPTED
    assert "valid: The plan is valid" in found.out
    assert "Disclosed by" not in found.out  # the agents are at another budget by then
    assert "this is the best so far" in found.err
    assert tacit("validate", "driverlog/small", plan).code == 0
    monkeypatch.setattr(effort, "least_disclosed", stop)
    monkeypatch.setattr(online.Online, "run", stop)
    for mode in (["--smallest"], []):
        found = tacit("solve", "driverlog/small", *mode)
        assert (found.code, found.out, found.err.strip()) == (130, "", "error: interrupted")


def test_the_traceback_is_there_for_a_user_who_asks(capsys, monkeypatch):
    monkeypatch.setenv("TACIT_TRACEBACK", "1")
    monkeypatch.setattr(instance, "load", lambda *_: 1 // 0)
    assert run(["inspect", "rovers/small"]) == ExitCode.INTERNAL
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_ties_are_broken_at_random_by_a_seed_that_the_result_names(tacit):
    def solved(*args: str) -> dict:
        return json.loads(tacit("solve", "driverlog/small", "--ranking", "m3", "--json", *args).out)

    usual, one, other = solved(), solved("--ties", "1"), solved("--ties", "2")
    assert [found["ties"] for found in (usual, one, other)] == [None, 1, 2]
    assert len({found["k"] for found in (usual, one, other)}) == 3
    assert solved("--ties", "1")["plan"] == one["plan"]


def test_the_former_name_of_a_command_still_works(tacit):
    former, present = tacit("up", "--help"), tacit("rehearse", "--help")
    assert former.code == present.code == 0
    assert former.out.partition("\n")[2] == present.out.partition("\n")[2]
    assert "\n  up " not in tacit("--help").out


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["logistics/small", "--k", "0"], 11, "Try a larger --k"),
        (["secrets/small", "--threats", "none", "--k", "6"], 12, "--threats on-demand"),
        (
            [
                "depot/small",
                "--ranking",
                "m3",
                "--k",
                "6",
                "--max-repairs",
                "0",
                "--no-change-over",
            ],
            12,
            "--solver mafs decides it",
        ),
    ],
)
def test_without_a_plan_it_says_what_to_try_and_what_was_disclosed(tacit, options, code, said):
    result = tacit("solve", *options)
    assert result.code == code
    told = " ".join(result.out.split())
    assert said in told
    assert "disclosed" in told

"""`tacit minimum`: what it prints, and how it ends."""

from __future__ import annotations

import json

from tacit.central.analysis.minimum import attempts
from tacit.cli.main import run as run_command


def test_the_command_in_json(capsys, tmp_path):
    plan = tmp_path / "plan.txt"
    assert run_command(["minimum", "logistics/small", "--json", "--plan-file", str(plan)]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["schema"] == "tacit.minimum/2"
    assert shown["sees_everything"]
    assert shown["proven"]
    for name, value in (("max", 2), ("sum", 4)):
        ends = shown["objectives"][name]
        assert (ends["lower_bound"], ends["best_found"], ends["gap"]) == (value, value, 0)
        assert sum(ends["witness"]["disclosed"].values()) >= value
    assert run_command(["validate", "logistics/small", str(plan)]) == 0


def test_the_command_says_what_it_sees(capsys):
    assert run_command(["minimum", "logistics/small", "--of", "max", "--edges"]) == 0
    shown = capsys.readouterr().out
    assert "uses every agent's secrets" in shown
    assert "achieves" in shown
    assert "all agents" not in shown


def test_time_is_over_at_once(capsys):
    assert run_command(["minimum", "driverlog/small", "--time-limit", "0", "--json"]) == 23
    shown = json.loads(capsys.readouterr().out)
    assert not shown["proven"]
    assert shown["objectives"]["sum"]["best_found"] is None


def test_ctrl_c_reports_what_is_known(capsys, monkeypatch):
    """Somebody presses it in the first trial: the bound is known by then."""

    def pressed(self, choice, evaluations):
        raise KeyboardInterrupt

    monkeypatch.setattr(attempts.Attempts, "suffices", pressed)
    asked = ["minimum", "logistics/small", "--of", "sum", "--json"]
    assert run_command(asked) == 130
    shown = json.loads(capsys.readouterr().out)
    assert shown["interrupted"]
    assert shown["objectives"]["sum"]["lower_bound"] == 4
    assert shown["objectives"]["sum"]["best_found"] is None


def test_no_plan_whatever_is_disclosed(capsys, tmp_path):
    domain, problem = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
    domain.write_text(
        "(define (domain d) (:types agent)"
        "(:predicates (g) (p) (:private ?a - agent (f ?a - agent)))"
        "(:action x :agent ?a - agent :parameters () :precondition (f ?a) :effect (g)))"
    )
    problem.write_text(
        "(define (problem d) (:domain d) (:objects (:private a a - agent)) (:init) (:goal (g)))"
    )
    assert run_command(["minimum", str(domain), str(problem)]) == 11
    assert "no plan even if everything is disclosed" in capsys.readouterr().out


def test_wrong_options_have_exit_codes(capsys):
    assert run_command(["minimum", "logistics/small", "--threats", "ranked"]) == 31
    assert "none" in capsys.readouterr().err
    assert run_command(["minimum", "logistics/small", "--of", "least"]) == 2


def test_the_old_name_of_an_option_is_explained(capsys):
    assert run_command(["minimum", "logistics/small", "--objective", "max"]) == 2
    assert "--of max|sum|both" in capsys.readouterr().err

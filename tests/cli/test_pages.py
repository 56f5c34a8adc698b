"""`--html` of each command, and results in notebooks."""

from __future__ import annotations

import re

import pytest

import tacit
from tacit.central.analysis.explain import explain
from tacit.central.analysis.minimum import MinimumSearch
from tacit.central.analysis.trade import Trade
from tacit.central.validate.plan import Plan, read_plan_text
from tacit.cli.main import run
from tacit.pddl.source import Source


def test_solve_draws_its_plan_and_says_what_peers_learn(tmp_path, capsys):
    path = tmp_path / "new" / "page.html"
    assert run(["solve", "logistics/small", "--html", str(path), "--json"]) == 0
    printed = capsys.readouterr()
    assert '"leakage"' not in printed.out
    assert f"Wrote {path}." in printed.err
    text = path.read_text()
    assert text.count('class="step"') == 13
    assert re.findall(r"<b>(\w+)</b><div", text) == ["plane1", "truck0", "truck1"]
    assert "certain" in text
    assert "src=" not in text
    assert "http" not in re.sub(r'http-equiv="[^"]*"', "", text)


def test_a_page_says_why_there_is_no_plan(tmp_path, capsys):
    path, weights = tmp_path / "page.html", tmp_path / "never.toml"
    weights.write_text('[truck0]\ndefault = "never"\n')
    words = ["logistics/small", "--weights", str(weights), "--html", str(path)]
    assert run(["solve", *words]) == 12
    text = path.read_text()
    assert "Why there is no plan" in text
    assert "truck0" in text[text.index("Why there is no plan") : text.index("<h2>Disclosed")]
    assert run(["explain", *words]) == 0
    assert "a bound stands in the way" in path.read_text()


@pytest.mark.parametrize("command", [["solve"], ["explain"]])
def test_a_page_that_cannot_be_written_is_an_error(tmp_path, capsys, command):
    assert run([*command, "logistics/small", "--html", str(tmp_path)]) == 31
    assert "cannot write" in capsys.readouterr().err


@pytest.fixture(scope="module")
def solved():
    return tacit.solve(tacit.load("logistics/small"))


def test_what_notebooks_show_is_short(solved):
    instance = solved.instance
    found = explain(instance)
    least = MinimumSearch(instance, objectives=("max",)).run(20)
    shown = [instance, instance.public, solved, solved.plan, solved.verdict, solved.ledger]
    for one in [*shown, solved.transcript, found, least, Trade(False), Plan(())]:
        assert 5 < len(repr(one)) < 200
        assert "\n" not in repr(one)
        assert " object at 0x" not in repr(one)
    for one in (instance, solved, solved.plan, found, Trade(False), Plan(())):
        assert one._repr_html_().startswith("<iframe srcdoc=")


def test_a_plan_as_text_is_what_its_file_has(solved):
    text = str(solved.plan)
    assert read_plan_text(Source("plan", text)).steps == tuple(
        type(step)(None, step.name, step.args) for step in solved.plan.steps
    )
    assert tacit.validate(solved.instance, read_plan_text(Source("plan", text))).valid

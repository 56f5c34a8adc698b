"""`tacit inspect --graph`: what it draws, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.inside import unregister
from support.places import ROOT
from support.svg import inline, of_class, parsed

from tacit.cli.main import run
from tacit.errors import ExitCode
from tacit.party.disclosure.ranking import RANKINGS

EXAMPLE = ROOT / "examples" / "my_ranking.py"


@pytest.fixture
def inspect(capsys, monkeypatch):
    monkeypatch.delenv("TACIT_TRACEBACK", raising=False)

    def call(*args: str | Path) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run(["inspect", *map(str, args)])
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return code, out, err

    return call


def test_the_command_draws_what_it_says(inspect, tmp_path):
    for name in ("g.svg", "g.html", "G.SVG"):
        file = tmp_path / name
        code, out, _ = inspect(
            "driverlog/small", "--graph", file, "--agent", "driver1", "--k", 4, "--ranking", "m1"
        )
        assert code == 0
        assert f"Wrote {file}: 4 of 27 edges of driver1 are disclosed." in out
        tree = inline(file.read_text(encoding="utf-8"))
        assert len(of_class(tree, "edge", "disclosed")) == 4
        assert "ranking m1" in file.read_text(encoding="utf-8")


def test_the_command_in_json_with_percent_and_ties(inspect, tmp_path):
    file = tmp_path / "g.svg"
    common = ("logistics/small", "--graph", file, "--agent", "truck0", "--json")
    code, out, _ = inspect(*common, "--percent", 50, "--ties", 3)
    assert code == 0
    expected = {"file": str(file), "agent": "truck0", "ranking": "goal", "ties": 3}
    assert json.loads(out)["graph"] == {**expected, "k": 2, "edges": 3}
    assert json.loads(inspect(*common, "--percent", 100)[1])["graph"]["k"] == 3
    assert json.loads(inspect("logistics/small", "--json")[1])["graph"] is None


def test_interactive_rankings_are_drawn_too(inspect, tmp_path):
    file = tmp_path / "g.svg"
    args = ("rovers/small", "--graph", file, "--agent", "rover1", "--k", 2)
    try:
        code, _, err = inspect(*args, "--plugin", EXAMPLE, "--ranking", "answer")
    finally:
        for name in ("answer", "in-turn"):
            unregister(RANKINGS, name)
    assert (code, err) == (0, "")
    assert len(of_class(parsed(file.read_text()), "edge", "disclosed")) == 2


WRONG = [
    (["--graph", "x.png", "--agent", "driver1"], "as 'x.png'"),
    (["--graph", "x", "--agent", "driver1"], "as 'x'"),
    (["--graph", "x.svg"], "agents: driver1, driver2"),
    (["--graph", "x.svg", "--agent", "driver"], "agents: driver1, driver2"),
    (["--graph", "x.svg", "--agent", "driver1", "--k", "28"], "from 0 to 27"),
    (["--graph", "/dev/null/x.svg", "--agent", "driver1"], "cannot make the folder"),
    (["--graph", "x.svg", "--agent", "driver1", "--ranking", "m9"], "no ranking"),
    (["--graph", "x.svg", "--agent", "driver1", "--threats", "paper-index"], "counting only"),
]


@pytest.mark.parametrize(("args", "said"), WRONG)
def test_wrong_input_is_reported(inspect, tmp_path, monkeypatch, args, said):
    monkeypatch.chdir(tmp_path)
    code, _, err = inspect("driverlog/small", *args)
    assert code == ExitCode.BAD_INPUT
    assert said in err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "args", [["--k", "3"], ["--agent", "x"], ["--graph", "x.svg", "--k", "1", "--percent", "2"]]
)
def test_wrong_usage_is_reported(inspect, args):
    assert inspect("driverlog/small", *args)[0] == 2


def test_an_agent_with_no_dependencies_is_reported(inspect, tmp_path):
    code, _, err = inspect(
        "secrets/small", "--graph", tmp_path / "x.svg", "--agent", "office2", "--profile", "tacit"
    )
    assert code == ExitCode.BAD_INPUT
    assert "'office2' has no private dependencies" in err
    assert "these have some: courier1" in err


def test_the_table_is_not_cut_at_80_columns(inspect, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for problem in ("driverlog/small", "depot/small"):
        code, out, _ = inspect(problem, "--dependencies", "--profile", "paper")
        assert code == 0
        table = out.partition("public facts")[0]
        assert "…" not in table
        assert {"positive", "negative", "tokens", "actions"} <= set(table.split())
        assert all(len(line) <= 80 for line in table.splitlines())

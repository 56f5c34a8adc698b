"""`tacit report`: its options, what it refuses, and what it notes."""

from __future__ import annotations

import sqlite3
import sys

import msgspec
import pytest
from support.reporting import Page, embedded, run_of, write

from tacit.cli.main import run as tacit_run
from tacit.errors import ExitCode
from tacit.experiment.report import problems
from tacit.experiment.run.row import RunOutcome

pytestmark = pytest.mark.usefixtures("_undrawn")
NASTY = """d/<script>alert("1")</script>&'--]]>"""


def test_names_are_escaped_everywhere(tmp_path):
    unit = {"problem": NASTY, "domain": NASTY.partition("/")[0], "ranking": "<b>&"}
    rows = [msgspec.structs.replace(run_of(k=k, cost=None, **unit), detail=NASTY) for k in (1, 2)]
    rows[1] = msgspec.structs.replace(rows[1], outcome=RunOutcome.CRASH)
    path = write(tmp_path / "runs.db", rows)
    assert tacit_run(["report", str(path), "-o", str(tmp_path / "out")]) == 0
    text = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    page = Page(text)
    assert NASTY in page.text
    assert "<script>alert" not in text
    assert "<b>&" in embedded(text, "panels")["styles"]


def test_what_cannot_be_read_again_is_noted(tmp_path, capsys):
    unit = {"settings": msgspec.json.encode({}).decode()}
    path = write(tmp_path / "runs.db", [run_of("d/p", 5, 8, **unit)])
    assert tacit_run(["report", str(path), "-o", str(tmp_path / "out")]) == 0
    said = capsys.readouterr()
    assert "(0 pages)" in said.out
    assert "note: d/p: its files were not found unchanged" in said.err
    assert "could not be made" in (tmp_path / "out" / "index.html").read_text(encoding="utf-8")


def test_a_problem_in_a_folder_is_found_by_its_suite_unless_it_changed(tmp_path, capsys):
    folder, store = tmp_path / "logistics" / "p1", tmp_path / "runs.db"
    assert tacit_run(["generate", "logistics", "-o", str(folder)]) == 0
    words = ["--rankings", "m1", "--levels", "0,100", "-o", str(store)]
    assert tacit_run(["sweep", str(tmp_path), *words]) == 0
    options = ["--problems", str(tmp_path)]
    assert tacit_run(["report", str(store), "-o", str(tmp_path / "out"), *options]) == 0
    assert (tmp_path / "out" / "problems" / "logistics-p1.html").is_file()
    (folder / "problem.pddl").open("a").write("\n; changed\n")
    capsys.readouterr()
    assert tacit_run(["report", str(store), "-o", str(tmp_path / "new"), *options]) == 0
    assert "not found unchanged" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("pages", "expected"),
    [("0", 0), ("1", 2), *(pytest.param(n, 2, marks=pytest.mark.slow) for n in ("7", "all"))],
)
def test_pages(small_store, tmp_path, capsys, pages, expected):
    assert (
        tacit_run(["report", str(small_store), "-o", str(tmp_path / "out"), "--pages", pages]) == 0
    )
    assert len(list((tmp_path / "out" / "problems").iterdir())) == expected


def test_the_easiest_have_fewest_dependencies():
    rows = [run_of(f"d/{n}", 1, None) for n in ("p10", "p2", "p1")]
    rows[2] = msgspec.structs.replace(rows[2], dependencies={"a": 50})
    rows.append(msgspec.structs.replace(run_of("d/p0", 0, 4), dependencies={"a": 0}))
    found = problems.cases(rows)
    assert [case.name for case in problems.easiest(found, 2)] == ["d/p2", "d/p10"]
    assert [case.name for case in problems.easiest(found, None)] == ["d/p2", "d/p10", "d/p1"]


def test_a_ranking_that_is_not_known_here_is_noted(tmp_path, capsys):
    store = tmp_path / "runs.db"
    words = "sweep logistics/small --rankings m1 --levels 0,100 -o"
    assert tacit_run([*words.split(), str(store)]) == 0
    with sqlite3.connect(store) as connection:
        connection.execute("UPDATE runs SET ranking = 'unheard-of'")
    assert tacit_run(["report", str(store), "-o", str(tmp_path / "out")]) == 0
    assert "'unheard-of' is not known here; load it with --plugin" in capsys.readouterr().err
    text = (tmp_path / "out" / "problems" / "logistics-small.html").read_text(encoding="utf-8")
    assert embedded(text, "data")["drawn"] == []


def test_several_configurations_need_a_choice(tmp_path, capsys):
    rows = [run_of("d/p", 5, 8), run_of("d/p", 5, 8, profile="tacit")]
    path = write(tmp_path / "runs.db", rows)
    out = str(tmp_path / "out")
    assert tacit_run(["report", str(path), "-o", out]) == ExitCode.BAD_INPUT
    said = capsys.readouterr().err
    assert "these runs differ in 'profile': paper, tacit" in said
    assert '--where profile="paper"' in said
    assert tacit_run(["report", str(path), "-o", out, "--where", "profile=paper"]) == 0
    assert "Reported on 1 run" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--pages", "some"], "'some' is not a number of pages"),
        (["--where", "profile"], "'profile' is not a condition"),
        (["--where", "colour=red"], "runs have no column 'colour'"),
        (["--where", "domain=nowhere"], "there are no runs with domain=nowhere"),
        (["--problems", "nowhere"], "no folder, list file or embedded suite 'nowhere'"),
    ],
)
def test_wrong_options(small_store, tmp_path, capsys, words, message):
    out = ["-o", str(tmp_path / "out")]
    assert tacit_run(["report", str(small_store), *out, *words]) == ExitCode.BAD_INPUT
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out" / "index.html").exists()


def test_a_folder_with_something_in_it_is_left_alone(small_store, tmp_path, capsys):
    (tmp_path / "mine.txt").write_text("mine")
    assert tacit_run(["report", str(small_store), "-o", str(tmp_path)]) == ExitCode.BAD_INPUT
    assert "is not empty" in capsys.readouterr().err
    assert tacit_run(["report", str(small_store), "-o", str(tmp_path), "--force"]) == 0
    assert (tmp_path / "mine.txt").read_text() == "mine"


@pytest.mark.parametrize("name", ["matplotlib", "jinja2"])
def test_without_the_extra_there_is_a_hint(small_store, tmp_path, capsys, monkeypatch, name):
    import importlib.util

    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda n: None if n == name else real(n))
    assert tacit_run(["report", str(small_store), "-o", str(tmp_path / "o")]) == ExitCode.BAD_INPUT
    said = capsys.readouterr().err
    assert f"reports need the package '{name}'" in said
    assert "pip install '.[report]'" in said


def test_the_command_line_starts_without_the_extra():
    import subprocess

    heavy = ("matplotlib", "jinja2")
    code = f"import sys, tacit.cli.report; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

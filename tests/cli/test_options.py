"""Options: each explains itself, long lists are in groups, and one thing has one name."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import click
import pytest

from tacit.cli.grouped import BASICS, Command, groups
from tacit.cli.main import cli
from tacit.net.limits import CLOCKS

COMMANDS = cli.list_commands(click.Context(cli))
MANY = 12
"""Options of a command that are shown without groups, and of a group."""


def command_of(name: str) -> click.Command:
    return importlib.import_module(f"tacit.cli.{name}").command


def options_of(name: str) -> list[click.Option]:
    shown = (param for param in command_of(name).params if isinstance(param, click.Option))
    return [one for one in shown if not one.hidden]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_a_help_text(name):
    for one in options_of(name):
        assert one.help, one.opts
        assert one.help[0].isupper() or one.help.startswith("'"), one.help
        assert one.help.rstrip().endswith((".", "]", ")")), one.help


@pytest.mark.parametrize("name", COMMANDS)
def test_many_options_are_in_groups_and_the_basics_come_first(name):
    found = command_of(name)
    if len(options_of(name)) <= MANY:
        return
    assert isinstance(found, Command)
    parts = groups(found.params)
    assert next(iter(parts)) == BASICS
    assert max(map(len, parts.values())) <= MANY, {n: len(m) for n, m in parts.items()}
    text = found.get_help(click.Context(found, info_name=name))
    assert [line[:-1] for line in text.split("\n") if re.fullmatch(r"[A-Z].*:", line)] == [*parts]


@pytest.mark.parametrize("name", COMMANDS)
def test_seconds_say_of_which_clock(name):
    for one in options_of(name):
        if re.search(r"\bseconds\b", one.help.lower()) and getattr(one, "group", "") != CLOCKS:
            assert "CPU" in one.help or "wall-clock" in one.help or "per second" in one.help


@pytest.mark.parametrize("name", COMMANDS)
def test_a_budget_is_in_prices(name):
    for one in options_of(name):
        if "budget" in one.help.lower() or "--budget" in one.opts:
            assert "price" in one.help


@pytest.mark.parametrize("name", COMMANDS)
def test_what_can_be_ranked_can_be_ranked_by_a_plugin(name):
    flags = {flag for one in options_of(name) for flag in one.opts}
    if flags & {"--ranking", "--rankings", "--scores"}:
        assert "--plugin" in flags


WRITES = {
    "solve": ["logistics/small", "--plan-file", "{new}/plan.txt"],
    "inspect": ["logistics/small", "--graph", "{new}/g.svg", "--agent", "truck0"],
    "pareto": ["logistics/small", "-o", "{new}/p.svg"],
    "sweep": ["logistics/small", "--smallest", "--jobs", "1", "-o", "{new}/runs.db"],
    "factor": ["logistics/small", "-o", "{new}"],
    "generate": ["logistics", "-o", "{new}"],
    "init": ["{new}"],
}


@pytest.mark.parametrize("name", WRITES)
def test_output_creates_its_folder(tacit, tmp_path, name):
    new = tmp_path / "not" / "there"
    found = tacit(name, *(word.format(new=new) for word in WRITES[name]))
    assert found.code == 0, found.err
    assert any(new.iterdir())


def test_a_store_goes_through_all_formats_in_folders_that_are_new(tacit, tmp_path):
    store, new = tmp_path / "runs.db", tmp_path / "a" / "b"
    assert tacit("sweep", "logistics/small", "--smallest", "--jobs", 1, "-o", store).code == 0
    csv, lab = new / "runs.csv", new / "lab"
    assert tacit("export", store, "--csv", csv, "--lab", lab).code == 0
    assert (lab / "properties").is_file()
    assert tacit("restore", csv, "-o", new / "c" / "again.db").code == 0


def test_a_former_name_is_answered_with_the_new_one(tacit):
    found = tacit("rehearse", "logistics/small", "--transcripts")
    assert (found.code, "it is now --transcript" in found.err) == (2, True)


@pytest.mark.parametrize(
    ("problem", "width"),
    [
        ("logistics/small", 60),
        ("logistics/small", 80),
        ("rovers/small", 80),
        ("sensors/medium", 80),
    ],
)
def test_a_step_of_a_plan_takes_two_lines_at_most(tacit, monkeypatch, problem, width):
    monkeypatch.setenv("COLUMNS", str(width))
    printed = tacit("solve", problem).out.split("\n")
    start = next(n for n, line in enumerate(printed) if line.startswith(" time "))
    end = next(n for n, line in enumerate(printed) if line.startswith("valid"))
    head, *plan = printed[start:end]
    if head.split() == ["time", "agent", "step"]:
        assert all(len(line[7:].split()) >= 2 for line in plan if line.strip())
        return
    assert max(map(len, plan)) <= width
    lines = "".join(_kind(line) for line in plan[1:])
    assert "T" in lines
    assert "cc" not in lines


def _kind(line: str) -> str:
    """T for a line with a time, c for one that continues it."""
    return "T" if line[:5].strip().isdigit() else "c" if line.strip() else ""


def test_jobs_are_as_many_as_processors(tacit, monkeypatch):
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1, 2}, raising=False)
    found = tacit("sweep", "logistics/small", "--time-limit", "10", "--dry-run")
    assert found.code == 0, found.err
    assert "At 10 s each and 3 at a time" in found.out
    assert found.out.startswith("1 problem, 1 unit (")


def test_a_sweep_without_a_store_is_refused(tacit):
    found = tacit("sweep", "logistics/small")
    assert (found.code, "Missing option '-o'" in found.err) == (2, True)


def test_plurals_are_made_in_one_place():
    """No text counts something by hand: `tacit.words.counted` knows one from several."""
    nouns = "repairs|edges|runs|problems|agents|steps|files|pages|frames|facts|goals|states|plans"
    by_hand = re.compile(rf"\{{[^{{}}]*\}} ({nouns})\b")
    folder = Path(importlib.import_module("tacit.cli").__path__[0])
    for path in sorted(folder.glob("*.py")):
        assert not by_hand.findall(path.read_text(encoding="utf-8")), path.name

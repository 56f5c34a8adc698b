"""An evaluation against the paper: in the page, in Markdown, and below the tables."""

from __future__ import annotations

import msgspec
import pytest
from support.published import TABLE
from support.reporting import Page, problem, write

from tacit.cli.main import run as tacit_run
from tacit.errors import ExitCode
from tacit.experiment.paper import published as paper
from tacit.experiment.run.row import Run
from tacit.experiment.tables import coverage as tables
from tacit.experiment.tables.grid import grid1, render


def logistics(problems: int, profile: str = "paper") -> list[Run]:
    """Problems that m1 solves with all edges only, and the others from the first edge on."""
    firsts = {"m1": 10, "m2": 1, "m3": 1, "m4": 1}
    rows = [
        run
        for n in range(problems)
        for run in problem(f"probLOGISTICS-{n}-0", firsts, "logistics00")
    ]
    units = [msgspec.structs.replace(run.unit, profile=profile) for run in rows]
    return [msgspec.structs.replace(r, unit=u) for r, u in zip(rows, units, strict=True)]


def page_of(rows: list[Run], tmp_path, *words: str) -> Page:
    store = write(tmp_path / "runs.db", rows)
    assert tacit_run(["report", str(store), "-o", str(tmp_path / "out"), *words]) == 0
    return Page((tmp_path / "out/index.html").read_text(encoding="utf-8"))


def test_the_page_judges_cells_and_says_why(tmp_path):
    notes = tmp_path / "notes.toml"
    notes.write_text('"projection/logistics/m1" = "Because <of> that."')
    page = page_of(logistics(20), tmp_path, "--notes", str(notes))
    assert page.ids["paper"] == 1
    assert "#paper" in page.links
    assert "4 cells have all 20 problems; 3 of them reach the paper's" in page.text
    line = "projection, logistics, m1: 0 solved up to 10 %, 21 in the paper. Because <of> that."
    assert line in page.text
    assert "In Logistics all rankings are alike except in one problem refuted" in page.text
    assert "solve 20 problems with projection (the paper's 20)" in page.text
    assert "What these runs cannot decide" in page.text
    assert "is best in Elevators" not in page.text  # there are no runs of it


def test_other_settings_are_not_judged(tmp_path):
    page = page_of(logistics(20, "tacit"), tmp_path)
    assert "cells are not judged" in page.text
    assert "21 in the paper." not in page.text


def test_less_than_a_domain_is_not_set_against_the_paper(tmp_path):
    page = page_of(logistics(19), tmp_path)
    assert page.ids["paper"] == 0
    assert "#paper" not in page.links


def test_notes_are_checked(small_store, tmp_path, capsys):
    notes = tmp_path / "notes.toml"
    words = ["report", str(small_store), "-o", str(tmp_path / "out"), "--notes", str(notes)]
    for form in ([], ["--markdown"]):
        notes.unlink(missing_ok=True)
        assert tacit_run([*words, *form]) == ExitCode.BAD_INPUT
        assert "cannot read" in capsys.readouterr().err
        notes.write_text('depot = "why"')
        assert tacit_run([*words, *form]) == ExitCode.BAD_INPUT
        assert "'depot' is not a note" in capsys.readouterr().err
        notes.write_text('"projection/depoot/m1" = "why"')
        assert tacit_run([*words, *form]) == ExitCode.BAD_INPUT
        said = capsys.readouterr().err
        assert "'projection/depoot/m1' is not a cell" in said
        assert "'depot'" in said
    notes.write_text('"projection/depot" = "why"')
    assert tacit_run([*words, "--markdown"]) == 0
    assert "#C / M_D%. " in (tmp_path / "out/index.md").read_text(), "nothing here is the paper's"


@pytest.mark.parametrize("domain", TABLE)
def test_tables_say_why_the_paper_counts_otherwise(domain):
    """Wherever our count, which another test checks, is not the paper's."""
    ours, printed = TABLE[domain][1], paper.DEPENDENCIES[paper.name(domain)]
    spread = tables.Spread(20.0, 20.0, 20.0)
    cells = {"m1": tables.Cell1(spread, spread)}
    rows = [tables.Row1(domain, solver, ours, cells) for solver in ("mafs", "projection")]
    shown = {form: render(grid1(rows), form) for form in ("markdown", "csv", "latex")}
    differs = ours != printed
    assert shown["markdown"].count(f"{ours}, {printed} in the paper: ") == differs
    assert shown["latex"].count(f"\\#dep is {ours}, {printed} in the paper: ") == differs
    assert "in the paper" not in shown["csv"]
    other = [tables.Row1(row.domain, row.solver, 7, cells) for row in rows]
    assert "in the paper" not in render(grid1(other), "markdown")

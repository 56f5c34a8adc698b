"""What the paper describes, looked up in runs: against a naive reading, and by hand."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest
from hypothesis import given, settings
from support.reporting import cell, problem, run_of
from support.runs import naive_count, sweeps

from tacit.cli.main import run as tacit_run
from tacit.experiment.paper import phenomena
from tacit.experiment.paper import published as paper
from tacit.experiment.report import reached
from tacit.experiment.run.row import Run, RunOutcome
from tacit.experiment.tables import coverage as tables


@settings(max_examples=100, deadline=None)
@given(sweeps())
def test_a_loss_is_a_larger_budget_that_does_not_solve(rows):
    for one in tables.series(rows):
        found = {loss.problem: loss for loss in phenomena.losses(one)}
        for name, runs in one.problems.items():
            tried = [(int(r.asked), r) for r in runs if r.asked not in ("smallest", "all")]
            pairs = [(a, b) for a, x in tried for b, y in tried if a < b and x.solved > y.solved]
            assert (name in found) == bool(pairs)
            if pairs:
                loss = found[name]
                assert (loss.solved_at, loss.lost_at) in pairs
                assert loss.outcome is dict(tried)[loss.lost_at].outcome


def test_what_only_the_time_limit_lost_shows_it_in_part():
    rows = [run_of("d/p", 1, 5), run_of("d/p", 2, None)]
    (found,) = [phenomena.lost(tables.series(rows))]
    assert found.verdict == phenomena.IN_PART
    assert cell(found, "for example") == "d/p m1, 1 and not 2"
    import msgspec

    rows[1] = msgspec.structs.replace(rows[1], outcome=RunOutcome.NOT_EXTENDED)
    assert phenomena.lost(tables.series(rows)).verdict == phenomena.SHOWN
    assert phenomena.lost(tables.series(rows[:1])).verdict == phenomena.REFUTED


@pytest.mark.parametrize(
    ("others", "verdict"),
    [(10, phenomena.SHOWN), (3, phenomena.IN_PART), (1, phenomena.REFUTED)],
)
def test_best_by_an_order_of_magnitude(others, verdict):
    firsts = {"m1": others, "m2": others, "m3": 1, "m4": others}
    rows = [run for n in range(20) for run in problem(f"p{n}", firsts, "elevators08")]
    found = phenomena.much_the_best(tables.series(rows), "elevators", "m3", 10)
    assert found.verdict == verdict
    assert f"needs {others:.1f} times" in found.text
    assert cell(found, "mean first k", ranking="m1") == f"{others:.1f}"
    assert cell(found, "M_D edges", ranking="m3") == "1"
    some = phenomena.much_the_best(tables.series(rows[:44]), "elevators", "m3", 10)
    assert some.verdict == f"{verdict}, so far (1 of 20 problems)"
    assert phenomena.much_the_best([], "elevators", "m3", 10).verdict == phenomena.UNKNOWN


def test_weak_is_the_most_and_rankings_are_compared_where_all_solve():
    firsts = {"m1": 2, "m2": 4, "m3": 3, "m4": 8}
    rows = problem("p1", firsts, "rovers") + problem("p2", {**firsts, "m4": 99}, "rovers")
    found = phenomena.weak(tables.series(rows), "rovers", "m4")
    assert found.verdict.startswith(phenomena.SHOWN)
    assert cell(found, "over problems", ranking="m4") == "1"
    assert cell(found, "#C", ranking="m4") == "1"
    assert "m4 needs 8.0 edges on average (m1 2.0, m3 3.0, m2 4.0)" in found.text
    rows = problem("p1", {**firsts, "m4": 1}, "rovers")
    assert phenomena.weak(tables.series(rows), "rovers", "m4").verdict.startswith("refuted")


@pytest.mark.parametrize(
    ("best", "verdict"),
    [(10, phenomena.SHOWN), (9, phenomena.IN_PART), (5, phenomena.REFUTED)],
)
def test_no_better_than_random(best, verdict):
    rows = problem("p1", {"m1": best, "m2": 10, "random": 10}, "depot")
    found = phenomena.like_random(tables.series(rows), "depot", 0.1)
    assert found.verdict.startswith(verdict)
    without = [run for run in rows if run.unit.ranking != "random"]
    assert phenomena.like_random(tables.series(without), "depot", 0.1).verdict == phenomena.UNKNOWN


def test_one_solver_needs_more():
    rows = problem("p1", {"m1": 2, "m2": 3}, "depot") + problem(
        "p1", {"m1": 5, "m2": 3}, "depot", "mafs"
    )
    rows += problem("p2", {"m1": 2}, "depot")  # that forward search was not run on it is no loss
    rows += problem("p3", {"m1": 2}, "depot") + problem("p3", {"m1": 99}, "depot", "mafs")
    found = phenomena.more_than(tables.series(rows), "mafs", "projection")
    assert found.verdict.startswith(phenomena.SHOWN)
    line = found.grid.rows[0]
    assert line[1:] == ["2", "1", "1", "0", "4.0", "2.5", "0", "1"]
    assert "(2 of" in found.verdict


@settings(max_examples=60, deadline=None)
@given(sweeps())
def test_how_many_are_solved_at_x(rows):
    for one in tables.series(rows):
        own = {name: list(runs) for name, runs in one.problems.items()}
        for x in range(13):
            counts = [naive_count(own, Fraction(y), False) for y in range(x + 1)]
            assert reached.solved_by(one, Fraction(x)) == max(counts)


def logistics(firsts: dict[str, int], name: str = "probLOGISTICS-{}-0") -> list[Run]:
    """As many problems as the paper has, called as its are."""
    return [run for n in range(20) for run in problem(name.format(n), firsts, "logistics00")]


def test_only_what_is_done_is_judged():
    count, share = paper.COVERAGE["projection"]["logistics", "m1"]
    assert (count, share) == (21, 10)  # of 20, so all of them reach it
    firsts = {"m1": 1, "m2": 10}
    rows = logistics(firsts)
    cells = reached.judged(tables.series(rows))
    assert [(c.ranking, c.solved, c.is_reached) for c in cells] == [
        ("m1", 20, True),
        ("m2", 0, False),
    ]
    assert reached.judged(tables.series(logistics(firsts, "p{}"))) == []  # others' problems
    third = "logistics00/probLOGISTICS-3-0"
    rows = [run for run in rows if (run.unit.problem, run.asked) != (third, "0")]
    assert reached.judged(tables.series(rows)) == []
    assert reached.progress(reached.done(tables.series(rows))).rows == [
        ["projection", "logistics00", "19", "19"]
    ]


def test_a_budget_that_another_ranking_has_is_missed():
    rows = problem("p1", {"m1": 1, "m2": 10}, "depot") + problem("p2", {"m1": 1}, "depot")
    some = [r for r in rows if (r.unit.problem, r.unit.ranking, r.asked) != ("depot/p1", "m2", "5")]
    assert len(some) == len(rows) - 1
    for found, count in ((rows, "1"), (some, "0")):
        (line,) = reached.progress(reached.done(tables.series(found))).rows
        assert line == ["projection", "depot", "2", count]


def test_the_page_in_markdown(small_store, tmp_path, capsys):
    out = tmp_path / "out"
    assert tacit_run(["report", str(small_store), "-o", str(out), "--markdown"]) == 0
    assert str(out / "index.md") in capsys.readouterr().out
    text = (out / "index.md").read_text(encoding="utf-8")
    for name in ("coverage-mafs", "coverage-percent-projection"):
        assert f"({name}.svg)" in text
        assert (out / f"{name}.svg").is_file()
    for heading in (
        "Table 1",
        "Table 2: makespan",
        "Edges used",
        "What the paper describes",
        "Outcomes",
    ):
        assert f"\n## {heading}" in text
    assert "\n## Table 3" not in text
    for block in text.strip().split("\n\n"):
        if block.startswith("|"):
            assert len({line.count("|") for line in block.split("\n")}) == 1
    assert "**" in text
    assert sorted(path.suffix for path in out.iterdir()) == [".md", *[".svg"] * 4]


def test_a_note_stands_behind_its_cell(tmp_path):
    from tacit.experiment.report import markdown

    rows = logistics({"m1": 10, "m2": 1})
    notes = {"projection/logistics/m1": "Because."}
    text = markdown.write(rows, "x", tmp_path, notes).read_text(encoding="utf-8")
    assert "- projection, logistics, m1: 0 solved up to 10 %, 21 in the paper. Because.\n" in text
    assert "2 cells have all 20 problems; 1 of them reach the paper's" in text
    ours = [msgspec.structs.replace(run.unit, profile="tacit") for run in rows]
    other = [msgspec.structs.replace(run, unit=u) for run, u in zip(rows, ours, strict=True)]
    text = markdown.write(other, "x", tmp_path, notes).read_text(encoding="utf-8")
    assert "cells are not judged" in text
    assert "Because." not in text


def test_what_budgets_share_is_counted_once(tmp_path):
    from tacit.experiment.report import markdown

    rows = [
        msgspec.structs.replace(
            run, seconds_load=900.0, seconds_dependencies=900.0, seconds_total=1890.0
        )
        for run in problem("p0", {"m1": 10, "m2": 1}, "logistics00")
    ]
    text = markdown.write(rows, "x", tmp_path, {}).read_text(encoding="utf-8")
    assert "all took 1.6 hours of CPU time" in text  # 2 x 0.5 hours, and 22 x 90 seconds

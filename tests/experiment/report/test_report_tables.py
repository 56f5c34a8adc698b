"""The tables of reports: what is bold, what is counted, and that nothing is cut."""

from __future__ import annotations

import msgspec
from support.reporting import run_of

from tacit.experiment.report import grids
from tacit.experiment.run.row import RunOutcome
from tacit.experiment.tables import coverage as tables
from tacit.experiment.tables import grid


def test_the_best_is_bold_and_only_where_rankings_differ():
    rows = [run_of("p", 5, 8, ranking="m1"), run_of("p", 10, 8, ranking="m2")]
    rows += [run_of("q", 10, 8, ranking=ranking) for ranking in ("m1", "m2")]
    shown = grid.grid1(tables.table1(rows))
    assert [shown.rows[r][c] for r, c in shown.bold] == []  # both need all that there is for q
    rows = rows[:2]
    shown = grid.grid1(tables.table1(rows))
    assert [(shown.header[c], shown.rows[r][c]) for r, c in shown.bold] == [("m1 M_D%", "50")]
    assert "**50**" in grid.render(shown, "markdown")
    assert "\\textbf{50}" in grid.render(shown, "latex")
    assert "*" not in grid.render(shown, "csv")
    rows.append(run_of("q", 10, 8, ranking="m2"))
    shown = grid.grid1(tables.table1(rows))
    assert {shown.header[c] for _, c in shown.bold} == {"m2 #C", "m2 M_D%"}


def test_outcomes_are_all_counted_and_unexplained_ones_apart():
    rows = [
        msgspec.structs.replace(run_of(f"p{n}", 1, None), outcome=outcome)
        for n, outcome in enumerate(RunOutcome)
    ]
    shown = grids.outcomes(rows)
    names = [column.name for column in shown.columns]
    assert [cell.value for cell in shown.rows[0][3:]] == [1] * len(RunOutcome)
    assert names[-3:] == ["undecided", "crash", "invalid plan"]
    assert shown.groups[-1] == ("unexplained", 3)
    assert sum(span for _, span in shown.groups) == len(names)
    assert [run.outcome for run in grids.unexplained(rows, 2)[0]] == [
        RunOutcome.INVALID_PLAN,
        RunOutcome.CRASH,
    ]
    assert grids.unexplained(rows, 2)[1] == 3


def test_a_solver_shows_the_rankings_it_was_run_with():
    rows = [run_of("p", 5, 8, ranking=ranking, solver="projection") for ranking in ("m1", "random")]
    rows.append(run_of("p", 5, 8, ranking="m1", solver="mafs"))
    shown = dict(grids.by_solver(grid.grid1(tables.table1(rows))))
    assert [name for name, _ in shown["projection"].groups] == ["", "", "m1", "random"]
    assert [name for name, _ in shown["mafs"].groups] == ["", "", "m1"]
    for part in shown.values():
        assert sum(span for _, span in part.groups) == len(part.columns)
        assert {len(row) for row in part.rows} == {len(part.columns)}

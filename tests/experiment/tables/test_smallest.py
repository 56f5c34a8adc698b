"""What was told at the smallest budget: means over what all rankings solved, and reports of it."""

from __future__ import annotations

import msgspec
from support.reporting import Page, run_of

from tacit.experiment.report import build, markdown
from tacit.experiment.run.row import ONLINE, SMALLEST
from tacit.experiment.tables.ledger import grid6, table6
from tacit.experiment.tables.smallest import attempts, grid5, is_solved, table5


def first(problem: str, ranking: str, edges: int | None, repairs: int = 0, seed: int = 0):
    """A run that looked for the smallest budget; unsolved without `edges`."""
    run = run_of(problem, edges or 0, None if edges is None else 9, ranking=ranking, seed=seed)
    told = {} if edges is None else {"a": edges, "b": 1}
    return msgspec.structs.replace(run, asked=SMALLEST, disclosed=told, repairs={"b": repairs})


RUNS = [
    first("p", "goal", 2, repairs=6),  # b told one edge and made six repairs
    first("p", "m1", 6),
    first("q", "goal", 3),
    first("q", "m1", 8),
    first("r", "goal", 50),
    first("r", "m1", None),
]


def test_means_are_over_what_all_solved_and_repairs_count():
    [row] = table5(RUNS)
    assert (row.common, row.problems) == (2, 3)
    assert row.cells == {"goal": (5.0, 3), "m1": (7.0, 2)}
    shown = grid5([row])
    assert shown.header[2:] == ["by all", "goal", "m1"]
    assert shown.rows[0][2:] == ["2 of 3", "5.0", "7.0 (2 solved)"]
    assert {shown.rows[r][c] for r, c in shown.bold} == {"5.0"}


def test_seeds_are_averaged_and_must_all_solve():
    drawn = [first("p", "random", 4, seed=0), first("p", "random", 8, seed=1)]
    [row] = table5([*RUNS[:2], *drawn])
    assert row.cells["random"] == (6.0, 1)
    lost = [*drawn, first("p", "random", None, seed=2)]
    [problems] = attempts(lost).values()
    assert not is_solved(problems["p"], "random")
    assert table5(lost)[0].common == 0


def test_nothing_without_such_runs():
    assert table5([run_of("p", 5, 8, ranking="m1")]) == []


def test_a_report_of_smallest_budgets_alone_has_no_table_of_coverage(tmp_path):
    text = markdown.write(RUNS, "Smallest", tmp_path / "md", {}).read_text()
    assert "| 2 of 3 | **5.0** | 7.0 (2 solved) |" in text
    assert "Table 1" not in text
    build.build(RUNS, "first.db", tmp_path / "html", 0, [], {})
    page = Page((tmp_path / "html" / "index.html").read_text())
    assert page.ids["table-5"] == 1
    assert page.ids["table-1"] == 0
    assert not any("table-1" in link or "table1" in link for link in page.links)
    assert (tmp_path / "html" / "tables" / "table5.csv").is_file()


def test_a_report_of_budgets_alone_has_no_table_of_the_smallest(tmp_path):
    runs = [run_of("p", 5, 8, ranking=ranking) for ranking in ("m1", "m2")]
    assert "Table 5" not in markdown.write(runs, "Budgets", tmp_path / "md", {}).read_text()
    build.build(runs, "runs.db", tmp_path / "html", 0, [], {})
    page = Page((tmp_path / "html" / "index.html").read_text())
    assert (page.ids["table-1"], page.ids["table-5"]) == (1, 0)


def online(*args, **options):
    return msgspec.structs.replace(first(*args, **options), asked=ONLINE)


BOTH = [*RUNS, online("p", "goal", 4, repairs=1), online("r", "goal", 40), online("q", "m1", None)]


def test_online_is_beside_the_smallest_over_the_same_problems():
    goal, m1 = table6(BOTH)
    assert (goal.problems, goal.common) == (3, 2)  # q was not run online
    offline, ours = goal.modes[SMALLEST], goal.modes[ONLINE]
    assert (offline.solved, ours.solved) == (3, 2)
    assert (offline.edges, offline.repairs, offline.sum, offline.largest) == (27, 3, 30, 28.5)
    assert (ours.edges, ours.repairs, ours.sum, ours.largest) == (23, 0.5, 23.5, 22)
    assert (m1.problems, m1.common, m1.modes[ONLINE].sum) == (3, 0, None)
    shown = grid6([goal, m1])
    assert shown.rows[0][3:] == [
        *("2 of 3", "3", "27.0", "3.0", "30.0", "28.5"),
        *("2", "23.0", "0.5", "23.5", "22.0"),
    ]
    assert shown.groups[4:] == ["smallest (offline)"] * 5 + ["online"] * 5
    assert shown.rows[1][-4:] == ["–"] * 4


def test_online_runs_are_in_no_other_table(tmp_path):
    with_them = markdown.write(BOTH, "Both", tmp_path / "a", {}).read_text()
    without = markdown.write(RUNS, "Both", tmp_path / "b", {}).read_text()
    for title in ("Edges used", "Table 5"):
        a, b = (text.split(f"## {title}")[1].split("## ")[0] for text in (with_them, without))
        assert a == b
    assert "online largest" in with_them
    assert "online" not in without.split("## Table 6")[1].split("|")[1]


def test_a_report_of_online_runs_alone(tmp_path):
    runs = [run for run in BOTH if run.asked == ONLINE]
    text = markdown.write(runs, "Online", tmp_path / "md", {}).read_text()
    assert "| online solved | online edges | online repairs | online sum | online largest |" in text
    build.build(runs, "online.db", tmp_path / "html", 0, [], {})
    page = Page((tmp_path / "html" / "index.html").read_text())
    assert (page.ids["table-6"], page.ids["table-5"], page.ids["edges-used"]) == (1, 0, 0)
    assert (tmp_path / "html" / "tables" / "table6.csv").is_file()

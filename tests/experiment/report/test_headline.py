"""The sentence at the top of a report, and the levels that Lab is given."""

from __future__ import annotations

from support.reporting import problem

from tacit.experiment.report.headline import headline
from tacit.experiment.run.export import lab_properties, own_levels

FIRSTS = {"goal": 2, "m1": 7, "m2": 5}


def test_the_best_ranking_is_set_beside_the_papers_best():
    rows = [run for name in ("p1", "p2") for run in problem(name, FIRSTS, "d")]
    said = (
        "goal solves all 2 with at most 2 edges of an agent, the best of the paper’s, m2, with 5."
    )
    assert headline(rows) == said
    assert headline([run for run in rows if run.unit.ranking == "m1"]) == (
        "m1 solves all 2 with at most 7 edges of an agent."
    )
    assert headline([run for run in rows if not run.solved]) == "None of the 2 problems is solved."


def test_lab_has_each_run_of_a_problem_once():
    rows = [run for name in ("p1", "p2") for run in problem(name, FIRSTS, "d")]
    entries = lab_properties(rows, own_levels(rows)).values()
    by_problem: dict[str, set[str]] = {}
    for entry in entries:
        by_problem.setdefault(entry["problem"], set()).add(entry["algorithm"])
    assert len(entries) == len(rows)
    assert by_problem["p1"] == by_problem["p2"]

"""The sentence at the top of a report, and the levels that Lab is given."""

from __future__ import annotations

import msgspec
from support.reporting import problem, run_of

from tacit.experiment.report.headline import headline
from tacit.experiment.run.export import lab_properties

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
    entries = lab_properties(rows).values()
    by_problem: dict[str, set[str]] = {}
    for entry in entries:
        by_problem.setdefault(entry["problem"], set()).add(entry["algorithm"])
    assert len(entries) == len(rows)
    assert by_problem["p1"] == by_problem["p2"]


def test_lab_has_each_run_once_where_one_k_stands_for_several_levels():
    """A problem with ten edges and one with two, of one sweep at 0:100:10."""
    large = [run_of("d/large", k, 5) for k in range(11)]
    small = [
        msgspec.structs.replace(run_of("d/small", k, 5), dependencies={"a": 2}) for k in range(3)
    ]
    online = msgspec.structs.replace(small[0], asked="online")
    rows = [*large, *small, online]
    entries = lab_properties(rows).values()
    assert len(entries) == len(rows)
    named = {
        name: {
            entry["algorithm"].rpartition(":")[2]: entry["k"]
            for entry in entries
            if entry["problem"] == name
        }
        for name in ("large", "small")
    }
    assert named["large"] == {f"{10 * k}%": k for k in range(11)}
    assert named["small"] == {"0%": 0, "50%": 1, "100%": 2, "online": 0}


def test_lab_has_runs_at_no_level_that_all_problems_share():
    rows = [run_of("d/one", k, 5) for k in (0, 3, 10)] + [run_of("d/other", k, 5) for k in (0, 10)]
    crashed = msgspec.structs.replace(run_of("d/third", 0, None), asked="all", k=None)
    bounds = run_of("d/one", 0, None, solver="minimum")
    bound = msgspec.structs.replace(bounds, asked="lower")
    entries = lab_properties([*rows, crashed, bound]).values()
    names = [(entry["problem"], entry["algorithm"].rpartition(":")[2]) for entry in entries]
    assert sorted(names) == [
        *(("one", "0%"), ("one", "100%"), ("one", "30%")),
        *(("other", "0%"), ("other", "100%"), ("third", "all")),
    ]

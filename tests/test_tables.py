"""The tables, against a computation that walks through every x."""

from __future__ import annotations

import csv
import random
from fractions import Fraction

import msgspec
import pytest
from draws import some, up_to
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.errors import InputError
from tacit.experiment import grid, paper, tables
from tacit.experiment.run import Outcome, Run, Unit

UNIT = Unit("d/p", "d", "factored", "", "projection", "paper", "{}", "m1", 0, None, None, "", "1")
OUTCOMES = (Outcome.SOLVED, Outcome.SOLVED, Outcome.NO_PLAN, Outcome.TIME)


def draw_problem(draw, name: str, ranking: str, seed: int) -> list[Run]:
    """One problem with some agents, tried at some budgets, perhaps with `first`."""
    unit = msgspec.structs.replace(UNIT, problem=f"d/{name}", ranking=ranking, seed=seed)
    if draw(up_to(9)) == 0:
        return [Run(unit=unit, asked="all", outcome=Outcome.BAD_INPUT)]
    totals = {agent: draw(up_to(12)) for agent in draw(some(tuple("abc"), 1, 3))}
    most = max(totals.values())
    budgets = draw(some(tuple(range(most + 1)), 1, 4))
    found = []
    for asked in [*map(str, budgets), *(["first"] if draw(up_to(1)) else [])]:
        outcome = draw(some(OUTCOMES, 1, 1))[0]
        k = int(asked) if asked != "first" else draw(up_to(most))
        is_solved = outcome is Outcome.SOLVED
        used = {agent: draw(up_to(min(k, n))) for agent, n in totals.items() if is_solved}
        found.append(
            Run(
                unit=unit,
                asked=asked,
                outcome=outcome,
                k=k,
                dependencies=totals,
                cost=draw(up_to(20)) if is_solved else None,
                used=used,
            )
        )
    return found


@st.composite
def sweeps(draw) -> list[Run]:
    found = []
    for ranking, seeds in (("m1", 1), ("random", draw(up_to(3, 1)))):
        for seed in range(seeds):
            for name in ("p1", "p2", "p3")[: draw(up_to(3, 1))]:
                found += draw_problem(draw, name, ranking, seed)
    random.Random(draw(up_to(9))).shuffle(found)
    return found


def naive_count(runs: dict[str, list[Run]], x: Fraction, per_problem: bool) -> int:
    count = 0
    for own in runs.values():
        tried = [run for run in own if run.asked not in ("first", "all")]
        scale = max([max(run.dependencies.values(), default=0) for run in own]) or 1
        below = [r for r in tried if (Fraction(100 * r.k, scale) if per_problem else r.k) <= x]
        if below and max(below, key=lambda run: run.k).outcome is Outcome.SOLVED:
            count += 1
    return count


def naive_coverage(
    runs: dict[str, list[Run]], per_problem: bool, most: int
) -> tuple[int, float | None]:
    steps = [Fraction(n) for n in range(most + 1)]
    if per_problem:
        steps = sorted({Fraction(100 * k, d) for d in range(1, 13) for k in range(d + 1)})
    counts = [(naive_count(runs, x, per_problem), x) for x in steps]
    best = max(count for count, _ in counts)
    if best == 0:
        return 0, None
    first = min(x for count, x in counts if count == best)
    return best, float(100 * first / (100 if per_problem else most or 1))


def by_problem(rows: list[Run], ranking: str, seed: int) -> dict[str, list[Run]]:
    found: dict[str, list[Run]] = {}
    for run in rows:
        if (run.unit.ranking, run.unit.seed) == (ranking, seed):
            found.setdefault(run.unit.problem, []).append(run)
    return found


@settings(max_examples=80, deadline=None)
@given(sweeps(), st.booleans())
def test_table_1_against_every_x(rows, per_problem):
    (row,) = tables.table1(rows, per_problem)
    assert row.dependencies == max(max(r.dependencies.values(), default=0) for r in rows)
    for ranking, cell in row.cells.items():
        seeds = {run.unit.seed for run in rows if run.unit.ranking == ranking}
        most = row.dependencies
        each = [
            naive_coverage(by_problem(rows, ranking, seed), per_problem, most) for seed in seeds
        ]
        counts = [count for count, _ in each]
        assert cell.count.mean == pytest.approx(sum(counts) / len(counts))
        assert (cell.count.low, cell.count.high) == (min(counts), max(counts))
        shares = [share for _, share in each if share is not None]
        if not shares:
            assert cell.share is None
        else:
            assert cell.share.mean == pytest.approx(sum(shares) / len(shares))
            assert (cell.share.low, cell.share.high) == pytest.approx((min(shares), max(shares)))


@settings(max_examples=80, deadline=None)
@given(sweeps(), st.sampled_from(["full", "fewest"]))
def test_table_2_against_a_naive_one(rows, hindsight):
    for row in tables.table2(rows, hindsight):
        used, first, gains = [], [], []
        for seed in range(3):
            for own in by_problem(rows, row.ranking, seed).values():
                good = [run for run in own if run.outcome is Outcome.SOLVED]
                if not good:
                    continue
                lowest = min(run.k for run in good)
                costs = [run.cost for run in good if run.k == lowest and run.asked != "first"]
                cost = (costs or [run.cost for run in good if run.k == lowest])[0]
                best = min(run.cost for run in good)
                first.append(lowest)
                gains.append((cost - best) / cost if cost else 0.0)
                most = max(own[0].dependencies.values())
                at_full = [run for run in good if run.asked == str(most)]
                counted = at_full if hindsight == "full" else good
                if counted:
                    used.append(min(max(run.used.values()) for run in counted))
        assert row.least_used == (min(used) if used else None)
        assert row.most_used == (max(used) if used else None)
        assert row.least_first == (min(first) if first else None)
        assert row.most_first == (max(first) if first else None)
        if gains:
            assert row.improvement == pytest.approx(100 * sum(gains) / len(gains))
        else:
            assert row.improvement is None


def test_a_curve_by_hand():
    def run(problem, k, most, solved):
        unit = msgspec.structs.replace(UNIT, problem=problem)
        outcome = Outcome.SOLVED if solved else Outcome.TIME
        return Run(unit=unit, asked=str(k), outcome=outcome, k=k, dependencies={"a": most})

    rows = [run("p", 0, 4, False), run("p", 2, 4, True), run("p", 4, 4, True)]
    rows += [run("q", 0, 10, False), run("q", 5, 10, True), run("q", 10, 10, False)]
    (one,) = tables.series(rows)
    assert tables.curve(one) == ((0, 0), (2, 1), (4, 1), (5, 2), (10, 1))
    assert tables.coverage(one) == tables.Coverage(2, 50.0)
    assert tables.curve(one, per_problem=True) == ((0, 0), (50, 2), (100, 1))


@pytest.mark.parametrize("field", ["version", "profile", "time_limit", "form"])
def test_runs_of_several_configurations_make_no_table(field):
    other = msgspec.structs.replace(UNIT, **{field: 7.0 if field == "time_limit" else "other"})
    rows = [Run(unit=unit, asked="1", outcome=Outcome.SOLVED) for unit in (UNIT, other)]
    with pytest.raises(InputError, match=f"differ in '{field}'"):
        tables.table1(rows)


def test_the_papers_numbers_stand_beside_ours():
    unit = msgspec.structs.replace(UNIT, domain="elevators08", ranking="m4")
    row = Run(
        unit=unit,
        asked="3",
        outcome=Outcome.SOLVED,
        k=3,
        dependencies={"a": 5},
        cost=4,
        used={"a": 2},
    )
    first = grid.grid1(tables.table1([row]))
    assert first.header == ["solver", "domain", "#dep", "paper", "m4 #C", "m4 M_D%", "m4 paper"]
    assert first.rows == [["projection", "elevators08", "5", "6245", "1", "60", "20 / 60"]]
    second = grid.grid2(tables.table2([row]))
    assert second.rows == [["projection", "elevators08", "m4", "2", "2", "3", "3", "0.0"]]
    shown = grid.render(first, "markdown").splitlines()
    assert shown[1] == "|" + " --- |" * 7
    assert shown[2] == "| projection | elevators08 | 5 | 6245 | 1 | 60 | 20 / 60 |"
    assert list(csv.reader(grid.render(first, "csv").splitlines())) == [first.header, *first.rows]
    written = grid.render(first, "latex")
    assert "\\#dep & paper & \\#C & M\\_D\\% & paper \\\\" in written
    assert " &  &  &  & \\multicolumn{3}{c}{m4} \\\\" in written
    with pytest.raises(InputError, match="no format 'word'"):
        grid.render(first, "word")


def test_the_papers_table_is_complete():
    for solver in ("projection", "mafs"):
        expected = {(d, r) for d in paper.DEPENDENCIES for r in paper.RANKINGS}
        assert set(paper.COVERAGE[solver]) == expected
    assert paper.COVERAGE["projection"]["zenotravel", "m2"] == (16, 4)
    assert paper.COVERAGE["mafs"]["depot", "m3"] == (20, 75)
    assert max(count for cells in paper.COVERAGE.values() for count, _ in cells.values()) == 20


def test_equal_means_are_equally_good():
    share = 100 * 6 / 27
    cells = {
        "m1": tables.Cell1(tables.Spread(1.0, 1.0, 1.0), tables.Spread(share, share, share)),
        "m1 ties": tables.Cell1(
            tables.Spread(1.0, 1.0, 1.0), tables.Spread(share - 1e-14, share, share)
        ),
        "m2": tables.Cell1(tables.Spread(1.0, 1.0, 1.0), tables.Spread(50.0, 50.0, 50.0)),
    }
    found = grid.grid1([tables.Row1("d", "projection", 27, cells)])
    assert {found.header[column] for _, column in found.bold} == {"m1 M_D%", "m1 ties M_D%"}

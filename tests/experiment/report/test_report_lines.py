"""The curves of reports, against a naive reading."""

from __future__ import annotations

import math
from fractions import Fraction

import msgspec
import pytest
from hypothesis import given, settings
from support.reporting import run_of
from support.runs import naive_count, sweeps

from tacit.experiment.report import figures, lines, style
from tacit.experiment.run.row import Run
from tacit.experiment.tables import coverage as tables


def value_at(line: lines.Line, x: float) -> float | None:
    below = [n for n, place in enumerate(line.x) if place <= x + 1e-9]
    return line.y[below[-1]] if below else None


def begins(runs: dict[str, list[Run]], per_problem: bool) -> float:
    """The least x at which something was tried."""
    tried = [
        100 * run.k / (max(run.dependencies.values()) or 1) if per_problem else run.k
        for own in runs.values()
        for run in own
        if run.asked.isdecimal()
    ]
    return min(tried, default=math.inf)


@settings(max_examples=100, deadline=None)
@given(sweeps())
def test_coverage_lines_against_every_x(rows):
    (panel,) = lines.panels(tables.series(rows))
    for unit, per_problem in ((lines.EDGES, False), (lines.PERCENT, True)):
        by_name = {line.name: line for line in panel.lines["coverage", unit]}
        for name, line in by_name.items():
            if name == lines.HINDSIGHT:
                continue
            seeds: dict[int, dict[str, list[Run]]] = {}
            for run in rows:
                if run.unit.ranking == name:
                    own = seeds.setdefault(run.unit.seed, {})
                    own.setdefault(run.unit.problem, []).append(run)
            for x in range(101 if per_problem else 13):
                counts = [
                    naive_count(own, Fraction(x), per_problem)
                    for own in seeds.values()
                    if begins(own, per_problem) <= x
                ]
                expected = sum(counts) / len(counts) if counts else None
                assert value_at(line, x) == pytest.approx(expected)
            for n in range(len(line.low)):
                assert line.low[n] <= line.y[n] <= line.high[n]


@settings(max_examples=100, deadline=None)
@given(sweeps())
def test_hindsight_counts_the_fewest_used_edges(rows):
    (panel,) = lines.panels(tables.series(rows))
    good: dict[str, int] = {}
    for run in rows:
        if run.solved:
            used = max(run.used.values())
            good[run.unit.problem] = min(used, good.get(run.unit.problem, used))
    found = [x for x in panel.lines["coverage", lines.EDGES] if x.name == lines.HINDSIGHT]
    assert bool(found) == bool(good)
    for line in found:
        assert list(line.x) == sorted(set(line.x))
        for x in range(13):
            assert value_at(line, x) == sum(used <= x for used in good.values())


def test_cost_and_time_by_hand():
    rows = [run_of("p", 0, None), run_of("p", 5, 8, 1.0), run_of("p", 10, 4, 4.0)]
    rows += [run_of("q", 0, 3, 9.0), run_of("q", 5, None)]
    (panel,) = lines.panels(tables.series(rows))
    (cost,), (time,) = panel.lines["cost", "percent"], panel.lines["time", "percent"]
    assert list(zip(cost.x, cost.y, strict=True)) == [(0, 1.0), (50, 2.0), (100, 1.0)]
    assert time.x == (0, 50, 100)
    assert time.y == pytest.approx((9.0, 1.0, 4.0))


def test_seeds_become_a_mean_with_a_band():
    rows = [run_of("p", k, cost, seed=seed) for seed in (0, 1) for k, cost in ((0, None), (9, 5))]
    rows.append(run_of("p", 4, 5, seed=1))
    (panel,) = lines.panels(tables.series(rows))
    line = panel.lines["coverage", "edges"][0]
    assert line.x == (0, 4, 9)
    assert line.y == (0, 0.5, 1)
    assert (line.low, line.high) == ((0, 0, 1), (0, 1, 1))


def test_a_long_line_is_thinned_and_stays_true():
    points = [(Fraction(n), float(n // 7)) for n in range(5000)]
    line = lines.line("m1", [points])
    assert len(line.x) == lines.MOST_POINTS
    assert (line.x[0], line.x[-1]) == (0, 4999)
    for x, y in zip(line.x, line.y, strict=True):
        assert y == math.floor(x) // 7


def test_charts_stop_behind_the_last_change():
    early = lines.Line("m1", (0, 10, 20, 1000), (0, 1, 2, 2))
    late = lines.Line("random", (0, 900, 1000), (0, 2, 2), (0, 1, 2), (0, 2, 2))
    assert lines.until([early]) == 25
    assert lines.until([early, late]) == 1000
    assert lines.until([lines.Line("m1", (0, 50), (1, 1))]) == 50
    assert lines.until([]) == 0


def test_every_ranking_has_a_look_of_its_own():
    names = ["m1", "m2", "m3", "m4", "random", lines.HINDSIGHT, "cover", "answer", "in-turn"]
    found = style.line_styles(names)
    for attribute in ("light", "dark", "dash", "marker"):
        values = [getattr(look, attribute) for look in found.values()]
        assert len(set(values)) == len(values)
    assert style.line_styles(["m1", "zeta"])["m1"] == found["m1"]


@pytest.mark.parametrize("name", [r"$\frac$", "$$", "../_$x_$"])
def test_a_name_is_no_formula(tmp_path, name):
    """Where matplotlib reads dollars as mathematics, such a name ended the report."""
    rows = [run_of("p", k, 8, domain=name, ranking=name, solver=name) for k in (0, 5, 10)]
    drawn = lines.panels(tables.series(rows))
    named = {line.name for panel in drawn for part in panel.lines.values() for line in part}
    figures.write_coverage(drawn, style.line_styles(named), tmp_path)
    assert len(list(tmp_path.glob("*.svg"))) == 2


@settings(max_examples=50, deadline=None)
@given(sweeps())
def test_coverage_over_what_is_known(rows):
    """A problem counts from the least of its solved runs on; without measuring there is no line."""
    (panel,) = lines.panels(tables.series(rows))
    assert not panel.lines["coverage", lines.KNOWN]
    assert not panel.lines["coverage", lines.BITS]
    measured = [
        msgspec.structs.replace(
            run, leakage={"a": {"guessed_right": float(n % 5), "bits_b": n % 7 / 2}}
        )
        for n, run in enumerate(rows)
    ]
    (panel,) = lines.panels(tables.series(measured))
    for unit, value in ((lines.KNOWN, "known_edges"), (lines.BITS, "most_bits")):
        for line in panel.lines["coverage", unit]:
            seeds: dict[int, dict[str, float]] = {}
            for run in measured:
                if run.unit.ranking == line.name and run.solved and run.asked != "online":
                    least = seeds.setdefault(run.unit.seed, {})
                    x = getattr(run, value)
                    least[run.unit.problem] = min(x, least.get(run.unit.problem, x))
            for x in line.x:
                begun = [own for own in seeds.values() if min(own.values()) <= x or x >= 0]
                counts = [sum(at <= x + 1e-9 for at in own.values()) for own in begun]
                there = [c for c, own in zip(counts, begun, strict=True) if own]
                assert value_at(line, x) == pytest.approx(sum(there) / len(there))

"""The paper's sentences about results: each verdict by hand, from runs that show, half show or
refute it.
"""

from __future__ import annotations

import msgspec
import pytest
from support.reporting import cell, problem, run_of

from tacit.experiment.paper import claims, phenomena
from tacit.experiment.paper import coverage_claims as needs
from tacit.experiment.paper import makespan_claims as spans
from tacit.experiment.paper.phenomena import IN_PART, REFUTED, SHOWN, UNKNOWN
from tacit.experiment.run.row import Run, RunOutcome
from tacit.experiment.tables import coverage as tables

ALIKE = {"m1": 5, "m2": 5, "m3": 5, "m4": 5}


def domain_of(name: str, *problems: dict[str, int], solver: str = "projection") -> list[Run]:
    """Twenty problems, the last one as often as there is need."""
    firsts = [*problems, *[problems[-1]] * (20 - len(problems))]
    return [run for n, each in enumerate(firsts) for run in problem(f"p{n}", each, name, solver)]


def check(finding: phenomena.Finding, verdict: str, *words: str) -> None:
    assert finding.verdict == verdict
    for said in words:
        assert said in finding.text


def firsts(*values: int) -> dict[str, int]:
    return dict(zip(("m1", "m2", "m3", "m4"), values, strict=True))


@pytest.mark.parametrize(
    ("problems", "verdict"),
    [
        ([firsts(5, 5, 9, 9), firsts(4, 4, 2, 2)], SHOWN),
        ([firsts(5, 5, 9, 9), firsts(4, 4, 5, 5)], IN_PART),  # behind in all of them
        ([firsts(9, 9, 5, 5), firsts(4, 4, 2, 2)], IN_PART),  # behind in none of them
        ([firsts(9, 2, 2, 9)], REFUTED),
    ],
)
def test_behind_because_of_one_problem_alone(problems, verdict):
    found = needs.one_problem_aside(tables.series(domain_of("blocksworld", *problems)))
    check(found, verdict)


def test_alike_but_for_some_problems():
    odd = firsts(1, 5, 9, 5)
    rows = domain_of("driverlog", odd, odd, odd, ALIKE)
    found = needs.alike_but_for(tables.series(rows), "driverlog", 4, worse=3)
    check(found, SHOWN, "in 17 of 20 problems, and m3 needs more than m1 in 3")
    assert [line[2] for line in found.grid.rows] == [f"driverlog/p{n}" for n in range(3)]
    found = needs.alike_but_for(tables.series(domain_of("driverlog", ALIKE)), "driverlog", 4, 3)
    check(found, IN_PART, "in 20 of 20 problems")
    found = needs.alike_but_for(
        tables.series(domain_of("driverlog", firsts(3, 2, 2, 2))), "driverlog", 4, 3
    )
    check(found, REFUTED, "in 0 of 20 problems")
    one = tables.series(domain_of("logistics00", odd, ALIKE))
    check(needs.alike_but_for(one, "logistics", 1), SHOWN)
    two = tables.series(domain_of("logistics00", odd, odd, ALIKE))
    check(needs.alike_but_for(two, "logistics", 1), REFUTED)
    check(needs.alike_but_for([], "logistics", 1), UNKNOWN)
    both = two + tables.series(domain_of("logistics00", odd, ALIKE, solver="mafs"))
    check(needs.alike_but_for(both, "logistics", 1), IN_PART)


@pytest.mark.parametrize(
    ("problems", "verdict"),
    [
        ([firsts(2, 2, 9, 9), firsts(2, 2, 2, 9)], SHOWN),
        ([firsts(2, 2, 9, 9)], IN_PART),  # m3 is as weak as m4
        ([firsts(2, 2, 2, 1)], IN_PART),
        ([firsts(2, 5, 9, 1)], REFUTED),
    ],
)
def test_one_is_weakest_and_the_others_are_alike(problems, verdict):
    rows = tables.series(domain_of("rovers", *problems))
    check(needs.worst_and_others_alike(rows, "rovers", "m4"), verdict, "m4 needs")


def test_best_in_all_domains():
    good = domain_of("depot", firsts(5, 5, 2, 5)) + domain_of("logistics00", ALIKE)
    found = needs.best_everywhere(tables.series(good), "m3", "projection")
    check(found, SHOWN, "in 2 of 2 domains")
    assert len(found.grid.bold) == 1
    bad = domain_of("rovers", firsts(1, 5, 9, 9))
    check(needs.best_everywhere(tables.series(good + bad), "m3", "projection"), IN_PART, "Rovers")
    check(needs.best_everywhere(tables.series(bad), "m3", "projection"), REFUTED)
    check(needs.best_everywhere(tables.series(bad), "m3", "mafs"), UNKNOWN)


@pytest.mark.parametrize(
    ("values", "verdict"),
    [((5, 5, 2, 3), SHOWN), ((5, 2, 2, 5), IN_PART), ((1, 5, 2, 5), REFUTED)],
)
def test_best_together(values, verdict):
    rows = tables.series(domain_of("blocksworld", firsts(*values)))
    check(needs.best_pair(rows, "blocksworld", ("m3", "m4"), "projection"), verdict)


def test_where_rankings_differ_most():
    rows = domain_of("elevators08", firsts(8, 4, 2, 8)) + domain_of("depot", firsts(2, 2, 2, 4))
    found = needs.most_pronounced(tables.series(rows), "elevators")
    check(found, SHOWN, "needs 4.0 times as much")
    more = domain_of("rovers", firsts(1, 1, 9, 9))
    found = needs.most_pronounced(tables.series(rows + more), "elevators")
    check(found, REFUTED, "9.0 times in Rovers")
    rows += domain_of("elevators08", firsts(9, 1, 1, 1), solver="mafs")
    rows += domain_of("rovers", ALIKE, solver="mafs")
    check(needs.most_pronounced(tables.series(rows + more), "elevators"), IN_PART)


def test_hindsight_is_of_the_plan_at_full_disclosure():
    rows = domain_of("depot", firsts(5, 4, 4, 4))
    rows = [msgspec.structs.replace(r, used={"a": 2} if r.asked == "10" else {}) for r in rows]
    found = needs.far_above_hindsight(tables.series(rows), "depot", 2.0)
    check(found, SHOWN, "use 2.0 edges", "needs 4.0")
    assert cell(found, "m1") == "5.0"
    check(needs.far_above_hindsight(tables.series(rows), "depot", 2.1), REFUTED)


def test_timing_out():
    late = domain_of("blocksworld", {**ALIKE, "m1": 99}, ALIKE, solver="mafs")
    rows = domain_of("blocksworld", ALIKE) + late
    found = needs.times_out(tables.series(rows), "blocksworld", "mafs", "projection")
    check(found, SHOWN, "79 cases are solved at some k with mafs, 80 with projection; 1 that")
    other = [
        msgspec.structs.replace(r, outcome=RunOutcome.NO_PLAN)
        if r.outcome is RunOutcome.TIME
        else r
        for r in rows
    ]
    found = needs.times_out(tables.series(other), "blocksworld", "mafs", "projection")
    check(found, IN_PART)
    rows = domain_of("blocksworld", ALIKE) + domain_of("blocksworld", ALIKE, solver="mafs")
    found = needs.times_out(tables.series(rows), "blocksworld", "mafs", "projection")
    check(found, REFUTED, "0 that mafs never solves")


def test_a_small_part_is_enough():
    rows = tables.series(domain_of("depot", firsts(1, 2, 2, 9)))
    found = needs.little_is_enough(rows, 0.2)
    assert found.verdict.startswith(f"{SHOWN}, so far (20 of 140")
    assert "at most 20.0 %" in found.text
    assert needs.little_is_enough(rows, 0.1).verdict.startswith(REFUTED)


def test_lost_in_the_domains_that_are_named():
    def rows(domain: str, end: RunOutcome) -> list[Run]:
        first, last = run_of("d/p", 1, 5, domain=domain), run_of("d/p", 2, None, domain=domain)
        return [first, msgspec.structs.replace(last, outcome=end)]

    named = ("blocksworld", "rovers")
    both = rows("blocksworld", RunOutcome.NOT_EXTENDED) + rows("rovers", RunOutcome.NOT_EXTENDED)
    found = phenomena.lost(tables.series(both), named)
    check(found, SHOWN, "2 because a public plan could not be extended")
    one = rows("blocksworld", RunOutcome.NOT_EXTENDED) + rows("rovers", RunOutcome.SOLVED)
    check(phenomena.lost(tables.series(one), named), IN_PART, "None was lost in Rovers")
    elsewhere = rows("depot", RunOutcome.NOT_EXTENDED) + rows("rovers", RunOutcome.SOLVED)
    check(phenomena.lost(tables.series(elsewhere), named), REFUTED)


def planned(domain: str, solver: str, ranking: str, *makespans: int) -> list[Run]:
    """Twenty problems whose plans have these makespans, at growing budgets."""
    unit = {"domain": domain, "solver": solver, "ranking": ranking}
    return [
        msgspec.structs.replace(run_of(f"{domain}/p{n}", k, 5, **unit), makespan_paper=span)
        for n in range(20)
        for k, span in enumerate(makespans)
    ]


def gains(solver: str, **domains: int) -> list[tables.Series]:
    """Improvement in percent, by domain."""
    return tables.series(
        [r for d, gain in domains.items() for r in planned(d, solver, "m1", 100, 100 - gain)]
    )


def test_improvement_is_about_what_is_claimed():
    rows = gains("projection", depot=10, blocksworld=30) + gains("mafs", depot=14, blocksworld=8)
    claimed = {"projection": 20.0, "mafs": 10.0}
    found = spans.improvement_is_about(rows, claimed)
    assert found.verdict.startswith(f"{SHOWN}, so far (40 of 140")
    assert found.text == "20.0 % with projection; 11.0 % with mafs."
    assert cell(found, "m1", solver="mafs", domain="depot") == "14.0 (1.1)"
    rows = gains("projection", depot=10, blocksworld=80) + gains("mafs", depot=14)
    assert spans.improvement_is_about(rows, claimed).verdict.startswith(IN_PART)
    assert spans.improvement_is_about(rows, {"mafs": 40.0}).verdict.startswith(REFUTED)
    assert spans.improvement_is_about([], claimed).verdict == UNKNOWN


@pytest.mark.parametrize(
    ("gain", "other", "verdict"),
    [(44, 10, SHOWN), (60, 10, IN_PART), (40, 41, IN_PART), (60, 61, REFUTED)],
)
def test_one_domain_stands_out(gain, other, verdict):
    rows = gains("projection", blocksworld=gain, depot=other)
    check(spans.stands_out(rows, "blocksworld", 40.0, "projection"), verdict, f"is {gain}.0 %")


def test_one_solver_improves_less():
    rows = gains("projection", depot=10, blocksworld=30, rovers=9)
    for other, verdict in (
        (gains("mafs", depot=5, blocksworld=8, rovers=10), SHOWN),
        (gains("mafs", depot=11, blocksworld=8, rovers=10), IN_PART),
        (gains("mafs", depot=50, blocksworld=31, rovers=10), REFUTED),
    ):
        found = spans.improves_less(rows + other, "mafs", "projection")
        assert found.verdict.startswith(verdict)


def test_rankings_hardly_differ_in_makespan():
    def rows(*makespans: tuple[int, int]) -> list[tables.Series]:
        made = [planned("depot", "mafs", f"m{n}", *m) for n, m in enumerate(makespans, start=1)]
        return tables.series([run for own in made for run in own])

    alike, apart = rows((100, 50), (105, 51)), rows((100, 50), (200, 100))
    assert spans.rankings_cost_alike(alike).verdict.startswith(SHOWN)
    assert spans.rankings_cost_alike(rows((100, 50), (200, 51))).verdict.startswith(IN_PART)
    assert spans.rankings_cost_alike(apart).verdict.startswith(REFUTED)


def test_plans_become_better():
    assert spans.more_is_better(gains("mafs", depot=1)).verdict.startswith(SHOWN)
    assert spans.more_is_better(gains("mafs", depot=0)).verdict.startswith(REFUTED)


def test_what_is_reached_is_the_solvers_doing_too():
    rows = tables.series(domain_of("driverlog", ALIKE))
    assert "stronger than the paper's" in claims.strength(rows)
    assert "20 problems with projection (the paper's 19)" in claims.strength(rows)
    weaker = tables.series(domain_of("driverlog", *[ALIKE] * 10, dict.fromkeys(ALIKE, 99)))
    assert "not the paper's" in claims.strength(weaker)
    assert claims.strength([]) == ""


def test_every_claim_has_a_verdict_or_says_that_no_run_tells():
    nothing = claims.findings([])
    assert {found.verdict for found in nothing} == {UNKNOWN}
    assert len({found.claim for found in nothing}) == len(nothing)
    rows = [
        run
        for domain in ("blocksworld", "depot", "driverlog", "elevators08", "logistics00")
        for solver in ("projection", "mafs")
        for run in domain_of(domain, firsts(4, 3, 2, 5), solver=solver)
    ]
    rows += domain_of("rovers", firsts(4, 3, 2, 5)) + domain_of("zenotravel", ALIKE)
    rows += domain_of("depot", {"random": 6})
    rows = [msgspec.structs.replace(run, makespan_paper=run.cost) for run in rows]
    assert UNKNOWN not in {found.verdict for found in claims.findings(tables.series(rows))}


def test_a_solver_that_the_paper_does_not_have_is_reported_without_its_numbers():
    rows = [
        msgspec.structs.replace(run, makespan=3, makespan_paper=3)
        for run in domain_of("logistics", ALIKE, solver="auto")
    ]
    found = claims.findings(tables.series(rows))
    (line,) = next(f for f in found if f.grid.header[1:] == ["auto"]).grid.rows
    assert line == ["logistics", "0.0"]

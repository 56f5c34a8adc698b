"""Concurrent plans: what may be done at the same time."""

from __future__ import annotations

import pytest
from support.kitchen import DINNER

from tacit.central.validate.judge import timetable, validate
from tacit.central.validate.plan import Plan, Step, merge, plan_of
from tacit.errors import InvalidPlan
from tacit.pddl.syntax import Description


def at_once(*timed: tuple[int, str]) -> Plan:
    steps = [(time, plan_of([line]).steps[0]) for time, line in timed]
    return merge((time, Step(step.args[0], step.name, step.args)) for time, step in steps)


def test_a_concurrent_plan(kitchen: Description) -> None:
    plan = at_once(*zip((0, 0, 1, 1, 2, 2), DINNER, strict=True))
    verdict = validate(kitchen, plan)
    assert (verdict.valid, verdict.length, verdict.makespan) == (True, 6, 3)


def test_one_action_per_agent_and_time(kitchen: Description) -> None:
    verdict = validate(kitchen, at_once((4, "(take c1 pan)"), (4, "(take c1 pan)")))
    assert verdict.step == 2
    assert "(take c1 pan), at time 4, agent 'c1' does a second action" in verdict.message


def test_what_is_done_at_once_may_not_interfere(kitchen: Description) -> None:
    plan = at_once(
        (0, "(take c1 pan)"),
        (0, "(take c2 pan)"),
        (1, "(prepare c1 soup pan)"),
        (2, "(serve w1 soup)"),
        (2, "(prepare c2 soup pan)"),
    )
    verdict = validate(kitchen, plan)
    assert verdict.step == 4
    assert "(not (ready soup)) does not hold" in verdict.message
    plan = at_once((0, "(take c1 pan)"), (0, "(take c2 pan)"))
    both = at_once((1, "(prepare c1 soup pan)"), (1, "(prepare c2 soup pan)"))
    verdict = validate(kitchen, Plan(plan.steps + both.steps, None, (0, 0, 1, 1)))
    assert "agents 'c1' and 'c2' interfere over (ready soup)" in verdict.message


def test_no_step_uses_what_another_adds_at_the_same_time(kitchen: Description) -> None:
    plan = at_once((0, "(take c1 pan)"), (1, "(prepare c1 soup pan)"), (1, "(serve w1 soup)"))
    verdict = validate(kitchen, plan)
    assert (verdict.step, verdict.missing) == (3, ("(ready soup)",))


def test_the_timetable_of_an_invalid_plan(kitchen: Description) -> None:
    with pytest.raises(InvalidPlan, match=r"In step 1, \(pause c1\)"):
        timetable(kitchen, plan_of(["(pause c1)"]))

"""Planning for forward search, step by step: as much as it searches, and no plan twice."""

from __future__ import annotations

import itertools

import pytest
from support.forward import searching
from support.inside import projection_of
from support.problems import depot

from tacit.policy import POLICY
from tacit.public.outcome import Outcome
from tacit.solvers.attempt import Counters
from tacit.solvers.plan_guidance import PlanGuidance

PLANS, TURN = POLICY.guidance.plans, POLICY.guidance.turn
PATIENCE, SHARE = POLICY.guidance.pessimistic_evaluations, POLICY.guidance.planner_share
WALK = POLICY.guidance.evaluations_per_step


class Planner:
    """Finds a plan after so many evaluations in all, or what else is given."""

    counts = True

    def __init__(self, needs: int, plan: tuple[int, ...], end: Outcome = Outcome.SOLVED):
        self.left, self._plan, self._end = needs, plan, end

    def run(self, seconds, evaluations, counters):
        done = min(self.left, evaluations)
        self.left -= done
        counters.add(Counters(evaluated=done))
        return (Outcome.UNDECIDED, ()) if self.left else (self._end, self._plan)


def plans_by(make, shows_deletes: bool = True) -> PlanGuidance:
    session = searching(depot())
    return PlanGuidance(projection_of(session), make, shows_deletes)


def test_planning_keeps_step_with_searching():
    number = itertools.count()
    plans = plans_by(lambda projection, way: Planner(400, (next(number),)))
    assert plans.seek(0) is None
    found = 0
    for evaluated in range(50, 5000, 50):
        before = plans.counters.evaluated
        found += plans.seek(evaluated) is not None
        assert before <= plans.counters.evaluated <= SHARE * evaluated
        spent = plans.counters.evaluated
        plans.seek(evaluated)
        assert plans.counters.evaluated <= max(spent, SHARE * evaluated)
    assert 2 <= found <= 2 * PLANS, "plans of a projection are bounded"
    assert plans.counters.evaluated == 400 * found


def test_without_time_nothing_is_planned():
    plans = plans_by(lambda projection, way: Planner(1, (0,)))
    assert plans.seek(1000, seconds=0.0) is None
    assert plans.counters.evaluated == 0
    assert plans.seek(1000) is not None


def test_a_plan_is_sent_once():
    plans = plans_by(lambda projection, way: Planner(1, (0, 1)))
    evaluated = range(1, 1 + 2 * WALK + 2 * PLANS)
    assert [plans.seek(n) is not None for n in evaluated].count(True) == 1


def test_agents_have_time_to_follow_a_plan():
    number = itertools.count()
    plans = plans_by(lambda projection, way: Planner(1, (next(number), 0)))
    told = [n for n in range(1, 20 * WALK) if plans.seek(n) is not None]
    assert len(told) > 2
    gaps = [after - before for before, after in itertools.pairwise(told)]
    assert min(gaps) >= 2 * WALK, "a plan has two steps"


def planned(shows_deletes: bool, is_hard) -> list[tuple[bool, int]]:
    """Which plans are searched for, the hard ones in vain: by which projection, in which way."""
    made: list[tuple[bool, int]] = []

    def make(projection, way):
        made.append((projection.deletes != plain.deletes, way))
        return Planner(PATIENCE + 1 if is_hard(len(made)) else 1, (len(made),))

    plans = plans_by(make, shows_deletes)
    plain = projection_of(searching(depot()), 10**6)
    for evaluated in range(TURN, 60 * TURN, TURN):
        plans.seek(evaluated)
    return made


def test_a_planner_that_takes_long_lets_the_other_have_a_turn():
    needs = [3 * TURN + 5, 2 * TURN]
    runs: list[int] = []

    class Ack(Planner):
        def run(self, seconds, evaluations, counters):
            runs.append(self._plan[0])
            return super().run(seconds, evaluations, counters)

    plans = plans_by(lambda projection, way: Ack(needs.pop(0), (len(needs),)) if needs else None)
    told = [plans.seek(evaluated) for evaluated in range(TURN, 12 * TURN, TURN)]
    assert set(runs[:2]) == {0, 1}, "both have begun before one of them is done"
    assert sum(plan is not None for plan in told) == 2


def ways(made: list[tuple[bool, int]], is_pessimistic: bool) -> list[int]:
    return [way for kind, way in made if kind is is_pessimistic]


def test_both_projections_have_plans_each_made_in_another_way():
    made = planned(shows_deletes=True, is_hard=lambda number: False)
    assert {kind for kind, _ in made[:2]} == {False, True}, "neither waits for the other's last"
    for kind in (False, True):
        assert ways(made, kind) == list(range(len(ways(made, kind))))
    assert len(ways(made, True)) == len(ways(made, False)) > 1


def test_where_no_deletes_are_shown_all_plans_are_pessimistic():
    made = planned(shows_deletes=False, is_hard=lambda number: False)
    assert len(ways(made, True)) > 1
    assert not ways(made, False)


def test_a_pessimistic_projection_without_a_plan_is_given_up():
    made = planned(shows_deletes=True, is_hard=lambda number: number == 2)
    assert made[1][0], "the second is pessimistic, and hard"
    assert len(ways(made, True)) == 1
    assert len(ways(made, False)) > 1


@pytest.mark.parametrize("end", [Outcome.NO_PLAN, Outcome.MEMORY, Outcome.TIME])
def test_where_there_is_no_plan_no_further_one_is_looked_for(end):
    made = []

    def make(projection, number):
        made.append(number)
        return Planner(1, (), end)

    plans = plans_by(make)
    assert not any(plans.seek(n) for n in range(10))
    assert made == [0]
    assert not any(plans_by(lambda projection, number: None).seek(n) for n in range(3))

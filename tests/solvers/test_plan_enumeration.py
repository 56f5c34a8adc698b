"""Where nothing can be repaired, several plans are tried, those that disclose least first."""

from __future__ import annotations

import time

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.inside import projection_of
from support.notes import quick, say
from support.problems import RESTORED, SMALL, generated
from support.projections import executes

from tacit.central.session import Session
from tacit.policy import POLICY, EnumerationPolicy, PessimisticPolicy, Policy
from tacit.profile import PROFILES
from tacit.public.disclosure import FINISH, PublicStep
from tacit.public.outcome import Outcome
from tacit.public.projection import Projection
from tacit.public.run_options import RunOptions
from tacit.public.settings import Extension, Settings
from tacit.searchers import Clock, make_search
from tacit.solvers.attempt import Attempt, Counters
from tacit.solvers.limits import Deadline
from tacit.solvers.plan_enumeration import PlanEnumeration
from tacit.testing import problems

PAPER = PROFILES["paper"]
NEVER_PESSIMISTIC = Policy(
    pessimistic=PessimisticPolicy(evaluations=1), enumeration=EnumerationPolicy(pessimistic_again=1)
)
STRICT = msgspec.structs.replace(PAPER, extension=Extension.STRICT)


# ------------------------------------------------------------------ the pessimistic projection


def check_pessimistic(session: Session, k: int) -> bool:
    """Each action consumes the tokens it needs, and nothing else; is there a plan?"""
    projection = projection_of(session, k)
    before = [tuple(row) for row in projection.deletes]
    pessimistic = projection.pessimistic()
    assert [tuple(row) for row in projection.deletes] == before
    tokens = set(projection.tokens.values())
    for action, row in enumerate(pessimistic.deletes):
        assert tuple(row[: len(before[action])]) == before[action]
        more = row[len(before[action]) :]
        assert len(set(more)) == len(more)
        assert tokens.issuperset(more)
        assert set(projection.needs[action]).issuperset(more)
        assert set(projection.adds[action]).isdisjoint(more)
        assert (
            set(projection.needs[action])
            .intersection(tokens)
            .issubset(set(row).union(projection.adds[action]))
        )
    outcome, plan = make_search(pessimistic, 0, "native", 0, None, Clock()).run(
        10.0, 20_000, Counters()
    )
    say(f"k={k}: {outcome} {plan}")
    if outcome is Outcome.SOLVED:
        assert executes(pessimistic, plan)
        assert executes(projection, plan)
    return outcome is Outcome.SOLVED


def test_a_plan_of_the_pessimistic_projection_is_a_plan():
    solved = 0

    @quick(30)
    @given(problems(), st.integers(0, 6), st.sampled_from([Settings(), PAPER]))
    @example(RESTORED, 6, Settings())
    def run(tiny, k, choice):
        nonlocal solved
        session = Session(tiny.load(), choice)
        solved += check_pessimistic(session, min(k, session.largest))

    run()
    assert solved


def test_more_plans_of_the_pessimistic_projection_can_be_executed():
    """At middle budgets, where agents may not change plans."""
    solved = sum(solved_strictly(seed) for seed in range(6))
    assert sum(solved_strictly(seed, NEVER_PESSIMISTIC) for seed in range(6)) < solved


def solved_strictly(seed: int, policy: Policy = POLICY) -> int:
    instance = generated("blocksworld", SMALL["blocksworld"][-1], seed)
    session = Session(instance, STRICT, RunOptions(ranking="m1"), policy=policy)
    budgets = [session.largest * percent // 100 for percent in (40, 60, 80)]
    return sum(session.at(k).solved for k in budgets)


def test_plans_that_were_changed_are_valid_after_others_were_tried():
    """An agent that had agreed to a plan must know it again when another one has changed it."""
    solved = 0

    @quick(60)
    @given(problems(), st.integers(0, 6))
    @example(RESTORED, 6)
    def run(tiny, k):
        nonlocal solved
        session = Session(tiny.load(), PAPER)
        result = session.at(min(k, session.largest))  # it raises where the validator rejects it
        say(f"{result.outcome} {result.replanned}")
        assert not result.solved or (result.verdict is not None and result.verdict.valid)
        solved += result.solved

    run()
    assert solved


# ------------------------------------------------------------------ the order


class Scripted:
    """Planners with prepared plans, and agents that cannot execute them; it writes a diary."""

    def __init__(self, plain: list[tuple[int, ...]], guess: tuple[int, ...], needs: int = 1):
        self.plain, self.guess, self.needs = plain, guess, needs
        self.diary: list[str] = []
        self.agree: set[int] = set()
        self.change_to: Outcome | None = None
        step = [PublicStep("a", n) for n in range(9)]
        self.projection = Projection(1, [], [], steps=step)
        self.attempt = Attempt(0, Outcome.UNDECIDED)

    def make(self, projection: Projection, way: int) -> Scripted.Planner | None:
        if projection is not self.projection:
            return self.Planner(self.needs, self.guess) if self.guess else None
        return self.Planner(1, self.plain[way]) if way < len(self.plain) else None

    class Planner:
        counts = True

        def __init__(self, needs: int, plan: tuple[int, ...]):
            self.left, self.plan = needs, plan

        def run(self, seconds, evaluations, counters):
            done = self.left if evaluations is None else min(self.left, evaluations)
            self.left -= done
            counters.add(Counters(evaluated=done))
            return (Outcome.UNDECIDED, ()) if self.left else (Outcome.SOLVED, self.plan)

    def failing_agents(self, steps):
        self.diary.append(f"extend {steps[0].action}")
        return set() if steps[0].action in self.agree else {"a"}

    def change(self, steps, failed, attempt, deadline):
        assert failed == {"a"}
        self.diary.append(f"change {steps[0].action}")
        if self.change_to is not None:
            attempt.outcome = self.change_to

    def run(self, evaluations: int | None = None) -> list[str]:
        deadline = Deadline(60, time.monotonic)
        plans = PlanEnumeration(self.projection, self.make, self, self.attempt, deadline, POLICY)
        assert plans.try_all(evaluations) is self.attempt
        return self.diary


PESSIMISTIC = 5
FIRST, AGAIN = POLICY.pessimistic.evaluations, POLICY.enumeration.pessimistic_again
PLANS = POLICY.enumeration.plans


def script(needs: int = 1) -> Scripted:
    """Three plans of the projection, 0 to 2, and one of the pessimistic one, for so many states."""
    return Scripted([(0,), (1,), (2,)], (PESSIMISTIC,), needs)


def first(diary: list[str], entry: str) -> int:
    """When something was done first."""
    return diary.index(entry)


def test_first_the_projection_then_the_pessimistic_one_then_changes():
    made = script()
    diary = made.run()
    assert first(diary, "extend 0") < first(diary, "extend 5") < first(diary, "change 0")
    assert first(diary, "change 0") < first(diary, "extend 1"), "then plans made in other ways"
    assert made.attempt.outcome is Outcome.NOT_EXTENDED


def test_every_plan_that_fails_is_changed_once_and_extended_just_before():
    """Agents keep the last plan that they were asked about."""
    diary = script().run()
    changes = [n for n, entry in enumerate(diary) if entry.startswith("change")]
    assert sorted(diary[n] for n in changes) == ["change 0", "change 1", "change 2", "change 5"]
    for n in changes:
        assert diary[n - 1] == diary[n].replace("change", "extend")


@pytest.mark.parametrize("agree", [0, PESSIMISTIC, 1])
def test_it_ends_with_the_plan_that_all_can_execute(agree):
    made = script()
    made.agree.add(agree)
    assert made.run()[-1] == f"extend {agree}"
    assert made.diary.count(f"extend {agree}") == 1
    assert made.attempt.outcome is Outcome.SOLVED
    assert [step.action for step in made.attempt.steps] == [agree]


@pytest.mark.parametrize("outcome", [Outcome.SOLVED, Outcome.TIME])
def test_it_ends_with_a_changed_plan_or_without_time(outcome):
    made = script()
    made.change_to = outcome
    assert made.run()[-1].startswith("change")
    assert sum(entry.startswith("change") for entry in made.diary) == 1
    assert made.attempt.outcome is outcome


def test_a_pessimistic_plan_that_takes_long_comes_after_changes():
    diary = script(FIRST + AGAIN).run()
    assert first(diary, "change 0") < first(diary, "extend 5") < first(diary, "extend 1")


def test_a_pessimistic_plan_that_takes_too_long_is_given_up():
    made = script(10 * (FIRST + AGAIN))
    diary = made.run()
    assert "extend 5" not in diary
    assert {"change 0", "change 1", "change 2"} <= set(diary)
    assert made.attempt.counters.evaluated < 2 * (FIRST + AGAIN)


def test_a_planner_that_does_not_count_is_not_pessimistic(monkeypatch):
    monkeypatch.setattr(Scripted.Planner, "counts", False)
    diary = script().run()
    assert "extend 5" not in diary
    assert {"extend 0", "extend 1", "extend 2"} <= set(diary)


def test_plans_are_bounded():
    diary = Scripted([(n % 5,) for n in range(PLANS + 3)], ()).run()
    assert 1 < sum(entry.startswith("extend") for entry in diary) <= PLANS


def test_without_a_plan_there_is_nothing_to_execute():
    made = Scripted([], (PESSIMISTIC,))
    assert made.run() == []
    assert made.attempt.outcome is Outcome.NO_PLAN


def test_the_bound_on_evaluations_counts_the_pessimistic_search():
    made = script(10_000)
    made.run(evaluations=50)
    assert made.attempt.counters.evaluated <= 60
    assert FINISH not in [step.action for step in made.attempt.steps]

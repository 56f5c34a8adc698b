"""Where nothing can be repaired: which plans are tried, and in what order."""

from __future__ import annotations

import time

import msgspec
import pytest
from brute import SMALL, generated, quick, say, tinies
from hypothesis import given
from hypothesis import strategies as st

from tacit.central.solve import Session
from tacit.profile import PROFILES
from tacit.public.disclosure import FINISH, PublicStep
from tacit.public.outcome import Outcome
from tacit.public.projection import Projection
from tacit.public.settings import Extension, Settings
from tacit.searchers import EmbeddedSearch
from tacit.solvers.asking import Attempt, Counters
from tacit.solvers.guessing import PATIENCE
from tacit.solvers.limits import Deadline
from tacit.solvers.several_plans import LONG_PATIENCE, PLANS, SeveralPlans

PAPER = PROFILES["paper"]
STRICT = msgspec.structs.replace(PAPER, extension=Extension.STRICT)


# ------------------------------------------------------------------ the guess


def executes(projection: Projection, plan: tuple[int, ...]) -> bool:
    holds = set(projection.init)
    for action in plan:
        if not holds.issuperset(projection.needs[action]):
            return False
        holds = holds.difference(projection.deletes[action]).union(projection.adds[action])
    return holds.issuperset(projection.goal)


def check_cautious(session: Session, k: int) -> None:
    projection = session._solver.projection(k)
    before = [list(row) for row in projection.deletes]
    cautious = projection.cautious()
    assert projection.deletes == before
    tokens = set(projection.tokens.values())
    for action, row in enumerate(cautious.deletes):
        assert row[: len(before[action])] == before[action]
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
    outcome, plan = EmbeddedSearch(cautious, 0, None).run(10.0, 20_000, Counters())
    say(f"k={k}: {outcome} {plan}")
    if outcome is Outcome.SOLVED:
        assert executes(cautious, plan)
        assert executes(projection, plan)


@quick(30)
@given(tinies(), st.integers(0, 6), st.sampled_from([Settings(), PAPER]))
def test_a_plan_of_the_guess_is_a_plan(tiny, k, choice):
    session = Session(tiny.load(), choice)
    check_cautious(session, min(k, session.largest))


def test_by_the_guess_more_plans_can_be_carried_out(monkeypatch):
    """At middle budgets, where agents may not change plans."""
    guessed = sum(solved_strictly(seed) for seed in range(6))
    monkeypatch.setattr(SeveralPlans, "_is_guessed", lambda plans, patience: False)
    assert sum(solved_strictly(seed) for seed in range(6)) < guessed


def solved_strictly(seed: int) -> int:
    session = Session(generated("blocksworld", SMALL["blocksworld"][-1], seed), STRICT, "m1")
    budgets = [session.largest * percent // 100 for percent in (40, 60, 80)]
    return sum(session.at(k).solved for k in budgets)


@quick(60)
@given(tinies(), st.integers(0, 6))
def test_plans_that_were_changed_are_valid_after_others_were_tried(tiny, k):
    """Whoever had agreed to a plan must know it again when another agent has changed it."""
    session = Session(tiny.load(), PAPER)
    result = session.at(min(k, session.largest))  # it raises where the validator says no
    say(f"{result.outcome} {result.replanned}")
    assert not result.solved or (result.verdict is not None and result.verdict.valid)


# ------------------------------------------------------------------ the order


class Scripted:
    """Planners that find what they are told to, and parties that refuse it; it writes a diary."""

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

    def carry_out(self, steps):
        self.diary.append(f"carry {steps[0].action}")
        return set() if steps[0].action in self.agree else {"a"}

    def change(self, steps, failed, attempt, deadline):
        assert failed == {"a"}
        self.diary.append(f"change {steps[0].action}")
        if self.change_to is not None:
            attempt.outcome = self.change_to

    def run(self, evaluations: int | None = None) -> str:
        deadline = Deadline(60, time.monotonic)
        plans = SeveralPlans(self.projection, self.make, self, self.attempt, evaluations, deadline)
        assert plans.try_all() is self.attempt
        return ", ".join(self.diary)


def test_first_the_projection_then_the_guess_then_changes():
    script = Scripted([(0,), (1,), (2,)], (5,))
    assert script.run() == (
        "carry 0, carry 5, carry 0, change 0, carry 5, change 5, "
        "carry 1, change 1, carry 2, change 2"
    )
    assert script.attempt.outcome is Outcome.NOT_EXTENDED


@pytest.mark.parametrize(
    ("agree", "diary"),
    [
        (0, "carry 0"),
        (5, "carry 0, carry 5"),
        (1, "carry 0, carry 5, carry 0, change 0, carry 5, change 5, carry 1"),
    ],
)
def test_it_ends_with_the_plan_that_all_can_carry_out(agree, diary):
    script = Scripted([(0,), (1,), (2,)], (5,))
    script.agree.add(agree)
    assert script.run() == diary
    assert script.attempt.outcome is Outcome.SOLVED
    assert [step.action for step in script.attempt.steps] == [agree]


@pytest.mark.parametrize("outcome", [Outcome.SOLVED, Outcome.TIME])
def test_it_ends_with_a_changed_plan_or_without_time(outcome):
    script = Scripted([(0,), (1,)], (5,))
    script.change_to = outcome
    assert script.run() == "carry 0, carry 5, carry 0, change 0"
    assert script.attempt.outcome is outcome


def test_a_guess_that_takes_long_comes_after_changes():
    script = Scripted([(0,), (1,)], (5,), PATIENCE + LONG_PATIENCE)
    assert script.run() == "carry 0, change 0, carry 5, change 5, carry 1, change 1"


def test_a_guess_that_takes_too_long_is_given_up():
    script = Scripted([(0,), (1,)], (5,), PATIENCE + LONG_PATIENCE + 1)
    assert script.run() == "carry 0, change 0, carry 1, change 1"
    assert script.attempt.counters.evaluated == PATIENCE + LONG_PATIENCE + 2


def test_with_a_planner_that_does_not_count_nothing_is_guessed(monkeypatch):
    monkeypatch.setattr(Scripted.Planner, "counts", False)
    assert Scripted([(0,), (1,)], (5,)).run() == "carry 0, change 0, carry 1, change 1"


def test_plans_are_bounded():
    script = Scripted([(n % 5,) for n in range(PLANS + 3)], ())
    assert script.run().count("carry") == PLANS


def test_without_a_plan_there_is_nothing_to_carry_out():
    script = Scripted([], (5,))
    assert script.run() == ""
    assert script.attempt.outcome is Outcome.NO_PLAN


def test_the_bound_on_evaluations_counts_the_guess():
    script = Scripted([(0,), (1,)], (5,), 10_000)
    script.run(evaluations=50)
    assert script.attempt.counters.evaluated <= 60
    assert FINISH not in [step.action for step in script.attempt.steps]

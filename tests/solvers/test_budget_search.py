"""Searching for a budget: what comes out, and what is not tried in vain, for made-up attempts."""

from dataclasses import dataclass, replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.central.instance import load
from tacit.central.session import Session
from tacit.policy import POLICY, EffortPolicy
from tacit.profile import profile
from tacit.public.outcome import Outcome
from tacit.public.run_options import RunOptions
from tacit.solvers.budget_search import bisect, downward
from tacit.solvers.effort import Effort, EffortSearch, least_disclosed
from tacit.solvers.limits import Limits

UNDECIDED, SOLVED = Outcome.UNDECIDED, Outcome.SOLVED


@dataclass(frozen=True)
class Tried:
    k: int
    outcome: Outcome
    most_disclosed: int = 0

    @property
    def solved(self):
        return self.outcome is SOLVED


class Attempts:
    """Per budget, how many repairs it takes, None if that is not found out; and what was tried."""

    def __init__(self, repairs):
        self.repairs = repairs
        self.made = []

    def __call__(self, k, max_disclosed=None):
        repairs = self.repairs[k]
        found = Tried(k, UNDECIDED) if repairs is None else Tried(k, SOLVED, k + repairs)
        self.made.append(found)
        return found


def less_patient(attempts):
    """The same, but repairs above ten are not found out."""
    few = [n if n is not None and n <= 10 else None for n in attempts.repairs]
    low = Attempts(few)
    low.made = attempts.made
    return low


def found_by(low, high, *attempts):
    """What a row of efforts finds, each in its own way."""
    best = None
    for number, attempt in enumerate(attempts):
        best = least_disclosed(low, high, Effort(attempt, slowly=number % 2 == 1), best)
    return best


@given(st.lists(st.none() | st.integers(0, 30), min_size=1, max_size=80), st.data())
def test_what_is_found_was_tried_and_discloses_no_more_than_any_other(repairs, data):
    low, attempts = data.draw(st.integers(0, len(repairs) - 1)), Attempts(repairs)
    found = found_by(low, len(repairs) - 1, less_patient(attempts), attempts)
    assert found in attempts.made
    assert all(low <= tried.k for tried in attempts.made)
    solved = [tried for tried in attempts.made if tried.solved]
    if solved:
        assert found.most_disclosed == min(tried.most_disclosed for tried in solved)
    else:
        assert found.k == len(repairs) - 1


@given(st.lists(st.integers(0, 30), min_size=1, max_size=80))
def test_an_effort_may_give_up_where_as_much_was_disclosed_before(repairs):
    whole, bounds = Attempts(repairs), []

    def attempt(k, max_disclosed):
        bounds.append(max_disclosed)
        tried = whole(k)
        return (
            Tried(k, UNDECIDED)
            if max_disclosed is not None and tried.most_disclosed >= max_disclosed
            else tried
        )

    first = Tried(len(repairs), SOLVED, 40)
    assert least_disclosed(0, len(repairs), Effort(attempt), first) == least_disclosed(
        0, len(repairs), Effort(Attempts([*repairs, 0])), first
    )
    assert all(max_disclosed is not None and max_disclosed <= 40 for max_disclosed in bounds)


@given(st.integers(0, 40), st.integers(0, 40), st.booleans())
def test_where_nothing_is_left_to_luck_the_smallest_is_found(low, more, slowly):
    first = low + more
    repairs = [None] * first + [0] * (100 - first)
    assert least_disclosed(low, 99, Effort(Attempts(repairs), slowly)).k == first
    assert bisect(low, 99, Attempts(repairs)).k == first


def test_more_effort_finds_less_to_disclose():
    attempts = Attempts([None] * 4 + [11] + [None] * 61 + [0])
    assert found_by(1, 66, less_patient(attempts)).k == 66
    assert (
        found_by(1, 66, less_patient(attempts), less_patient(attempts), attempts).most_disclosed
        == 15
    )


@pytest.mark.parametrize("slowly", [True, False])
def test_budgets_grow_in_steps_that_grow_up_to_the_largest(slowly):
    attempts = Attempts([None] * 600)
    least_disclosed(8, 599, Effort(attempts, slowly=slowly))
    tried = [tried.k for tried in attempts.made]
    steps = [after - before for before, after in pairwise(tried)]
    assert (tried[0], tried[-1]) == (8, 599)
    assert len(tried) < 20
    assert steps[:-1] == sorted(steps[:-1])


def test_slowly_more_budgets_are_tried():
    slow, fast = Attempts([None] * 600), Attempts([None] * 600)
    least_disclosed(8, 599, Effort(slow, slowly=True))
    least_disclosed(8, 599, Effort(fast))
    assert len(slow.made) > len(fast.made)


@pytest.mark.parametrize("over", [Outcome.TIME, Outcome.MEMORY])
def test_what_is_over_ends_it(over):
    made = []

    def attempt(k, max_disclosed):
        made.append(k)
        return Tried(k, over if k >= 3 else UNDECIDED)

    found = found_by(0, 50, attempt, attempt)
    assert found.outcome is over
    assert [k for k in made if k >= 3] == [found.k] == made[-1:]


def test_time_that_is_over_leaves_what_was_found():
    found = found_by(
        0, 8, Attempts([None] * 8 + [3]), lambda k, max_disclosed: Tried(k, Outcome.TIME)
    )
    assert found == Tried(8, SOLVED, 11)


LEVELS = EffortPolicy(10, 2)


class Searches:
    """Up to 6 there is no plan; from a budget on there is one, for enough states; and from one on
    there is something to repair.
    """

    def __init__(self, solved_from, states, repaired_from=1_000):
        self.solved_from, self.states, self.repaired_from = solved_from, states, repaired_from
        self.made = []

    def __call__(self, k, limits):
        self.made.append((k, limits.evaluations))
        if k <= 6:
            return Tried(k, Outcome.NO_PLAN, k)
        is_solved = k >= self.solved_from and limits.evaluations >= self.states
        return Tried(k, SOLVED if is_solved else UNDECIDED, k + (k >= self.repaired_from))

    def of(self, states):
        """The budgets that were tried with so many states."""
        return [k for k, evaluations in self.made if evaluations == states]


def test_efforts_grow_and_what_is_proved_is_not_tried_again():
    searches = Searches(solved_from=9, states=20)
    assert EffortSearch(5, 100, searches, Limits()).look(LEVELS).k == 9
    assert min(searches.of(10)) == 5
    assert min(searches.of(20)) > 6
    assert not searches.of(40)  # 9 is not much more than 5


def test_high_effort_is_for_where_much_is_disclosed():
    searches = Searches(solved_from=60, states=20, repaired_from=0)
    assert EffortSearch(0, 100, searches, Limits()).look(LEVELS).most_disclosed == 61
    assert searches.of(40)
    assert all(6 < k < 61 for k in searches.of(40))


def test_high_effort_begins_where_there_was_something_to_repair():
    searches = Searches(solved_from=60, states=20, repaired_from=40)
    EffortSearch(0, 100, searches, Limits()).look(LEVELS)
    assert min(searches.of(20)) < 40 <= min(searches.of(40))


def test_downward_the_largest_comes_first():
    attempts = Attempts([None] * 30 + [0] * 20)
    assert downward(10, 49, attempts).k == 30
    assert attempts.made[0].k == 49
    assert downward(10, 29, attempts).k == 29


def test_downward_repairs_count():
    """Below 40, smaller budgets take so many repairs that more would be disclosed."""
    limits = []

    def attempt(k, max_disclosed):
        limits.append(max_disclosed)
        return Tried(k, SOLVED, k if k >= 40 else k + 100)

    assert downward(0, 64, attempt).k == 40
    first, *bounds = limits
    assert first is None
    assert bounds == sorted(bounds, reverse=True), "the best so far is never disclosed again"
    assert 40 < bounds[-1] <= 64


def test_half_of_the_time_is_for_finding_any():
    clock = [0.0]
    left = []

    def attempt(k, limits):
        clock[0] += 0.1
        left.append((limits.seconds, limits.max_disclosed))
        return Tried(k, SOLVED if k >= 40 else UNDECIDED, k)

    EffortSearch(0, 50, attempt, Limits(60, clock=lambda: clock[0])).look(LEVELS)
    assert left[0] == (30, None)
    assert all(seconds > 30 for seconds, max_disclosed in left if max_disclosed is not None)


IN_BULK = replace(POLICY, repair=replace(POLICY.repair, single_answers=0))


@pytest.mark.usefixtures("_never_pessimistic")
@pytest.mark.parametrize("domain", ["blocksworld", "depot", "elevators"])
def test_repairs_are_disclosed_one_by_one_if_that_will_do(domain):
    problem, options = load(f"{domain}/small"), RunOptions(ranking="m1")
    session = Session(problem, profile("tacit"), options)
    found = session.first()
    again = session.at(found.k)
    in_bulk = Session(problem, profile("tacit"), options, policy=IN_BULK).at(found.k)
    assert found.solved
    assert again.repairs == found.repairs
    assert found.most_disclosed < in_bulk.most_disclosed

"""Looking for a budget: which are tried, and which comes out, for attempts that are made up."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.central.instance import load
from tacit.central.solve import Limits, Session
from tacit.profile import profile
from tacit.public.outcome import Outcome
from tacit.solvers.hunt import bisect, downward
from tacit.solvers.thrift import Effort, Thrift, Worth, least_told

UNDECIDED, SOLVED = Outcome.UNDECIDED, Outcome.SOLVED


@dataclass(frozen=True)
class Tried:
    k: int
    outcome: Outcome
    told: int = 0

    @property
    def solved(self):
        return self.outcome is SOLVED


class Attempts:
    """Per budget, how many repairs it takes, None if that is not found out; and what was tried."""

    def __init__(self, repairs):
        self.repairs = repairs
        self.made = []

    def __call__(self, k, told=None):
        repairs = self.repairs[k]
        found = Tried(k, UNDECIDED) if repairs is None else Tried(k, SOLVED, k + repairs)
        self.made.append(found)
        return found


def less_patient(attempts):
    """The same, but repairs above ten are not found out."""
    few = [n if n is not None and n <= 10 else None for n in attempts.repairs]
    hasty = Attempts(few)
    hasty.made = attempts.made
    return hasty


def found_by(low, high, *attempts):
    """What a row of efforts finds, each in its own way."""
    best = None
    for number, attempt in enumerate(attempts):
        best = least_told(low, high, Effort(attempt, slowly=number % 2 == 1), best)
    return best


@given(st.lists(st.none() | st.integers(0, 30), min_size=1, max_size=80), st.data())
def test_what_is_found_was_tried_and_told_no_more_than_any_other(repairs, data):
    low, attempts = data.draw(st.integers(0, len(repairs) - 1)), Attempts(repairs)
    found = found_by(low, len(repairs) - 1, less_patient(attempts), attempts)
    assert found in attempts.made
    assert all(low <= tried.k for tried in attempts.made)
    solved = [tried for tried in attempts.made if tried.solved]
    if solved:
        assert found.told == min(tried.told for tried in solved)
    else:
        assert found.k == len(repairs) - 1


@given(st.lists(st.integers(0, 30), min_size=1, max_size=80))
def test_an_effort_may_give_up_where_as_much_was_told_before(repairs):
    whole, bounds = Attempts(repairs), []

    def attempt(k, told):
        bounds.append(told)
        tried = whole(k)
        return Tried(k, UNDECIDED) if told is not None and tried.told >= told else tried

    first = Tried(len(repairs), SOLVED, 40)
    assert least_told(0, len(repairs), Effort(attempt), first) == least_told(
        0, len(repairs), Effort(Attempts([*repairs, 0])), first
    )
    assert all(told is not None and told <= 40 for told in bounds)


@given(st.integers(0, 40), st.integers(0, 40), st.booleans())
def test_where_nothing_is_left_to_luck_the_smallest_is_found(low, more, slowly):
    first = low + more
    repairs = [None] * first + [0] * (100 - first)
    assert least_told(low, 99, Effort(Attempts(repairs), slowly)).k == first
    assert bisect(low, 99, Attempts(repairs)).k == first


def test_more_patience_finds_less():
    attempts = Attempts([None] * 4 + [11] + [None] * 61 + [0])
    assert found_by(1, 66, less_patient(attempts)).k == 66
    assert found_by(1, 66, less_patient(attempts), less_patient(attempts), attempts).told == 15


def test_slowly_budgets_grow_by_half():
    attempts = Attempts([None] * 60)
    least_told(8, 59, Effort(attempts, slowly=True))
    assert [tried.k for tried in attempts.made] == [8, 12, 18, 27, 40, 59]


@pytest.mark.parametrize("over", [Outcome.TIME, Outcome.MEMORY])
def test_what_is_over_ends_it(over):
    made = []

    def attempt(k, told):
        made.append(k)
        return Tried(k, over if k == 3 else UNDECIDED)

    assert found_by(0, 50, attempt, attempt) == Tried(3, over)
    assert made == [0, 1, 3]


def test_time_that_is_over_leaves_what_was_found():
    found = found_by(0, 8, Attempts([None] * 8 + [3]), lambda k, told: Tried(k, Outcome.TIME))
    assert found == Tried(8, SOLVED, 11)


WORTH = Worth(10, 20, 30)


class Searches:
    """Up to 6 there is no plan; from a budget on there is one for who has the states."""

    def __init__(self, solved_from, states, repairs=0):
        self.solved_from, self.states, self.repairs = solved_from, states, repairs
        self.made = []

    def __call__(self, k, limits):
        self.made.append((k, limits.evaluations, limits.urgent))
        if k <= 6:
            return Tried(k, Outcome.NO_PLAN, k)
        is_solved = k >= self.solved_from and limits.evaluations >= self.states
        return Tried(k, SOLVED if is_solved else UNDECIDED, k + self.repairs)

    def of(self, states, urgent=None):
        """The budgets that were tried with so many states."""
        kind = (states, states if urgent is None else urgent)
        return [k for k, *limits in self.made if tuple(limits) == kind]


def test_efforts_grow_and_what_is_proved_is_not_tried_again():
    searches = Searches(solved_from=20, states=20)
    assert Thrift(5, 100, searches, Limits()).look(WORTH, 5).k == 20
    assert min(searches.of(10)) == 5
    assert min(searches.of(20)) == 7
    assert not searches.of(20, 5)  # nothing was repaired
    assert not searches.of(30)  # 20 is not much more than 5


def test_patience_is_for_where_much_is_told():
    searches = Searches(solved_from=60, states=20, repairs=1)
    assert Thrift(0, 100, searches, Limits()).look(WORTH, 5).told == 61
    assert searches.of(20, 5)
    assert min(searches.of(30)) == 7
    assert max(searches.of(30)) < 61


def test_downward_the_largest_comes_first():
    attempts = Attempts([None] * 30 + [0] * 20)
    assert downward(10, 49, attempts).k == 30
    assert attempts.made[0].k == 49
    assert downward(10, 29, attempts).k == 29


def test_downward_repairs_count():
    """Below 40, smaller budgets take so many repairs that more would be told."""
    limits = []

    def attempt(k, told):
        limits.append(told)
        return Tried(k, SOLVED, k if k >= 40 else k + 100)

    assert downward(0, 64, attempt).k == 40
    assert limits[:3] == [None, 65, 65]
    assert limits[-1] <= 42


def test_half_of_the_time_is_for_finding_any():
    clock = [0.0]
    left = []

    def attempt(k, limits):
        clock[0] += 0.1
        left.append((limits.seconds, limits.told))
        return Tried(k, SOLVED if k >= 40 else UNDECIDED, k)

    Thrift(0, 50, attempt, Limits(60, clock=lambda: clock[0])).look(WORTH, 5)
    assert left[0] == (30, None)
    assert all(seconds > 30 for seconds, told in left if told is not None)


@pytest.mark.usefixtures("_no_guess")
def test_repairs_are_told_one_by_one_if_that_will_do():
    session = Session(load("depot/medium"), profile("tacit"), "goal")
    found = session.first()
    again = session.at(found.k)
    in_bulk = session.at(found.k, Limits(urgent=0))
    assert found.solved
    assert again.repairs == found.repairs
    assert found.told < in_bulk.told

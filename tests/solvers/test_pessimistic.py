"""A search that begins with a guess: what it asks of whom, and that nothing told is lost."""

from __future__ import annotations

import pytest
from support.inside import projection_of
from support.problems import SMALL, generated
from support.projections import executes

from tacit.central.session import Session
from tacit.policy import POLICY
from tacit.profile import PROFILES
from tacit.public.outcome import Outcome
from tacit.public.projection import Projection
from tacit.public.run_options import RunOptions
from tacit.searchers import Clock, make_search
from tacit.solvers.attempt import Counters
from tacit.solvers.pessimistic import PessimisticSearch

FIRST = POLICY.pessimistic.evaluations
AGAIN = POLICY.pessimistic.evaluations_again


class Search:
    """Ends after so many evaluations; it keeps what it is told."""

    counts = True

    def __init__(self, needs: int, end: tuple[Outcome, tuple[int, ...]]):
        self.left, self._end = needs, end
        self.told: list[object] = []
        self.runs: list[int | None] = []

    def run(self, seconds, evaluations, counters):
        self.runs.append(evaluations)
        done = self.left if evaluations is None else min(self.left, evaluations)
        self.left -= done
        counters.add(Counters(evaluated=done))
        return (Outcome.UNDECIDED, ()) if self.left else self._end

    def add_delete(self, action, fact):
        self.told.append((action, fact))

    def forbid(self, actions, group):
        self.told.append((actions, group))


def pessimistic(guess: Search, plain: Search) -> PessimisticSearch:
    projection = Projection(1, [], [])
    return PessimisticSearch(projection, lambda given, way: plain if given is projection else guess)


SOLVED = (Outcome.SOLVED, (1,))
OTHER = (Outcome.SOLVED, (2,))


def test_a_plan_of_the_pessimistic_projection_is_enough():
    search = pessimistic(Search(FIRST, SOLVED), Search(1, OTHER))
    assert search.run(1.0, None, Counters()) == SOLVED
    assert search.is_active
    assert search.spent == FIRST


@pytest.mark.parametrize("needs", [1, FIRST + 1])
def test_without_a_pessimistic_plan_it_is_the_projection(needs):
    plain = Search(5, OTHER)
    search = pessimistic(Search(needs, (Outcome.NO_PLAN, ())), plain)
    counters = Counters()
    assert search.run(1.0, None, counters) == OTHER
    assert not search.is_active
    assert counters.evaluated == 5 + search.spent


@pytest.mark.parametrize("outcome", [Outcome.TIME, Outcome.MEMORY])
def test_a_limit_on_the_pessimistic_search_ends_the_whole(outcome):
    plain = Search(1, OTHER)
    assert pessimistic(Search(1, (outcome, ())), plain).run(1.0, None, Counters())[0] is outcome
    assert not plain.runs


def test_no_plan_is_said_by_the_projection_alone():
    plain = Search(1, (Outcome.NO_PLAN, ()))
    search = pessimistic(Search(1, (Outcome.NO_PLAN, ())), plain)
    assert search.run(1.0, None, Counters())[0] is Outcome.NO_PLAN
    assert plain.runs == [None]


def test_the_pessimistic_search_is_resumed_once():
    guess, plain = Search(FIRST + AGAIN, SOLVED), Search(1, OTHER)
    search = pessimistic(guess, plain)
    assert search.run(1.0, None, Counters()) == OTHER
    search.search_longer()
    assert search.run(1.0, None, Counters()) == SOLVED
    search.is_active = False
    search.search_longer()
    assert not search.is_active


def test_what_was_proved_to_have_no_plan_is_not_taken_up_again():
    search = pessimistic(Search(1, (Outcome.NO_PLAN, ())), Search(1, OTHER))
    search.run(1.0, None, Counters())
    search.search_longer()
    assert not search.is_active


def test_what_the_pessimistic_search_takes_does_not_count():
    guess, plain = Search(10**6, SOLVED), Search(10**6, OTHER)
    search = pessimistic(guess, plain)
    counters = Counters()
    search.run(1.0, 50, counters)
    assert (guess.runs, plain.runs) == ([50], [50])
    assert search.spent == 50


def test_a_planner_that_does_not_count_is_not_used_pessimistically():
    guess, plain = Search(1, SOLVED), Search(1, OTHER)
    guess.counts = False
    assert pessimistic(guess, plain).run(1.0, None, Counters()) == OTHER
    assert not guess.runs


def test_both_searches_know_what_is_disclosed():
    guess, plain = Search(1, SOLVED), Search(1, OTHER)
    search = pessimistic(guess, plain)
    search.run(1.0, None, Counters())
    search.add_delete(3, 4)  # the projection has it, too
    search.forbid([1, 2], None)
    assert guess.told == [(3, 4), ([1, 2], None)]
    search.is_active = False
    search.run(1.0, None, Counters())
    assert plain.told == [([1, 2], None)]
    search.add_delete(5, 6)
    assert plain.told[-1] == guess.told[-1] == (5, 6)


def test_it_goes_on_where_it_was_when_facts_are_added():
    made: list[Search] = []

    def make(projection, way):
        made.append(Search(1, SOLVED))
        return made[-1]

    search = PessimisticSearch(Projection(1, [], []), make)
    search.forbid([7], 0)
    search.is_active = False
    again = search.again(Projection(2, [], []))
    assert not again.is_active
    again.run(1.0, None, Counters())
    assert made[-1].told == [([7], 0)]


def test_it_finds_plans_of_the_projection():
    session = Session(
        generated("depot", SMALL["depot"][-1], 0), PROFILES["tacit"], RunOptions(ranking="m1")
    )
    projection = projection_of(session)
    search = PessimisticSearch(
        projection, lambda given, way: make_search(given, way, "native", 0, None, Clock())
    )
    outcome, plan = search.run(10.0, 20_000, Counters())
    assert outcome is Outcome.SOLVED
    assert executes(projection, plan)

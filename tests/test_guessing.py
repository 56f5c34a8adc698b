"""A search that begins with a guess: what it asks of whom, and that nothing told is lost."""

from __future__ import annotations

import pytest
from brute import SMALL, generated
from test_several_plans import executes

from tacit.central.solve import Session
from tacit.profile import PROFILES
from tacit.public.outcome import Outcome
from tacit.public.projection import Projection
from tacit.searchers import EmbeddedSearch
from tacit.solvers.asking import Counters
from tacit.solvers.guessing import LONG_PATIENCE, PATIENCE, Guessing


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


def guessing(guess: Search, plain: Search) -> Guessing:
    projection = Projection(1, [], [])
    return Guessing(projection, lambda given, way: plain if given is projection else guess)


SOLVED = (Outcome.SOLVED, (1,))
OTHER = (Outcome.SOLVED, (2,))


def test_a_guess_that_is_good_is_all():
    search = guessing(Search(PATIENCE, SOLVED), Search(1, OTHER))
    assert search.run(1.0, None, Counters()) == SOLVED
    assert search.guesses
    assert search.spent == PATIENCE


@pytest.mark.parametrize("needs", [1, PATIENCE + 1])
def test_without_a_plan_by_the_guess_it_is_the_projection(needs):
    plain = Search(5, OTHER)
    search = guessing(Search(needs, (Outcome.NO_PLAN, ())), plain)
    counters = Counters()
    assert search.run(1.0, None, counters) == OTHER
    assert not search.guesses
    assert counters.evaluated == 5 + search.spent


@pytest.mark.parametrize("outcome", [Outcome.TIME, Outcome.MEMORY])
def test_what_ends_the_guess_from_outside_ends_the_search(outcome):
    plain = Search(1, OTHER)
    assert guessing(Search(1, (outcome, ())), plain).run(1.0, None, Counters())[0] is outcome
    assert not plain.runs


def test_no_plan_is_said_by_the_projection_alone():
    plain = Search(1, (Outcome.NO_PLAN, ()))
    search = guessing(Search(1, (Outcome.NO_PLAN, ())), plain)
    assert search.run(1.0, None, Counters())[0] is Outcome.NO_PLAN
    assert plain.runs == [None]


def test_the_guess_is_taken_up_again_once():
    guess, plain = Search(PATIENCE + LONG_PATIENCE, SOLVED), Search(1, OTHER)
    search = guessing(guess, plain)
    assert search.run(1.0, None, Counters()) == OTHER
    search.guess_longer()
    assert search.run(1.0, None, Counters()) == SOLVED
    search.guesses = False
    search.guess_longer()
    assert not search.guesses


def test_what_was_proved_to_have_no_plan_is_not_taken_up_again():
    search = guessing(Search(1, (Outcome.NO_PLAN, ())), Search(1, OTHER))
    search.run(1.0, None, Counters())
    search.guess_longer()
    assert not search.guesses


def test_what_the_guess_takes_does_not_count():
    guess, plain = Search(10**6, SOLVED), Search(10**6, OTHER)
    search = guessing(guess, plain)
    counters = Counters()
    search.run(1.0, 50, counters)
    assert (guess.runs, plain.runs) == ([50], [50])
    assert search.spent == 50


def test_with_a_planner_that_does_not_count_nothing_is_guessed():
    guess, plain = Search(1, SOLVED), Search(1, OTHER)
    guess.counts = False
    assert guessing(guess, plain).run(1.0, None, Counters()) == OTHER
    assert not guess.runs


def test_both_know_what_is_told():
    guess, plain = Search(1, SOLVED), Search(1, OTHER)
    search = guessing(guess, plain)
    search.run(1.0, None, Counters())
    search.add_delete(3, 4)  # the projection has it, too
    search.forbid([1, 2], None)
    assert guess.told == [(3, 4), ([1, 2], None)]
    search.guesses = False
    search.run(1.0, None, Counters())
    assert plain.told == [([1, 2], None)]
    search.add_delete(5, 6)
    assert plain.told[-1] == guess.told[-1] == (5, 6)


def test_it_goes_on_where_it_was_when_facts_are_added():
    made: list[Search] = []

    def make(projection, way):
        made.append(Search(1, SOLVED))
        return made[-1]

    search = Guessing(Projection(1, [], []), make)
    search.forbid([7], 0)
    search.guesses = False
    again = search.again(Projection(2, [], []))
    assert not again.guesses
    again.run(1.0, None, Counters())
    assert made[-1].told == [([7], 0)]


def test_it_finds_plans_of_the_projection():
    session = Session(generated("depot", SMALL["depot"][-1], 0), PROFILES["tacit"], "m1")
    projection = session._solver.projection(session.largest)
    search = Guessing(projection, lambda given, way: EmbeddedSearch(given, 0, None, way))
    outcome, plan = search.run(10.0, 20_000, Counters())
    assert outcome is Outcome.SOLVED
    assert executes(projection, plan)

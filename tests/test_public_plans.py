"""Forward search is told plans of the projection: what they may change, and what they tell."""

from __future__ import annotations

import itertools

import brute
import msgspec
import pytest
from brute import generated, quick, say, tinies
from forward import LIMITS, TURNS, searching, with_rule
from hypothesis import given
from hypothesis import strategies as st
from test_mafs import check
from test_mafs_transcript import _audit
from test_several_plans import executes

from tacit.central.solve import Session
from tacit.errors import ProtocolError
from tacit.party.mafs import forward
from tacit.profile import PROFILES
from tacit.public.disclosure import FINISH, PublicStep
from tacit.public.outcome import Outcome
from tacit.public.projection import Projection
from tacit.public.protocol.messages import Disclosed, Follow, Foreseen, Published, encode
from tacit.public.settings import Rule, Threats
from tacit.solvers.asking import Counters
from tacit.solvers.public_plans import PATIENCE, PLANS, SHARE, TURN, WALK, PublicPlans
from tacit.transport import drive

PAPER = PROFILES["paper"]


def steps_of(session: Session) -> list[PublicStep]:
    """All steps that a public plan could have."""
    return [
        PublicStep(agent, action)
        for agent, part in session._solver._published.items()
        for action in (*(a.id for a in part.actions), *([FINISH] if part.has_private_goal else []))
    ]


def plans_for(session: Session) -> st.SearchStrategy[list[tuple[PublicStep, ...]]]:
    """Any steps in any order."""
    steps = steps_of(session)
    one = st.lists(st.sampled_from(steps), max_size=8).map(tuple) if steps else st.just(())
    return st.lists(one, max_size=4)


def tell_all(session: Session, plans: list[tuple[PublicStep, ...]]) -> None:
    """Have every search of a session begin with plans to follow."""
    solver, begin = session._solver, session._solver._begin

    def begin_and_tell(attempt, shown, grows):
        begin(attempt, shown, grows)
        for plan in plans:
            solver._ask_all(Follow("solver", plan))

    solver._begin = begin_and_tell


@quick(150)
@given(tinies(looks=True), st.integers(0, 3), st.data())
def test_no_plan_that_is_told_changes_whether_there_is_one(tiny, seed, data):
    say("\n".join(tiny.texts))
    session = searching(tiny.load(), seed=seed)
    plans = data.draw(plans_for(session))
    say(plans)
    tell_all(session, plans)
    for k in range(session.largest + 1):
        check(session, k)


@pytest.mark.parametrize("rule", list(Rule))
def test_a_plan_that_works_is_found_again(rule):
    """The plan that one search found is followed by the next, hardly with a look at the side."""
    before = after = 0
    for domain in brute.SMALL:
        session = searching(generated(domain, brute.SMALL[domain][-1], 1), with_rule(rule))
        found = session._solver.attempt(session.largest, LIMITS)
        assert found.outcome is Outcome.SOLVED
        tell_all(session, [found.steps])
        again = session._solver.attempt(session.largest, LIMITS)
        assert again.outcome is Outcome.SOLVED
        before += found.counters.evaluated
        after += again.counters.evaluated
    assert after < before / 3


def test_states_on_a_plan_show_only_disclosed_edges():
    explained = 0

    @quick(40)
    @given(tinies(private_goals=False), st.integers(0, 3), st.data())
    def run(tiny, seed, data):
        nonlocal explained
        session = searching(tiny.load(), seed=seed)
        tell_all(session, data.draw(plans_for(session)))
        session.at(data.draw(st.integers(0, session.largest)), LIMITS)
        explained += _audit(session)

    run()
    assert explained > 20


# ------------------------------------------------------------------ a whole search


@pytest.fixture
def impatient(monkeypatch):
    """Searches that look up after a few evaluations, so that even small ones are planned for."""
    monkeypatch.setattr(drive, "SLICE", 2)
    monkeypatch.setattr(drive, "ROUNDS", 1)


def told_in(session: Session) -> list[Follow]:
    return [m for m in session._party.transcript.messages() if isinstance(m, Follow)]


def depot(seed: int = 1):
    return generated("depot", brute.SMALL["depot"][-1], seed)


def test_every_plan_told_is_one_of_the_projection(impatient):
    """From the transcript alone: anybody who read along could have made it."""
    plans = 0
    for domain in brute.SMALL:
        session = searching(generated(domain, brute.SMALL[domain][-1], 1), PAPER)
        session.at(session.largest * 4 // 5, LIMITS)
        heard = list(session._party.transcript.messages())
        published = {m.sender: m for m in heard if isinstance(m, Published)}
        projection = Projection.of(session.instance.public, published)
        for agent, answer in {m.sender: m for m in heard if isinstance(m, Disclosed)}.items():
            projection.disclose(agent, (*answer.edges, *answer.known))
        for agent, answer in {m.sender: m for m in heard if isinstance(m, Foreseen)}.items():
            projection.disclose(agent, answer.free)
        told = {message.steps for message in told_in(session)}
        for steps in told:
            assert reaches_goal(projection, steps)
        plans += len(told)
    assert plans > 3


def reaches_goal(projection: Projection, steps: tuple[PublicStep, ...]) -> bool:
    holds = set(projection.init)
    for step in steps:
        action = projection.number[step]
        if not holds.issuperset(projection.needs[action]):
            return False
        adds = projection.adds[action]
        holds = (holds - set(projection.deletes[action])) | set(adds)
    return holds.issuperset(projection.goal)


def test_a_search_with_plans_is_the_same_every_time(impatient):
    def frames() -> list[bytes]:
        session = searching(depot(), PAPER)
        session.at(session.largest, LIMITS)
        assert told_in(session)
        return [frame.payload for frame in session._party.transcript.frames]

    assert frames() == frames()


@pytest.mark.parametrize("threats", [Threats.NONE, Threats.ON_DEMAND])
def test_where_the_projection_shows_no_threats_plans_are_guessed(impatient, threats):
    session = searching(depot(), msgspec.structs.replace(PROFILES["tacit"], threats=threats))
    assert session.at(session.largest, LIMITS).solved
    guess = session._solver.projection(session.largest).cautious()
    told = told_in(session)
    assert told
    for plan in told:
        assert executes(guess, tuple(guess.number[step] for step in plan.steps))


# ------------------------------------------------------------------ planning, step by step


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


def plans_by(make, shows_ends: bool = True) -> PublicPlans:
    session = searching(depot())
    return PublicPlans(session._solver.projection(session.largest), make, shows_ends)


def test_planning_keeps_step_with_searching():
    number = itertools.count()
    plans = plans_by(lambda projection, way: Planner(SHARE * 100, (next(number),)))
    assert plans.seek(0) is None
    assert plans.seek(60) is None
    assert plans.counters.evaluated == SHARE * 60
    assert plans.seek(60) is None
    assert plans.counters.evaluated == SHARE * 60
    assert len(plans.seek(100)) == 1
    assert plans.seek(1000, seconds=0.0) is None
    found = [plans.seek(evaluated) for evaluated in range(200, 2000, 100)]
    assert sum(plan is not None for plan in found) == 2 * PLANS - 1
    assert plans.counters.evaluated == SHARE * 100 * 2 * PLANS


def test_a_plan_is_told_once():
    plans = plans_by(lambda projection, way: Planner(1, (0, 1)))
    evaluated = range(1, 1 + 2 * WALK + 2 * PLANS)
    assert [plans.seek(n) is not None for n in evaluated].count(True) == 1


def test_agents_have_time_to_follow_a_plan():
    number = itertools.count()
    plans = plans_by(lambda projection, way: Planner(1, (next(number), 0)))
    told = [n for n in range(1, 6 * WALK) if plans.seek(n) is not None]
    assert told == [1, 1 + 2 * WALK, 1 + 4 * WALK]


def guesses_and_ways(shows_ends: bool, is_hard) -> list[tuple[bool, int]]:
    """Which plans are looked for, the hard ones in vain."""
    made: list[tuple[bool, int]] = []

    def make(projection, way):
        made.append((projection.deletes != plain.deletes, way))
        return Planner(PATIENCE + 1 if is_hard(len(made)) else 1, (len(made),))

    plans = plans_by(make, shows_ends)
    plain = searching(depot())._solver.projection(10**6)
    for evaluated in range(TURN, 60 * TURN, TURN):
        plans.seek(evaluated)
    return made


def test_who_takes_long_lets_the_other_have_a_turn():
    needs = [3 * TURN + 5, 2 * TURN]
    runs: list[int] = []

    class Noted(Planner):
        def run(self, seconds, evaluations, counters):
            runs.append(self._plan[0])
            return super().run(seconds, evaluations, counters)

    plans = plans_by(lambda projection, way: Noted(needs.pop(0), (len(needs),)) if needs else None)
    told = [plans.seek(evaluated) for evaluated in range(TURN, 12 * TURN, TURN)]
    assert runs == [1, 0, 1, 0, 1, 1]
    assert sum(plan is not None for plan in told) == 2


def test_every_other_plan_is_by_a_guess():
    both = [(is_guess, way) for way in range(PLANS) for is_guess in (False, True)]
    assert guesses_and_ways(shows_ends=True, is_hard=lambda number: False) == both


def test_where_no_ends_are_shown_all_plans_are_guesses():
    guesses = [(True, way) for way in range(PLANS)]
    assert guesses_and_ways(shows_ends=False, is_hard=lambda number: False) == guesses


def test_a_guess_that_takes_long_is_the_last():
    plain = [(False, way) for way in range(1, PLANS)]
    made = guesses_and_ways(shows_ends=True, is_hard=lambda number: number == 2)
    assert made == [(False, 0), (True, 0), *plain]


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


# ------------------------------------------------------------------ what an agent refuses


@pytest.fixture
def begun() -> Session:
    session = Session(
        generated("blocksworld", brute.SMALL["blocksworld"][0], 0), PAPER, means=TURNS
    )
    session._solver.attempt(session.largest, LIMITS)
    return session


def test_steps_that_nobody_published_are_refused(begun):
    agent = next(iter(begun.agents))
    for step in (PublicStep(agent, 10**6), PublicStep("nobody", 0), PublicStep(agent, FINISH)):
        with pytest.raises(ProtocolError, match="nobody published"):
            begun.agents[agent].answer("solver", encode(Follow("solver", (step,))))


def test_nobody_keeps_plans_without_end(begun, monkeypatch):
    monkeypatch.setattr(forward, "MOST_PLANS", 3)
    monkeypatch.setattr(forward, "LONGEST_PLAN", 5)
    agent = next(iter(begun.agents.values()))
    step = next(step for step in steps_of(begun) if step.agent == agent.name)
    for _ in range(3):
        agent.answer("solver", encode(Follow("solver", (step,) * 5)))
    with pytest.raises(ProtocolError, match="sensible"):
        agent.answer("solver", encode(Follow("solver", (step,))))
    other = Session(begun.instance, PAPER, means=TURNS)
    other._solver.attempt(0, LIMITS)
    with pytest.raises(ProtocolError, match="sensible"):
        other.agents[agent.name].answer("solver", encode(Follow("solver", (step,) * 6)))


def test_who_does_not_search_follows_nothing():
    session = searching(depot(), PAPER)
    agent = next(iter(session.agents.values()))
    with pytest.raises(ProtocolError):
        agent.answer("solver", encode(Follow("solver", ())))

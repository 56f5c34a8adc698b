"""Forward search is guided by plans of the projection: what they may change and disclose."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.agreement import check
from support.explaining import explain_states
from support.forward import LIMITS, TURNS, searching, with_rule
from support.inside import (
    ask_all,
    messages_of,
    projection_of,
    publications_of,
    solver_of,
    transcript_of,
)
from support.notes import quick, say
from support.policies import in_slices
from support.problems import RELAY, SMALL, depot, generated
from support.projections import executes

from tacit.central.session import Session
from tacit.errors import ProtocolError
from tacit.party.mafs import forward
from tacit.profile import PROFILES
from tacit.public.disclosure import FINISH, PublicStep
from tacit.public.outcome import Outcome
from tacit.public.projection import Projection
from tacit.public.protocol.messages import Disclosed, Follow, JointReached, Publication, encode
from tacit.public.settings import Rule, Threats
from tacit.safety import LeaderLimits, Safety
from tacit.testing import problems

PAPER = PROFILES["paper"]
RANDOMS = st.integers(0, 2**32).map(Random)


def steps_of(session: Session) -> list[PublicStep]:
    """All steps that a public plan could have."""
    return [
        PublicStep(agent, action)
        for agent, part in publications_of(session).items()
        for action in (*(a.id for a in part.actions), *([FINISH] if part.has_private_goal else []))
    ]


def any_plans(session: Session, rng: Random) -> list[tuple[PublicStep, ...]]:
    """Some plans of any steps in any order."""
    steps = steps_of(session)
    lengths = [rng.randint(0, 8 if steps else 0) for _ in range(rng.randint(0, 4))]
    return [tuple(rng.choices(steps, k=length)) if length else () for length in lengths]


def send_all(session: Session, plans: list[tuple[PublicStep, ...]]) -> None:
    """Have every search of a session begin with plans to follow."""
    search = solver_of(session).search
    begin = search.begin

    def begin_and_send(grows):
        begin(grows)
        for plan in plans:
            ask_all(session, Follow("solver", plan))

    search.begin = begin_and_send


@quick(150)
@given(problems(public_preconditions=True), st.integers(0, 3), RANDOMS)
def test_no_plan_that_is_followed_changes_whether_there_is_one(tiny, seed, rng):
    say("\n".join(tiny.texts))
    session = searching(tiny.load(), seed=seed)
    plans = any_plans(session, rng)
    say(plans)
    send_all(session, plans)
    for k in range(session.largest + 1):
        check(session, k)


@pytest.mark.parametrize("rule", list(Rule))
def test_a_plan_that_works_is_found_again(rule):
    """The plan that one search found is followed by the next, hardly with a look at the side."""
    before = after = 0
    for domain in SMALL:
        session = searching(generated(domain, SMALL[domain][-1], 1), with_rule(rule))
        found = solver_of(session).attempt(session.largest, LIMITS)
        assert found.outcome is Outcome.SOLVED
        send_all(session, [found.steps])
        again = solver_of(session).attempt(session.largest, LIMITS)
        assert again.outcome is Outcome.SOLVED
        before += found.counters.evaluated
        after += again.counters.evaluated
    assert after < before / 3


def test_states_on_a_plan_show_only_disclosed_edges():
    explained = 0

    @quick(40)
    @given(problems(private_goals=False), st.integers(0, 6), RANDOMS)
    @example(RELAY, 6, Random(0))
    def run(tiny, k, rng):
        nonlocal explained
        session = searching(tiny.load(), seed=rng.randint(0, 3))
        send_all(session, any_plans(session, rng))
        session.at(min(k, session.largest), LIMITS)
        explained += explain_states(session)

    run()
    assert explained >= 2


# ------------------------------------------------------------------ a whole search


IMPATIENT = in_slices(2, 1)
"""Searches that are polled after a few evaluations, so that even small ones are planned for."""


def guides_in(session: Session) -> list[Follow]:
    return [m for m in messages_of(session) if isinstance(m, Follow)]


def test_every_plan_sent_is_one_of_the_projection():
    """From the transcript alone: anybody who read along could have made it."""
    plans = 0
    for domain in SMALL:
        session = searching(generated(domain, SMALL[domain][-1], 1), PAPER, policy=IMPATIENT)
        session.at(session.largest * 4 // 5, LIMITS)
        heard = list(messages_of(session))
        published = {m.sender: m for m in heard if isinstance(m, Publication)}
        projection = Projection.of(session.instance.public, published)
        for agent, answer in {m.sender: m for m in heard if isinstance(m, Disclosed)}.items():
            projection.disclose(agent, answer.edges)
        for agent, answer in {m.sender: m for m in heard if isinstance(m, JointReached)}.items():
            projection.disclose(agent, answer.free)
        told = {message.steps for message in guides_in(session)}
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


def test_a_search_with_plans_is_the_same_every_time():
    def frames() -> list[bytes]:
        session = searching(depot(), PAPER, policy=IMPATIENT)
        session.at(session.largest, LIMITS)
        assert guides_in(session)
        return [frame.payload for frame in transcript_of(session).frames]

    assert frames() == frames()


@pytest.mark.parametrize("threats", [Threats.NONE, Threats.ON_DEMAND])
def test_where_the_projection_shows_no_threats_plans_are_pessimistic(threats):
    session = searching(
        depot(), msgspec.structs.replace(PROFILES["tacit"], threats=threats), policy=IMPATIENT
    )
    assert session.at(session.largest, LIMITS).solved
    guess = projection_of(session).pessimistic()
    told = guides_in(session)
    assert told
    for plan in told:
        assert executes(guess, tuple(guess.number[step] for step in plan.steps))


# ------------------------------------------------------------------ what an agent refuses


@pytest.fixture
def begun(monkeypatch) -> Session:
    monkeypatch.setattr(forward, "SAFETY", Safety(leader=LeaderLimits(plans=3, steps=5)))
    instance = generated("blocksworld", SMALL["blocksworld"][0], 0)
    session = Session(instance, PAPER, TURNS)
    solver_of(session).attempt(session.largest, LIMITS)
    return session


def test_steps_that_nobody_published_are_refused(begun):
    agent = next(iter(begun.agents))
    for step in (PublicStep(agent, 10**6), PublicStep("nobody", 0), PublicStep(agent, FINISH)):
        with pytest.raises(ProtocolError, match="nobody published"):
            begun.agents[agent].answer("solver", encode(Follow("solver", (step,))))


def test_nobody_keeps_plans_without_end(begun):
    agent = next(iter(begun.agents.values()))
    step = next(step for step in steps_of(begun) if step.agent == agent.name)
    for _ in range(3):
        agent.answer("solver", encode(Follow("solver", (step,) * 5)))
    with pytest.raises(ProtocolError, match="too many or too long"):
        agent.answer("solver", encode(Follow("solver", (step,))))
    other = Session(begun.instance, PAPER, TURNS)
    solver_of(other).attempt(0, LIMITS)
    with pytest.raises(ProtocolError, match="too many or too long"):
        other.agents[agent.name].answer("solver", encode(Follow("solver", (step,) * 6)))


def test_an_agent_that_does_not_search_follows_nothing():
    session = searching(depot(), PAPER)
    agent = next(iter(session.agents.values()))
    with pytest.raises(ProtocolError):
        agent.answer("solver", encode(Follow("solver", ())))

"""Online, turn by turn: who passes, and who must disclose."""

from __future__ import annotations

from random import Random

import pytest
from support.between import RANKINGS, Between
from support.interactive import turns_of
from support.policies import HASTY
from support.problems import SMALL, generated
from support.walks import walked

from tacit.central.session import Session
from tacit.domains import DOMAINS
from tacit.public.disclosure import PublicEdge
from tacit.public.outcome import Outcome
from tacit.public.protocol.messages import (
    EdgeDisclosed,
    NextEdge,
    NoMore,
    Passed,
    decode,
)
from tacit.public.run_options import RunOptions
from tacit.public.settings import Settings
from tacit.solvers.limits import Limits

LIMITS = Limits(20)


def asked(run: Between) -> list[tuple[NextEdge, object]]:
    """Turns in order: what was asked, and the answer."""
    frames = [f for f in run.transcript.frames if "solver" in (f.sender, f.receiver)]
    pairs = zip(frames[::2], frames[1::2], strict=True)
    decoded = ((decode(one.payload), decode(other.payload)) for one, other in pairs)
    return [(question, answer) for question, answer in decoded if isinstance(question, NextEdge)]


@pytest.mark.parametrize("ranking", RANKINGS)
def test_only_goal_passes(ranking):
    passes = 0
    for domain in DOMAINS:
        run = Between(generated(domain, SMALL[domain][-1], 1), "mafs", ranking, policy=HASTY)
        assert run.run(LIMITS).outcome is Outcome.SOLVED
        passes += sum(isinstance(turn, Passed) for turn in run.turns())
    assert (passes > 0) == (ranking == "goal")


@pytest.mark.parametrize("ranking", ["m1", "m2", "m3", "m4", "random"])
def test_the_others_disclose_in_their_order(ranking):
    """Online an agent's edges are those that it discloses at some budget offline."""
    instance = generated("blocksworld", SMALL["blocksworld"][-1], 1)
    run = Between(instance, "mafs", ranking, policy=HASTY)
    run.run(LIMITS)
    session = Session(instance, Settings(), RunOptions(ranking=ranking))
    for name, agent in run.agents.items():
        assert list(agent.disclosed) == session.order(name)[: len(agent.disclosed)]


def test_agents_must_disclose_only_after_all_have_passed():
    """Then the one that disclosed fewest edges must."""
    forced = 0
    for domain in DOMAINS:
        run = Between(generated(domain, SMALL[domain][-1], 1), "mafs", "goal", policy=HASTY)
        run.run(LIMITS)
        forced += check_forced(run)
    assert forced > 0


def check_forced(run: Between) -> int:
    is_open, passed = set(run.agents), set[str]()
    edges = dict.fromkeys(run.agents, 0)
    for question, answer in asked(run):
        if question.must:
            assert passed >= is_open, "somebody might disclose without having to"
            assert not isinstance(answer, Passed)
            assert edges[answer.sender] == min(edges[agent] for agent in is_open)
        edges[answer.sender] += isinstance(answer, EdgeDisclosed)
        if isinstance(answer, EdgeDisclosed):
            passed = set()
        elif isinstance(answer, NoMore):
            is_open.remove(answer.sender)
        else:
            passed.add(answer.sender)
    return sum(question.must for question, _ in asked(run))


def test_those_who_said_no_more_are_not_asked_again():
    for seed in range(20):
        run = Between(walked(Random(seed), spoiled=True).load(), "mafs", "m1", policy=HASTY)
        run.run(LIMITS)
        over: set[str] = set()
        for turn in run.turns():
            assert turn.sender not in over
            over |= {turn.sender} if isinstance(turn, NoMore) else set()


@pytest.mark.parametrize("ranking", RANKINGS)
def test_offline_every_k_is_a_prefix_of_the_next(ranking):
    for domain in ("blocksworld", "depot", "rovers"):
        instance = generated(domain, SMALL[domain][-1], 1)
        session = Session(instance, Settings(), RunOptions(ranking=ranking))
        before: dict[str, set[PublicEdge]] = {agent: set() for agent in instance.agents}
        for k in range(session.largest + 1):
            session.disclose(k)
            ledger = session.coordinator.ledger
            for agent in instance.agents:
                now = set(ledger.edges(agent))
                assert before[agent] <= now
                assert len(now) <= min(k, session.totals[agent])
                before[agent] = now
        assert {a: len(edges) for a, edges in before.items()} == session.totals


def test_offline_a_pass_is_not_made_up_for():
    """Budgets below the largest one may leave out more than their number says."""
    instance = generated("blocksworld", {}, 1)
    session = Session(instance, Settings(), RunOptions(ranking="goal"))
    session.disclose(session.largest - 1)
    ledger = session.coordinator.ledger
    for agent in instance.agents:
        turns = turns_of(session, agent)[: session.largest - 1]
        assert len(ledger.edges(agent)) == len(turns) - turns.count(None)
    assert any(None in turns_of(session, agent) for agent in instance.agents)
    session.disclose(session.largest)
    assert session.coordinator.ledger.k == session.largest

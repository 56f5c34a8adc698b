"""`--improve` ends with a proof that no supported plan is cheaper, as brute force says."""

from __future__ import annotations

import dataclasses
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from support.audits import traffic_of
from support.notes import quick
from support.optimal import cheapest

import tacit
from tacit.audit.holder import audit
from tacit.central.session import Session
from tacit.policy import POLICY
from tacit.profile import profile
from tacit.public.protocol.searching import Begin
from tacit.public.run_options import RunOptions
from tacit.public.settings import Cost, Harden, Objective, Settings
from tacit.solvers.limits import Limits
from tacit.testing import GroundProblem, problems

PROOF_ALONE = dataclasses.replace(
    POLICY, improving=dataclasses.replace(POLICY.improving, proof=1.0)
)


def session_of(tiny: GroundProblem, solver: str, settings: Settings) -> Session:
    options = RunOptions(solver, ranking="m3", drive="roundrobin", improve=30.0)
    return Session(tiny.load(), settings, options, policy=PROOF_ALONE)


@pytest.mark.parametrize("solver", ["mafs", "projection"])
def test_the_proof_is_right(solver):
    seen: Counter[bool] = Counter()

    @quick(40)
    @given(problems(agents=2, most_cost=3), st.sampled_from([1.0, 0.5]))
    def every(tiny: GroundProblem, share: float) -> None:
        session = session_of(tiny, solver, profile("tacit"))
        result = session.at(round(share * session.largest), Limits(30))
        seen[result.solved] += 1
        if result.solved:
            assert result.verdict is not None
            assert result.is_optimal
            assert result.verdict.cost == result.counted_cost == cheapest(session, Cost.TOTAL)

    every()
    assert seen[True] > 8


@pytest.mark.parametrize(
    "changes",
    [{"cost": Cost.PUBLIC}, {"objective": Objective.MAKESPAN}, {"harden": (Harden.ONCE,)}],
    ids=str,
)
def test_nothing_is_proved_where_agents_may_not_search_so(changes):
    settings = replace(profile("tacit"), **changes)
    options = RunOptions("mafs", drive="roundrobin", improve=0.05)
    session = Session(tacit.load("logistics/small"), settings, options)
    result = session.at(session.largest, Limits(30))
    assert result.solved
    assert not result.is_optimal


@pytest.mark.parametrize("improve", [0.0, 30.0])
def test_an_audit_says_that_a_proof_sends_costs(improve):
    """And nothing else that is not agreed on; without one, no cost crosses."""
    options = RunOptions("mafs", drive="roundrobin", improve=improve, record=True)
    instance = tacit.load("logistics/small")
    session = Session(instance, profile("tacit"), options, policy=PROOF_ALONE, online=True)
    assert session.online(Limits(30)).is_optimal == bool(improve)
    (holder, *_) = instance.agents
    others = audit(traffic_of(session, holder)).agents.values()
    found = [finding.kind for about in others for finding in about.findings]
    assert set(found) == ({"costs", "values"} if improve else set())


@pytest.mark.parametrize("solver", ["mafs", "projection"])
def test_no_two_searches_of_a_session_have_one_number(solver):
    """States that a proof leaves in transit are not for the search at the next budget."""
    options = RunOptions(solver, drive="roundrobin", improve=0.02)
    session = Session(tacit.load("logistics/small"), options=options)
    for k in (session.largest, session.largest // 2):
        session.at(k, Limits(30))
    frames, messages = session.transcript.frames, session.transcript.messages()
    pairs = zip(frames, messages, strict=True)
    asked = [(frame.receiver, said.run) for frame, said in pairs if isinstance(said, Begin)]
    assert len(asked) > len(session.instance.agents)
    assert len(set(asked)) == len(asked)

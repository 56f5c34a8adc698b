"""What a leader may ask in a run, whatever the members would answer: searches and traces."""

from __future__ import annotations

import pytest

from tacit.net.bounds import Agreement
from tacit.net.faults import Fault
from tacit.public.protocol.link import Terms
from tacit.public.protocol.messages import (
    Begin,
    Follow,
    Learn,
    NextEdge,
    Poll,
    Recall,
    Resend,
    Trace,
)
from tacit.safety import SAFETY

TERMS = Terms("mafs")
LEADER = "leader"


def begun(number: int) -> Begin:
    return Begin(LEADER, number, heuristic=TERMS.heuristic)


def test_searches_are_numbered_and_bounded():
    agreement = Agreement(TERMS, LEADER)
    for number in range(1, SAFETY.leader.searches + 1):
        agreement.check(begun(number))
    with pytest.raises(Fault, match="'begin'"):
        agreement.check(begun(SAFETY.leader.searches + 1))
    with pytest.raises(Fault, match="'begin'"):
        Agreement(TERMS, LEADER).check(begun(2))


def test_a_state_is_traced_once_and_not_too_many_of_them():
    agreement = Agreement(TERMS, LEADER)
    agreement.check(begun(1))
    for ref in range(SAFETY.leader.traces):
        agreement.check(Trace(LEADER, ref))
    with pytest.raises(Fault, match="'trace'"):
        agreement.check(Trace(LEADER, SAFETY.leader.traces))
    agreement = Agreement(TERMS, LEADER)
    agreement.check(Trace(LEADER, 0))
    with pytest.raises(Fault, match="'trace'"):
        agreement.check(Trace(LEADER, 0))


@pytest.mark.parametrize(
    "question",
    [
        Recall(LEADER),
        NextEdge(LEADER),
        begun(1),
        Learn(LEADER, ()),
        Follow(LEADER, (), ()),
        Resend(LEADER),
    ],
    ids=lambda question: type(question).__name__,
)
def test_who_has_a_plan_traced_has_found_it(question):
    """Otherwise descents of states could be asked for again and again in one run."""
    agreement = Agreement(TERMS, LEADER)
    agreement.check(Trace(LEADER, 0))
    agreement.check(Poll(LEADER))
    with pytest.raises(Fault):
        agreement.check(question)

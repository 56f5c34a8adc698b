"""What crosses while planning: nothing that depends on private names, and edges in one order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.forms import factored, generated, read
from support.inside import order_of, projection_of, published_of, transcript_of
from support.renaming import LIMITS, check_renaming, payloads, private_words, transcripts

import tacit
from tacit.central.instance import Instance
from tacit.central.session import Session
from tacit.domains import DOMAINS
from tacit.pddl.factor_writer import factor
from tacit.public.protocol.messages import (
    AnyMessage,
    Disclose,
    Disclosed,
    Disclosure,
    ExtendAnswer,
    Extended,
    NoMore,
    NotExtended,
    Passed,
    Publication,
    Publish,
    Undecided,
    decode,
)
from tacit.public.protocol.transcript import Frame, Transcript
from tacit.public.run_options import RunOptions
from tacit.public.settings import Extension, Settings, Threats
from tacit.solvers.limits import Limits
from tacit.testing import problems


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_private_names_change_no_byte_of_an_unfactored_problem(domain):
    for seed in range(2):
        made = DOMAINS.get(domain).generate("small", seed)
        check_renaming({None: (made.domain, made.problem)}, lambda t: read(*t[None]), seed)


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_private_names_change_no_byte_of_a_factored_problem(domain):
    for seed in range(2):
        check_renaming(factor(generated(domain, seed)), factored, seed)


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(problems(), st.integers(0, 9))
def test_private_names_change_no_byte_of_random_problems(tiny, seed):
    check_renaming({None: tiny.texts}, lambda t: read(*t[None]), seed)


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_names_as_they_are_do_not_cross_either(domain):
    """Whole words in frames, as many short names are part of other words."""
    description = generated(domain, 2)
    words = private_words(description)
    frames = payloads(transcripts(description))
    seen = {
        word.decode() for _, _, payload in frames for word in re.findall(rb"[\w-]{2,}", payload)
    }
    protocol = {"publish", "disclose", "carry", "meet", "drop", "object", "strict"}
    assert not seen & (words - protocol)


def published(transcript: Transcript) -> list[Publication]:
    return [m for m in transcript.messages() if isinstance(m, Publication)]


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_the_seed_decides_everything(domain):
    def run(seed: int) -> tacit.Result:
        return Session(Instance(generated(domain, 1), {}), Settings(), RunOptions(seed=seed)).at(
            3, LIMITS
        )

    one, again, other = run(5), run(5), run(6)
    assert one.transcript.frames == again.transcript.frames
    assert (one.outcome, one.plan) == (again.outcome, again.plan)
    assert published(one.transcript) != published(other.transcript)

    def shapes(result: tacit.Result) -> list[list[tuple]]:
        return [
            sorted((a.cost, a.needs, a.adds, a.deletes, len(a.tokens)) for a in part.actions)
            for part in published(result.transcript)
        ]

    assert shapes(one) == shapes(other), "only numbers differ"


def asked_and_answered(frames: Sequence[Frame]) -> list[AnyMessage]:
    """Questions and answers in turns, without what goes from agent to agent."""
    return [decode(f.payload) for f in frames if "solver" in (f.sender, f.receiver)]


@pytest.mark.parametrize("ranking", ["m1", "m2", "m3", "m4", "random"])
@pytest.mark.parametrize("domain", list(DOMAINS))
def test_edges_at_k_are_a_set_of_those_at_k_plus_1(domain, ranking):
    session = Session(Instance(generated(domain, 1), {}), Settings(), RunOptions(ranking=ranking))
    order = list(range(min(session.largest, 40) + 1))
    asked = [*order, *reversed(order)]
    told: dict[str, dict[int, tuple]] = {agent: {} for agent in session.agents}
    start = len(transcript_of(session).frames)
    for k in asked:
        projection_of(session, k)
    messages = asked_and_answered(transcript_of(session).frames[start:])
    for question, answer in zip(messages[::2], messages[1::2], strict=True):
        assert isinstance(question, Disclose)
        assert isinstance(answer, Disclosed)
        budget = session.largest if question.budget is None else question.budget
        assert len(answer.edges) == min(budget, session.totals[answer.sender])
        earlier = told[answer.sender].setdefault(budget, answer.edges)
        assert earlier == answer.edges, "asked again, the same"
        assert list(answer.edges) == sorted(set(answer.edges)), "their order tells nothing"
    for agent, edges in told.items():
        own = published_of(session.agents[agent])
        first = [own.show(edge) for edge in order_of(session.agents[agent]).first(order[-1])]
        for less, more in pairwise(order):
            assert set(edges[less]) <= set(edges[more])
            assert set(edges[less]) == set(first[: len(edges[less])])


@pytest.mark.parametrize(
    "choice",
    [Settings(threats=Threats.NONE), Settings(repair=False), Settings(extension=Extension.REPLAN)],
)
def test_where_repairs_help_nobody_no_reason_is_disclosed(choice):
    """That it cannot is all that an agent says of a plan."""
    session = Session(Instance(generated("blocksworld", 1), {}), choice, RunOptions(ranking="m3"))
    answers = [
        message
        for message in session.at(session.largest, Limits(20)).transcript.messages()
        if isinstance(message, ExtendAnswer)
    ]
    failed = [answer for answer in answers if not isinstance(answer, Extended)]
    assert failed
    assert all(isinstance(answer, NotExtended | Undecided) for answer in failed)


@pytest.mark.parametrize("online", [False, True])
def test_what_is_disclosed_is_sent_to_all_and_nothing_else_is(online):
    instance = Instance(generated("blocksworld", 1), {})
    session = Session(instance, Settings(), RunOptions("projection"), online=online)
    result = session.online() if online else session.at(session.largest)
    sent: dict[tuple[str, bytes], list[str]] = {}
    for frame in result.transcript.frames:
        if frame.sender != "solver":
            sent.setdefault((frame.sender, frame.payload), []).append(frame.receiver)
    disclosures = 0
    for (sender, payload), receivers in sent.items():
        others = {*session.agents, "solver"} - {sender}
        is_for_all = isinstance(decode(payload), Disclosure)
        assert set(receivers) == (others if is_for_all else {"solver"})
        disclosures += is_for_all
    assert disclosures


def test_no_message_has_a_count_of_what_is_not_in_it():
    """Totals are in no frame; neither is why an agent discloses no more."""
    for kind in get_args(AnyMessage):
        fields = set(kind.__struct_fields__)
        assert not fields & {"total", "totals", "known", "bounded", "heard", "urgent", "left"}
    assert NoMore.__struct_fields__ == Passed.__struct_fields__ == ("sender",)


def test_only_questions_and_answers_of_the_protocol_cross():
    description = generated("blocksworld", 1)
    grounding, planning, online = transcripts(description)
    agents = set(Instance(description, {}).agents)
    assert not grounding.frames, "one trusted user grounds an unfactored problem"
    for transcript in (planning, online):
        assert {f.sender for f in transcript.frames} == agents | {"solver"}
        asked = [f for f in transcript.frames if "solver" in (f.sender, f.receiver)]
        for question, answer in zip(asked[::2], asked[1::2], strict=True):
            assert (question.sender, question.receiver) == (answer.receiver, answer.sender)
        assert sum(isinstance(m, Publish) for m in transcript.messages()) == len(agents)
    offline_only = [m for m in online.messages() if isinstance(m, Disclose | Disclosed)]
    assert not offline_only

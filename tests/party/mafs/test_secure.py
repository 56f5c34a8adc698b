"""Secure-MAFS: finds what plain search finds, and what it shows, read off the transcript alone."""

from __future__ import annotations

import dataclasses
from collections import Counter
from dataclasses import replace

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.audits import traffic_of
from support.forms import factored, read
from support.forms import generated as described
from support.forward import LIMITS, TURNS
from support.hardened import crossed, hardened, repeats, searching
from support.inside import solver_of, transcript_of
from support.notes import quick, say
from support.policies import in_slices
from support.problems import (
    CONSUMED,
    RESTORED,
    SMALL,
    generated,
    laps,
    short_cut,
    short_cut_seen_by_one,
)
from support.renaming import check_renaming

import tacit
from tacit.audit.holder import audit
from tacit.central.instance import Instance
from tacit.central.session import Session
from tacit.domains import DOMAINS
from tacit.errors import InputError
from tacit.leakage.private_systems import Property
from tacit.leakage.reading.traffic import PublicNames
from tacit.leakage.transitions import transitions
from tacit.leakage.view import traffic_of as seen_by
from tacit.leakage.view import view_of
from tacit.pddl.factor_writer import factor
from tacit.policy import POLICY
from tacit.public.outcome import Outcome
from tacit.public.protocol.messages import States, decode, encode
from tacit.public.protocol.states import decode_batch, encode_batch
from tacit.public.settings import Harden, Rule, hardening, hidden_by
from tacit.solvers.limits import Limits
from tacit.testing import problems

BOUNDED = Limits(30, evaluations=2_000)
"""A search without a plan may go on for ever."""


def shown(session: Session) -> dict[str, set[Property]]:
    """What all others together learn of each agent's actions, by metric A."""
    instance = session.instance
    names = PublicNames(instance.public.facts, instance.public.init, instance.public.goal)
    frames = [*instance.transcript.frames, *session.transcript.frames]
    found = {}
    for agent in instance.agents:
        others = [other for other in instance.agents if other != agent]
        view = view_of(seen_by(frames, instance.agents, others), names)
        found[agent] = set().union(*transitions(view, agent).known.values())
    return found


def check_what_crossed(session: Session) -> None:
    """No pair twice, an index for each state, all tokens in every index, nothing unexplained."""
    assert repeats(session) == 0
    used: dict[object, int] = {}
    agents = session.instance.agents
    for run, _, sender, _, batch in crossed(session):
        for told in batch.indices:
            assert told.tokens == frozenset(range(batch.shape.tokens[told.agent]))
        for state in batch.states:
            own = state.indices[agents.index(sender)]
            assert own > 0
            assert used.setdefault((run, sender, own), state.ref) == state.ref
    assert not any(Property.PN in known for known in shown(session).values())
    if session.settings.rule is Rule.SUPPORTED:
        for holder in agents:
            about = audit(traffic_of(session, holder)).agents
            assert not [finding for own in about.values() for finding in own.findings]


# ------------------------------------------------------------------ it finds plans


@pytest.mark.parametrize("has_public_preconditions", [False, True], ids=["blind", "looking"])
def test_it_finds_a_plan_where_plain_search_does_and_refutes_none(has_public_preconditions):
    seen: Counter[tuple[Outcome, Outcome]] = Counter()

    @quick(40)
    @given(
        problems(public_preconditions=has_public_preconditions),
        st.integers(0, 3),
        st.sampled_from(list(Rule)),
        st.sampled_from([1, 2, 50]),
    )
    @example(RESTORED, 0, Rule.SUPPORTED, 1)
    @example(CONSUMED, 0, Rule.SUPPORTED, 1)
    def run(tiny, seed, rule, slice_):
        say("\n".join(tiny.texts))
        instance = tiny.load()
        plain = searching(instance, "", seed, rule)
        secure = searching(instance, "secure", seed, rule, policy=in_slices(slice_))
        for k in range(secure.largest + 1):
            expected, found = plain.at(k, LIMITS).outcome, secure.at(k, BOUNDED)
            say(f"{rule} k={k} {expected} {found.outcome}")
            seen[expected, found.outcome] += 1
            assert found.solved is (expected is Outcome.SOLVED)
            if found.solved:
                assert found.verdict.valid
            elif rule is Rule.SUPPORTED:  # others are asked what is in joint reach first
                assert found.outcome is Outcome.UNDECIDED
        check_what_crossed(secure)

    run()
    assert seen[Outcome.SOLVED, Outcome.SOLVED] > 5
    assert seen[Outcome.NO_PLAN, Outcome.UNDECIDED] > 5


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("has_public_preconditions", [False, True], ids=["blind", "looking"])
@pytest.mark.parametrize(
    "facts", [{}, {"public_facts": 2, "dense": False}, {"private_facts": 4}], ids=str
)
def test_it_finds_a_plan_where_plain_search_does_500_times(facts, has_public_preconditions):
    @quick(500)
    @given(
        problems(public_preconditions=has_public_preconditions, **facts),
        st.integers(0, 3),
        st.sampled_from(list(Rule)),
        st.sampled_from([1, 2, 50]),
    )
    def run(tiny, seed, rule, slice_):
        instance = tiny.load()
        plain = searching(instance, "", seed, rule)
        secure = searching(instance, "secure", seed, rule, policy=in_slices(slice_))
        for k in range(secure.largest + 1):
            assert secure.at(k, BOUNDED).solved is plain.at(k, LIMITS).solved
        check_what_crossed(secure)

    run()


@pytest.mark.parametrize("domain", list(SMALL))
def test_families(domain):
    session = searching(generated(domain, SMALL[domain][-1], 1), "secure")
    result = session.at(session.largest, LIMITS)
    assert result.solved
    assert result.verdict.valid
    check_what_crossed(session)


@pytest.mark.parametrize("slice_", [1, 2, 50])
def test_the_plan_leads_over_a_state_that_was_not_sent(slice_):
    """The short way is sent, and never the long one, which alone can be finished."""
    session = searching(short_cut(), "secure", policy=in_slices(slice_))
    result = session.at(session.largest, LIMITS)
    assert result.solved
    assert [step.name for step in result.plan.steps] == ["prepare", "walk", "assist", "end"]
    states = [(sender, s) for *_, sender, _, batch in crossed(session) for s in batch.states]
    assert [(sender, state.steps) for sender, state in states] == [("a", 1), ("b", 2)]


def test_ways_are_told_over_the_state_that_was_sent():
    """`c` was sent neither, and is told of the short way, though `a` went on from the long one."""
    session = searching(short_cut_seen_by_one(), "secure", policy=in_slices(1))
    result = session.at(session.largest, LIMITS)
    assert result.solved
    assert [step.name for step in result.plan.steps][:3] == ["prepare", "walk", "proceed"]
    ways = [
        (state.steps, len(state.descent.actions))
        for *_, sender, receiver, batch in crossed(session)
        for state in batch.states
        if (sender, receiver) == ("a", "c") and state.descent.origin == 0
    ]
    assert ways[0] == (2, 2)
    check_what_crossed(session)


def test_no_state_waits_for_ever():
    """Without plans to follow, and though there is always a state that looks better."""
    policy = replace(in_slices(1, 1), guidance=replace(POLICY.guidance, planner_share=0))
    session = searching(laps(4), "secure", policy=policy)
    assert session.at(session.largest, Limits(30, evaluations=5_000)).solved


@pytest.mark.parametrize("drive", ["threads", "processes"])
@pytest.mark.parametrize("domain", ["logistics", "depot"])
def test_other_drivers(domain, drive):
    instance, options = tacit.load(f"{domain}/small"), {"drive": drive, "harden": "secure,pad"}
    assert tacit.solve(instance, "mafs", "m3", time_limit=60, **options).solved
    largest = Session(instance, hardened(""), TURNS).largest
    assert tacit.solve(instance, "mafs", "m3", k=largest, time_limit=60, **options).solved


# ------------------------------------------------------------------ k may grow


@quick(25)
@given(problems(), st.integers(0, 3), st.sampled_from(list(Rule)))
def test_online_it_solves_what_plain_search_solves(tiny, seed, rule):
    say("\n".join(tiny.texts))
    instance = tiny.load()
    outcomes = []
    for names in ("", "secure"):
        settings = hardened(names, searching(instance, "", seed, rule).settings)
        session = Session(instance, settings, TURNS, online=True)
        outcomes.append(session.online(BOUNDED if names else LIMITS))
    plain, secure = outcomes
    assert secure.solved is plain.solved
    assert not secure.solved or secure.verdict.valid


@pytest.mark.parametrize("domain", ["logistics", "sensors", "rovers"])
def test_one_search_may_grow(domain):
    session = searching(generated(domain, "small", 0), "secure", policy=in_slices(3))
    grown = solver_of(session).iterate(Limits(60))
    assert grown.outcome is Outcome.SOLVED
    assert grown.refuted == -1, "no budget is refuted"
    assert repeats(session) == 0


# ------------------------------------------------------------------ what it shows


def test_plain_search_shows_what_secure_search_does_not():
    """So the tests above could fail."""
    properties: set[Property] = set()
    pairs = 0
    for domain in ("rovers", "zenotravel", "logistics", "depot"):
        session = searching(generated(domain, SMALL[domain][-1], 1), "")
        session.at(session.largest, LIMITS)
        properties.update(*shown(session).values())
        pairs += repeats(session)
    assert Property.PN in properties
    assert pairs


@pytest.mark.parametrize("domain", ["logistics", "rovers", "elevators", "depot"])
def test_an_audit_explains_all_states(domain):
    """Grounded together, so that observers know what the public facts are."""
    texts = factor(described(domain, 1))
    session = Session(Instance(factored(texts), {}), hardened("secure"), TURNS)
    for k in (session.largest, session.largest // 2):
        session.at(k, BOUNDED)
    explained = 0
    for agent in session.instance.agents:
        own = audit(traffic_of(session), own=agent).agents[agent]
        assert not own.findings
        assert not own.states.unexplained
        explained += own.states.explained
    assert explained


def test_an_audit_finds_an_index_that_says_which_tokens_it_has():
    session = searching(generated("logistics", "small", 0), "secure")
    session.at(session.largest, LIMITS)
    frames = transcript_of(session).frames
    place, message = next(
        (n, m) for n, f in enumerate(frames) if isinstance(m := decode(f.payload), States)
    )
    batch = decode_batch(message.batch)
    told = tuple(dataclasses.replace(one, tokens=frozenset()) for one in batch.indices)
    leaky = encode_batch(dataclasses.replace(batch, indices=told))
    payload = encode(msgspec.structs.replace(message, batch=leaky))
    frames[place] = dataclasses.replace(frames[place], payload=payload)
    about = audit(traffic_of(session, frames[place].receiver)).agents[frames[place].sender]
    assert any("some tokens only" in finding.text for finding in about.findings)


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_private_names_change_no_byte(domain):
    made = DOMAINS.get(domain).generate("small", 0)
    texts = {None: (made.domain, made.problem)}
    check_renaming(texts, lambda t: read(*t[None]), 0, choice=hardened("secure"), solver="mafs")


# ------------------------------------------------------------------ options


def test_it_has_fresh_and_once_in_it():
    assert hardening("pad,secure") == (Harden.SECURE, Harden.PAD)
    assert hidden_by(hardening("secure")) == {Harden.SECURE, Harden.FRESH, Harden.ONCE}
    assert hidden_by(hardening("once")) == {Harden.ONCE}
    with pytest.raises(InputError, match="'fresh' and 'once' in it"):
        hardening("secure,once")

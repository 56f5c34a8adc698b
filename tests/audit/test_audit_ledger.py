"""The ledger that an audit reads from the frames is that of the result, to the item."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.audits import as_owner, by_hand, items, recordings, traffic_of
from support.forms import factored, generated
from support.inside import messages_of
from support.notes import quick, say

from tacit.audit.holder import audit
from tacit.audit.report import as_dict
from tacit.central.instance import Instance
from tacit.central.result import Result
from tacit.central.session import Session
from tacit.domains import DOMAINS
from tacit.leakage.reading.traffic import Traffic
from tacit.party.disclosure.ranking import RANKINGS
from tacit.pddl.factor_writer import factor
from tacit.policy import POLICY, Policy
from tacit.profile import profile
from tacit.public.disclosure import PublicEdge
from tacit.public.ledger import REPAIRS, Kind
from tacit.public.protocol.messages import (
    AnyMessage,
    Disclosed,
    EdgeDisclosed,
    LayersEnded,
    NoMore,
    Passed,
    PrefixFails,
    Scope,
    decode,
    encode,
)
from tacit.public.protocol.recording import Entry
from tacit.public.run_options import Drive, RunOptions
from tacit.public.settings import Settings, Threats
from tacit.solvers.limits import Limits
from tacit.testing import GroundProblem, problems

SOLVERS = ("auto", "mafs", "projection")
ORDERS = ("cost", "goal", "m1", "m2", "m3", "m4", "quiet", "random")
TACIT = profile("tacit")
IN_BULK = replace(POLICY, repair=replace(POLICY.repair, single_answers=0))
"""Agents answer with all threats that they have, tokens restored."""
LIMITS = Limits(repairs=60, evaluations=20_000)


def in_files(texts: dict[str, tuple[str, str]]) -> Instance:
    """A problem of which each agent has files of its own."""
    return Instance(factored(texts), {})


def opened(
    instance: Instance,
    solver: str,
    ranking: str,
    settings: Settings = TACIT,
    policy: Policy = POLICY,
    online: bool = True,
    with_states: bool = True,
) -> Session:
    """The frames of this session are in its transcript, all of them if those `with_states` are."""
    options = RunOptions(solver=solver, ranking=ranking, drive=Drive.ROUNDROBIN, record=with_states)
    return Session(instance, settings, options, policy=policy, online=online)


def ledgers_agree(session: Session, result: Result) -> Counter[Kind]:
    """Whoever holds a transcript, alone or with others, finds what the result says; how much there
    was of each kind. Offline the plan that a prefix is of is known to who asked for it.
    """
    expected, in_numbers = items(result.ledger), result.ledger.as_json({})
    names = session.instance.agents
    for holders in ((), ("solver",), *((name,) for name in names), tuple(names[1:])):
        found = audit(traffic_of(session, *holders))
        if session.is_online or holders in ((), ("solver",)):
            assert items(found.ledger) == expected, holders
        shown = as_dict(found)
        assert (shown["mode"], shown["ledger"]) == (result.mode, in_numbers)
        for agent, about in found.agents.items():
            assert about.counts == result.ledger.counts(agent)
            for to in about.receivers:
                counts = about.counts_to(to)
                assert (counts.edges, counts.repairs) == (about.counts.edges, about.counts.repairs)
    return Counter(kind for own in expected.values() for kind, _ in own)


def nothing_is_found(session: Session, result: Result) -> None:
    """With its files and its numbers, no owner finds anything, in whatever anybody saw."""
    pairs = session.instance.source.pairs
    for agent in session.instance.agents:
        for holder in session.instance.agents:
            found = as_owner(session, traffic_of(session, holder), agent, pairs)
            about = found.agents[agent]
            assert not about.findings, (holder, agent, about.findings)
            assert not about.inferred
            assert found.kept == {agent: result.kept(agent)}


def run_online(session: Session, is_quick: bool = False) -> Counter[Kind]:
    """A run, audited from all sides; if that is to be `quick`, only where there is something."""
    result = session.online(LIMITS)
    say(f"{result.outcome} {result.ledger.as_json({})}")
    if is_quick and not result.ledger:
        assert not audit(traffic_of(session)).ledger
        return Counter()
    counted = ledgers_agree(session, result)
    for agent, frames in by_hand(session).items():
        own = [(kind, item) for kind, item in items(result.ledger)[agent] if kind is not Kind.FREE]
        on_ledger = Counter(kind if kind is Kind.PREFIX else item for kind, item in own)
        assert on_ledger == frames, "what is in any frame is on the ledger, and nothing else"
    nothing_is_found(session, result)
    return counted


def test_all_rankings_are_here():
    assert set(ORDERS) == set(RANKINGS)


def tiny_problems() -> st.SearchStrategy[GroundProblem]:
    return problems() | problems(dense=True) | problems(agents=3, dense=True)


def random_runs(examples: int) -> dict[str, Counter[Kind]]:
    """What was disclosed in all, per solver, with each problem: repairs one by one, or in bulk."""
    counted: dict[str, Counter[Kind]] = {solver: Counter() for solver in SOLVERS}

    @quick(examples)
    @given(tiny_problems(), st.sampled_from(ORDERS), st.sampled_from([POLICY, IN_BULK]))
    def random_run(tiny, ranking, policy):
        say(tiny.texts)
        instance = in_files(tiny.written.factored())
        for solver in SOLVERS:
            say(solver)
            session = opened(instance, solver, ranking, policy=policy)
            counted[solver].update(run_online(session, is_quick=True))

    random_run()
    return counted


@pytest.mark.usefixtures("_never_pessimistic")
def test_it_is_the_ledger_of_a_random_run():
    for solver, counted in random_runs(400).items():
        assert counted[Kind.EDGE] > 50, solver
        has_repairs = any(counted[kind] for kind in REPAIRS)
        assert has_repairs or solver != "projection"
        assert not has_repairs or solver != "mafs"


@pytest.mark.slow
@pytest.mark.usefixtures("_never_pessimistic")
def test_it_is_the_ledger_of_many_random_runs():
    for solver, counted in random_runs(2_000).items():
        assert counted[Kind.EDGE] > 300, solver
        assert (min(counted[kind] for kind in REPAIRS) > 5) == (solver == "projection"), counted


@pytest.mark.usefixtures("_never_pessimistic")
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("domain", sorted(DOMAINS))
def test_it_is_the_ledger_of_a_run_in_every_domain(domain, solver):
    counted: Counter[Kind] = Counter()
    few_states = domain != "blocksworld"
    for seed, (ranking, policy) in enumerate((("goal", POLICY), ("m2", IN_BULK))):
        instance = in_files(factor(generated(domain, seed)))
        session = opened(instance, solver, ranking, policy=policy, with_states=few_states)
        counted += run_online(session)
    assert counted[Kind.EDGE]
    repairs = {
        ("blocksworld", "projection"): Kind.THREAT,
        ("depot", "projection"): Kind.THREAT,
        ("secrets", "projection"): Kind.PREFIX,
    }
    assert (domain, solver) not in repairs or counted[repairs[domain, solver]]


# ------------------------------------------------------------------ other settings


@pytest.mark.parametrize("online", [True, False])
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("threats", [Threats.NONE, Threats.RANKED, Threats.KNOWN])
def test_threats_that_are_no_secret_are_free(threats, solver, online):
    """They are published, so they are on the ledger from the beginning and do not count."""
    settings = msgspec.structs.replace(TACIT, threats=threats)
    instance = in_files(factor(generated("depot", 1)))
    session = opened(instance, solver, "m3", settings, online=online)
    result = session.online(LIMITS) if online else session.at(5, LIMITS)
    counted = ledgers_agree(session, result)
    nothing_is_found(session, result)
    assert bool(counted[Kind.FREE]) == (threats is Threats.KNOWN)
    published = session.coordinator.publications
    assert counted[Kind.FREE] == sum(len(part.threats) for part in published.values())


def test_edges_that_a_rule_has_free_are_on_the_ledger_and_a_finding():
    """Offline, under the rule of the authors' program."""
    instance = in_files(factor(generated("driverlog", 1)))
    session = opened(instance, "mafs", "m4", profile("paper"), online=False)
    result = session.at(2, LIMITS)
    assert ledgers_agree(session, result)[Kind.FREE]
    found = audit(traffic_of(session, "solver"))
    for agent, about in found.agents.items():
        assert len(about.knowledge.free) == result.ledger.counts(agent).free
        kinds = {finding.kind for finding in about.findings}
        assert ("budget" in kinds) == bool(about.knowledge.free)
        assert "joint-reach" in kinds


# ------------------------------------------------------------------ turns


def test_what_turns_show():
    """Who asks knows who passed and who said "no more"; the others do not."""
    session = opened(in_files(factor(generated("logistics", 1))), "projection", "goal")
    session.online(LIMITS)
    sent = Counter((type(m), m.sender) for m in messages_of(session))
    found = audit(traffic_of(session, "solver"))
    assert set(found.agents) == set(session.agents)
    for agent, about in found.agents.items():
        known = about.knowledge
        assert known.passed == sent[Passed, agent]
        assert known.has_no_more == bool(sent[NoMore, agent])
        assert known.can_finish == [True] * sent[LayersEnded, agent] == [True]
    assert any(about.knowledge.passed for about in found.agents.values())
    assert not any(
        about.knowledge.passed or about.knowledge.has_no_more
        for holder in session.agents
        for about in audit(traffic_of(session, holder)).agents.values()
    )


# ------------------------------------------------------------------ offline


@pytest.mark.parametrize("ranking", ["goal", "m3"])
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("domain", ["blocksworld", "depot", "secrets"])
@pytest.mark.usefixtures("_never_pessimistic")
def test_offline_every_budget_has_a_ledger_of_its_own(domain, solver, ranking):
    """The transcript goes on, and the ledger is that of the last budget."""
    session = opened(in_files(factor(generated(domain, 1))), solver, ranking, online=False)
    for k in (session.largest, 1, session.largest // 2, 0):
        result = session.at(k, LIMITS)
        ledgers_agree(session, result)
        found = audit(traffic_of(session, "solver"), k=k)
        assert found.is_clean, [about.findings for about in found.agents.values()]
        assert max(about.counts.edges for about in found.agents.values()) <= k


def test_more_edges_than_a_budget():
    """An agent that was asked for two edges, and sends three."""
    session = opened(in_files(factor(generated("depot", 1))), "projection", "m1", online=False)
    session.at(2, LIMITS)
    made = recordings(session)["solver"]
    leaky = session.instance.agents[0]
    entries = tuple(
        msgspec.structs.replace(entry, payload=with_an_edge_more(entry.payload, leaky))
        for entry in made.entries
    )
    found = audit(Traffic([replace(made, entries=entries)]))
    (finding,) = [f for f in found.agents[leaky].findings if f.kind == "budget"]
    assert finding.text == "it disclosed 3 edges when it was asked for 2"


def with_an_edge_more(payload: bytes, leaky: str) -> bytes:
    message = decode(payload)
    if not isinstance(message, Disclosed) or message.sender != leaky:
        return payload
    new = next(e for e in (PublicEdge(-1, n) for n in range(99)) if e not in message.edges)
    return encode(msgspec.structs.replace(message, edges=(*message.edges, new)))


# ------------------------------------------------------------------ what cannot be


def one_edge(session: Session) -> tuple[str, EdgeDisclosed]:
    """The first edge that anybody disclosed."""
    message = next(m for m in messages_of(session) if isinstance(m, EdgeDisclosed))
    return message.sender, message


def with_more(session: Session, holder: str, *sent: AnyMessage) -> Traffic:
    """What a holder saw, and these messages behind it."""
    made = recordings(session)[holder]
    more = (Entry(10**9 + n, m.sender, False, encode(m)) for n, m in enumerate(sent))
    return Traffic([replace(made, entries=(*made.entries, *more))])


def test_nothing_can_be_taken_back():
    """An agent that begins its ledger anew, as if it were offline, is found out."""
    session = opened(in_files(factor(generated("depot", 1))), "projection", "m1")
    before = session.online(LIMITS).ledger
    agent, message = one_edge(session)
    traffic = with_more(session, "solver", Disclosed(agent, ()), Disclosed(agent, (message.edge,)))
    found = audit(traffic)
    assert items(found.ledger) == items(before)
    assert {f.kind for f in found.agents[agent].findings} == {"frames"}


def test_the_same_again_is_nothing_new_unless_it_is_a_prefix():
    session = opened(in_files(factor(generated("depot", 1))), "projection", "m1")
    before = session.online(LIMITS).ledger
    agent, message = one_edge(session)
    prefix = PrefixFails(agent, 1, Scope.OWN)
    found = audit(with_more(session, "solver", message, prefix, prefix)).ledger
    assert found.counts(agent).edges == before.counts(agent).edges
    assert found.counts(agent).repairs == before.counts(agent).repairs + 2
    assert found.sum == before.sum + 2


def test_what_went_to_one_receiver_alone_counts():
    session = opened(in_files(factor(generated("depot", 1))), "projection", "m1")
    before = session.online(LIMITS).ledger
    agent, one, *_ = session.instance.agents
    known = {item for _, item in items(before)[agent]}
    more = next(e for e in (PublicEdge(-1, n) for n in range(99)) if e not in known)
    about = audit(with_more(session, one, EdgeDisclosed(agent, more))).agents[agent]
    assert about.counts.edges == about.counts_to(one).edges == before.counts(agent).edges + 1

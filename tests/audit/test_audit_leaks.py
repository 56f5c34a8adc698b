"""Agents that show more than they say, and settings that do: an audit finds it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

import msgspec
import pytest
from support.audits import audited, files_of, findings, play_all, traffic_of
from support.hosts import Troupe, play, small
from support.inside import network_of
from support.tampering import HASTY, tampered, two

import tacit
from tacit.audit.holder import audit
from tacit.audit.names import private_names
from tacit.audit.replay import Replay
from tacit.central.session import Session
from tacit.leakage.reading.traffic import read_runs
from tacit.net.conclusion import Conclusion
from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.local.grounding import GroundingAgent
from tacit.party.published import New, Published
from tacit.profile import profile
from tacit.public.disclosure import PublicEdge, RestoredToken
from tacit.public.protocol.link import Farewell, Terms
from tacit.public.protocol.messages import (
    AnyMessage,
    Disclosed,
    EdgeDisclosed,
    Extended,
    NoMore,
    Opening,
    PrefixFails,
    Publication,
    Publish,
    Scope,
    States,
    Threatened,
    decode,
)
from tacit.public.run_options import RunOptions
from tacit.public.settings import Cost, Count, Settings, Tokens
from tacit.public.task import PublicFact


def test_more_edges_than_k(tmp_path):
    """The agent should have said "no more", and goes on disclosing."""
    made, leader, leaky = two(tmp_path, Terms(ranking="m3", k=2))
    extra = (PublicEdge(-1, n) for n in range(99))

    def go_on(message: AnyMessage) -> AnyMessage:
        return EdgeDisclosed(leaky, next(extra)) if isinstance(message, NoMore) else message

    tampered(made, leaky, go_on)
    assert findings(made, leader, leaky, with_files=False) == {"budget"}
    assert findings(made, leader, leaky) >= {"budget", "record"}


CLASSES = Settings(count=Count.CLASSES)


def test_more_classes_than_k(tmp_path):
    """Where classes count, as many edges of one as the agent likes are within k, and no other."""
    made, leader, leaky = two(tmp_path / "honest", Terms("projection", "m3", 1, CLASSES))
    play_all(made)
    about = audited(made, [leader], leaky).agents[leaky]
    assert not about.findings
    assert about.counts.counted == 1 < about.counts.edges
    made, leader, leaky = two(tmp_path / "other", Terms("projection", "m3", 1, CLASSES))
    extra = (PublicEdge(-1, n) for n in range(99))

    def go_on(message: AnyMessage) -> AnyMessage:
        return EdgeDisclosed(leaky, next(extra)) if isinstance(message, NoMore) else message

    tampered(made, leaky, go_on)
    assert findings(made, leader, leaky, with_files=False) == {"budget"}


def test_a_budget_that_is_disclosed_at_once(tmp_path):
    """That would begin a ledger anew, which is for budgets that one user tries."""
    made, leader, leaky = two(tmp_path, Terms(ranking="m3", k=2))

    def begin_anew(message: AnyMessage) -> AnyMessage:
        return Disclosed(leaky, ()) if isinstance(message, NoMore) else message

    tampered(made, leaky, begin_anew)
    about = audited(made, [leader], leaky, with_files=False).agents[leaky]
    assert {finding.kind for finding in about.findings} == {"frames"}
    assert about.counts.edges == 2


def true_edges(made: Troupe, agent: str, holder: str) -> list[PublicEdge]:
    """All edges that an agent has, in the numbers of a run."""
    (traffic,) = read_runs([made.configs[holder].outputs.transcript])
    task = Replay(traffic, files_of(made, agent)).task
    question = Publish(agent, traffic.settings, traffic.ranking)
    published = Published(New(task, made.configs[agent].seed), question)
    return [published.show(edge) for edge in published.dependencies.graph.edges]


def replaced(made: Troupe, leaky: str, others: Iterable[PublicEdge]) -> None:
    """A run in which an agent discloses other edges than it writes down."""
    edges, instead = iter(others), dict[PublicEdge, PublicEdge]()

    def change(message: AnyMessage) -> AnyMessage:
        if not isinstance(message, EdgeDisclosed):
            return message
        if message.edge not in instead:
            instead[message.edge] = next(edges)
        return EdgeDisclosed(leaky, instead[message.edge])

    tampered(made, leaky, change)


def test_an_edge_in_place_of_another(tmp_path):
    """As many as agreed, and true; but the owner's record has another one."""
    made, leader, leaky = two(tmp_path, Terms(ranking="m3", k=2))
    before = small("driverlog", tmp_path / "before", 1, terms=Terms(ranking="m3", k=2), secret="s")
    made.change(leaky, seed=before.configs[leaky].seed)
    assert all(isinstance(e, Conclusion) for e in play_all(before).values())
    honest = audited(before, [leader], leaky).agents[leaky].knowledge.edges
    every = true_edges(before, leaky, leader)
    assert set(honest) <= set(every)
    replaced(made, leaky, [edge for edge in every if edge not in honest])
    assert not findings(made, leader, leaky, with_files=False)
    assert findings(made, leader, leaky) == {"record"}


def test_threats_that_nobody_asked_for(tmp_path):
    made, leader, leaky = two(tmp_path, Terms(ranking="m3", k=2))

    def show(message: AnyMessage) -> AnyMessage:
        if isinstance(message, Publication):
            return msgspec.structs.replace(message, threats=(PublicEdge(0, 0, False),))
        return message

    tampered(made, leaky, show)
    assert findings(made, leader, leaky, with_files=False) == {"budget"}
    assert findings(made, leader, leaky) >= {"budget", "files", "record"}


def test_an_edge_that_is_none(tmp_path):
    made, leader, leaky = two(tmp_path, Terms(ranking="m3", k=2))
    replaced(made, leaky, (PublicEdge(action, 0) for action in range(40)))
    assert findings(made, leader, leaky) >= {"files", "record"}


@pytest.mark.parametrize("where", ["opening", "batch", "error"])
def test_a_private_name(tmp_path, where):
    """A search may be over before the agent's states reach anybody; then it is run once more."""
    for attempt in range(4 if where == "batch" else 1):
        (tmp_path / str(attempt)).mkdir()
        made, leader, leaky = two(tmp_path / str(attempt), Terms("mafs", k=6))
        names = sorted(private_names(files_of(made, leaky)), key=len)

        def blab(message: AnyMessage, names: list[str] = names) -> AnyMessage:
            if where == "opening" and isinstance(message, Opening):
                return msgspec.structs.replace(message, changes=(*message.changes, names[0]))
            if where == "batch" and isinstance(message, States):
                return msgspec.structs.replace(message, batch=message.batch + names[-1].encode())
            if where == "error" and isinstance(message, Farewell):
                return msgspec.structs.replace(message, about=f"cannot ({names[0]} x)")
            return message

        tampered(made, leaky, blab)
        found = findings(made, leader, leaky)
        if "names" in found:
            break
    assert "names" in found


def test_an_edge_that_turns_of_grounding_imply(tmp_path, monkeypatch):
    """An agent says of a fact that it can make it true only when another one is there, though it
    could before: as if an action of its own had to come first. Nothing is disclosed, and whoever
    hears it concludes something.
    """
    made, leader, leaky = two(tmp_path, Terms(k=0))
    withheld: list[set[PublicFact]] = []

    class Late(GroundingAgent):
        def _speak_reached(self, out) -> None:
            if self.name == leaky and not withheld:
                withheld.append(set(self._true))
                self._true.clear()
                super()._speak_reached(out)
                self._true |= withheld[0]
            else:
                super()._speak_reached(out)

    with monkeypatch.context() as patch:
        patch.setattr("tacit.net.grounding.GroundingAgent", Late)
        play_all(made)
    assert withheld[0]
    assert not findings(made, leader, leaky, with_files=False)
    about = audited(made, [leader], leaky).agents[leaky]
    told = [finding.text for finding in about.findings]
    assert any(re.search("while grounding do(es)? not follow from its files", t) for t in told)


@pytest.mark.parametrize("where", ["field", "behind"])
def test_a_total_in_a_frame(tmp_path, where):
    """How many edges there are is in no message, so a frame that has it is none; and if it were
    believed, what is left of the graph would be much less.
    """
    made, leader, leaky = two(tmp_path, Terms(ranking="m3", k=2))
    for agent in made.names:
        made.change(agent, timing=HASTY)
    hosts = {agent: made.host(agent) for agent in made.names}
    network = network_of(hosts[leaky])
    send = network.send

    def tell(peer: str, frame: bytes) -> None:
        message = decode(frame)
        if isinstance(message, NoMore):
            fields = msgspec.msgpack.decode(frame)
            if where == "behind":
                frame += msgspec.msgpack.encode(27)
            elif isinstance(fields, dict):
                frame = msgspec.msgpack.encode({**fields, "total": 27})
            else:
                frame = msgspec.msgpack.encode([*fields, 27])
        send(peer, frame)

    network.send = tell
    play(hosts)
    assert "frames" in findings(made, leader, leaky, with_files=False)


def test_actions_that_show_how_many_private_objects_there_are(tmp_path, monkeypatch):
    """What looks alike must be published as one."""
    made, leader, leaky = two(tmp_path, Terms(k=2), "rovers")
    merged = Dependencies.members.func

    def members(self: Dependencies) -> list[list[int]]:
        found = merged(self)
        return [[a] for group in found for a in group] if self.task.agent == leaky else found

    with monkeypatch.context() as patch:
        spoiled = cached_property(members)
        spoiled.__set_name__(Dependencies, "members")
        patch.setattr(Dependencies, "members", spoiled)
        play_all(made)
    assert findings(made, leader, leaky) >= {"published"}


@pytest.mark.parametrize("repair", ["threat", "token", "prefix"])
def test_a_repair_that_is_not_on_record(tmp_path, repair):
    made, leader, leaky = two(tmp_path, Terms("projection", k=8, repairs=2))
    threat = PublicEdge(0, 0, False)
    messages = {
        "threat": Threatened(leaky, (threat,)),
        "token": Threatened(leaky, (threat,), (RestoredToken(999, (0,)),)),
        "prefix": PrefixFails(leaky, 1, Scope.OWN),
    }

    def answer(message: AnyMessage) -> AnyMessage:
        return messages[repair] if isinstance(message, Extended) else message

    tampered(made, leaky, answer)
    about = audited(made, [leader], leaky).agents[leaky]
    assert "record" in {finding.kind for finding in about.findings}
    assert about.counts.repairs >= (2 if repair == "token" else 1)


@pytest.mark.parametrize(
    ("solver", "domain", "expected"),
    [
        ("projection", "blocksworld", {"replan"}),
        ("mafs", "driverlog", {"states"}),
    ],
)
def test_the_profile_of_the_paper_shows_more_than_k(tmp_path, solver, domain, expected):
    """Other rules than the defaults let agents show more, and the audit says so."""
    terms = Terms(solver, "m3", 20, profile("paper"))
    made, leader, other = two(tmp_path, terms, domain)
    play_all(made)
    assert findings(made, leader, other) >= expected


@pytest.mark.parametrize(
    ("example", "cost", "expected"),
    [
        ("driverlog/small", Cost.TOTAL, {"values", "costs", "lost tokens"}),
        ("rovers/small", Cost.TOTAL, {"values", "costs"}),
        ("driverlog/small", Cost.PUBLIC, {"values"}),
        ("rovers/small", Cost.PUBLIC, {"values"}),
    ],
)
def test_an_audit_finds_private_costs_and_lost_tokens_of_an_optimal_search(example, cost, expected):
    """Drivers walk away from where they were; what a rover has, it keeps."""
    settings = msgspec.structs.replace(profile("tacit"), cost=cost)
    options = RunOptions("mad-astar", "m3", drive="roundrobin", record=True)
    session = Session(tacit.load(example), settings, options)
    session.at(session.largest)
    holder, *others = session.instance.agents
    for other in others:
        about = audit(traffic_of(session, holder)).agents[other]
        assert {finding.kind for finding in about.findings} == expected
        assert not any("nobody had agreed" in finding.text for finding in about.findings)


@pytest.mark.parametrize("solver", ["projection", "mafs"])
def test_an_honest_run_with_tokens_per_use_has_no_findings(tmp_path, solver):
    """Counting, records, states and audits go by tokens, whatever these stand for."""
    settings = Settings(tokens=Tokens.PER_USE)
    made, leader, other = two(tmp_path, Terms(solver, "goal", 8, settings))
    play_all(made)
    about = audited(made, [leader], other).agents[other]
    assert not about.findings
    assert about.counts.edges
    assert about.leakage is not None
    assert about.leakage.admits

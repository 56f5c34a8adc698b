"""Agents that show more than they say, and settings that do: an audit finds it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

import msgspec
import pytest
from support.audits import audited, files_of, findings, play_all
from support.hosts import Troupe, play, small
from support.inside import network_of

from tacit.audit.holder import audit
from tacit.audit.names import private_names
from tacit.audit.report import in_short
from tacit.audit.traffic import read_runs
from tacit.net.bounds import Allowance
from tacit.net.host import Conclusion
from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.mafs.support import SupportRules
from tacit.profile import profile
from tacit.public.disclosure import PublicEdge
from tacit.public.protocol.link import Farewell, Terms
from tacit.public.protocol.messages import (
    AnyMessage,
    Disclosed,
    Extended,
    Opening,
    PrefixFails,
    Scope,
    States,
    decode,
    encode,
)
from tacit.public.protocol.states import decode_batch, encode_batch

Change = Callable[[AnyMessage], AnyMessage]


def tampered(made: Troupe, leaky: str, change: Change) -> None:
    """A run in which one agent sends something else than it writes down."""
    hosts = {agent: made.host(agent) for agent in made.names}
    network = network_of(hosts[leaky])
    send = network.send
    network.send = lambda peer, frame: send(peer, encode(change(decode(frame))))
    play(hosts)


def leader_of(made: Troupe) -> str:
    ended = play({agent: made.host(agent) for agent in made.names})
    return next(iter(ended.values())).leader


def two(folder: Path, terms: Terms, domain: str = "driverlog") -> tuple[Troupe, str, str]:
    """Two agents: whoever leads, and the other one, which is going to leak."""
    leader = leader_of(small(domain, folder / "first", 1, terms=Terms(k=0)))
    made = small(domain, folder / "then", 1, terms=terms)
    (leaky,) = set(made.names) - {leader}
    return made, leader, leaky


def an_edge_more(message: AnyMessage) -> AnyMessage:
    if not isinstance(message, Disclosed):
        return message
    extra = next(
        edge for edge in (PublicEdge(-1, n) for n in range(99)) if edge not in message.edges
    )
    return msgspec.structs.replace(message, edges=(*message.edges, extra))


def test_more_edges_than_k(tmp_path):
    made, leader, leaky = two(tmp_path, Terms(ranking="m3", k=2))
    tampered(made, leaky, an_edge_more)
    assert findings(made, leader, leaky, with_files=False) == {"budget"}


def test_an_edge_in_place_of_another(tmp_path):
    """As many as agreed, and true; but the owner's record has another one."""
    made, leader, leaky = two(tmp_path, Terms(ranking="m3", k=2))
    everything = small("driverlog", tmp_path / "all", 1, terms=Terms(ranking="m3"), secret="s")
    made.change(leaky, seed=everything.configs[leaky].seed)
    assert all(isinstance(e, Conclusion) for e in play_all(everything).values())
    (traffic,) = read_runs([everything.configs[leader].outputs.transcript])
    true = list(audit(traffic).agents[leaky].knowledge.edges)

    def other(message: AnyMessage) -> AnyMessage:
        if isinstance(message, Disclosed) and message.edges:
            edges = tuple(edge for edge in true if edge not in message.edges)[: len(message.edges)]
            return msgspec.structs.replace(message, edges=edges)
        return message

    tampered(made, leaky, other)
    assert not findings(made, leader, leaky, with_files=False)
    assert findings(made, leader, leaky) >= {"record"}


def test_threats_that_nobody_asked_for(tmp_path):
    made, leader, leaky = two(tmp_path, Terms(ranking="m3", k=2))

    def tell(message: AnyMessage) -> AnyMessage:
        if isinstance(message, Disclosed):
            return msgspec.structs.replace(message, known=(PublicEdge(0, 0, False),))
        return message

    tampered(made, leaky, tell)
    assert findings(made, leader, leaky, with_files=False) == {"budget"}


def test_an_edge_that_is_none(tmp_path):
    made, leader, leaky = two(tmp_path, Terms(ranking="m3", k=2))

    def lie(message: AnyMessage) -> AnyMessage:
        if isinstance(message, Disclosed) and message.edges:
            tokens = {edge.token for edge in message.edges}
            wrong = (PublicEdge(achiever, token) for achiever in range(40) for token in tokens)
            edges = tuple(edge for edge in wrong if edge not in message.edges)[: len(message.edges)]
            return msgspec.structs.replace(message, edges=edges)
        return message

    tampered(made, leaky, lie)
    assert findings(made, leader, leaky) & {"files", "record"}


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


@pytest.mark.parametrize("holder", ["the other", "itself"])
def test_states_that_were_not_supported(tmp_path, monkeypatch, holder):
    """The agent takes actions by edges that it did not tell, and sends what comes of it."""
    made, leader, leaky = two(tmp_path, Terms("mafs", k=1))
    honest = SupportRules._free
    monkeypatch.setattr(
        SupportRules,
        "_free",
        lambda self: self._numbers.edges if self._own.task.agent == leaky else honest(self),
    )
    play_all(made)
    seen_by = leader if holder == "the other" else leaky
    about = audited(made, [seen_by], leaky, with_files=False).agents[leaky]
    assert {finding.kind for finding in about.findings} >= {"states"}
    assert any(item.evidence == "state" for item in about.inferred)


def test_states_that_cannot_be_for_a_holder_who_does_not_see_all(tmp_path, monkeypatch):
    """A third agent, which does not know where the states come from, but that they cannot be."""
    made = small("elevators", tmp_path, 1, terms=Terms("mafs", "m1", 10, seconds=20))
    honest = SupportRules._free
    monkeypatch.setattr(
        SupportRules,
        "_free",
        lambda self: self._numbers.edges if self._own.task.agent == "fast0" else honest(self),
    )
    play_all(made)
    about = audited(made, ["slow1-0"], "fast0", with_files=False).agents["fast0"]
    (finding,) = about.findings
    assert "need dependencies that it did not disclose" in finding.text


def test_tokens_that_are_said_to_hold(tmp_path):
    made, leader, leaky = two(tmp_path, Terms("mafs", "m3", k=8), "blocksworld")

    def claim(message: AnyMessage) -> AnyMessage:
        if not isinstance(message, States):
            return message
        batch = decode_batch(message.batch)
        every = tuple(
            dataclasses.replace(told, tokens=frozenset(range(batch.shape.tokens[told.agent])))
            for told in batch.indices
        )
        more = encode_batch(dataclasses.replace(batch, indices=every))
        return msgspec.structs.replace(message, batch=more)

    tampered(made, leaky, claim)
    assert "states" in findings(made, leader, leaky, with_files=False)


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


def test_a_repair_that_is_not_on_record(tmp_path):
    made, leader, leaky = two(tmp_path, Terms(k=8, repairs=2))

    def answer(message: AnyMessage) -> AnyMessage:
        if isinstance(message, Extended):
            return PrefixFails(message.sender, 1, Scope.OWN)
        return message

    tampered(made, leaky, answer)
    assert "record" in findings(made, leader, leaky)


@pytest.mark.parametrize(
    ("solver", "domain", "expected"),
    [
        ("projection", "blocksworld", {"replan"}),
        ("mafs", "driverlog", {"joint-reach"}),
    ],
)
def test_the_profile_of_the_paper_shows_more_than_k(tmp_path, solver, domain, expected):
    """Other rules than the defaults let agents show more, and the audit says so."""
    terms = Terms(solver, "m3", 20, profile("paper"))
    made, leader, other = two(tmp_path, terms, domain)
    play_all(made)
    assert findings(made, leader, other) >= expected


@pytest.mark.parametrize("name", ["tacit", "paper"])
@pytest.mark.parametrize("own_values", [False, True])
def test_values_that_count_private_steps_cross_only_if_agents_agreed(tmp_path, name, own_values):
    settings = msgspec.structs.replace(profile(name), own_values=own_values)
    made, leader, other = two(tmp_path, Terms("mafs", "m3", 20, settings), "driverlog")
    play_all(made)
    sent = audited(made, [leader], other).agents[other].states.values
    assert bool(sent) == own_values
    assert ("values" in findings(made, leader, other)) == own_values


def test_tokens_of_the_start_are_on_record_and_no_bound_allows_them(tmp_path):
    terms = Terms("mafs", "m4", 2, profile("paper"))
    made, leader, other = two(tmp_path, terms)
    play_all(made)
    record = made.configs[other].outputs.record.read_text()
    about = audited(made, [leader], other).agents[other]
    assert record.count(f"to {leader}  free edge: ") == len(about.knowledge.free) > 0
    kinds = {finding.kind for finding in about.findings}
    assert "budget" in kinds
    assert "record" not in kinds
    assert int(in_short(about)["uncounted initial edges"]) == len(about.knowledge.free)

    made, leader, other = two(tmp_path / "bounded", terms)
    made.change(other, allowance=Allowance(edges=20))
    play_all(made)
    assert not audited(made, [leader], other).agents[other].knowledge.free

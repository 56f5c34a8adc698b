"""Agents that show more than they say, and settings that do: an audit finds it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path

import msgspec
import pytest
from support.audits import audited, files_of, findings, play_all
from support.hosts import Troupe, play, small
from support.inside import network_of

from tacit.audit.names import private_names
from tacit.audit.replay import Replay
from tacit.leakage.reading.traffic import read_runs
from tacit.net.config import Timing
from tacit.net.host import Conclusion
from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.mafs.support import SupportRules
from tacit.party.published import New, Published
from tacit.profile import profile
from tacit.public.disclosure import PublicEdge, RestoredToken
from tacit.public.protocol.link import Farewell, Terms
from tacit.public.protocol.messages import (
    AnyMessage,
    Disclosed,
    EdgeDisclosed,
    Extended,
    Layer,
    NoMore,
    Opening,
    PrefixFails,
    Publication,
    Publish,
    Scope,
    States,
    Threatened,
    decode,
    encode,
)
from tacit.public.protocol.states import decode_batch, encode_batch

Change = Callable[[AnyMessage], AnyMessage]
HASTY = Timing(wait=100, answer=4, run=100)
"""Ledgers that differ keep agents waiting for what never comes."""


def tampered(made: Troupe, leaky: str, change: Change) -> None:
    """A run in which one agent sends something else than it writes down."""
    for agent in made.names:
        made.change(agent, timing=HASTY)
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
    leader = leader_of(small(domain, folder / "first", 1, terms=Terms(k=0), secret="s"))
    made = small(domain, folder / "then", 1, terms=terms, secret="s")
    (leaky,) = set(made.names) - {leader}
    return made, leader, leaky


def test_more_edges_than_k(tmp_path):
    """The agent should have said "no more", and goes on disclosing."""
    made, leader, leaky = two(tmp_path, Terms(ranking="m3", k=2))
    extra = (PublicEdge(-1, n) for n in range(99))

    def go_on(message: AnyMessage) -> AnyMessage:
        return EdgeDisclosed(leaky, next(extra)) if isinstance(message, NoMore) else message

    tampered(made, leaky, go_on)
    assert findings(made, leader, leaky, with_files=False) == {"budget"}
    assert findings(made, leader, leaky) >= {"budget", "record"}


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


@pytest.mark.parametrize("holder", ["the other", "itself"])
def test_states_that_were_not_supported(tmp_path, monkeypatch, holder):
    """The agent takes actions by edges that it did not disclose, and sends what comes of it. A
    search may be over before it has; then it is run once more.
    """
    honest = SupportRules._free
    for attempt in range(6):
        monkeypatch.undo()
        made, leader, leaky = two(tmp_path / str(attempt), Terms("mafs", k=2))
        monkeypatch.setattr(
            SupportRules,
            "_free",
            lambda self, leaky=leaky: (
                self._numbers.edges if self._own.task.agent == leaky else honest(self)
            ),
        )
        play_all(made)
        seen_by = leader if holder == "the other" else leaky
        about = audited(made, [seen_by], leaky, with_files=False).agents[leaky]
        if about.findings:
            break
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


def test_an_edge_that_rounds_imply(tmp_path):
    """An agent says of a fact that it can make it true only when another one is there, though it
    could before: as if an action of its own had to come first. Nothing is disclosed, and whoever
    hears it concludes something.
    """
    made, leader, leaky = two(tmp_path, Terms(k=0))
    withheld: list[tuple[int, ...]] = []

    def delay(message: AnyMessage) -> AnyMessage:
        if not isinstance(message, Layer):
            return message
        withheld.append(message.facts)
        late = {*withheld[-2], *message.facts} if len(withheld) == 2 else message.facts
        return Layer(leaky, () if len(withheld) == 1 else tuple(sorted(late)))

    tampered(made, leaky, delay)
    assert withheld[0]
    assert not findings(made, leader, leaky, with_files=False)
    about = audited(made, [leader], leaky).agents[leaky]
    assert any("relaxed layers" in finding.text for finding in about.findings)


def test_an_index_of_another_search(tmp_path):
    """An agent that numbers its private states once and for all links what it sends in one search
    with another: the index means nothing in this one. It is run again if nothing was sent in time.
    """
    for attempt in range(4):
        made, leader, leaky = two(tmp_path / str(attempt), Terms("mafs", k=6))
        place = sorted(made.names).index(leaky)

        def keep(message: AnyMessage, place: int = place) -> AnyMessage:
            if not isinstance(message, States):
                return message
            batch = decode_batch(message.batch)
            states = tuple(
                dataclasses.replace(
                    state,
                    indices=tuple(
                        i + 1000 if n == place and i else i for n, i in enumerate(state.indices)
                    ),
                )
                for state in batch.states
            )
            more = encode_batch(dataclasses.replace(batch, states=states))
            return msgspec.structs.replace(message, batch=more)

        tampered(made, leaky, keep)
        about = audited(made, [leader], leaky, with_files=False).agents[leaky]
        if about.states.foreign:
            break
    assert any("introduced" in finding.text for finding in about.findings)


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


@pytest.mark.parametrize("name", ["tacit", "paper"])
@pytest.mark.parametrize("own_values", [False, True])
def test_values_that_count_private_steps_cross_only_if_agents_agreed(tmp_path, name, own_values):
    settings = msgspec.structs.replace(profile(name), own_values=own_values)
    made, leader, other = two(tmp_path, Terms("mafs", "m3", 20, settings), "driverlog")
    play_all(made)
    sent = audited(made, [leader], other).agents[other].states.values
    assert bool(sent) == own_values
    assert ("values" in findings(made, leader, other)) == own_values

"""What transcripts show: all of it is told or follows from what was told, and leaks are found."""

from __future__ import annotations

import dataclasses
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path

import msgspec
import pytest
from hosts import Troupe, play, small, troupe

from tacit.audit.holder import Audit, audit
from tacit.audit.names import names_in, private_names
from tacit.audit.owner import Own, check
from tacit.audit.recorded import read_record
from tacit.audit.report import in_short
from tacit.audit.traffic import Traffic, read_runs
from tacit.domains import DOMAINS
from tacit.net.bounds import Allowance
from tacit.net.host import Conclusion
from tacit.party.dependencies import Dependencies
from tacit.party.marks import Marking
from tacit.pddl.factor_writer import factor
from tacit.pddl.reader import read_agent, read_texts
from tacit.pddl.source import Source
from tacit.pddl.syntax import Pair
from tacit.profile import profile
from tacit.public.disclosure import PublicEdge
from tacit.public.link import Farewell, Terms
from tacit.public.messages import (
    AnyMessage,
    Begin,
    Carried,
    Disclosed,
    Learn,
    Meet,
    Opening,
    Published,
    States,
    Told,
    Turn,
    decode,
    encode,
)
from tacit.public.recording import read_recording
from tacit.public.settings import Threats
from tacit.public.states import decode_batch, encode_batch

RANKINGS = ("goal", "m1", "m2", "m3", "m4", "random")


def files_of(made: Troupe, agent: str) -> Pair:
    config = made.configs[agent]
    return read_agent(agent, Source.read(config.domain), Source.read(config.problem)).pairs[0]


def owner(made: Troupe, agent: str) -> Own:
    """An agent's own side: its files and its record."""
    return Own(files_of(made, agent), read_record(made.configs[agent].outputs.record))


def transcripts(made: Troupe) -> list[Path]:
    return [config.outputs.transcript for config in made.configs.values()]


def audited(made: Troupe, holders: list[str], agent: str, with_files: bool = True) -> Audit:
    """What some agents can know of another one, with its own files if it likes."""
    paths = [made.configs[holder].outputs.transcript for holder in holders]
    (traffic,) = read_runs(paths)
    own = owner(made, agent)
    found = audit(traffic, own=own.name)
    if with_files:
        check(found, own)
    return found


def findings(made: Troupe, holder: str, agent: str, with_files: bool = True) -> set[str]:
    about = audited(made, [holder], agent, with_files).agents[agent]
    return {finding.kind for finding in about.findings}


def drawn(rng: random.Random) -> tuple[str, int, Terms]:
    """A problem and terms at random."""
    domain, solver = rng.choice(sorted(DOMAINS)), rng.choice(["projection", "mafs"])
    k = rng.choice([None, 0, 1, 2, 3, 4, 6, 8, 12, 20])
    settings = profile("tacit")
    if rng.random() < 0.3:
        threats = rng.choice([Threats.NONE, Threats.RANKED, Threats.KNOWN])
        settings = msgspec.structs.replace(settings, threats=threats)
    seconds = 5 if solver == "projection" else 1.5
    return (
        domain,
        rng.randrange(6),
        Terms(solver, rng.choice(RANKINGS), k, settings, "ff", 30, seconds),
    )


def look_at(folder: Path, number: int) -> Counter[str]:
    """One random run, audited from every side; how much there was to see."""
    domain, seed, terms = drawn(random.Random(number))
    made = small(domain, folder, seed, terms=terms)
    ended = play({agent: made.host(agent) for agent in made.names})
    what = (number, domain, seed, terms, ended)
    assert all(isinstance(e, Conclusion) for e in ended.values()), what
    (everything,) = read_runs(transcripts(made))
    check_names(made, everything)
    counted: Counter[str] = Counter()
    for agent in made.names:
        together = audit(everything, own=agent).agents[agent]
        disclosed = edges_of(made, agent).union(together.knowledge.edges)
        assert terms.k is None or len(disclosed) <= terms.k, what
        for holder in made.names:
            about = audited(made, [holder], agent).agents[agent]
            assert not about.findings, (*what, holder, agent, about.findings)
            for item in about.inferred:
                assert item.holds_by(disclosed), (*what, holder, agent, item)
            assert about.surmised <= disclosed
            counted["edges"] += len(about.knowledge.edges)
            counted["repairs"] += about.knowledge.repairs
            counted["inferred"] += len(about.inferred)
            counted["certain"] += len(about.surmised)
            counted["explained"] += about.states.explained
            counted["elsewhere"] += about.states.elsewhere
            counted["unchecked"] += about.states.unchecked
            counted["hints"] += len(about.hints)
        assert not together.findings, (*what, agent, together.findings)
    return counted


def edges_of(made: Troupe, agent: str) -> set[PublicEdge]:
    """The edges in an agent's record, by its own names and numbers, with no help of the audit."""
    record = made.configs[agent].outputs.record.read_text()
    number = {
        name: int(n)
        for n, name in re.findall(r"public action (\d+) is (\(.*?)(?=, needs|\n)", record)
    }
    number["(the start)"] = -1
    token = {name: int(n) for n, name in re.findall(r"token (\d+) stands for (.*)", record)}
    told = re.findall(r"dependency \d+: (.*) (gives|ends) (.*)", record)
    return {PublicEdge(number[a], token[t], what == "gives") for a, what, t in told}


def check_names(made: Troupe, everything: Traffic) -> None:
    """No private name of anybody is in anything that anybody sent."""
    pairs = [owner(made, agent).pair for agent in made.names]
    secret = set().union(*map(private_names, pairs))
    shared = {item.name for pair in pairs for item in pair.objects if not item.private}
    shared |= {p.name for pair in pairs for p in pair.domain.predicates if not p.private}
    secret -= shared.union(made.names)
    assert secret
    assert not names_in((frame.payload for frame in everything.frames), secret)


@pytest.mark.parametrize("number", range(12))
def test_what_is_inferred_was_disclosed(tmp_path, number):
    look_at(tmp_path, number)


@pytest.mark.slow
def test_what_is_inferred_was_disclosed_in_200_runs(tmp_path):
    counted: Counter[str] = Counter()
    for number in range(200):
        counted += look_at(tmp_path / str(number), number)
    assert not counted["unchecked"]
    assert min(counted[what] for what in ("edges", "repairs", "inferred", "explained")) > 100


DOMAIN = """
(define (domain kiln)
  (:requirements :typing :multi-agent :unfactored-privacy)
  (:types potter carrier - object)
  (:predicates (wood) (fired) (warmed) (sold)
    (:private ?p - potter (hot ?p - potter))
    (:private ?c - carrier (at-work ?c - carrier)))
  (:action fire :agent ?p - potter :parameters ()
    :precondition (hot ?p) :effect (and (fired) (not (hot ?p))))
  (:action heat :agent ?p - potter :parameters ()
    :precondition (wood) :effect (and (warmed) (hot ?p) (not (wood))))
  (:action chop :agent ?c - carrier :parameters ()
    :precondition (at-work ?c) :effect (wood))
  (:action sell :agent ?c - carrier :parameters ()
    :precondition (fired) :effect (sold)))
"""
PROBLEM = """
(define (problem kiln-0) (:domain kiln)
  (:objects anna - potter carl - carrier)
  (:init (hot anna) (at-work carl))
  (:goal (and (sold) (warmed))))
"""


def test_rounds_hint_at_what_was_never_told(tmp_path):
    """The potter fires at once, before there is any wood: her kiln was hot at the start. With k = 0
    she tells nobody, and it is no finding; but whoever listened to her rounds knows it.
    """
    texts = factor(read_texts(Source("d", DOMAIN), Source("p", PROBLEM)))
    made = troupe(texts, tmp_path, Terms(k=0))
    play_all(made)
    about = audited(made, ["carl"], "anna").agents["anna"]
    assert about.knowledge.tokens == 1
    assert not about.knowledge.edges
    assert [(item.token, item.givers) for item in about.hints] == [(0, (-1,))]
    assert not about.inferred
    assert not about.findings


# ------------------------------------------------------------------ records


@pytest.mark.parametrize("ranking", ["goal", "m3"])
@pytest.mark.parametrize("solver", ["projection", "mafs"])
def test_the_record_has_everything_that_was_told(tmp_path, solver, ranking):
    """To whom which edges, for agents that answer and for the one that asks."""
    made = small("driverlog", tmp_path, 1, terms=Terms(solver, ranking, 8))
    ended = play_all(made)
    leader = next(iter(ended.values())).leader
    for agent in made.names:
        record = made.configs[agent].outputs.record.read_text()
        recording = read_recording(made.configs[agent].outputs.transcript)
        sent = [(e.peer, decode(e.payload)) for e in recording.entries if e.is_sent]
        for peer in made.names:
            edges = {edge for to, m in sent if to == peer for edge in own_edges(agent, m)}
            assert record.count(f"to {peer}  dependency ") == len(edges) or peer == leader == agent
        published = [m for _, m in sent if isinstance(m, Published)]
        published += [p for _, m in sent if isinstance(m, Meet) for p in m.others]
        (own,) = [part for part in published if part.sender == agent]
        assert record.count("  public action ") == len(own.actions)
        assert record.count(" stands for ") == own.tokens
        if agent == leader:
            assert record.count(f"to {agent}  dependency ") == 8
        assert all(re.match(r"[\dT:.-]+Z  to \S+  ", line) for line in record.splitlines()[1:])
        assert ended[agent].told == len({e for _, m in sent for e in own_edges(agent, m)})


def own_edges(agent: str, message: AnyMessage) -> Iterable[PublicEdge]:
    """Edges of its own that an agent tells in a message."""
    if isinstance(message, Disclosed):
        return (*message.edges, *message.known)
    if isinstance(message, Told):
        return [message.edge] if message.edge else []
    if isinstance(message, Turn):
        return [edge for name, edge in message.heard if name == agent]
    if isinstance(message, Begin | Learn):
        return dict(message.disclosed)[agent]
    return []


def test_an_owner_that_allows_less_than_was_agreed(tmp_path):
    """Its peers learn that there is more, and not how much."""
    made = small("driverlog", tmp_path, 1, terms=Terms(ranking="m3", k=8))
    for agent in made.names:
        made.change(agent, allowance=Allowance(edges=2))
    leader = next(iter(play_all(made).values())).leader
    (other,) = set(made.names) - {leader}
    about = audited(made, [leader], other).agents[other]
    assert (about.knowledge.total, about.knowledge.bounded) == (2, True)
    assert in_short(about)["dependencies in all"] == "2 or more"
    assert len(about.knowledge.edges) == 2
    assert not about.findings


def test_what_is_told_is_on_record_before_it_goes_out(tmp_path):
    """An agent that dies in the middle has nothing told that is not written down."""
    made = small("driverlog", tmp_path, 1, terms=Terms(ranking="m3", k=3))
    hosts = {agent: made.host(agent) for agent in made.names}
    seen = []
    for agent, host in hosts.items():
        path, send = made.configs[agent].outputs.record, host._network.send

        def look(peer, frame, path=path, send=send):
            message = decode(frame)
            if isinstance(message, Disclosed) and message.edges:
                seen.append(path.read_text().count(f"to {peer}  dependency "))
            send(peer, frame)

        host._network.send = look
    play(hosts)
    assert set(seen) == {3}


# ------------------------------------------------------------------ agents that leak


Change = Callable[[AnyMessage], AnyMessage]


def tampered(made: Troupe, leaky: str, change: Change) -> None:
    """A run in which one agent sends something else than it writes down."""
    hosts = {agent: made.host(agent) for agent in made.names}
    network = hosts[leaky]._network
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


def play_all(made: Troupe) -> dict[str, object]:
    return play({agent: made.host(agent) for agent in made.names})


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
            wrong = (PublicEdge(giver, token) for giver in range(40) for token in tokens)
            edges = tuple(edge for edge in wrong if edge not in message.edges)[: len(message.edges)]
            return msgspec.structs.replace(message, edges=edges)
        return message

    tampered(made, leaky, lie)
    assert findings(made, leader, leaky) & {"files", "record"}


@pytest.mark.parametrize("where", ["opening", "batch", "error"])
def test_a_private_name(tmp_path, where):
    made, leader, leaky = two(tmp_path, Terms("mafs", k=6))
    names = sorted(private_names(files_of(made, leaky)), key=len)

    def blab(message: AnyMessage) -> AnyMessage:
        if where == "opening" and isinstance(message, Opening):
            return msgspec.structs.replace(message, changes=(*message.changes, names[0]))
        if where == "batch" and isinstance(message, States):
            return msgspec.structs.replace(message, batch=message.batch + names[-1].encode())
        if where == "error" and isinstance(message, Farewell):
            return msgspec.structs.replace(message, about=f"cannot ({names[0]} x)")
        return message

    tampered(made, leaky, blab)
    assert "names" in findings(made, leader, leaky)


@pytest.mark.parametrize("holder", ["the other", "itself"])
def test_states_that_were_not_supported(tmp_path, monkeypatch, holder):
    """The agent takes actions by edges that it did not tell, and sends what comes of it."""
    made, leader, leaky = two(tmp_path, Terms("mafs", k=1))
    honest = Marking._free
    monkeypatch.setattr(
        Marking,
        "_free",
        lambda self: self._numbers.edges if self._own.task.agent == leaky else honest(self),
    )
    play_all(made)
    seen_by = leader if holder == "the other" else leaky
    about = audited(made, [seen_by], leaky, with_files=False).agents[leaky]
    assert {finding.kind for finding in about.findings} >= {"states"}
    assert any(item.evidence == "state" for item in about.inferred)


def test_states_that_cannot_be_for_one_who_does_not_see_all(tmp_path, monkeypatch):
    """A third agent, which does not know where the states come from, but that they cannot be."""
    made = small("elevators", tmp_path, 1, terms=Terms("mafs", "m1", 10, seconds=20))
    honest = Marking._free
    monkeypatch.setattr(
        Marking,
        "_free",
        lambda self: self._numbers.edges if self._own.task.agent == "fast0" else honest(self),
    )
    play_all(made)
    about = audited(made, ["slow1-0"], "fast0", with_files=False).agents["fast0"]
    (finding,) = about.findings
    assert "need dependencies that it did not tell" in finding.text


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
        if isinstance(message, Carried) and message.succeeded:
            return Carried(message.sender, succeeded=False, own_prefix=1)
        return message

    tampered(made, leaky, answer)
    assert "record" in findings(made, leader, leaky)


@pytest.mark.parametrize(
    ("solver", "domain", "expected"),
    [
        ("projection", "blocksworld", {"replan"}),
        ("mafs", "driverlog", {"values", "foresight"}),
    ],
)
def test_the_profile_of_the_paper_shows_more_than_k(tmp_path, solver, domain, expected):
    """Other rules than the defaults let agents show more, and the audit says so."""
    terms = Terms(solver, "m3", 20, profile("paper"))
    made, leader, other = two(tmp_path, terms, domain)
    play_all(made)
    assert findings(made, leader, other) >= expected


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
    assert int(in_short(about)["edges of the start, uncounted"]) == len(about.knowledge.free)

    made, leader, other = two(tmp_path / "bounded", terms)
    made.change(other, allowance=Allowance(edges=20))
    play_all(made)
    assert not audited(made, [leader], other).agents[other].knowledge.free

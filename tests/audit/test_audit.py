"""What transcripts show of honest agents: all of it is on the ledger or follows from it. Results,
records and audits agree on the ledger to the item.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from support.audits import audited, items, owner, play_all, transcripts
from support.hosts import Ended, Troupe, play, small, troupe
from support.inside import network_of

from tacit.audit.holder import audit
from tacit.audit.names import names_in, private_names
from tacit.audit.report import as_dict, in_short
from tacit.domains import DOMAINS
from tacit.leakage.reading.traffic import Traffic, read_runs
from tacit.net.conclusion import Conclusion
from tacit.party.bounds import Bounds
from tacit.pddl.factor_writer import factor
from tacit.pddl.reader import read_texts
from tacit.pddl.source import Source
from tacit.profile import profile
from tacit.public.disclosure import INIT, PublicEdge
from tacit.public.ledger import Ledger
from tacit.public.protocol.link import Terms
from tacit.public.protocol.messages import (
    AnyMessage,
    EdgeDisclosed,
    Introduce,
    PrefixFails,
    Publication,
    Threatened,
    decode,
)
from tacit.public.protocol.recording import read_recording
from tacit.public.settings import Threats

RANKINGS = ("goal", "m1", "m2", "m3", "m4", "random")


def drawn(rng: random.Random) -> tuple[str, int, Terms]:
    """A problem and terms at random."""
    domain, solver = rng.choice(sorted(DOMAINS)), rng.choice(["auto", "projection", "mafs"])
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
    ledger = audit(everything).ledger
    check_ledger(made, ledger, ended)
    counted: Counter[str] = Counter(entry.kind.value for entry in ledger)
    for agent in made.names:
        together = audit(everything, own=agent).agents[agent]
        assert set(together.knowledge.edges) == edges_of(made, agent)
        assert terms.k is None or together.counts.edges <= terms.k, what
        assert not together.findings, (*what, agent, together.findings)
        for holder in made.names:
            found = audited(made, [holder], agent)
            about = found.agents[agent]
            assert items(found.ledger) == items(ledger), (*what, holder)
            assert not about.findings, (*what, holder, agent, about.findings)
            assert not about.inferred, (*what, holder, agent, about.inferred)
            assert found.kept[agent] == ended[agent].dependencies - about.counts.edges
            counted["explained"] += about.states.explained
            counted["elsewhere"] += about.states.elsewhere
            counted["unchecked"] += about.states.unchecked
            assert about.leakage is not None
            assert about.leakage.admits, "the owner's own graph is excluded"
            counted["certain"] += len(about.leakage.certain)
    return counted


def check_ledger(made: Troupe, ledger: Ledger, ended: dict[str, Ended]) -> None:
    """All agents hold the ledger that the frames make, and all records have it, for everybody."""
    for agent, conclusion in ended.items():
        assert items(conclusion.ledger) == items(ledger), agent
        record = owner(made, agent).record
        own, to_all = ledger.counts(agent), set(made.names) - {agent}
        for peer in to_all if own.disclosed else ():
            written = record.to(peer).counts
            assert (written.edges, written.repairs) == (own.edges, own.repairs), (agent, peer)
        assert not record.to(agent).counts.disclosed, "what it knows itself is not disclosed"


def edges_of(made: Troupe, agent: str) -> set[PublicEdge]:
    """The edges in an agent's record, by its own names and numbers, with no help of the audit."""
    record = made.configs[agent].outputs.record.read_text()
    number = {
        name: int(n)
        for n, name in re.findall(r"public action (\d+) is (\(.*?)(?=, needs|\n)", record)
    }
    number["(the initial state)"] = -1
    token = {name: int(n) for n, name in re.findall(r"token (\d+) stands for (.*)", record)}
    edges = re.findall(r"dependency \d+: (.*) (achieves|deletes) (.*)", record)
    return {PublicEdge(number[a], token[t], what == "achieves") for a, what, t in edges}


def check_names(made: Troupe, everything: Traffic) -> None:
    """No private name of anybody is in anything that anybody sent."""
    pairs = [owner(made, agent).pair for agent in made.names]
    secret = set().union(*map(private_names, pairs))
    shared = {item.name for pair in pairs for item in pair.objects if not item.private}
    shared |= {p.name for pair in pairs for p in pair.domain.predicates if not p.private}
    secret -= shared.union(made.names)
    assert secret
    assert not names_in((frame.payload for frame in everything.frames), secret)


@pytest.mark.parametrize("number", range(9))
def test_what_is_inferred_was_disclosed(tmp_path, number):
    look_at(tmp_path, number)


@pytest.mark.slow
def test_what_is_inferred_was_disclosed_in_200_runs(tmp_path):
    counted: Counter[str] = Counter()
    for number in range(200):
        counted += look_at(tmp_path / str(number), number)
    assert not counted["unchecked"]
    assert min(counted["edge"], counted["explained"]) > 1_000
    assert counted["threat"] > 20


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


def test_rounds_show_what_was_never_disclosed(tmp_path):
    """The potter fires at once, before there is any wood: her kiln was hot at the start. With k = 0
    she discloses nothing, and it is no finding; but whoever listened to her rounds knows it.
    """
    texts = factor(read_texts(Source("d", DOMAIN), Source("p", PROBLEM)))
    made = troupe(texts, tmp_path, Terms(k=0))
    play_all(made)
    about = audited(made, ["carl"], "anna").agents["anna"]
    assert about.knowledge.tokens == 1
    assert not about.knowledge.edges
    assert about.leakage is not None
    assert about.leakage.certain == {PublicEdge(INIT, 0)}
    assert about.leakage.admits
    assert not about.inferred
    assert not about.findings


# ------------------------------------------------------------------ records


@pytest.mark.parametrize("ranking", ["goal", "m3"])
@pytest.mark.parametrize("solver", ["auto", "projection", "mafs"])
@pytest.mark.parametrize("domain", ["driverlog", "depot"])
def test_the_record_has_everything_that_was_disclosed(tmp_path, domain, solver, ranking):
    """To whom which edges and repairs, for agents that answer and for the one that asks."""
    made = small(domain, tmp_path, 1, terms=Terms(solver, ranking, 20))
    ended = play_all(made)
    for agent in made.names:
        record = made.configs[agent].outputs.record.read_text()
        recording = read_recording(made.configs[agent].outputs.transcript)
        sent = [(e.peer, decode(e.payload)) for e in recording.entries if e.is_sent]
        own = ended[agent].ledger.counts(agent)
        for peer in set(made.names) - {agent}:
            shown = Counter(what for to, m in sent if to == peer for what in disclosures(m))
            assert record.count(f"to {peer}  dependency ") == shown["edge"] == own.edges
            assert record.count(f"to {peer}  repair: ") == shown["repair"] == own.repairs
        published = [m for _, m in sent if isinstance(m, Publication)]
        published += [p for _, m in sent if isinstance(m, Introduce) for p in m.others]
        part = next(part for part in published if part.sender == agent)
        names = set(re.findall(r"public action \d+ is .*|token \d+ stands for .*", record))
        assert len(names) == len(part.actions) + part.tokens
        assert f"to {agent}  " not in record
        lines = [line for line in record.splitlines() if line.strip() and line[0] != ";"]
        assert all(re.match(r"[\dT:.-]+Z  to \S+  ", line) for line in lines)


def disclosures(message: AnyMessage) -> Iterator[str]:
    """What a message of an honest agent discloses."""
    if isinstance(message, EdgeDisclosed):
        yield "edge"
    elif isinstance(message, Threatened | PrefixFails):
        yield from ["repair"] * message.disclosures


def test_an_owner_that_allows_less_than_was_agreed(tmp_path):
    """Its peers learn that it discloses no more, and not how much more there is."""
    made = small("driverlog", tmp_path, 1, terms=Terms(ranking="m3", k=8))
    for agent in made.names:
        made.change(agent, bounds=Bounds(edges=2))
    leader = next(iter(play_all(made).values())).leader
    (other,) = set(made.names) - {leader}
    found = audited(made, [leader], other)
    about = found.agents[other]
    assert about.knowledge.has_no_more
    assert in_short(about)['said "no more"'] == "yes"
    assert as_dict(found)["agents"][other]["turns"]["no_more"]
    assert about.counts.edges == 2
    assert not about.findings


def test_what_is_disclosed_is_on_record_before_it_is_sent(tmp_path):
    """An agent that dies in the middle has disclosed nothing that is not written down."""
    made = small("driverlog", tmp_path, 1, terms=Terms(ranking="m3", k=3))
    hosts = {agent: made.host(agent) for agent in made.names}
    seen: Counter[tuple[str, str]] = Counter()
    for agent, host in hosts.items():
        path, send = made.configs[agent].outputs.record, network_of(host).send

        def look(peer, frame, agent=agent, path=path, send=send):
            if isinstance(decode(frame), EdgeDisclosed):
                seen[agent, peer] += 1
                assert path.read_text().count(f"to {peer}  dependency ") == seen[agent, peer]
            send(peer, frame)

        network_of(host).send = look
    ended = play(hosts)
    assert all(isinstance(e, Conclusion) for e in ended.values()), ended
    assert seen

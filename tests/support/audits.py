"""What tests of audits share: a run between hosts or in one process, and what it shows to whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from support.hosts import Troupe, play
from support.inside import transcript_of
from tacit.audit.holder import Audit, audit
from tacit.audit.owner import Own, check
from tacit.audit.recorded import read_record
from tacit.central.session import Session
from tacit.leakage.reading.traffic import Traffic, read_runs
from tacit.pddl.reader import read_agent
from tacit.pddl.source import Source
from tacit.pddl.syntax import Pair
from tacit.public.ledger import Item, Kind, Ledger
from tacit.public.protocol.messages import EdgeDisclosed, PrefixFails, Threatened, decode
from tacit.public.protocol.recording import Entry, Head, Recording
from tacit.public.protocol.transcript import Frame


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
    traffic = read_runs(paths)[-1]
    own = owner(made, agent)
    found = audit(traffic, own=own.name)
    if with_files:
        check(found, own)
    return found


def findings(made: Troupe, holder: str, agent: str, with_files: bool = True) -> set[str]:
    about = audited(made, [holder], agent, with_files).agents[agent]
    return {finding.kind for finding in about.findings}


def play_all(made: Troupe) -> dict[str, object]:
    return play({agent: made.host(agent) for agent in made.names})


def recordings(session: Session) -> dict[str, Recording]:
    """What each agent of a session in one process saw, grounding included, and what the solver
    saw that asked them.
    """
    frames: list[Frame] = [*session.instance.transcript.frames, *transcript_of(session).frames]
    agents = tuple(session.instance.agents)
    entries: dict[str, list[Entry]] = {name: [] for name in (*agents, "solver")}
    for time, frame in enumerate(frames):
        entries[frame.sender].append(Entry(time, frame.receiver, True, frame.payload))
        entries[frame.receiver].append(Entry(time, frame.sender, False, frame.payload))
    return {name: Recording(Head(name, agents, 0), tuple(own)) for name, own in entries.items()}


def traffic_of(session: Session, *holders: str) -> Traffic:
    """What some of them saw together; all agents, if none is named."""
    made = recordings(session)
    return Traffic([made[holder] for holder in holders or session.instance.agents])


def items(ledger: Ledger) -> dict[str, list[tuple[Kind, Item]]]:
    """What is on a ledger, to the item."""
    return {
        agent: [(entry.kind, entry.item) for entry in ledger if entry.agent == agent]
        for agent in ledger.agents
    }


def as_owner(session: Session, traffic: Traffic, agent: str, pairs: Iterable[Pair]) -> Audit:
    """What traffic shows of an agent of a session, by its owner, who knows its seed."""
    (pair,) = [pair for pair in pairs if pair.agent == agent]
    found = audit(traffic, own=agent)
    check(found, Own(pair, seed=str(session.options.seed)))
    return found


def by_hand(session: Session) -> dict[str, Counter[object]]:
    """What agents disclosed in an online run: every edge, threat and token in any frame, and every
    answer to the solver that a prefix fails, with no help of the ledger.
    """
    found: dict[str, set[object]] = {agent: set() for agent in session.instance.agents}
    prefixes: Counter[str] = Counter()
    for frame in transcript_of(session).frames:
        message = decode(frame.payload)
        if isinstance(message, EdgeDisclosed):
            found[message.sender].add(message.edge)
        elif isinstance(message, Threatened):
            found[message.sender].update(message.threats, message.restored)
        elif isinstance(message, PrefixFails):
            prefixes[message.sender] += frame.receiver == "solver"
    return {a: Counter({**dict.fromkeys(found[a], 1), Kind.PREFIX: prefixes[a]}) for a in found}

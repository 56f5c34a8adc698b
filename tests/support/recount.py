"""What the frames of a run disclose, counted with plain sets and without the ledger's own rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import msgspec

from tacit.party.agent import Agent
from tacit.public.disclosure import FINISH, PublicEdge, PublicStep, RestoredToken
from tacit.public.ledger import Counts, Kind, Ledger, Prefix
from tacit.public.protocol.messages import (
    Disclosed,
    EdgeDisclosed,
    Extend,
    JointReached,
    Message,
    NextEdge,
    PrefixFails,
    Publication,
    Scope,
    Threatened,
    decode,
)
from tacit.public.protocol.transcript import Transcript


def edges_and_tokens(thing: object, owner: str) -> Iterator[tuple[str, PublicEdge | RestoredToken]]:
    """Every edge and token anywhere in a message, with the agent whose it is."""
    if isinstance(thing, PublicEdge | RestoredToken):
        yield owner, thing
    elif isinstance(thing, msgspec.Struct):
        owner = thing.sender if isinstance(thing, Message) else owner
        for name in thing.__struct_fields__:
            yield from edges_and_tokens(getattr(thing, name), owner)
        if isinstance(thing, JointReached):
            yield from ((owner, edge) for edge in thing.free)
    elif isinstance(thing, tuple | list):
        for part in thing:
            yield from edges_and_tokens(part, owner)


Place = tuple[str, PublicEdge | RestoredToken]


@dataclass
class Recount:
    """What is in any frame, and who got it."""

    everything: set[Place] = field(default_factory=set)
    """Edges, threats and tokens in whatever message, with their agents."""
    kinds: dict[Place, Kind] = field(default_factory=dict)
    """The same by what they are first disclosed as; again, they are no further disclosure."""
    prefixes: list[tuple[PrefixFails, tuple[PublicStep, ...]]] = field(default_factory=list)
    """Each with the plan that was asked about."""
    receivers: dict[tuple[str, int], list[str]] = field(default_factory=dict)
    """Who got each disclosure: by agent and by how many it had made to one receiver before."""

    def see(self, agent: str, kind: Kind, items: Iterable[PublicEdge | RestoredToken]) -> None:
        for item in items:
            self.kinds.setdefault((agent, item), kind)

    def of(self, agent: str, *kinds: Kind) -> int:
        return sum(owner == agent and kind in kinds for (owner, _), kind in self.kinds.items())


def recount(transcript: Transcript) -> Recount:
    found, asked = Recount(), dict[str, tuple[PublicStep, ...]]()
    sent: Counter[tuple[str, str]] = Counter()
    for frame in transcript.frames:
        message, sender = decode(frame.payload), frame.sender
        found.everything.update(edges_and_tokens(message, sender))
        assert not isinstance(message, Disclosed), "budgets are for offline runs"
        if isinstance(message, Publication):
            found.see(sender, Kind.FREE, message.threats)
        elif isinstance(message, Extend):
            asked[frame.receiver] = message.steps
        elif isinstance(message, EdgeDisclosed):
            found.see(sender, Kind.EDGE, [message.edge])
        elif isinstance(message, Threatened):
            found.see(sender, Kind.THREAT, message.threats)
            found.see(sender, Kind.TOKEN, message.restored)
        elif isinstance(message, JointReached):
            found.see(sender, Kind.FREE, message.free)
        elif isinstance(message, PrefixFails) and frame.receiver == "solver":
            found.prefixes.append((message, asked[sender]))
        if isinstance(message, EdgeDisclosed | Threatened | PrefixFails):
            number = sent[sender, frame.receiver]
            sent[sender, frame.receiver] += 1
            found.receivers.setdefault((sender, number), []).append(frame.receiver)
    return found


def check_ledger(transcript: Transcript, ledger: Ledger) -> Recount:
    """All that is in any frame is on the ledger, nothing else is, and everybody got it."""
    found = recount(transcript)
    assert set(found.kinds) == found.everything, "there is no other way to disclose anything"
    entries = [(e.agent, e.item, e.kind) for e in ledger if not isinstance(e.item, Prefix)]
    assert len(entries) == len(found.kinds)
    assert {(agent, item): kind for agent, item, kind in entries} == found.kinds
    for agent in ledger.agents:
        own = [e.item for e in ledger if e.agent == agent and isinstance(e.item, Prefix)]
        said = [pair for pair in found.prefixes if pair[0].sender == agent]
        for prefix, (message, plan) in zip(own, said, strict=True):
            check_prefix(prefix, message, plan)
    everybody = {*ledger.agents, "solver"}
    for (agent, _), receivers in found.receivers.items():
        assert sorted(receivers) == sorted(everybody - {agent})
    _check_counts(ledger, found)
    return found


def check_prefix(prefix: Prefix, message: PrefixFails, plan: tuple[PublicStep, ...]) -> None:
    is_joint = message.scope is Scope.JOINT
    assert (prefix.joint, prefix.for_good) == (is_joint, message.for_good)
    steps = plan if is_joint else tuple(step for step in plan if step.agent == message.sender)
    assert prefix.steps == steps[: len(prefix.steps)]
    if is_joint:
        public = sum(step.action != FINISH for step in prefix.steps)
        assert public == min(message.steps, sum(step.action != FINISH for step in plan))
    else:
        assert len(prefix.steps) == message.steps


def _check_counts(ledger: Ledger, found: Recount) -> None:
    excluded = Counter(message.sender for message, _ in found.prefixes)
    edges, both = [], []
    for agent in ledger.agents:
        repairs = found.of(agent, Kind.THREAT, Kind.TOKEN) + excluded[agent]
        edges.append(found.of(agent, Kind.EDGE))
        both.append(edges[-1] + repairs)
        expected = Counts(edges[-1], repairs, found.of(agent, Kind.FREE))
        assert ledger.counts(agent) == expected
    assert (ledger.k, ledger.largest, ledger.sum) == (max(edges), max(both), sum(both))


def check_members(agents: Mapping[str, Agent], ledger: Ledger) -> None:
    """Every member holds the very same ledger, entry by entry."""
    lines = [entry.line() for entry in ledger]
    for agent in agents.values():
        assert agent.has_caught_up(NextEdge("solver", ledger.mark))
        assert [entry.line() for entry in agent.ledger] == lines

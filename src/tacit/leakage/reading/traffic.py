"""What crossed in one run, as one agent or several of them recorded it.

A transcript is one agent's. Those of agents that were in the same run are put together: they show
what these agents could know if they shared everything. Whether two transcripts are of one
run shows in the digests with which its agents compared what was published, numbers drawn at random
for that run included; transcripts without such a digest are each a run of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tacit import watch
from tacit.errors import ProtocolError
from tacit.natural import natural_key, natural_order
from tacit.public.protocol import digest
from tacit.public.protocol.link import Agreed, Hello, Stage, Terms
from tacit.public.protocol.messages import (
    AnyMessage,
    Begin,
    Closing,
    Opening,
    Publish,
    Reached,
    decode,
)
from tacit.public.protocol.recording import Recording, read_recordings
from tacit.public.settings import Settings
from tacit.public.task import PublicFact


@dataclass(frozen=True, slots=True)
class Seen:
    """One frame. `message` is None if it is not a message of the protocol, or in another's name."""

    time: int
    sender: str
    receiver: str
    payload: bytes
    message: AnyMessage | None


@dataclass(frozen=True)
class PublicNames:
    """The public facts by number, and those of the initial state and the goal."""

    facts: tuple[PublicFact, ...]
    init: tuple[int, ...]
    goal: tuple[int, ...]


class Traffic:
    """The frames of one run that `holders` saw, each once, in order of time."""

    def __init__(self, recordings: Sequence[Recording]):
        self.recordings = tuple(recordings)
        self.holders = natural_order({recording.holder for recording in recordings})
        self.agents = natural_order({a for r in recordings for a in r.head.agents})
        self.started = min(recording.head.started for recording in recordings)
        self.is_whole = all(recording.is_whole for recording in recordings)
        self.frames = sorted(self._frames(recordings), key=lambda seen: seen.time)

    def _frames(self, recordings: Sequence[Recording]) -> Iterator[Seen]:
        for recording in recordings:
            holder = recording.holder
            for entry in watch.checked(recording.entries):
                if not entry.is_sent and entry.peer in self.holders:
                    continue  # it is in the sender's transcript
                pair = (holder, entry.peer) if entry.is_sent else (entry.peer, holder)
                message = _message(pair[0], entry.payload)
                yield Seen(entry.time, *pair, entry.payload, message)

    def is_complete_for(self, agent: str) -> bool:
        """Is everything here that the agent received, or everything that it sent?"""
        return agent in self.holders or set(self.agents) <= {agent, *self.holders}

    @cached_property
    def terms(self) -> Terms | None:
        """What the agents agreed on before they began."""
        hellos = (seen.message for seen in self.frames if isinstance(seen.message, Hello))
        return next((hello.terms for hello in hellos if hello.sender in self.holders), None)

    @cached_property
    def settings(self) -> Settings:
        """The settings of the run, as agreed or as asked for."""
        if self.terms is not None:
            return self.terms.settings
        asked = (seen.message for seen in self.frames if isinstance(seen.message, Publish))
        return next((question.settings for question in asked), Settings())

    @cached_property
    def is_offline(self) -> bool:
        """Did one user hold all agents, and try budgets independently of each other?"""
        asked = (seen.message for seen in self.frames if isinstance(seen.message, Publish))
        return self.terms is None and any(question.offline for question in asked)

    @cached_property
    def is_optimal(self) -> bool:
        """Did agents search for the cheapest plan, so that values and costs cross?"""
        begun = (seen.message for seen in self.frames if isinstance(seen.message, Begin))
        return any(question.optimal for question in begun)

    @cached_property
    def ranking(self) -> str:
        asked = (seen.message for seen in self.frames if isinstance(seen.message, Publish))
        named = next((question.ranking for question in asked), None)
        return named or (self.terms.ranking if self.terms else Terms().ranking)

    @cached_property
    def names(self) -> PublicNames | None:
        """Names for public facts, from the messages of grounding; None if it is not here."""
        found = _public_names([seen.message for seen in self.frames], self.agents)
        agreed = [s.message for s in self.frames if isinstance(s.message, Agreed)]
        digests = {message.digest for message in agreed if message.stage is Stage.GROUND}
        if found is None or digests - {digest.of_ground(found.facts, found.init, found.goal)}:
            return None
        return found


def _message(sender: str, payload: bytes) -> AnyMessage | None:
    try:
        message = decode(payload)
    except ProtocolError:
        return None
    return message if message.sender == sender else None


def read_runs(paths: Iterable[Path]) -> list[Traffic]:
    """The runs that transcripts are of, in the order in which they began."""
    runs: dict[object, list[Recording]] = {}
    recordings = (recording for path in paths for recording in read_recordings(path))
    for place, recording in enumerate(recordings):
        runs.setdefault(_run_of(recording) or place, []).append(recording)
    return sorted(map(Traffic, runs.values()), key=lambda traffic: traffic.started)


def _run_of(recording: Recording) -> bytes | None:
    for entry in recording.entries:
        if entry.is_sent and b"agreed" in entry.payload[:64]:
            message = _message(recording.holder, entry.payload)
            if isinstance(message, Agreed) and message.stage is Stage.PUBLISHED:
                return message.digest
    return None


def _public_names(
    messages: Sequence[AnyMessage | None], agents: Sequence[str]
) -> PublicNames | None:
    """Number public facts as every agent does when grounding is over."""
    openings = [m for m in messages if isinstance(m, Opening)]
    rounds = [m for m in messages if isinstance(m, Reached)]
    closings = [m for m in messages if isinstance(m, Closing)]
    if {m.sender for m in closings} < set(agents) or not openings:
        return None
    fluent = {name for m in openings for name in m.changes}
    initial = {fact for m in rounds for fact in m.initial}
    goals = {fact for m in closings for fact in m.goals if fact.predicate in fluent}
    known = initial | {fact for m in rounds for fact in m.true}
    positive = {fact for fact in known if fact.predicate in fluent}
    negative = {PublicFact(f.predicate, f.args, False) for m in closings for f in m.negated}
    facts = tuple(sorted(positive | negative | goals, key=_name_order))
    holds = initial | {
        fact for fact in negative if PublicFact(fact.predicate, fact.args) not in initial
    }
    init = tuple(n for n, fact in enumerate(facts) if fact in holds)
    goal = tuple(n for n, fact in enumerate(facts) if fact in goals)
    return PublicNames(facts, init, goal)


def _name_order(fact: PublicFact) -> tuple[object, ...]:
    return (natural_key(fact.predicate), *map(natural_key, fact.args), not fact.positive)

"""Frames of real runs, mutated, and an agent that hears them without a network."""

from __future__ import annotations

import random
from functools import cache

from support.forms import factored, generated
from support.hosts import leader_of
from support.inside import take
from support.renaming import private_words, rename, renaming
from tacit.central.instance import Instance
from tacit.errors import ProtocolError
from tacit.net.member import Member, Own
from tacit.net.record import DisclosureRecord
from tacit.net.talk import Talk
from tacit.party.agent import Agent
from tacit.pddl.factor_writer import factor
from tacit.public.protocol import digest
from tacit.public.protocol.link import Agreed, Concluded, Linking, Settled, Stage, Terms
from tacit.public.protocol.messages import Grounding, Introduce, Publish, decode
from tacit.transport.mailbox import Arrived, Event

NAMES = ("plane1", "truck0", "truck1")


def mutated(frame: bytes, rng: random.Random) -> bytes:
    data = bytearray(frame)
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.randrange(len(data) + 1)
        kind = rng.randrange(5)
        if kind == 0 and data:
            data[at % len(data)] ^= 1 << rng.randrange(8)
        elif kind == 1:
            data[at:at] = rng.randbytes(rng.randint(1, 9))
        elif kind == 2:
            del data[at : at + rng.randint(1, 9)]
        elif kind == 3 and data:
            data[at % len(data)] = rng.choice((0, 1, 0x7F, 0x80, 0xC0, 0xD9, 0xFF))
        else:
            data[at:] = data[at:][::-1]
    return bytes(data)


class Wires:
    """A network that goes nowhere: it remembers what was sent, and brings what it was given."""

    def __init__(self, events=()):
        self.sent: list[bytes] = []
        self._events = list(events)

    def send(self, peer: str, frame: bytes) -> None:
        self.sent.append(frame)

    def take(self, seconds: float | None) -> Event | None:
        return self._events.pop(0) if self._events else None

    def backlog(self) -> int:
        return 0


def talk_over(wires: Wires) -> Talk:
    return Talk("plane1", NAMES[1:], wires, DisclosureRecord(None, "plane1"), lambda text: None)


@cache
def task_of(is_renamed: bool):
    """The files of plane1, its local task and the digest of the public one; its private names."""
    texts = factor(generated("logistics"))
    names = renaming(private_words(factored({"plane1": texts["plane1"]})), random.Random(3))
    if is_renamed:
        texts["plane1"] = tuple(rename(text, names) for text in texts["plane1"])
    description = factored(texts)
    instance = Instance(description, {})
    public = instance.public
    ground = digest.of_ground(public.facts, public.init, public.goal)
    pair = next(pair for pair in description.pairs if pair.agent == "plane1")
    return pair, instance.local("plane1"), ground, set(names.values()) if is_renamed else set(names)


def member(terms: Terms, is_renamed: bool = False) -> tuple[Member, Talk, Wires]:
    pair, local, ground, _ = task_of(is_renamed)
    wires = Wires()
    talk = talk_over(wires)
    own = Own(Agent(local, "fuzz plane1"), terms, seconds=0)
    return Member(own, NAMES, talk, ground, leader_of(NAMES, pair, "fuzz")), talk, wires


def fault_of(one: Member, talk: Talk, peer: str, frame: bytes) -> str | None:
    """What an agent says to a frame; anything but an error that a user can read is a bug."""
    try:
        heard = take(talk, Arrived(peer, frame))
        if heard is not None:
            one.handle(heard)
    except ProtocolError as error:
        return str(error)
    return None


def place(frame: bytes) -> int:
    """Where a frame stands while planning: 0 if nowhere; what all were told comes before the rest,
    and the end, when all are awaited, behind what they say of it.
    """
    message = decode(frame)
    if isinstance(message, Settled | Concluded):
        return 4 + isinstance(message, Concluded)
    if isinstance(message, Linking | Grounding) and not isinstance(message, Agreed):
        return 0
    if isinstance(message, Agreed):
        return 2 * (message.stage is Stage.PUBLISHED)
    return 1 if isinstance(message, Publish | Introduce) else 3

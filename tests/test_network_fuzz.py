"""Mutated frames: whatever comes, an agent goes on or ends with an error, and tells nothing.

Here they are handed to an agent at each phase of planning, without a network; through sockets they
go in `test_network_sockets`. `TACIT_FUZZ` makes them more (`make test-slow`).
"""

from __future__ import annotations

import os
import random
from functools import cache
from pathlib import Path

import pytest
from hosts import all_solved, play, small
from test_factored import factored, generated
from test_solve_privacy import private_words, rename, renaming

from tacit.central.instance import Instance
from tacit.errors import ProtocolError
from tacit.net.grounding import ground_together
from tacit.net.member import Member, Own
from tacit.net.record import DisclosureRecord
from tacit.net.talk import Talk
from tacit.party.agent import Agent
from tacit.pddl.factor_writer import factor
from tacit.public.protocol import digest
from tacit.public.protocol.link import Agreed, Concluded, Linking, Stage, Terms
from tacit.public.protocol.messages import Explore, Grounding, Meet, Publish, decode
from tacit.public.protocol.recording import read_recording
from tacit.transport.mailbox import Arrived, Event

SCALE = int(os.environ.get("TACIT_FUZZ", "100")) // 100
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


@pytest.fixture(scope="module")
def spoken(tmp_path_factory) -> dict[str, list[tuple[str, bytes]]]:
    """Per solver, what the leader of a real run sent to one agent and what others sent it."""
    found = {}
    for solver in ("projection", "mafs"):
        folder = tmp_path_factory.mktemp(solver)
        made = small("logistics", folder, terms=Terms(solver, k=2), secret="fuzz")
        assert all_solved(play({name: made.host(name) for name in NAMES}))
        entries = read_recording(made.configs["plane1"].outputs.transcript).entries
        found[solver] = [(e.peer, e.payload) for e in entries if not e.is_sent]
    return found


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
    _, local, ground, _ = task_of(is_renamed)
    wires = Wires()
    talk = talk_over(wires)
    own = Own(Agent(local, "fuzz plane1"), terms, seconds=0)
    return Member(own, NAMES, talk, ground), talk, wires


@pytest.mark.parametrize("solver", ["projection", "mafs"])
def test_mutated_frames_while_planning(spoken, solver):
    """Some real frames, then mutated ones: each is a fault, or passes for real.

    Two agents hear them that differ in all their private names, and say the very same.
    """
    rng = random.Random(f"{solver} {SCALE}")
    real = sorted((item for item in spoken[solver] if place(item[1])), key=lambda i: place(i[1]))
    done = faults = reached = 0
    count = 240 * SCALE
    memory = Memory(count)
    while done < count:
        both = [member(Terms(solver, k=2), renamed) for renamed in (False, True)]
        before = real[: rng.randrange(len(real))]
        reached += sum(tell(both, *item) is None for item in before) == len(before)
        for peer, frame in (rng.choice(real) for _ in range(8)):
            sent = len(both[0][2].sent)
            done += 1
            if tell(both, peer, mutated(frame, rng)) is not None:
                faults += 1
                replies = [decode(reply) for reply in both[0][2].sent[sent:]]
                assert all(isinstance(reply, Agreed) for reply in replies), "no more than a digest"
        memory.look(done)
    assert faults > done / 2
    assert reached > done / 8 / 2, "real frames are no faults"


def tell(both, peer: str, frame: bytes) -> str | None:
    """What two agents say that hear the same, which is the same."""
    first, second = (fault_of(one, talk, peer, frame) for one, talk, _ in both)
    assert first == second
    assert both[0][2].sent == both[1][2].sent
    return first


def fault_of(one: Member, talk: Talk, peer: str, frame: bytes) -> str | None:
    """What an agent says to a frame; anything but an error that a user can read is a bug."""
    try:
        heard = talk._take(Arrived(peer, frame))
        if heard is not None:
            one.handle(heard)
    except ProtocolError as error:
        return str(error)
    return None


def test_mutated_frames_while_grounding(spoken):
    """One mutated frame among real ones, before and behind its place."""
    rng = random.Random(SCALE)
    real = [
        (peer, frame)
        for peer, frame in spoken["projection"]
        if isinstance(message := decode(frame), Grounding)
        or (isinstance(message, Agreed) and message.stage is Stage.GROUND)
    ]
    pair, _, _, words = task_of(False)
    passed = 0
    count = 60 * SCALE
    memory = Memory(count)
    for number in range(count):
        at = rng.randrange(len(real))
        frames = [*real]
        frames[at] = (real[at][0], mutated(real[at][1], rng))
        talk = talk_over(Wires(Arrived(*item) for item in frames))
        memory.look(number)
        said = grounding_fault(pair, talk)
        passed += said is None
        assert not words.intersection((said or "").split())
    assert passed < count / 2


def grounding_fault(pair, talk: Talk) -> str | None:
    try:
        ground_together(pair, NAMES, talk, 0.0, 1 << 20)
    except ProtocolError as error:
        return str(error)
    return None


class Memory:
    """Memory must not grow once a quarter of the work is done."""

    def __init__(self, total: int):
        self._quarter = total // 4
        self._before = 0

    def look(self, done: int) -> None:
        if done < self._quarter:
            return
        self._before = self._before or resident()
        if done % 1000 < 8 or done >= 4 * self._quarter - 8:
            assert resident() - self._before < 64 << 20


def place(frame: bytes) -> int:
    """Where a frame stands while planning: 0 if nowhere, and what all were told before the rest."""
    message = decode(frame)
    if isinstance(message, Linking | Grounding) and not isinstance(message, Agreed | Concluded):
        return 0
    if isinstance(message, Agreed):
        return 2 * (message.stage is Stage.PUBLISHED)
    return 1 if isinstance(message, Publish | Explore | Meet) else 3


def resident() -> int:
    """Bytes of memory of this process; 0 where that cannot be known."""
    path = Path("/proc/self/statm")
    return int(path.read_text().split()[1]) * 4096 if path.exists() else 0

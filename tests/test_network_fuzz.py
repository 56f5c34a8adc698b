"""Mutated frames: whatever comes, an agent goes on or ends with an error, and tells nothing.

A thousand of them in `make test`; `TACIT_FUZZ` says how many hundreds there are (`make test-slow`).
"""

from __future__ import annotations

import os
import random
import socket
import ssl
import threading
from pathlib import Path

import pytest
from hosts import all_solved, keys_for, play, small
from test_factored import factored, generated

from tacit.errors import ProtocolError, TacitError
from tacit.net.host import Host
from tacit.net.member import Member
from tacit.net.record import DisclosureRecord
from tacit.net.talk import Talk
from tacit.party.agent import Agent
from tacit.pddl.factor_writer import factor
from tacit.public import digest
from tacit.public.link import Hello, Terms, Welcome
from tacit.public.messages import decode, encode
from tacit.public.recording import read_recording
from tacit.transport.frames import HEADER
from tacit.transport.mailbox import Arrived
from tacit.whole.instance import Instance

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
        made = small("logistics", tmp_path_factory.mktemp(solver), terms=Terms(solver, k=2))
        assert all_solved(play({name: made.host(name) for name in NAMES}))
        entries = read_recording(made.configs["plane1"].outputs.transcript).entries
        found[solver] = [(e.peer, e.payload) for e in entries if not e.is_sent]
    return found


class Wires:
    """A network that goes nowhere, and remembers what was sent."""

    def __init__(self):
        self.sent: list[bytes] = []

    def send(self, peer: str, frame: bytes) -> None:
        self.sent.append(frame)

    def backlog(self) -> int:
        return 0


def member(terms: Terms) -> tuple[Member, Talk, Wires]:
    instance = Instance(factored(factor(generated("logistics"))), {})
    public = instance.public
    wires = Wires()
    talk = Talk("plane1", NAMES[1:], wires, DisclosureRecord(None, "plane1"), lambda text: None)
    ground = digest.of_ground(public.facts, public.init, public.goal)
    agent = Agent(instance.local("plane1"), "fuzz")
    return Member(agent, NAMES, talk, terms, ground, 1 << 30), talk, wires


@pytest.mark.parametrize("solver", ["projection", "mafs"])
def test_mutated_frames_while_planning(spoken, solver):
    """Some real frames, then mutated ones: each is a fault, or passes for real."""
    rng = random.Random(f"{solver} {SCALE}")
    real = [item for item in spoken[solver] if type(decode(item[1])).__name__ not in EARLIER]
    done = faults = 0
    while done < 480 * SCALE:
        one, talk, wires = member(Terms(solver, k=2))
        for peer, frame in real[: rng.randrange(len(real))]:
            if fault_of(one, talk, peer, frame) is not None:
                break  # the numbers of this agent's actions are others than in that run
        for _ in range(8):
            peer, frame = rng.choice(real)
            sent = len(wires.sent)
            fault = fault_of(one, talk, peer, mutated(frame, rng))
            done += 1
            if fault is not None:
                faults += 1
                assert isinstance(fault, ProtocolError)
                assert len(wires.sent) == sent, "no reply to nonsense"
    assert faults > done / 2


def fault_of(one: Member, talk: Talk, peer: str, frame: bytes) -> TacitError | None:
    """What an agent says to a frame; anything but an error of its own is a bug."""
    try:
        heard = talk._take(Arrived(peer, frame))
        if heard is not None:
            one.handle(heard)
    except TacitError as error:
        return error
    return None


EARLIER = {"Hello", "Welcome", "Ready", "Beat", "Opening", "Reached", "Closing", "Farewell"}


def resident() -> int:
    """Bytes of memory of this process; 0 where that cannot be known."""
    path = Path("/proc/self/statm")
    return int(path.read_text().split()[1]) * 4096 if path.exists() else 0


def test_mutated_frames_against_a_listening_agent(tmp_path):
    made = small("logistics", tmp_path)
    host = made.host("truck1")
    found: dict[str, object] = {}
    thread = threading.Thread(target=lambda: found.update(play({"truck1": host})), daemon=True)
    thread.start()
    rng = random.Random(SCALE)
    plane = made.host("plane1")
    hello = plane._hello()
    plane._network.close()  # another plane1 will listen there
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    keys = keys_for(*NAMES)
    context.load_verify_locations(keys / "ca.pem")
    context.load_cert_chain(keys / "plane1.pem", keys / "plane1.key")
    replies: set[bytes] = set()
    before = 0
    count = 40 * SCALE
    for number in range(count):
        replies.add(nonsense(host, context, hello, rng))
        if number == count // 4:
            before = resident()
    assert resident() - before < 64 << 20
    kinds = {type(decode(reply)).__name__ for reply in replies if reply}
    assert kinds <= {"Hello", "Welcome", "Refused", "Ready", "Beat"}
    others = {name: made.host(name) for name in NAMES if name != "truck1"}
    found.update(play(others))
    thread.join(100)
    assert all_solved(found), found


def nonsense(host: Host, context: ssl.SSLContext, hello: Hello, rng: random.Random) -> bytes:
    """A mutated hello, or a good greeting and then a mutated frame; what came last."""
    good = encode(hello)
    frames = [HEADER.pack(len(good), 0) + good]
    if rng.random() < 0.5:
        frames[0] = mutated(frames[0], rng)
    else:
        welcome = encode(Welcome("plane1"))
        frames.append(HEADER.pack(len(welcome), 1) + welcome)
        bad = mutated(good, rng)
        frames.append(
            mutated(HEADER.pack(len(bad), 2) + bad, rng)
            if rng.random() < 0.3
            else HEADER.pack(len(bad), 2) + bad
        )
    last = b""
    with socket.create_connection(("127.0.0.1", host.port), timeout=60) as raw:
        try:
            stream = context.wrap_socket(raw)
            stream.sendall(b"".join(frames))
            stream.settimeout(0.05)
            data = b""
            while part := stream.recv(1 << 16):
                data += part
            while len(data) >= HEADER.size:
                length, _ = HEADER.unpack_from(data)
                last, data = data[HEADER.size : HEADER.size + length], data[HEADER.size + length :]
        except OSError:
            pass
    return last

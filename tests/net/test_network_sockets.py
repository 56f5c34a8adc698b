"""Mutated frames through TLS sockets, to agents that are processes and wait for others.

A peer with a good certificate greets them as it should and then sends nonsense, made from what it
would say in a real run. Whatever comes, an agent goes on listening, its memory does not grow, and
two agents that have nothing but their public parts in common give the same replies to the byte.
There are a thousand frames in `make test`, and ten times `TACIT_FUZZ` in `make test-slow`.
"""

from __future__ import annotations

import contextlib
import os
import random
import socket
import ssl
import subprocess
import time
from pathlib import Path

import pytest
from support.forms import factored, generated
from support.frames import mutated
from support.hosts import all_solved, identity, keys_for, play, small, troupe
from support.programs import PROGRAM, arguments, lay_out
from support.renaming import private_words, rename, renaming

from tacit.errors import ExitCode
from tacit.net.rehearsal import HOST, free_ports
from tacit.pddl.factor_writer import factor
from tacit.public.protocol.link import Hello, Terms, Welcome
from tacit.public.protocol.messages import decode, encode, is_checkpoint, is_receipt
from tacit.public.protocol.recording import read_recording
from tacit.transport.frames import HEADER

FRAMES = 10 * int(os.environ.get("TACIT_FUZZ", "100"))
HELLOS = FRAMES // 100
BURST = 50
"""Frames on one connection: the first that is no message ends it, and those read by then are looked
at, too."""
CALLER, LISTENER = "plane1", "truck1"
ROOM = 48 << 20
"""Bytes that a process may grow by: its allocator's caches."""


@pytest.fixture(scope="module")
def said(tmp_path_factory) -> list[bytes]:
    """What the caller says to the listener in real runs of both solvers."""
    found: list[bytes] = []
    for solver in ("projection", "mafs"):
        folder = tmp_path_factory.mktemp(solver)
        made = small("logistics", folder, terms=Terms(solver, k=2), secret="sockets")
        assert all_solved(play({name: made.host(name) for name in made.names}))
        entries = read_recording(made.configs[CALLER].outputs.transcript).entries
        found += [entry.payload for entry in entries if entry.is_sent]
    return found


class Listener:
    """An agent's process that waits for others, started anew when it has ended."""

    def __init__(self, texts: dict[str, tuple[str, str]], folder: Path):
        self.folder = folder
        agents = lay_out(texts, folder)
        ports = free_ports(len(agents))
        self.where = {a: f"{HOST}:{port}" for a, port in zip(agents, ports, strict=True)}
        self.place = (HOST, dict(zip(agents, ports, strict=True))[LISTENER])
        self.restarts = -1
        self.start()

    def start(self) -> None:
        self.restarts += 1
        given = ("--beat=3000", "--silence=3000", "--secret-seed=sockets")
        words = arguments(LISTENER, self.folder, self.where, *given)
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [*PROGRAM, *words, "--wait=100000"], stdout=subprocess.PIPE, stderr=log
            )
        end = time.monotonic() + 100
        while self.process.poll() is None and time.monotonic() < end:
            with contextlib.suppress(OSError), socket.create_connection(self.place):
                return
            time.sleep(0.05)
        raise AssertionError((self.folder / "log").read_text())

    def start_again(self) -> None:
        """It has ended, as it does when a peer wants other terms, say."""
        assert self.process.wait(100) == ExitCode.PROTOCOL, "a clear error, and no crash"
        self.start()

    @property
    def resident(self) -> int:
        """Bytes of memory; 0 where that cannot be known."""
        path = Path(f"/proc/{self.process.pid}/statm")
        return int(path.read_text().split()[1]) * 4096 if path.exists() else 0

    @property
    def log(self) -> list[str]:
        return (self.folder / "log").read_text().splitlines()

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture
def both(tmp_path):
    """Two listeners: of the second all private names are others, and so is what it can do."""
    texts = factor(generated("logistics"))
    domain, problem = texts[LISTENER]
    names = renaming(private_words(factored({LISTENER: texts[LISTENER]})), random.Random(3))
    cut = "  (in-city truck1 place1-1 city1)\n"
    assert cut in problem
    more = problem.replace(cut, "").replace("(:private\n", "(:private\n    one-more - city\n")
    other = rename(domain, names), rename(more, names)
    pair = [Listener(texts, tmp_path / "one")]
    pair.append(Listener({**texts, LISTENER: other}, tmp_path / "two"))
    yield pair
    for listener in pair:
        listener.stop()


def client() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    keys = keys_for("plane1", "truck0", "truck1")
    context.load_verify_locations(keys / "ca.pem")
    context.load_cert_chain(keys / f"{CALLER}.pem", keys / f"{CALLER}.key")
    return context


def replies(place: tuple[str, int], context: ssl.SSLContext, data: bytes) -> bytes:
    """All that an agent says on a connection on which it is sent this, and no more."""
    found = b""
    with contextlib.suppress(OSError), socket.create_connection(place, timeout=60) as raw:
        stream = context.wrap_socket(raw)
        stream.sendall(data)
        socket.socket.shutdown(stream, socket.SHUT_WR)  # not TLS's own, which forgets its keys
        while part := stream.recv(1 << 16):
            found += part
    return found


def framed(payloads: list[bytes]) -> bytes:
    return b"".join(HEADER.pack(len(p), n) + p for n, p in enumerate(payloads))


def kinds(data: bytes) -> list[str]:
    found = []
    while data:
        length, _ = HEADER.unpack_from(data)
        found.append(type(decode(data[HEADER.size : HEADER.size + length])).__name__)
        data = data[HEADER.size + length :]
    return found


def unsigned(data: bytes) -> list[object]:
    """The messages in it, without the random number of a welcome."""
    found: list[object] = []
    while data:
        length, _ = HEADER.unpack_from(data)
        message = decode(data[HEADER.size : HEADER.size + length])
        if isinstance(message, Welcome):
            message = Welcome(message.sender, b"", message.certificates)
        found.append(message)
        data = data[HEADER.size + length :]
    return found


def welcome() -> bytes:
    signer = identity(keys_for("plane1", "truck0", "truck1"), CALLER).signer()
    return encode(Welcome(CALLER, bytes(32), signer.certificates))


def hello_of(said: list[bytes]) -> Hello:
    """The hello that is right for a run by default terms."""
    found = next(m for m in map(decode, said) if isinstance(m, Hello))
    return Hello(found.sender, found.version, found.agents, Terms(), found.digest)


def test_mutated_frames(said, both, tmp_path):
    """Each agent stays the same process through all of it, and plans in the end."""
    rng = random.Random(FRAMES)
    context, greeting = client(), [encode(hello_of(said)), welcome()]
    receipts = [frame for frame in said if is_receipt(frame) or is_checkpoint(frame)]
    others = [frame for frame in said if frame not in receipts]
    sent = 0
    before = [0, 0]
    while sent < FRAMES:
        bad = [mutated(rng.choice(others), rng) for _ in range(BURST - 2)]
        bad += [mutated(rng.choice(receipts), rng) for _ in range(2)]  # they end the stream at once
        data = framed([*greeting, *bad])
        if rng.random() < 0.1:  # headers, too
            good = len(framed(greeting))
            data = data[:good] + mutated(data[good:], rng)
        one, other = (replies(listener.place, context, data) for listener in both)
        assert unsigned(one) == unsigned(other)
        assert kinds(one) == ["Hello", "Welcome"], "and no more, whatever comes"
        sent += BURST
        if sent >= FRAMES // 4:
            before = [old or listener.resident for old, listener in zip(before, both, strict=True)]
    for listener, old in zip(both, before, strict=True):
        assert listener.process.poll() is None
        assert listener.resident - old < ROOM
    seen = [sum("disconnected 'plane1'" in line for line in one.log) for one in both]
    now = [listener.resident for listener in both]
    print(f"{sent} frames, {seen} looked at and refused, memory {before}, then {now}")
    assert min(seen) > sent / 2
    plan_after_all(both[0], tmp_path)


def plan_after_all(listener: Listener, folder: Path) -> None:
    """The others come, and all three plan."""
    made = troupe(factor(generated("logistics")), folder / "others")
    places = {a: (HOST, int(at.rpartition(":")[2])) for a, at in listener.where.items()}
    for name in made.names:
        peers = {other: place for other, place in places.items() if other != name}
        made.change(name, listen=places[name], peers=peers)
    found = play({name: made.host(name) for name in made.names if name != LISTENER})
    assert all_solved(found), found
    assert listener.process.wait(100) == 0, listener.log[-3:]


def test_mutated_hellos(said, both):
    """One that differs in what must be agreed on ends an agent, with an error; no other does."""
    rng = random.Random(FRAMES)
    context, good = client(), encode(hello_of(said))
    for _ in range(HELLOS):
        data = mutated(framed([good]), rng)
        one, other = (replies(listener.place, context, data) for listener in both)
        assert unsigned(one) == unsigned(other)
        assert kinds(one) in ([], ["Refused"], ["Hello", "Refused"], ["Hello", "Welcome"])
        if kinds(one) == ["Hello", "Refused"]:
            for listener in both:
                listener.start_again()
    assert all(listener.process.poll() is None for listener in both)
    print(f"{HELLOS} hellos, {both[0].restarts} restarts")

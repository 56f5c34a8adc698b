"""The first words on a stream: whoever does not greet as agreed is refused, on either side."""

from __future__ import annotations

import asyncio
import queue
import socket
import ssl
import threading
import time

import pytest
from support.frames import Wires, talk_over
from support.hosts import identity, keys_for
from support.inside import take
from support.tls import client, talk

from tacit.net.faults import Fault
from tacit.public.protocol.digest import of_problem
from tacit.public.protocol.link import (
    VERSION,
    Hello,
    Ready,
    Reason,
    Refused,
    Terms,
    Welcome,
    difference,
)
from tacit.public.protocol.messages import Poll, decode, encode
from tacit.transport.doors import Place
from tacit.transport.frames import HEADER, LinkLimits
from tacit.transport.mailbox import Arrived, Failed, Up
from tacit.transport.network import Network
from tacit.transport.tls import names

NAMES = ("a", "b")
HERE = ("127.0.0.1", 0)


def hello(sender: str, version: int = VERSION, agents: tuple[str, ...] = NAMES) -> Hello:
    return Hello(sender, version, agents, Terms(), of_problem([], [], []))


def welcome(sender: str, shown: str | None = None, nonce: bytes = bytes(32)) -> Welcome:
    """A welcome with an agent's certificate, its own unless another's is shown."""
    signer = identity(keys_for(*NAMES), shown or sender).signer()
    return Welcome(sender, nonce, signer.certificates)


def framed(*messages) -> bytes:
    payloads = [encode(message) for message in messages]
    return b"".join(HEADER.pack(len(p), n) + p for n, p in enumerate(payloads))


def read(data: bytes) -> list[object]:
    found = []
    while data:
        length, _ = HEADER.unpack_from(data)
        found.append(decode(data[HEADER.size : HEADER.size + length]))
        data = data[HEADER.size + length :]
    return found


class End:
    """One agent's end of the network, and what it logs."""

    def __init__(self, own: str, place: Place, greeting: float = 5):
        self.logged: queue.SimpleQueue[str] = queue.SimpleQueue()
        limits = LinkLimits(greeting=greeting)
        files = identity(keys_for(*NAMES), own)
        self.network = Network(hello(own), place, files, limits, log=self.logged.put)
        self.network.start()

    @property
    def port(self) -> int:
        return self.network.port


@pytest.fixture
def called():
    """Agent b, who is called by a."""
    end = End("b", Place(HERE, {}, frozenset({"a"})))
    yield end
    end.network.close()


def says(end: End, *messages) -> list[object]:
    """What b answers to somebody with the certificate of a."""
    context = client(keys_for(*NAMES), "a")
    return read(talk(end, context, framed(*messages)))


def test_whoever_does_not_welcome_is_no_peer(called):
    own = hello("b")
    for answer in (Ready("a"), Welcome("b"), Poll("a")):
        first, second = says(called, hello("a"), answer)
        assert (first, type(second)) == (own, Welcome)
        assert called.logged.get(timeout=30).endswith("it does not answer a hello with a welcome")
    for first in (Welcome("a"), Ready("a"), Poll("a")):
        assert says(called, first) == []
        assert called.logged.get(timeout=30).endswith("it does not begin with a hello")
    assert called.network.take(0) is None, "nobody was let in"


def test_a_welcome_shows_the_certificate_that_tls_has_checked(called):
    """Receipts are checked with it later, by others."""
    for bad in (Welcome("a"), welcome("a", shown="b"), welcome("a", nonce=b"short")):
        assert len(says(called, hello("a"), bad)) == 2
        assert "does not have its certificate" in called.logged.get(timeout=30)
    assert called.network.take(0) is None, "nobody was let in"


def test_no_two_streams_are_alike(called):
    nonces = {says(called, hello("a"), Ready("a"))[1].nonce for _ in range(3)}
    assert len(nonces) == 3
    assert {len(nonce) for nonce in nonces} == {32}


def test_whoever_shakes_hands_and_says_nothing():
    end = End("b", Place(HERE, {}, frozenset({"a"})), greeting=1)
    context = client(keys_for(*NAMES), "a")
    with socket.create_connection(("127.0.0.1", end.port)) as raw, context.wrap_socket(raw):
        assert end.logged.get(timeout=30).endswith("it took too long")
    end.network.close()


def test_nobody_speaks_in_anothers_name():
    """Once let in, either: each message must have its sender's own name."""
    talk = talk_over(Wires())
    assert take(talk, Arrived("truck0", encode(Poll("truck0")))) is not None
    for other in ("truck1", "plane1", "nobody"):
        with pytest.raises(Fault, match="'truck0' sent a message in another's name"):
            take(talk, Arrived("truck0", encode(Poll(other))))


def test_a_call_while_planning(called):
    called.network.begin()
    assert says(called, hello("a")) == [Refused("b", Reason.BUSY)]
    assert "after planning has begun" in called.logged.get(timeout=30)


def test_a_greeting_that_ends_when_planning_has_begun(called):
    """It was begun before; the stream is ended all the same."""

    class Late:
        stream = property(lambda self: self)
        is_ended = False

        def abort(self) -> None:
            self.is_ended = True

    called.network.begin()
    late = Late()
    asyncio.run_coroutine_threadsafe(called.network._run("a", late), called.network._loop).result()
    assert late.is_ended
    assert called.network.take(0) is None


@pytest.mark.parametrize(
    ("other", "reason", "text"),
    [
        (hello("a", version=VERSION + 1), Reason.VERSION, f"speaks version {VERSION + 1}"),
        (hello("a", agents=("a", "b", "c")), Reason.AGENTS, "plans with a, b, c"),
    ],
)
def test_what_must_be_the_same(called, other, reason, text):
    assert says(called, other) == [hello("b"), Refused("b", reason)]
    event = called.network.take(10)
    assert isinstance(event, Failed)
    assert text in str(event.error)
    found = difference(hello("b"), other)
    assert found is not None
    assert found[0] is reason


@pytest.mark.parametrize("claimed", ["a", "c", "b"])
def test_an_agent_that_is_called_must_say_its_own_name(claimed):
    """The certificate is the right one; the hello must be, too."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    keys = keys_for(*NAMES)
    context.load_cert_chain(keys / "b.pem", keys / "b.key")
    with socket.create_server(HERE) as server:

        def answer() -> None:
            connection, _ = server.accept()
            with connection, context.wrap_socket(connection, server_side=True) as stream:
                stream.recv(1 << 16)
                stream.sendall(framed(hello(claimed), welcome(claimed, shown="b")))
                stream.recv(1 << 16)

        threading.Thread(target=answer, daemon=True).start()
        end = End("a", Place(HERE, {"b": server.getsockname()[:2]}, frozenset()))
        limit = time.monotonic() + 30
        while (event := end.network.take(0.05)) is None and time.monotonic() < limit:
            if end.network.troubles.get("b") == "it does not answer a hello with its own":
                break
        end.network.close()
    assert time.monotonic() < limit
    assert (event == Up("b")) == (claimed == "b")


def test_names_are_of_their_kind():
    def shown(*others, common=()):
        subject = tuple((("commonName", name),) for name in common)
        return {"subject": subject, "subjectAltName": others}

    assert not names(shown(("DNS", "tacit:a1")), "a1")
    assert not names(shown(("URI", "a1")), "a1")
    assert not names(shown(common=("a1", "b")), "a1"), "a certificate names one agent"
    assert not names(shown(common=("b",)), "a1")
    assert not names(shown(), "a1")


def test_no_session_is_resumed():
    own = identity(keys_for(*NAMES), "b")
    assert own.context(is_server=True).num_tickets == 0

"""Receipts of a stream: when they are due, and that one which does not hold ends it at once."""

from __future__ import annotations

from dataclasses import replace
from threading import Thread
from types import SimpleNamespace

import msgspec
import pytest
from support.hosts import identity, keys_for, play, small
from support.inside import network_of

from tacit.audit.evidence import evidence_of
from tacit.errors import InputError, ProtocolError
from tacit.net.config import Timing
from tacit.public.evidence.chain import Chain, Statement
from tacit.public.evidence.signing import Signer, checker
from tacit.public.protocol.digest import of_problem
from tacit.public.protocol.link import (
    VERSION,
    Agreed,
    Beat,
    Farewell,
    Hello,
    Ready,
    Reason,
    Receipt,
    Stage,
    Terms,
)
from tacit.public.protocol.messages import (
    Poll,
    States,
    decode,
    encode,
    is_checkpoint,
    is_farewell,
    is_receipt,
)
from tacit.public.protocol.recording import Recorder, read_recording
from tacit.transport.doors import Place
from tacit.transport.frames import LinkLimits
from tacit.transport.mailbox import Arrived, Up
from tacit.transport.network import Network
from tacit.transport.receipts import EVERY, Receipts

NAMES = ("a", "b")
FRAME = encode(Poll("a"))


def signer(name: str) -> Signer:
    return identity(keys_for(*NAMES), name).signer()


def ends(nonce: bytes = b"1") -> dict[str, Receipts]:
    """Both ends of a stream after its greeting."""
    found = {}
    said = {name: Chain() for name in NAMES}
    for name, chain in said.items():
        chain.extend(f"hello {name}".encode())
        chain.extend(f"welcome {name}".encode() + nonce)
    for own, peer in (NAMES, NAMES[::-1]):
        wire = SimpleNamespace(
            sent=Chain(said[own].position),
            received=Chain(said[peer].position),
            is_caller=own == "a",
            signer=signer(own),
            check=checker(signer(peer).certificates[0]),
        )
        found[own] = Receipts(own, peer, wire)
    return found


def say(both: dict[str, Receipts], own: str, frame: bytes = FRAME) -> bool:
    other = both["b" if own == "a" else "a"]
    is_due = both[own].sends(frame, is_beat=False)
    other.receives(frame, is_beat=False)
    return is_due


def test_each_end_takes_the_others_receipts():
    both = ends()
    for own, other in (NAMES, NAMES[::-1], NAMES, NAMES):
        say(both, own)
        say(both, other)
        both[other].checks(both[own].issue())


def test_a_receipt_follows_many_frames_in_either_direction():
    both = ends()
    due = [say(both, "a") for _ in range(EVERY)]
    assert due == [False] * (EVERY - 1) + [True]
    assert both["b"].is_owed, "it received as many"
    both["b"].issue()
    assert not both["b"].is_owed
    assert both["b"].uncovered == 0


@pytest.mark.parametrize(
    ("message", "is_due"),
    [
        (Agreed("a", Stage.GROUND, b""), True),
        (Farewell("a", Reason.DONE), True),
        (Ready("a"), False),
        (Poll("a"), False),
    ],
)
def test_a_receipt_follows_the_end_of_a_phase(message, is_due):
    assert say(ends(), "a", encode(message)) is is_due


def test_who_owes_a_receipt_and_sends_none():
    both = ends()
    for _ in range(EVERY):
        both["b"].receives(FRAME, is_beat=False)
    with pytest.raises(ProtocolError, match="it owes a receipt"):
        both["b"].receives(FRAME, is_beat=False)
    both = ends()
    both["b"].receives(encode(Farewell("a", Reason.DONE)), is_beat=False)
    with pytest.raises(ProtocolError, match="it owes a receipt"):
        both["b"].receives(encode(Beat("a")), is_beat=True)


def test_kinds_are_recognised_by_their_bytes():
    receipt = ends()["a"].issue()
    farewell = encode(Farewell("a", Reason.DONE))
    assert is_receipt(receipt)
    assert isinstance(decode(receipt), Receipt)
    assert is_farewell(farewell)
    assert is_checkpoint(farewell)
    for other in (FRAME, encode(Beat("a")), b"", b"\x87"):
        assert not any(kind(other) for kind in (is_receipt, is_farewell, is_checkpoint))


def test_only_the_receipt_after_a_farewell_is_answered():
    both = ends()
    say(both, "a")
    both["b"].checks(both["a"].issue())
    assert not both["b"].is_owed
    say(both, "a", encode(Farewell("a", Reason.DONE)))
    both["b"].checks(both["a"].issue())
    assert both["b"].is_owed
    assert not both["a"].is_settled
    both["a"].checks(both["b"].issue())
    assert both["a"].is_settled
    assert not both["a"].is_owed, "nobody answers an answer"


def changed(payload: bytes, **changes: object) -> bytes:
    return encode(msgspec.structs.replace(decode(payload), **changes))


@pytest.mark.parametrize(
    "changes",
    [
        {"sent": 2},
        {"sent": 4},
        {"sent_chain": bytes(32)},
        {"received": 3},
        {"received_chain": bytes(32)},
        {"signature": b""},
        {"signature": bytes(64)},
        {"sender": "b"},
    ],
    ids=str,
)
def test_a_receipt_that_was_changed(changes):
    both = ends()
    say(both, "a")
    with pytest.raises(ProtocolError, match="a receipt that does not hold"):
        both["b"].checks(changed(both["a"].issue(), **changes))


def test_receipts_of_another_stream_or_place():
    both, others = ends(), ends(b"2")
    for pair in (both, others):
        say(pair, "a")
    foreign = others["a"].issue()
    with pytest.raises(ProtocolError):
        both["b"].checks(foreign)
    first = both["a"].issue()
    both["b"].checks(first)
    with pytest.raises(ProtocolError):
        both["b"].checks(first)  # again
    with pytest.raises(ProtocolError):
        both["a"].checks(first)  # back to its sender


def test_a_signed_lie(monkeypatch):
    """The key is right, and what is stated about frames that were received is not."""
    both = ends()
    say(both, "b")
    both["a"].checks(both["b"].issue())
    lie = both["a"]._acknowledging._replace(value=bytes(32))
    monkeypatch.setattr(both["a"], "_acknowledging", lie)
    with pytest.raises(ProtocolError):
        both["b"].checks(both["a"].issue())


@pytest.mark.parametrize("kind", ["ec", "ed25519", "ed448", "rsa"])
def test_keys_of_other_kinds_sign(tmp_path, kind):
    """Organisations have their own."""
    import datetime

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa

    key = {
        "ec": lambda: ec.generate_private_key(ec.SECP384R1()),
        "ed25519": ed25519.Ed25519PrivateKey.generate,
        "ed448": ed448.Ed448PrivateKey.generate,
        "rsa": lambda: rsa.generate_private_key(65537, 2048),
    }[kind]()
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "a")])
    now = datetime.datetime.now(datetime.UTC)
    built = x509.CertificateBuilder(name, name, key.public_key(), 7, now, now.replace(year=9000))
    cert = built.sign(key, None if kind.startswith("ed") else hashes.SHA256())
    (tmp_path / "c").write_bytes(cert.public_bytes(serialization.Encoding.PEM))
    pem = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    (tmp_path / "k").write_bytes(key.private_bytes(*pem, serialization.NoEncryption()))
    own = Signer.read(tmp_path / "c", tmp_path / "k")
    data = Statement(bytes(32), "a", "b", Chain().position, Chain().position).encoded()
    check = checker(own.certificates[0])
    assert check(data, own.sign(data))
    assert not check(data + b"x", own.sign(data))
    assert not check(data, b"")


def test_a_peer_that_does_not_sign_is_gone(tmp_path):
    """Live: the stream ends at the first receipt that does not hold, and the run with it."""
    limits = LinkLimits(beat=0.5, silence=30, greeting=30)
    made = small("driverlog", tmp_path, 1, limits=limits, timing=Timing(wait=20, run=40))
    hosts = {name: made.host(name) for name in made.names}
    doors = network_of(hosts["driver2"])._doors
    doors._signer = replace(doors._signer, sign=lambda data: bytes(64))
    found = play(hosts)
    with pytest.raises(ProtocolError, match=r"'driver2' is gone: it sent a receipt that does not"):
        raise found["driver1"]
    last = read_recording(made.configs["driver1"].outputs.transcript).entries
    assert any(is_receipt(entry.payload) and not entry.is_sent for entry in last), "on record"


def test_a_stream_that_ends_is_read_to_its_end(tmp_path):
    """What crossed last is in both transcripts: the farewells, and receipts for them."""
    made = small("driverlog", tmp_path, 1)
    hosts = {name: made.host(name) for name in made.names}
    play(hosts)
    for name in made.names:
        other = next(one for one in made.names if one != name)
        mine, theirs = (
            read_recording(made.configs[agent].outputs.transcript).entries
            for agent in (name, other)
        )
        sent = [e.payload for e in mine if e.is_sent]
        received = [e.payload for e in theirs if not e.is_sent]
        assert sent[: len(received)] == received
        assert any(map(is_farewell, received))
        assert all(map(is_receipt, sent[len(received) :])), "nothing else is lost between them"


def test_what_cannot_be_written_down_is_not_sent(tmp_path, monkeypatch):
    """A disk that is full ends the run with an error that says so, and no frame goes out unseen."""
    from tacit import files

    limits = LinkLimits(beat=0.5, silence=30, greeting=30)
    made = small("driverlog", tmp_path, 1, limits=limits, timing=Timing(wait=20, run=40))
    hosts = {name: made.host(name) for name in made.names}
    full = hosts["driver2"]._recorder._file
    write, left = files.write_all, [20]

    def take(file, data: bytes) -> None:
        left[0] -= file is full
        if file is full and left[0] < 0:
            raise OSError(28, "No space left on device")
        write(file, data)

    monkeypatch.setattr(files, "write_all", take)
    found = play(hosts)
    with pytest.raises(InputError, match=r"cannot write '.*transcript': No space left on device"):
        raise found["driver2"]
    assert isinstance(found["driver1"], ProtocolError)
    sent, received = (
        read_recording(made.configs[name].outputs.transcript).entries
        for name in ("driver2", "driver1")
    )
    arrived = [e.payload for e in received if not e.is_sent]
    assert [e.payload for e in sent if e.is_sent][: len(arrived)] == arrived


def test_thousands_of_frames_both_ways(tmp_path):
    """Receipts among them hold, whatever crosses at the same time, and all of it is proved."""
    keys, here = keys_for(*NAMES), ("127.0.0.1", 0)
    recorders = {name: Recorder(tmp_path / name, name, NAMES) for name in NAMES}

    def network(name: str, place: Place) -> Network:
        hello = Hello(name, VERSION, NAMES, Terms(), of_problem([], [], []))
        files = identity(keys, name)
        found = Network(hello, place, files, LinkLimits(beat=0.2), recorders[name].add)
        found.start()
        return found

    called = network("b", Place(here, {}, frozenset("a")))
    calling = network("a", Place(here, {"b": (here[0], called.port)}, frozenset()))
    both = {"a": (calling, "b", 3_300), "b": (called, "a", 2_100)}
    for one, _, _ in both.values():
        assert isinstance(one.take(30), Up)
        one.begin()
    threads = [Thread(target=burst, args=(name, *item)) for name, item in both.items()]
    for thread in threads:
        thread.start()
    for name, (one, peer, _) in both.items():
        for _ in range(both[peer][2]):
            event = one.take(60)
            assert isinstance(event, Arrived), (name, event)
    ends = [Thread(target=called.close), Thread(target=calling.close)]
    for thread in ends:
        thread.start()
    for thread in (*threads, *ends):
        thread.join(60)
    for recorder in recorders.values():
        recorder.close()
    found = evidence_of([read_recording(tmp_path / name) for name in NAMES], keys / "ca.pem")
    assert not found.problems
    assert all(proof.proved > proof.count - EVERY - 50 for proof in found.proofs), found.proofs


def burst(name: str, network: Network, peer: str, count: int) -> None:
    """So many frames, the last of which is a farewell, so that a receipt follows."""
    for number in range(count - 1):
        network.send(peer, encode(States(name, number, bytes(number % 300))))
    network.send(peer, encode(Farewell(name, Reason.DONE)))

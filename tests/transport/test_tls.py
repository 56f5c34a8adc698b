"""Who is let in: certificates from the right CA that name the right agent, over TLS 1.3."""

from __future__ import annotations

import datetime
import socket
import ssl
import stat
import threading

import pytest
from support.forms import generated
from support.hosts import all_solved, identity, keys_for, play, small
from support.tls import client, talk
from support.waiting import until

from tacit.errors import InputError, ProtocolError
from tacit.net import keys
from tacit.net.config import Timing
from tacit.public.protocol.digest import of_problem
from tacit.public.protocol.link import VERSION, Hello, Reason, Refused, Terms
from tacit.public.protocol.messages import decode, encode
from tacit.transport.frames import HEADER, LinkLimits
from tacit.transport.network import STRANGERS
from tacit.transport.tls import Identity, agent_uri, names

NAMES = ("plane1", "truck0", "truck1")
LISTENER = "truck1"


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    """Certificates of all kinds: by the agents' own CA, by another one, expired ones."""
    folder = tmp_path_factory.mktemp("shelf")
    week, past = datetime.timedelta(days=7), datetime.timedelta(days=-1)
    ca = keys._make("CA", None, None, week)
    (folder / "ca.pem").write_bytes(keys._pem(ca))
    for file, agent, lifetime in (
        *((name, name, week) for name in NAMES),
        ("expired", "plane1", past),
        ("stranger", "somebody", week),
    ):
        made = keys._make(agent, agent, ca, lifetime)
        (folder / f"{file}.pem").write_bytes(keys._pem(made))
        (folder / f"{file}.key").touch(mode=0o600)
        (folder / f"{file}.key").write_bytes(keys._key_pem(made))
    keys.make_keys(folder / "other", NAMES, 1)
    return folder


@pytest.fixture
def listening(shelf, tmp_path):
    """An agent that waits for the others; what it logs, and whom it hears from."""
    limits = LinkLimits(beat=0.5, silence=60, greeting=5)
    made = small("logistics", tmp_path, limits=limits, timing=Timing(wait=60))
    for name in NAMES:
        made.change(name, identity=identity(shelf, name))
    host = made.host(LISTENER)
    found: dict[str, object] = {}
    thread = threading.Thread(target=lambda: found.update(play({LISTENER: host})), daemon=True)
    thread.start()
    yield made, host
    others = {name: made.host(name) for name in NAMES if name != LISTENER}
    found.update(play(others))
    thread.join(60)
    assert all_solved(found), "whoever was refused, the others still plan"
    assert len(found) == 3


def hello(sender: str) -> bytes:
    payload = encode(Hello(sender, VERSION, NAMES, Terms(), of_problem([], [], [])))
    return HEADER.pack(len(payload), 0) + payload


def logged(made, text: str) -> None:
    said = made.logs[LISTENER]
    until(lambda: any("refused" in line and text in line for line in said), lambda: said)


def test_strangers_are_refused_and_logged(listening, shelf):
    made, host = listening
    old = ssl.TLSVersion.TLSv1_2
    for context, data, text in (
        (client(shelf, "plane1", "other"), b"", "not accepted"),
        (client(shelf, "expired"), b"", "expired"),
        (client(shelf, None), b"", "shows no certificate"),
        (client(shelf, "plane1", version=old), b"", "TLS 1.3"),
        (None, b"GET / HTTP/1.1\r\n\r\n", "does not speak TLS"),
        (None, hello("plane1"), "does not speak TLS"),
        (client(shelf, "plane1"), b"\0\0\0\1\0\0\0\7x", "out of order"),
        (client(shelf, "plane1"), b"\1\0\0\0\0\0\0\0", "a frame that is too long"),
        (client(shelf, "plane1"), b"\0\0\0\3\0\0\0\0xyz", "not a message"),
    ):
        assert talk(host, context, data) == b"", "nothing is told to strangers"
        logged(made, text)


def test_the_right_ca_but_the_wrong_name(listening, shelf):
    made, host = listening
    for certificate, claimed, text in (
        ("stranger", "plane1", "its certificate does not name"),
        ("truck0", "plane1", "its certificate does not name"),
        ("stranger", "somebody", "is expected to call"),
        (LISTENER, LISTENER, "is expected to call"),
    ):
        answer = talk(host, client(shelf, certificate), hello(claimed))
        logged(made, text)
        assert decode(answer[HEADER.size :]) == Refused(LISTENER, Reason.NAME)


def test_a_connection_that_says_nothing_takes_no_room_for_long(listening, shelf):
    made, host = listening
    silent = [socket.create_connection(("127.0.0.1", host.port)) for _ in range(STRANGERS + 5)]
    logged(made, "too many connections")
    logged(made, "it took too long")
    for connection in silent:
        connection.close()


CALLERS = {
    "another CA": ("other/plane1", "refuses the certificate|cannot be reached"),
    "expired": ("expired", "refuses the certificate of this end: certificate expired"),
    "another name": ("stranger", "the certificate has another name"),
}


@pytest.mark.parametrize("what", list(CALLERS))
def test_a_refused_caller_learns_why(shelf, tmp_path, what):
    file, text = CALLERS[what]
    made = small("logistics", tmp_path, timing=Timing(wait=4))
    for name in NAMES:
        made.change(name, identity=identity(shelf, name))
    own = Identity(shelf / f"{file}.pem", shelf / f"{file}.key", shelf / "ca.pem")
    made.change("plane1", identity=own)
    found = play({name: made.host(name) for name in ("plane1", LISTENER)})
    assert isinstance(found["plane1"], ProtocolError)
    with pytest.raises(ProtocolError, match=text):
        raise found["plane1"]
    assert any("refused" in line for line in made.logs[LISTENER])
    assert "'plane1'" in str(found[LISTENER])


@pytest.mark.parametrize("file", ["other/truck1", "stranger", "expired"])
def test_a_caller_checks_which_agent_answers(shelf, tmp_path, file):
    made = small("logistics", tmp_path, timing=Timing(wait=4))
    for name in NAMES:
        made.change(name, identity=identity(shelf, name))
    own = Identity(shelf / f"{file}.pem", shelf / f"{file}.key", shelf / "ca.pem")
    made.change(LISTENER, identity=own)
    found = play({name: made.host(name) for name in ("plane1", LISTENER)})
    text = "has another name" if file == "stranger" else "not accepted"
    with pytest.raises(ProtocolError, match=text):
        raise found["plane1"]
    assert isinstance(found[LISTENER], ProtocolError)


def test_a_caller_that_gets_plain_text_says_so(shelf, tmp_path):
    made = small("logistics", tmp_path, timing=Timing(wait=20))
    for name in NAMES:
        made.change(name, identity=identity(shelf, name))
    with socket.create_server(("127.0.0.1", 0)) as server:
        place = server.getsockname()[:2]
        made.change("truck0", peers={"plane1": made.configs["plane1"].listen, LISTENER: place})

        def answer() -> None:
            connection, _ = server.accept()
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            connection.recv(1 << 16)
            connection.close()

        threading.Thread(target=answer, daemon=True).start()
        found = play({"truck0": made.host("truck0")})
    with pytest.raises(ProtocolError, match=f"'{LISTENER}' at .* it does not speak TLS"):
        raise found["truck0"]


def test_an_agent_out_of_reach_is_named_with_the_reason(shelf, tmp_path):
    made = small("logistics", tmp_path, timing=Timing(wait=1))
    found = play({"plane1": made.host("plane1")})
    with pytest.raises(ProtocolError, match=r"connection with 'truck0' \(connection refused\)"):
        raise found["plane1"]


def test_files_that_are_no_keys(shelf, tmp_path):
    (tmp_path / "x").write_text("nothing")
    good = identity(shelf, "plane1")
    for bad, text in (
        (Identity(tmp_path / "x", good.key, good.ca), "cannot be read, or do not belong"),
        (Identity(good.cert, shelf / "truck0.key", good.ca), "do not belong together"),
        (Identity(good.cert, good.key, tmp_path / "x"), "not a CA certificate"),
        (Identity(tmp_path / "none", good.key, good.ca), "No such file"),
    ):
        with pytest.raises(InputError, match=text):
            bad.context(is_server=True)


def test_a_key_that_others_can_read_is_refused(tmp_path):
    keys.make_keys(tmp_path, ["a"], 1)
    own = identity(tmp_path, "a")
    own.context(is_server=True)
    for mode in (0o640, 0o604, 0o620):
        own.key.chmod(mode)
        with pytest.raises(InputError, match=r"open to other users\n  hint: .*chmod 600"):
            own.context(is_server=True)


def test_what_a_certificate_names():
    def shown(*others, common=None):
        subject = ((("commonName", common),),) if common else ()
        return {"subject": subject, "subjectAltName": others}

    assert names(shown(("URI", "tacit:a1")), "a1")
    assert names(shown(("URI", "tacit:A1")), "a1"), "names are not case-sensitive, as in PDDL"
    assert names(shown(("DNS", "A1")), "a1")
    assert names(shown(common="a1"), "a1")
    assert not names(shown(("DNS", "b"), common="a1"), "a1"), "other names go before"
    assert not names(shown(("URI", "tacit:a12")), "a1")
    assert not names(shown(("DNS", "*.a1")), "a1")
    assert not names(None, "a1")
    assert not names({}, "a1")
    assert agent_uri("a b/ü") == "tacit:a%20b%2F%C3%BC"


def test_keys_are_for_their_owner_and_new(tmp_path):
    files = keys.make_keys(tmp_path / "k", ["a", "b_2"], 1)
    assert sorted(f.name for f in files) == ["a.key", "a.pem", "b_2.key", "b_2.pem", "ca.pem"]
    for file in files:
        assert (stat.S_IMODE(file.stat().st_mode) & 0o077 == 0) == (file.suffix == ".key")
    with pytest.raises(InputError, match="is there already"):
        keys.make_keys(tmp_path / "k", ["a"], 1)
    for wrong in (["a", "A"], ["../a"], ["ca"], [""]):
        with pytest.raises(InputError):
            keys.make_keys(tmp_path / "new", wrong, 1)


def test_certificates_of_a_rehearsal_work_for_odd_names(tmp_path):
    folder = keys_for("slow0-0", "a_b")
    for name in ("slow0-0", "a_b"):
        identity(folder, name).context(is_server=False)
    assert generated("logistics")

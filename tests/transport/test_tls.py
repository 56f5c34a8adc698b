"""Who is let in: certificates from the right CA that name the right agent, over TLS 1.3."""

from __future__ import annotations

import contextlib
import datetime
import socket
import ssl
import stat
import threading
from dataclasses import replace

import pytest
from support.forms import generated
from support.hosts import all_solved, identity, keys_for, play, small
from support.strangers import impostor
from support.tls import client, talk
from support.waiting import until

from tacit.errors import InputError, ProtocolError
from tacit.net import keys
from tacit.net.config import Timing
from tacit.net.faults import OutOfTime
from tacit.public.protocol.digest import of_problem
from tacit.public.protocol.link import VERSION, Hello, Reason, Refused, Terms
from tacit.public.protocol.messages import decode, encode
from tacit.safety import SAFETY
from tacit.transport import tls
from tacit.transport.frames import HEADER, LinkLimits
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
    made = {}
    for file, agent, lifetime in (
        *((name, name, week) for name in NAMES),
        ("expired", "plane1", past),
        ("stranger", "somebody", week),
    ):
        made[file] = keys._make(agent, agent, ca, lifetime)
        (folder / f"{file}.pem").write_bytes(keys._pem(made[file]))
        (folder / f"{file}.key").touch(mode=0o600)
        (folder / f"{file}.key").write_bytes(keys._key_pem(made[file]))
    for gone in ((), *((name,) for name in NAMES)):
        numbers = [made[name].cert.serial_number for name in gone]
        revoking(folder, *gone).write_bytes(keys._crl_pem(ca, numbers, week))
    keys.make_keys(folder / "other", NAMES, 1)
    (folder / "old-crl.pem").write_bytes(keys._crl_pem(ca, [], past))
    (folder / "other-crl.pem").write_bytes(
        keys._crl_pem(keys._make("C", None, None, week), [], week)
    )
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
    count = SAFETY.door.per_address + 5
    silent = [socket.create_connection(("127.0.0.1", host.port)) for _ in range(count)]
    logged(made, "too many connections")
    logged(made, "it took too long")
    for connection in silent:
        connection.close()


def revoking(shelf, *agents: str):
    """The CA's list of revoked certificates, with those of these agents."""
    return shelf / f"{'-'.join(('crl', *agents))}.pem"


CALLERS = {
    "another CA": "'truck1' cannot be reached: it refuses the certificate of this end: unknown ca",
    "revoked": "cannot be reached: it refuses the certificate of this end: certificate revoked",
}


@pytest.mark.parametrize("what", list(CALLERS))
def test_a_refused_caller_learns_why(shelf, tmp_path, what):
    """Its own check is content: it trusts another CA as well, or has no list of what is revoked."""
    made = small("logistics", tmp_path, timing=Timing(wait=4))
    for name in NAMES:
        made.change(name, identity=identity(shelf, name))
    if what == "another CA":
        both = tmp_path / "both.pem"
        both.write_bytes((shelf / "other/ca.pem").read_bytes() + (shelf / "ca.pem").read_bytes())
        own = Identity(shelf / "other/plane1.pem", shelf / "other/plane1.key", both)
        made.change("plane1", identity=own)
    else:
        own = replace(identity(shelf, LISTENER), crl=revoking(shelf, "plane1"))
        made.change(LISTENER, identity=own)
    found = play({name: made.host(name) for name in ("plane1", LISTENER)})
    with pytest.raises(ProtocolError, match=CALLERS[what]):
        raise found["plane1"]
    assert any("refused" in line for line in made.logs[LISTENER])
    assert "'plane1'" in str(found[LISTENER])


ANSWERERS = {
    "other/truck1": "not accepted: unable to get local issuer certificate|not accepted: self",
    "stranger": "has another name",
    "expired": "not accepted: certificate has expired",
    "truck1": "not accepted: certificate revoked",
}


@pytest.mark.parametrize("file", list(ANSWERERS))
def test_a_caller_checks_which_agent_answers(shelf, tmp_path, file):
    """Whoever answers in the peer's place is called again until the wait is over."""
    made = small("logistics", tmp_path, timing=Timing(wait=2))
    for name in NAMES:
        made.change(name, identity=identity(shelf, name))
    if file == LISTENER:
        made.change(
            "plane1", identity=replace(identity(shelf, "plane1"), crl=revoking(shelf, LISTENER))
        )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(shelf / f"{file}.pem", shelf / f"{file}.key")
    calls: list[None] = []
    with impostor(made.configs[LISTENER].listen, context, lambda: calls.append(None)):
        found = play({"plane1": made.host("plane1")})
    with pytest.raises(OutOfTime, match=f"'{LISTENER}' \\(.*({ANSWERERS[file]})"):
        raise found["plane1"]
    assert len(calls) > 1
    assert any("is called again" in line for line in made.logs["plane1"])


def test_a_caller_that_gets_plain_text_says_so(shelf, tmp_path):
    made = small("logistics", tmp_path, timing=Timing(wait=2))
    for name in NAMES:
        made.change(name, identity=identity(shelf, name))
    with impostor(made.configs[LISTENER].listen, None, lambda: None):
        found = play({"truck0": made.host("truck0")})
    with pytest.raises(OutOfTime, match=f"'{LISTENER}' .*it does not speak TLS"):
        raise found["truck0"]


def test_nobody_who_is_revoked_gets_in(shelf, tmp_path):
    """Neither of two ends needs the other's list."""
    lists = revoking(shelf), revoking(shelf, "plane1")
    for crl, is_let_in in zip(lists, (True, False), strict=True):
        own = replace(identity(shelf, LISTENER), crl=crl)
        server = own.context(is_server=True)
        caller = identity(shelf, "plane1").context(is_server=False)
        with contextlib.ExitStack() as stack:
            if not is_let_in:
                stack.enter_context(pytest.raises(ssl.SSLError, match="certificate revoked"))
            assert names(tls._shaken_with_itself(server, caller), LISTENER)


OWN = {
    "other/plane1": "peers will refuse this certificate: (unable to get local|self)",
    "expired": "peers will refuse this certificate: certificate has expired",
    "stranger": "does not name the agent 'plane1'",
}


@pytest.mark.parametrize("file", list(OWN))
def test_the_own_certificate_is_checked_before_listening(shelf, tmp_path, file):
    made = small("logistics", tmp_path)
    own = Identity(shelf / f"{file}.pem", shelf / f"{file}.key", shelf / "ca.pem")
    made.change("plane1", identity=own)
    with pytest.raises(InputError, match=OWN[file]) as caught:
        made.host("plane1")
    assert caught.value.diagnostics[0].file == str(own.cert)
    with socket.create_server(made.configs["plane1"].listen):
        pass  # nobody listens there


def test_lists_of_revoked_certificates(shelf, tmp_path):
    good = identity(shelf, "plane1")
    replace(good, crl=revoking(shelf)).check("plane1")
    replace(good, crl=revoking(shelf, "truck0")).check("plane1")
    (tmp_path / "x").write_text("nothing")
    for crl, text in (
        (revoking(shelf, "plane1"), "peers will refuse this certificate: certificate revoked"),
        (shelf / "other-crl.pem", "unable to get certificate CRL"),
        (shelf / "old-crl.pem", "CRL has expired"),
        (shelf / "ca.pem", "this has certificates, which would be trusted"),
        (tmp_path / "x", "not a list of revoked certificates"),
        (tmp_path / "none", "No such file"),
    ):
        with pytest.raises(InputError, match=text):
            replace(good, crl=crl).check("plane1")


def test_an_agent_out_of_reach_is_named_with_the_reason(shelf, tmp_path):
    made = small("logistics", tmp_path, timing=Timing(wait=1))
    found = play({"plane1": made.host("plane1")})
    with pytest.raises(ProtocolError, match=r"connection with 'truck0' \(connection refused\)"):
        raise found["plane1"]


def test_files_that_are_no_keys(shelf, tmp_path):
    (tmp_path / "x").write_text("nothing")
    good = identity(shelf, "plane1")
    for bad, text in (
        (Identity(tmp_path / "x", good.key, good.ca), "certificate or its key cannot be read"),
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
    gone = keys.make_keys(tmp_path / "gone", ["a", "b"], 1, revoked=["b"])
    assert [f.name for f in gone][-1] == "crl.pem"
    replace(identity(tmp_path / "gone", "a"), crl=gone[-1]).check("a")
    with pytest.raises(InputError, match="certificate revoked"):
        replace(identity(tmp_path / "gone", "b"), crl=gone[-1]).check("b")
    with pytest.raises(InputError, match="no agent 'c'"):
        keys.make_keys(tmp_path / "more", ["a", "b"], 1, revoked=["c"])


def test_certificates_of_a_rehearsal_work_for_odd_names(tmp_path):
    folder = keys_for("slow0-0", "a_b")
    for name in ("slow0-0", "a_b"):
        identity(folder, name).context(is_server=False)
    assert generated("logistics")

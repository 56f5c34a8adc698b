"""Whoever stands at the door without a name stops no run: neither a flood nor an impostor."""

from __future__ import annotations

import contextlib
import errno
import ssl

import pytest
from support.hosts import Ended, all_solved, keys_for, play, small
from support.inside import network_of
from support.strangers import Flood, impostor
from support.tls import client_hello
from support.waiting import until

from tacit.errors import InputError, ProtocolError
from tacit.net.config import Timing
from tacit.net.keys import make_keys
from tacit.safety import SAFETY
from tacit.transport.frames import LinkLimits

NAMES = ("plane1", "truck0", "truck1")
LIMITS = LinkLimits(beat=0.5, silence=60, greeting=60)


@pytest.mark.parametrize("count", [64, pytest.param(400, marks=pytest.mark.slow)])
@pytest.mark.parametrize("first_words", ["nothing", "a client's hello"])
def test_a_flood_at_the_door(tmp_path, first_words, count):
    """A stranger with many connections per listener, from the address that the peers have, too."""
    said = b"" if first_words == "nothing" else client_hello()
    made = small("logistics", tmp_path, limits=LIMITS, timing=Timing(wait=40))
    hosts = {name: made.host(name) for name in NAMES}
    with contextlib.ExitStack() as stack:
        floods = [stack.enter_context(Flood(hosts[name].port, count, said)) for name in NAMES[1:]]
        found = play(hosts)
        assert all_solved(found), found
    print([flood.made for flood in floods])
    for name in NAMES:
        lines = [line for line in made.logs[name] if line.startswith("refused")]
        assert len(lines) <= 2 * SAFETY.door.log_lines, "a run of a minute or less"


def pretenders(tmp_path) -> dict[str, ssl.SSLContext | None]:
    """Hosts that are not the peer whose address they have."""
    make_keys(tmp_path / "others", NAMES, 1)
    found: dict[str, ssl.SSLContext | None] = {"plain text": None}
    right = keys_for(*NAMES)
    for what, file in (("another CA", tmp_path / "others/truck1"), ("a name", right / "truck0")):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file.with_suffix(".pem"), file.with_suffix(".key"))
        found[what] = context
    return found


@pytest.mark.parametrize("what", ["another CA", "a name", "plain text"])
def test_an_impostor_at_a_peers_address_is_called_again(tmp_path, what):
    """Once the peer itself is there, the run begins."""
    context = pretenders(tmp_path)[what]
    made = small("logistics", tmp_path, limits=LIMITS, timing=Timing(wait=60))
    place = made.configs["truck1"].listen
    hosts = {name: made.host(name) for name in ("plane1", "truck0")}
    calls: list[None] = []
    late: dict[str, Ended] = {}

    def come_late() -> None:
        with impostor(place, context, lambda: calls.append(None)):
            until(lambda: len(calls) >= 4)
        late.update(play({"truck1": made.host("truck1")}))

    found = play(hosts, [come_late])
    assert all_solved(found | late), (found, late)
    assert any("truck1" in line and "again" in line for line in made.logs["plane1"])


@pytest.mark.parametrize("frame", [0, 3, 12])
def test_a_transcript_that_cannot_be_written_is_no_peers_fault(tmp_path, frame):
    """The greeting, and then frames of a run; no frame is sent that is not taken down."""
    made = small("logistics", tmp_path, limits=LIMITS, timing=Timing(wait=3))
    hosts = {name: made.host(name) for name in NAMES}
    left = iter(range(frame))

    def full(*_: object) -> None:
        if next(left, None) is None:
            raise OSError(errno.ENOSPC, "No space left on device")

    network_of(hosts["truck0"])._record = full
    found = play(hosts)
    with pytest.raises(InputError, match="transcript cannot be written: no space left on device"):
        raise found["truck0"]
    assert all(isinstance(found[name], ProtocolError) for name in ("plane1", "truck1"))


def test_an_impostor_until_the_end_is_named_with_the_reason(tmp_path):
    context = pretenders(tmp_path)["a name"]
    made = small("logistics", tmp_path, limits=LIMITS, timing=Timing(wait=2))
    with impostor(made.configs["truck1"].listen, context, lambda: None):
        found = play({"truck0": made.host("truck0")})
    with pytest.raises(ProtocolError, match=r"'truck1' \(.* another name\) within 2 s"):
        raise found["truck0"]

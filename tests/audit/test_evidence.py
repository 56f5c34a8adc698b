"""What transcripts prove: any frame before the last receipt that was edited is found."""

from __future__ import annotations

import msgspec
import pytest
from support.edited import EDITS, careful, dropped, forged, renumbered, with_entries, write
from support.hosts import all_solved, keys_for, play, small
from support.inside import abort, links_of, on_network_thread
from support.waiting import until

from tacit.audit.evidence import Evidence, evidence_of
from tacit.cli.main import run
from tacit.net.keys import make_keys
from tacit.public.evidence.signing import Signer
from tacit.public.protocol.link import Receipt, Terms, Welcome
from tacit.public.protocol.messages import decode, encode, is_receipt
from tacit.public.protocol.recording import Recording, read_recording


@pytest.fixture(scope="module")
def runs(tmp_path_factory) -> list[dict[str, Recording]]:
    """Two runs of one problem, as each agent has them."""
    found = []
    for secret in ("one", "two"):
        folder = tmp_path_factory.mktemp(secret)
        made = small("driverlog", folder, 1, terms=Terms("mafs", k=2), secret=secret)
        assert all_solved(play({name: made.host(name) for name in made.names}))
        files = {name: made.configs[name].outputs.transcript for name in made.names}
        found.append({name: read_recording(path) for name, path in files.items()})
    return found


@pytest.fixture(scope="module")
def ca():
    return keys_for("driver1", "driver2") / "ca.pem"


def proved_entries(recording: Recording, found: Evidence) -> list[int]:
    """Entries that the peer's signature covers, up to the last that is no receipt itself: without
    the receipts behind it less is proved, and nothing is wrong.
    """
    counts = {proof.way: proof.proved for proof in found.proofs}
    mine = recording.holder
    proved: dict[tuple[str, str], list[int]] = {}
    for n, entry in enumerate(recording.entries):
        way = (mine, entry.peer) if entry.is_sent else (entry.peer, mine)
        if entry.number < counts[way]:
            proved.setdefault(way, []).append(n)
    for own in proved.values():
        while is_receipt(recording.entries[own[-1]].payload):
            own.pop()
    return sorted(n for own in proved.values() for n in own)


def test_a_whole_run_is_proved(runs, ca):
    """All but signs of life and receipts that cross while both ends close."""
    recording = runs[0]["driver1"]
    found = evidence_of([recording], ca)
    assert not found.problems
    assert {proof.signer for proof in found.proofs} == {"driver2"}
    assert len(found.proofs) == 2
    assert all(proof.tail == 0 and proof.proved > 15 for proof in found.proofs)
    both = evidence_of(list(runs[0].values()), ca)
    assert not both.problems
    assert len(both.proofs) == 4


@pytest.mark.parametrize("is_careful", [False, True], ids=["as it is", "renumbered"])
@pytest.mark.parametrize("kind", EDITS)
def test_every_edit_before_the_last_receipt_is_found(runs, ca, kind, is_careful):
    """Each frame that is proved, one by one; the editor may number frames anew."""
    recording = runs[0]["driver1"]
    edit = careful(EDITS[kind]) if is_careful else EDITS[kind]
    proved = proved_entries(recording, evidence_of([recording], ca))
    assert len(proved) > 40
    for at in proved:
        assert evidence_of([edit(recording, at)], ca).problems, at


def test_frames_of_another_run(runs, ca):
    """A frame, all frames of a peer, or its receipts: signed, but not for this stream."""
    here, there = (one["driver1"] for one in runs)
    for at, other in list(enumerate(there.entries))[:30]:
        if other.payload != here.entries[at].payload:
            assert evidence_of([forged(here, at, other.payload)], ca).problems, at
    theirs = [e for e in there.entries if not e.is_sent]
    mixed = [e for e in here.entries if e.is_sent] + theirs
    assert evidence_of([with_entries(here, mixed)], ca).problems
    receipts = iter([e.payload for e in theirs if is_receipt(e.payload)])
    swapped = [
        msgspec.structs.replace(e, payload=next(receipts, e.payload))
        if is_receipt(e.payload) and not e.is_sent
        else e
        for e in here.entries
    ]
    found = evidence_of([with_entries(here, swapped)], ca)
    assert any("'driver2' did not sign" in problem for problem in found.problems)
    assert [p.proved for p in found.proofs if p.way == ("driver2", "driver1")] == [0]


def test_an_editor_that_signs_anew(runs, ca, tmp_path):
    """With a key of its own, and a certificate that names the peer: only the CA tells."""
    recording = runs[0]["driver1"]
    make_keys(tmp_path / "k", ["driver1", "driver2"], 1)
    false = Signer.read(tmp_path / "k" / "driver2.pem", tmp_path / "k" / "driver2.key")
    made = forged_with(recording, false)
    assert not evidence_of([made]).problems
    assert any("not from this CA" in p for p in evidence_of([made], ca).problems)
    own = tmp_path / "k" / "ca.pem"
    assert any("'driver1' do not count" in p for p in evidence_of([made], own).problems)


def forged_with(recording: Recording, false: Signer) -> Recording:
    """The greeting shows another certificate, and the peer's receipts are signed with its key; the
    holder's own are left out, since it would sign them anew as well.
    """
    from tacit.public.evidence.chain import Chain, Position, Statement, stream_name

    kept = [e for e in recording.entries if not (e.is_sent and is_receipt(e.payload))]
    entries = list(renumbered(with_entries(recording, kept)).entries)
    sent, received = Chain(), Chain()
    name, acknowledged = b"", Position(0, b"")
    for at, entry in enumerate(entries):
        message = decode(entry.payload)
        payload = entry.payload
        if isinstance(message, Welcome) and not entry.is_sent:
            payload = encode(Welcome(message.sender, message.nonce, false.certificates))
        elif isinstance(message, Receipt):
            if not name:
                name = stream_name(*greeting_chains(entries))
                acknowledged = greeting_position(entries)
            said = Statement(name, "driver2", "driver1", received.position, acknowledged)
            payload = encode(
                Receipt("driver2", *said.sent, *said.acknowledged, false.sign(said.encoded()))
            )
        entries[at] = msgspec.structs.replace(entry, payload=payload)
        (sent if entry.is_sent else received).extend(payload)
    return with_entries(recording, entries)


def greeting_position(entries, is_sent: bool = True):
    from tacit.public.evidence.chain import Chain

    chain = Chain()
    for payload in [e.payload for e in entries if e.is_sent is is_sent][:2]:
        chain.extend(payload)
    return chain.position


def greeting_chains(entries):
    return [greeting_position(entries, is_sent).value for is_sent in (True, False)]


def test_both_transcripts_tell_who_altered_what(runs, ca):
    one, other = runs[0]["driver1"], runs[0]["driver2"]
    at = next(n for n, e in enumerate(one.entries) if not e.is_sent and e.number == 7)
    found = evidence_of([forged(one, at), other], ca)
    said = "'driver1' has altered frame 7 from 'driver2' to 'driver1'"
    assert any(problem.startswith(said) for problem in found.problems), found.problems
    assert not any("'driver2' has altered" in problem for problem in found.problems)
    at = next(n for n, e in enumerate(other.entries) if e.is_sent and e.number == 7)
    found = evidence_of([one, dropped(other, at)], ca)
    assert any("in the transcript of 'driver2' frame 7" in problem for problem in found.problems)
    assert not any("in the transcript of 'driver1'" in problem for problem in found.problems)


def test_a_transcript_that_is_shorter_than_what_its_holder_signed(runs, ca):
    """It cut off what it had received, and receipts with it; the other end has its signature."""
    one, other = runs[0]["driver1"], runs[0]["driver2"]
    short = with_entries(one, one.entries[: len(one.entries) // 2])
    alone = evidence_of([short], ca)
    assert not alone.problems, "nobody can tell"
    assert any(proof.tail for proof in alone.proofs) or all(p.proved < 30 for p in alone.proofs)
    both = evidence_of([short, other], ca)
    assert any("in the transcript of 'driver1'" in problem for problem in both.problems)


def test_the_tail_is_unproved(runs, ca):
    recording = runs[0]["driver1"]
    receipts = [n for n, e in enumerate(recording.entries) if is_receipt(e.payload)]
    last = next(n for n in reversed(range(len(recording.entries))) if n not in receipts)
    cut = with_entries(recording, recording.entries[: last + 1])
    found = evidence_of([cut], ca)
    assert not found.problems
    assert sum(proof.tail for proof in found.proofs) > 0


def test_the_command(runs, ca, tmp_path, capsys):
    recording = runs[0]["driver1"]
    file = write(recording, tmp_path / "t")
    assert run(["audit", str(file), "--ca", str(ca)]) == 0
    said = capsys.readouterr().out
    assert "from driver2 to driver1: sent as stated, signed by driver2." in said
    assert "from driver1 to driver2: received as stated, signed by driver2." in said
    assert "not checked" not in said
    assert run(["audit", str(file)]) == 0
    assert "Whose keys signed was not checked" in capsys.readouterr().out
    at = next(n for n, e in enumerate(recording.entries) if not e.is_sent and e.number == 7)
    write(forged(recording, at), tmp_path / "t")
    assert run(["audit", str(file), "--ca", str(ca)]) == 1
    assert "evidence: in the transcript of 'driver1' frames" in capsys.readouterr().out
    assert run(["audit", str(file), "--ca", str(file)]) == 31
    assert "not a CA certificate" in capsys.readouterr().err
    assert run(["audit", str(file), "--json", "--ca", str(ca)]) == 1
    found = msgspec.json.decode(capsys.readouterr().out)["runs"][0]["evidence"]
    assert found["findings"]
    assert {row["signed_by"] for row in found["proved"]} == {"driver2"}


def test_a_stream_that_was_made_anew(tmp_path):
    """Before planning a peer may come back: two streams, each with its own numbers and name."""
    made = small("logistics", tmp_path, terms=Terms("projection", k=2))
    hosts = {name: made.host(name) for name in made.names}
    last = hosts.pop("truck1")
    late: dict = {}

    def interrupt() -> None:
        until(lambda: links_of(hosts["plane1"]), lambda: made.logs)
        on_network_thread(hosts["plane1"], abort, hosts["plane1"])
        said = made.logs["plane1"]
        until(lambda: said.count("'truck0' is here") == 2, lambda: said)
        late.update(play({"truck1": last}))

    assert all_solved({**play(hosts, [interrupt]), **late})
    recordings = [read_recording(c.outputs.transcript) for c in made.configs.values()]
    found = evidence_of(recordings, keys_for(*made.names) / "ca.pem")
    assert not found.problems
    between = {e.stream for e in recordings[0].entries if e.peer == "truck0"}
    assert len(between) == 2
    assert {proof.tail for proof in found.proofs if proof.proved} == {0}

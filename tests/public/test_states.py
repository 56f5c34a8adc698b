"""Batches of states: the codec reads what the core writes, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from support.batches import batches
from support.inside import forward_of, transcript_of

import tacit
from tacit.central.session import Session
from tacit.domains import DOMAINS
from tacit.errors import ProtocolError
from tacit.profile import profile
from tacit.public.protocol.messages import States, decode
from tacit.public.protocol.states import (
    Batch,
    decode_batch,
    encode_batch,
)
from tacit.public.run_options import RunOptions
from tacit.solvers.limits import Limits

RECORDED = RunOptions("mafs", drive="roundrobin", record=True)
BRIEF = Limits(seconds=60, evaluations=400)


@given(batches())
def test_a_batch_goes_round(batch: Batch) -> None:
    data = encode_batch(batch)
    assert decode_batch(data) == batch
    assert encode_batch(decode_batch(data)) == data


@given(batches(), st.data())
def test_a_batch_has_one_spelling_and_no_other_end(batch: Batch, data: st.DataObject) -> None:
    whole = encode_batch(batch)
    at = data.draw(st.integers(0, len(whole)))
    other = (
        whole[:at] + data.draw(st.binary(max_size=3)) + whole[data.draw(st.integers(at, at + 3)) :]
    )
    for changed in (other, whole[:at], whole + b"\0"):
        try:
            read = decode_batch(changed)
        except ProtocolError:
            continue
        assert encode_batch(read) == changed
        assert len(changed) >= len(whole) or changed != whole[: len(changed)]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "ends early"),
        (b"\1\0\0\0\0", "version"),
        (b"\x09\0\0\0\0", "version"),
        (b"\5\1\0\0\0\1\1\0\0", "ends early"),
        (b"\7\1\0\0\0\0\1\0\0\0", "ends early"),
        (b"\7\1\0\0\1\1\0\0\1\0", "out of range"),
        (b"\7\1\0\0\1\1\0\0\1\1\2", "do not exist"),
        (b"\4\0\0\0\0", "behind its end"),
        (b"\4" + bytes(1024), "behind its end"),
        (b"\4" + bytes(1022) + b"\1", "behind its end"),
        (b"\3\0\0\0\0\0", "behind its end"),
        (b"\3\1\0\0\1\1\0\0", "unknown agent"),
        (b"\3\1\3\0\0\1\1\0\0\x08\0", "do not exist"),
        (b"\3\0\0\0\x80\0", "malformed number"),
        (b"\3\0\0\0\xff\xff\xff\xff\x10", "malformed number"),
        (b"\3\xff\xff\xff\xff\x0f", "ends early"),
        (b"\3\1\0\0\0\1\1\0\0\0\0\0\2\0", "ends early"),
        (b"\3\1\0\0\0\1\1\0\0\0\0\2\0\0", "ends early"),
    ],
)
def test_what_is_no_batch(data: bytes, said: str) -> None:
    with pytest.raises(ProtocolError, match=said):
        decode_batch(data)


@cache
def solved(domain: str, name: str = "tacit", ranking: str = "m3") -> Session:
    """A session whose agents have searched for a while."""
    session = Session(
        tacit.load(f"{domain}/small"),
        replace(profile(name), clean=False),
        replace(RECORDED, ranking=ranking),
    )
    session.at(session.largest, BRIEF)
    return session


def told(session: Session) -> Iterator[tuple[str, str, States]]:
    """Sender, receiver and message of every batch that crossed."""
    for frame in transcript_of(session).frames:
        message = decode(frame.payload)
        if isinstance(message, States):
            yield frame.sender, frame.receiver, message


@pytest.mark.parametrize("name", ["tacit", "paper"])
@pytest.mark.parametrize("domain", list(DOMAINS))
def test_the_core_writes_what_the_codec_reads(domain: str, name: str) -> None:
    session = solved(domain, name)
    names = list(session.instance.agents)
    searches = {agent: forward_of(session.agents[agent]) for agent in names}
    known: dict[tuple[str, str], set[int]] = {}
    count = dict.fromkeys(names, 0)
    for sender, receiver, message in told(session):
        batch = decode_batch(message.batch)
        assert encode_batch(batch) == message.batch
        assert len(batch.shape.tokens) == len(names)
        assert batch.shape.facts >= len(session.instance.public.facts)
        for meaning in batch.indices:
            assert names[meaning.agent] != receiver
            known.setdefault((receiver, names[meaning.agent]), {0}).add(meaning.index)
        for state in batch.states:
            count[sender] += 1
            assert state.ref > 0
            assert len(state.indices) == len(names)
            for agent, index in zip(names, state.indices, strict=True):
                assert agent == receiver or index in known.setdefault((receiver, agent), {0})
    assert sum(count.values()) > 0
    assert count == {agent: searches[agent].counters()["sent"] for agent in names}


def test_a_state_in_a_batch_grows_by_public_steps() -> None:
    steps = {
        state.steps for *_, m in told(solved("logistics")) for state in decode_batch(m.batch).states
    }
    assert min(steps) >= 1
    assert len(steps) > 1

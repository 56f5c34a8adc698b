"""The audit draws the lot of the election again, and finds who steered it."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace

import msgspec
import pytest
from support.audits import play_all, transcripts
from support.hosts import small

from tacit.audit.election import faults_of_election
from tacit.audit.holder import audit
from tacit.leakage.reading.traffic import Traffic, read_runs
from tacit.public.protocol.link import Agreed, Hello, Revealed, Stage
from tacit.public.protocol.messages import AnyMessage, Publish, decode, encode, is_receipt
from tacit.public.protocol.recording import Entry, Recording


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Traffic:
    made = small("logistics", tmp_path_factory.mktemp("run"))
    play_all(made)
    (traffic,) = read_runs(transcripts(made))
    return traffic


def leader_of(run: Traffic) -> str:
    (leader,) = {s.message.sender for s in run.frames if isinstance(s.message, Publish)}
    return leader


def held_by(run: Traffic, holder: str) -> Recording:
    return next(own for own in run.recordings if own.holder == holder)


def edited(own: Recording, change: Callable[[AnyMessage], AnyMessage]) -> Traffic:
    """The traffic of one holder with some messages that it received changed."""
    entries = tuple(
        entry
        if entry.is_sent or is_receipt(entry.payload)
        else msgspec.structs.replace(entry, payload=encode(change(decode(entry.payload))))
        for entry in own.entries
    )
    return Traffic([replace(own, entries=entries)])


def test_honest_runs_have_an_elected_leader_in_each_transcript(run):
    assert not list(faults_of_election(run))
    for own in run.recordings:
        assert not list(faults_of_election(Traffic([own])))
        assert any(isinstance(seen.message, Publish) for seen in Traffic([own]).frames)


def test_who_leads_without_having_been_elected_is_found(run):
    leader = leader_of(run)
    holder, other = [agent for agent in run.agents if agent != leader][:2]

    def by_another(entry: Entry) -> Entry:
        message = None if is_receipt(entry.payload) else decode(entry.payload)
        if not isinstance(message, Publish):
            return entry
        payload = encode(msgspec.structs.replace(message, sender=other))
        return msgspec.structs.replace(entry, peer=other, payload=payload)

    own = held_by(run, holder)
    entries = tuple(map(by_another, own.entries))
    traffic = Traffic([replace(own, entries=entries)])
    ((agent, text),) = faults_of_election(traffic)
    assert (agent, text) == (other, f"it led the run, and '{leader}' was elected")
    assert "election" in {finding.kind for finding in audit(traffic).agents[other].findings}
    assert not audit(traffic).is_clean


@pytest.mark.parametrize("kind", [Revealed, Hello, Agreed])
def test_another_nonce_commitment_or_digest_is_found(run, kind):
    holder, about = run.agents[:2]

    def change(message: AnyMessage) -> AnyMessage:
        if message.sender != about or not isinstance(message, kind):
            return message
        other = secrets.token_bytes(32)
        if isinstance(message, Revealed):
            return msgspec.structs.replace(message, nonce=other)
        if isinstance(message, Hello):
            return msgspec.structs.replace(message, commitment=other)
        is_ours = message.stage is Stage.COMMITTED
        return msgspec.structs.replace(message, digest=other) if is_ours else message

    found = list(faults_of_election(edited(held_by(run, holder), change)))
    assert about in {agent for agent, _ in found}


def test_different_commitments_to_two_members_are_found_together(run):
    first, second, about = run.agents[:3]

    def change(message: AnyMessage) -> AnyMessage:
        is_hello = isinstance(message, Hello) and message.sender == about
        return msgspec.structs.replace(message, commitment=b"other") if is_hello else message

    altered = edited(held_by(run, first), change).recordings[0]
    found = set(faults_of_election(Traffic([altered, held_by(run, second)])))
    assert (about, "it committed to different nonces in the election of the leader") in found

"""Agents whose states show more than they disclosed: an audit finds it."""

from __future__ import annotations

import dataclasses
import re

import msgspec
import pytest
from support.audits import audited, findings, play_all
from support.hosts import small
from support.tampering import tampered, two

from tacit.party.mafs.support import SupportRules
from tacit.profile import profile
from tacit.public.protocol.link import Terms
from tacit.public.protocol.messages import AnyMessage, States
from tacit.public.protocol.states import decode_batch, encode_batch


@pytest.mark.parametrize("holder", ["the other", "itself"])
def test_states_that_were_not_supported(tmp_path, monkeypatch, holder):
    """The agent takes actions by edges that it did not disclose, and sends what comes of it. A
    search may be over before it has; then it is run once more.
    """
    honest = SupportRules._free
    for attempt in range(6):
        monkeypatch.undo()
        made, leader, leaky = two(tmp_path / str(attempt), Terms("mafs", k=2))
        monkeypatch.setattr(
            SupportRules,
            "_free",
            lambda self, leaky=leaky: (
                self._numbers.edges if self._own.task.agent == leaky else honest(self)
            ),
        )
        play_all(made)
        seen_by = leader if holder == "the other" else leaky
        about = audited(made, [seen_by], leaky, with_files=False).agents[leaky]
        if about.findings:
            break
    assert {finding.kind for finding in about.findings} >= {"states"}
    assert any(item.evidence == "state" for item in about.inferred)


def test_states_that_cannot_be_for_a_holder_who_does_not_see_all(tmp_path, monkeypatch):
    """A third agent, which does not know where the states come from, but that they cannot be. A
    search may be over before there are any; then it is run once more.
    """
    honest = SupportRules._free
    monkeypatch.setattr(
        SupportRules,
        "_free",
        lambda self: self._numbers.edges if self._own.task.agent == "fast0" else honest(self),
    )
    for attempt in range(4):
        terms = Terms("mafs", "m1", 10, seconds=20)
        made = small("elevators", tmp_path / str(attempt), 1, terms=terms)
        play_all(made)
        about = audited(made, ["slow1-0"], "fast0", with_files=False).agents["fast0"]
        if about.findings:
            break
    (finding,) = about.findings
    assert re.search("needs? dependencies that it did not disclose", finding.text)


def test_tokens_that_are_said_to_hold(tmp_path):
    made, leader, leaky = two(tmp_path, Terms("mafs", "m3", k=8), "blocksworld")

    def claim(message: AnyMessage) -> AnyMessage:
        if not isinstance(message, States):
            return message
        batch = decode_batch(message.batch)
        every = tuple(
            dataclasses.replace(told, tokens=frozenset(range(batch.shape.tokens[told.agent])))
            for told in batch.indices
        )
        more = encode_batch(dataclasses.replace(batch, indices=every))
        return msgspec.structs.replace(message, batch=more)

    tampered(made, leaky, claim)
    assert "states" in findings(made, leader, leaky, with_files=False)


def test_an_index_of_another_search(tmp_path):
    """An agent that numbers its private states once and for all links what it sends in one search
    with another: the index means nothing in this one. It is run again if nothing was sent in time.
    """
    for attempt in range(4):
        made, leader, leaky = two(tmp_path / str(attempt), Terms("mafs", k=6))
        place = sorted(made.names).index(leaky)

        def keep(message: AnyMessage, place: int = place) -> AnyMessage:
            if not isinstance(message, States):
                return message
            batch = decode_batch(message.batch)
            states = tuple(
                dataclasses.replace(
                    state,
                    indices=tuple(
                        i + 1000 if n == place and i else i for n, i in enumerate(state.indices)
                    ),
                )
                for state in batch.states
            )
            more = encode_batch(dataclasses.replace(batch, states=states))
            return msgspec.structs.replace(message, batch=more)

        tampered(made, leaky, keep)
        about = audited(made, [leader], leaky, with_files=False).agents[leaky]
        if about.states.foreign:
            break
    assert any("not introduced in its search" in finding.text for finding in about.findings)


@pytest.mark.parametrize("name", ["tacit", "paper"])
@pytest.mark.parametrize("own_values", [False, True])
def test_values_that_count_private_steps_cross_only_if_agents_agreed(tmp_path, name, own_values):
    settings = msgspec.structs.replace(profile(name), own_values=own_values)
    for attempt in range(8):  # the leader may find the plan before the other one sends a state
        folder = tmp_path / str(attempt)
        made, leader, other = two(folder, Terms("mafs", "m3", 20, settings), "driverlog")
        play_all(made)
        sent = audited(made, [leader], other).agents[other].states.values
        if sent or not own_values:
            break
    assert bool(sent) == own_values
    assert ("values" in findings(made, leader, other)) == own_values

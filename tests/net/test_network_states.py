"""Between hosts: a member that sends made-up states is named, and its states are not searched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import msgspec
import pytest
from support.hosts import play, small
from support.inside import network_of

from tacit.net.faults import Fault
from tacit.public.protocol.link import Reason, Terms
from tacit.public.protocol.messages import States, decode, encode
from tacit.public.protocol.states import Descent, State, decode_batch, encode_batch

TERMS = Terms("mafs", "m3", k=4)


def other_facts(state: State) -> State:
    return replace(state, facts=state.facts ^ {0})


def other_index(state: State) -> State:
    """With the others in their initial private states."""
    return replace(state, indices=tuple(index + 1 for index in state.indices))


def other_origin(state: State) -> State:
    return replace(state, descent=Descent(2_000_000, state.descent.actions))


@pytest.mark.parametrize("alter", [other_facts, other_index, other_origin])
def test_a_member_that_sends_made_up_states_is_named(
    tmp_path, alter: Callable[[State], State]
) -> None:
    made = small("logistics", tmp_path, terms=TERMS, secret="m")
    hosts = {agent: made.host(agent) for agent in made.names}
    lies: list[tuple[str, str]] = []

    def lie_for(agent: str) -> None:
        """Whoever is the first to send states sends others instead."""
        honest = network_of(hosts[agent]).send

        def send(peer: str, frame: bytes) -> None:
            message = decode(frame)
            if isinstance(message, States) and not lies:
                batch = decode_batch(message.batch)
                if batch.states:
                    lies.append((agent, peer))
                    false = replace(batch, states=tuple(map(alter, batch.states)))
                    frame = encode(msgspec.structs.replace(message, batch=encode_batch(false)))
            honest(peer, frame)

        network_of(hosts[agent]).send = send

    lie_for(made.names[0])
    found = play(hosts)
    ((liar, victim),) = lies
    fault = found[victim]
    assert isinstance(fault, Fault)
    assert (fault.reason, fault.about) == (Reason.PROTOCOL, liar)
    assert str(fault).startswith(f"agent '{liar}': a")
    for agent in made.names:
        if agent != liar:
            assert liar in str(found[agent]), found

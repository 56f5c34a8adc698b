"""Batches of states from anybody: a live agent survives whatever comes."""

from __future__ import annotations

from contextlib import suppress
from functools import cache

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from support.batches import descents, fuzz, meaning_of, subset, word
from support.inside import forward_of, solver_of

import tacit
from tacit.central.instance import Instance
from tacit.central.session import Session
from tacit.errors import ProtocolError
from tacit.party.agent import Agent
from tacit.profile import profile
from tacit.public.protocol.messages import States, decode, encode
from tacit.public.protocol.states import (
    Batch,
    IndexMeaning,
    State,
    decode_batch,
    encode_batch,
)
from tacit.public.run_options import RunOptions

RECORDED = RunOptions("mafs", drive="roundrobin", record=True)
OPTIMAL = "optimal"

Crossing = tuple[str, str, bytes]


@cache
def small(domain: str) -> Instance:
    return tacit.load(f"{domain}/small")


def begun(domain: str, name: str) -> Session:
    """Agents at the beginning of a search under a profile, or of an `optimal` one."""
    is_optimal = name == OPTIMAL
    options = replace(RECORDED, solver="mad-astar") if is_optimal else RECORDED
    chosen = profile("tacit" if is_optimal else name)
    session = Session(small(domain), chosen, options)
    session.disclose(session.largest)
    solver_of(session).search.begin(grows=False)
    for agent in session.agents.values():
        forward_of(agent).limit(None, None)
    return session


def exchange(session: Session, rounds: int) -> list[Crossing]:
    """Let the agents search by hand, in small slices; what crossed."""
    crossed: list[Crossing] = []
    for _ in range(rounds):
        for sender, agent in session.agents.items():
            for receiver, frame in agent.work(2):
                crossed.append((sender, receiver, frame))
                session.agents[receiver].receive(sender, frame)
            if agent.has_found:
                return crossed
    return crossed


number = st.integers(0, 1 << 20)
edit = st.tuples(number, number, st.binary(max_size=6))


class Target:
    """A live agent that is fed with anything."""

    def __init__(self, domain: str, name: str):
        self._which = (domain, name)
        crossed = exchange(begun(domain, name), 300)
        self.sender, self._receiver, _ = crossed[-1]
        pair = (self.sender, self._receiver)
        self.sent = [decode(frame) for *by, frame in crossed if tuple(by) == pair]
        self._renew()

    def _renew(self) -> None:
        session = begun(*self._which)
        exchange(session, 2)
        self.agent: Agent = session.agents[self._receiver]

    def feed(self, message: States, batch: bytes) -> None:
        """Any bytes in place of a batch; the agent takes them or refuses them, and works on."""
        frame = encode(msgspec.structs.replace(message, batch=batch))
        before = forward_of(self.agent).counters()
        with suppress(ProtocolError):
            self.agent.receive(self.sender, frame)
        self.agent.work(8)
        after = forward_of(self.agent).counters()
        counted = before.keys() - {"best", "memory"}
        assert all(after[name] >= before[name] for name in counted)
        if self.agent.is_idle:  # it believes in a goal that it was told, or has nothing left to do
            self._renew()


target = cache(Target)


@fuzz
@given(
    st.sampled_from(
        [("logistics", "tacit"), ("depot", "tacit"), ("rovers", "paper"), ("depot", OPTIMAL)]
    ),
    number,
    st.lists(edit, max_size=3),
)
def test_mutated_batches_against_a_live_agent(
    which: tuple[str, str], pick: int, edits: list[tuple[int, int, bytes]]
) -> None:
    place = target(*which)
    message = place.sent[pick % len(place.sent)]
    batch = message.batch
    for start, size, new in edits:
        at = start % (len(batch) + 1)
        batch = batch[:at] + new + batch[at + size % 4 :]
    place.feed(message, batch)


words = st.integers(0, 40) | word


@pytest.mark.parametrize("name", ["tacit", OPTIMAL])
@fuzz
@given(st.data())
def test_batches_with_any_numbers_against_a_live_agent(name: str, data: st.DataObject) -> None:
    place = target("logistics", name)
    message = place.sent[data.draw(number) % len(place.sent)]
    batch = decode_batch(message.batch)
    shape = batch.shape
    agents = st.integers(0, len(shape.tokens) - 1)
    meanings = tuple(
        data.draw(meaning_of(agent, shape)) for agent in data.draw(st.lists(agents, max_size=3))
    )
    row = st.tuples(*(words for _ in shape.tokens))
    cost = st.just(0) if name != OPTIMAL else words
    parts = (words, words, words, subset(shape.facts), row, descents(words), cost)
    drawn = tuple(data.draw(st.lists(st.builds(State, *parts), max_size=3)))
    made = Batch(shape, (*batch.indices, *meanings), drawn, costs=batch.costs)
    place.feed(message, encode_batch(made))


def test_an_agent_works_on_after_bad_batches() -> None:
    session = begun("logistics", "tacit")
    sender, receiver, frame = exchange(begun("logistics", "tacit"), 300)[0]
    message = decode(frame)
    assert isinstance(message, States)
    agent = session.agents[receiver]
    for size in range(len(message.batch)):
        with pytest.raises(ProtocolError, match=sender):
            agent.receive(
                sender, encode(msgspec.structs.replace(message, batch=message.batch[:size]))
            )
    with pytest.raises(ProtocolError, match="expected states"):
        agent.receive("nobody", frame)
    with pytest.raises(ProtocolError, match="not a message"):
        agent.receive(sender, b"\xc1")
    exchange(session, 300)
    assert any(agent.has_found for agent in session.agents.values())
    result = session.at(session.largest)
    assert result.solved
    assert tacit.validate(session.instance, result.plan).valid


def test_large_numbers_do_not_fill_the_memory() -> None:
    session = begun("logistics", "tacit")
    sender, receiver, frame = exchange(begun("logistics", "tacit"), 300)[0]
    message = decode(frame)
    assert isinstance(message, States)
    shape = decode_batch(message.batch).shape
    other = list(session.instance.agents).index(sender)
    agent = session.agents[receiver]
    before = forward_of(agent).counters()["memory"]
    for index in (2**28 - 1, 2**28, 2**32 - 1):
        batch = encode_batch(Batch(shape, (IndexMeaning(other, index, frozenset()),), ()))
        told = encode(msgspec.structs.replace(message, batch=batch))
        if index < 2**28:
            agent.receive(sender, told)
        else:
            with pytest.raises(ProtocolError, match="too large"):
                agent.receive(sender, told)
    assert forward_of(agent).counters()["memory"] < before + 2**25

"""Batches of states: the codec reads what the core writes, and the core survives whatever comes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from functools import cache

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support.inside import forward_of, solver_of, transcript_of

import tacit
from tacit.central.instance import Instance
from tacit.central.session import Session
from tacit.domains import DOMAINS
from tacit.errors import ProtocolError
from tacit.party.agent import Agent
from tacit.profile import profile
from tacit.public.protocol.messages import States, decode, encode
from tacit.public.protocol.states import (
    COSTS,
    Batch,
    Descent,
    IndexMeaning,
    Segment,
    Shape,
    State,
    Toll,
    decode_batch,
    encode_batch,
)
from tacit.public.run_options import RunOptions
from tacit.public.settings import Cost
from tacit.solvers.limits import Limits

EXAMPLES = int(os.environ.get("TACIT_FUZZ", "400"))
RECORDED = RunOptions("mafs", drive="roundrobin", record=True)
OPTIMAL = "optimal"
BRIEF = Limits(seconds=60, evaluations=400)

fuzz = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize="TACIT_FUZZ" not in os.environ,
    suppress_health_check=list(HealthCheck),
)

word = st.integers(0, 2**32 - 1)


def subset(size: int, most: int = 12) -> st.SearchStrategy[frozenset[int]]:
    return st.frozensets(st.integers(0, size - 1), max_size=most) if size else st.just(frozenset())


def descents(numbers: st.SearchStrategy[int]) -> st.SearchStrategy[Descent]:
    actions = st.lists(numbers, max_size=3).map(tuple)
    segments = st.lists(st.builds(Segment, numbers, numbers, actions), max_size=2).map(tuple)
    return st.builds(Descent, numbers, actions, segments)


def meaning_of(agent: int, shape: Shape) -> st.SearchStrategy[IndexMeaning]:
    tokens = subset(shape.tokens[agent], 5)
    if not shape.actions:
        return st.builds(IndexMeaning, st.just(agent), word, tokens)
    tolls = st.builds(Toll, st.integers(1, 2**29), subset(shape.actions[agent], 3))
    listed = st.lists(tolls, max_size=1).map(tuple)
    return st.builds(IndexMeaning, st.just(agent), word, tokens, tokens, listed)


@st.composite
def batches(draw: st.DrawFn) -> Batch:
    count = st.integers(0, 70)
    tokens = tuple(draw(st.lists(count, min_size=1, max_size=4)))
    costs = draw(st.sampled_from(COSTS))
    actions = tuple(draw(count) for _ in tokens) if costs is Cost.TOTAL else ()
    shape = Shape(draw(count), tokens, actions)
    meanings = [
        draw(meaning_of(agent, shape))
        for agent in draw(st.lists(st.integers(0, len(shape.tokens) - 1), max_size=2))
    ]
    row = st.tuples(*(word for _ in shape.tokens))
    cost = st.just(0) if costs is None else word
    parts = (word, word, word, subset(shape.facts), row, descents(word), cost)
    drawn = tuple(draw(st.lists(st.builds(State, *parts), max_size=4)))
    return Batch(shape, tuple(meanings), drawn, draw(st.booleans()), costs)


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

"""Batches of states as they cross in forward search: what is in them, read from the bytes alone.

The core writes them (`src/core/mafs/wire`), and reads them. This codec is for audits, transcripts
and tests, and for agents in other languages: it is the definition of the format.

A batch: version (3), number of agents, of public facts, of tokens per agent; then what indices
mean (agent, index, set of tokens); then states (the sender's number of it, public steps so far,
value, set of public facts, an index per agent, a descent). Numbers are unsigned LEB128, the
shortest there is; a set of n numbers is ⌈n/8⌉ bytes, number i in bit i mod 8 of byte ⌊i/8⌋. Facts
behind the public ones are two for each agent with private goals: "may still act" and "has
finished". A padded batch (hardening `pad`) has version 4, and zeros behind it up to the next of few
sizes. In an optimal search versions are larger by 2 where costs of public actions count, and by 4
where all do: the cost of the way follows the value. In the second case the numbers of published
actions per agent follow those of tokens, and an index also means which tokens are *shut*, so that
only a public action achieves them again, and *tolls*: sums that private actions cost at least, each
once for all of certain published actions of its agent, before the first of these.

The descent says how the state came about since one that its receiver has: its origin, twice the
receiver's own number of the last state that it issued on the way (0 is the initial state), or twice
the sender's number of a later one that it sent this receiver, plus 1; then the others' public
actions since, the last first, in segments of one agent each. The first segment is the sender's: how
many actions, and which, by their places among those it published (the finishing action comes behind
them). In front of each further segment are its agent and that agent's number of the state behind
it. A receiver that replays it must come to the state, or it refuses the state
(`src/core/mafs/descent_check`).

What it costs: an index is a bare number for "the private state in which that agent was then". Equal
indices show that an agent came back to the same private state. The tokens of an index follow from
the public steps on its path and from disclosed edges. Hardening changes what an index is: with
`fresh` equal indices stand for equal private states only where the same is seen around them, with
`once` an index may stand for several private states, with `secure` for all that look the same,
each index is that of one state, and all tokens are said to hold in it. The value shows only
whether the sender evaluated the state, unless `own_values` is set; the number of a state counts
those sent before it. A descent shows from which of the receiver's own states others went on, by
which actions and in which order, and how many states each agent on the way had sent by then. From
public facts alone actions can often be told, but not always, nor whose they were. In an optimal
search the value is a bound on what is left to pay. Where costs of public actions count, the cost of
the way follows from its descent, and is checked; where all do, it shows what private actions on the
way cost, the value what is left to pay at least, and tolls for which public actions an agent must
first pay how much in private, from each of its private states.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tacit.errors import ProtocolError
from tacit.public.settings import Cost

VERSION = 3
COSTS = (None, Cost.PUBLIC, Cost.TOTAL)
"""Which costs count, and by which versions that is told: two for each, the second one padded."""
SMALLEST, LARGEST = 2**10, 2**20
LARGEST_COST = 2**29
NOT_EVALUATED = 2**24 + 1
"""The value of a state that its sender did not evaluate."""


def padded_size(size: int) -> int:
    """The size of a padded batch: 1 KiB, four times as much until 1 MiB, then whole MiB."""
    fixed = SMALLEST
    while fixed < size and fixed < LARGEST:
        fixed *= 4
    return fixed if fixed >= size else -(-size // LARGEST) * LARGEST


@dataclass(frozen=True, slots=True)
class Shape:
    """How many public facts there are, and how many tokens each agent has; where all costs count,
    also how many actions each published.
    """

    facts: int
    tokens: tuple[int, ...]
    actions: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Toll:
    """What private actions cost before the first of these published actions."""

    cost: int
    actions: frozenset[int]


@dataclass(frozen=True, slots=True)
class IndexMeaning:
    """The tokens that hold for one agent under one of its indices; where all costs count, those of
    them that are shut, and tolls.
    """

    agent: int
    index: int
    tokens: frozenset[int]
    shut: frozenset[int] = frozenset()
    tolls: tuple[Toll, ...] = ()


@dataclass(frozen=True, slots=True)
class Segment:
    """Public actions of one agent in a row, the last first, up to the state that it numbered so."""

    agent: int
    ref: int
    actions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Descent:
    """How a state came about since its origin: the sender's actions, then those before them."""

    origin: int
    actions: tuple[int, ...]
    before: tuple[Segment, ...] = ()

    @property
    def from_receiver(self) -> int | None:
        """The receiver's number of the origin, 0 for the initial state, if it is its own."""
        return None if self.origin & 1 else self.origin >> 1

    @property
    def from_sender(self) -> int | None:
        """The sender's number of the origin, if that is one that it sent before."""
        return self.origin >> 1 if self.origin & 1 else None

    @property
    def steps(self) -> int:
        """How many public actions there are in it."""
        return len(self.actions) + sum(len(segment.actions) for segment in self.before)


@dataclass(frozen=True, slots=True)
class State:
    """A state: public facts, an opaque index per agent, and how it came about."""

    ref: int
    steps: int
    value: int
    facts: frozenset[int]
    indices: tuple[int, ...]
    descent: Descent
    cost: int = 0


@dataclass(frozen=True, slots=True)
class Batch:
    """What one agent sends another at once."""

    shape: Shape
    indices: tuple[IndexMeaning, ...]
    states: tuple[State, ...]
    is_padded: bool = False
    costs: Cost | None = None


def encode_batch(batch: Batch) -> bytes:
    """The bytes of a batch."""
    out = bytearray()
    shape = batch.shape
    version = VERSION + batch.is_padded + 2 * COSTS.index(batch.costs)
    counts = (*shape.tokens, *(shape.actions if batch.costs is Cost.TOTAL else ()))
    for number in (version, len(shape.tokens), shape.facts, *counts, len(batch.indices)):
        _put_number(out, number)
    for meaning in batch.indices:
        _put_number(out, meaning.agent)
        _put_number(out, meaning.index)
        _put_set(out, meaning.tokens, shape.tokens[meaning.agent])
        if batch.costs is Cost.TOTAL:
            _put_tolls(out, meaning, shape)
    _put_number(out, len(batch.states))
    for state in batch.states:
        costs = (state.cost,) if batch.costs else ()
        for number in (state.ref, state.steps, state.value, *costs):
            _put_number(out, number)
        _put_set(out, state.facts, shape.facts)
        for number in state.indices:
            _put_number(out, number)
        _put_descent(out, state.descent)
    if batch.is_padded:
        out += bytes(padded_size(len(out)) - len(out))
    return bytes(out)


def decode_batch(data: bytes) -> Batch:
    """The batch in these bytes, or a `ProtocolError`."""
    reader = _Reader(data)
    version = reader.number()
    if not VERSION <= version < VERSION + 2 * len(COSTS):
        raise ProtocolError("a batch of states has another version")
    costs, is_padded = COSTS[(version - VERSION) // 2], (version - VERSION) % 2 == 1
    agents = reader.number()
    facts = reader.number()
    tokens = tuple(reader.number() for _ in reader.up_to(agents))
    has_tolls = costs is Cost.TOTAL
    actions = tuple(reader.number() for _ in reader.up_to(agents if has_tolls else 0))
    shape = Shape(facts, tokens, actions)
    indices = tuple(_meaning(reader, shape, has_tolls) for _ in reader.up_to(reader.number()))
    states = tuple(_state(reader, shape, costs) for _ in reader.up_to(reader.number()))
    if not (reader.is_padded_to_its_end if is_padded else reader.is_at_end):
        raise ProtocolError("a batch of states goes on behind its end")
    return Batch(shape, indices, states, is_padded, costs)


def _meaning(reader: _Reader, shape: Shape, has_tolls: bool) -> IndexMeaning:
    agent = reader.number()
    if agent >= len(shape.tokens):
        raise ProtocolError("a batch of states names an unknown agent")
    index, tokens = reader.number(), reader.set(shape.tokens[agent])
    if not has_tolls:
        return IndexMeaning(agent, index, tokens)
    shut = reader.set(shape.tokens[agent])
    tolls = (_toll(reader, shape.actions[agent]) for _ in reader.up_to(reader.number()))
    return IndexMeaning(agent, index, tokens, shut, tuple(tolls))


def _toll(reader: _Reader, actions: int) -> Toll:
    cost = reader.number()
    if not 0 < cost <= LARGEST_COST:
        raise ProtocolError("a batch of states has a toll out of range")
    return Toll(cost, reader.set(actions))


def _state(reader: _Reader, shape: Shape, costs: Cost | None) -> State:
    ref, steps, value = (reader.number() for _ in range(3))
    cost = 0 if costs is None else reader.number()
    facts = reader.set(shape.facts)
    indices = tuple(reader.number() for _ in shape.tokens)
    return State(ref, steps, value, facts, indices, _descent(reader), cost)


def _descent(reader: _Reader) -> Descent:
    origin, count = reader.number(), reader.number()
    actions = reader.numbers()
    segments = (
        Segment(reader.number(), reader.number(), reader.numbers()) for _ in reader.up_to(count)
    )
    return Descent(origin, actions, tuple(segments))


def _put_tolls(out: bytearray, meaning: IndexMeaning, shape: Shape) -> None:
    _put_set(out, meaning.shut, shape.tokens[meaning.agent])
    _put_number(out, len(meaning.tolls))
    for toll in meaning.tolls:
        _put_number(out, toll.cost)
        _put_set(out, toll.actions, shape.actions[meaning.agent])


def _put_descent(out: bytearray, descent: Descent) -> None:
    numbers = [descent.origin, len(descent.before), len(descent.actions), *descent.actions]
    for segment in descent.before:
        numbers += (segment.agent, segment.ref, len(segment.actions), *segment.actions)
    for number in numbers:
        _put_number(out, number)


def _put_number(out: bytearray, value: int) -> None:
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)


def _put_set(out: bytearray, members: Iterable[int], size: int) -> None:
    bits = bytearray((size + 7) // 8)
    for member in members:
        bits[member >> 3] |= 1 << (member & 7)
    out += bits


_BITS = tuple(tuple(n for n in range(8) if byte >> n & 1) for byte in range(256))
"""Per byte, the bits that are set."""


class _Reader:
    def __init__(self, data: bytes):
        self._data = data
        self._at = 0

    @property
    def is_at_end(self) -> bool:
        return self._at == len(self._data)

    @property
    def is_padded_to_its_end(self) -> bool:
        """Does nothing follow but as many zeros as there must be?"""
        return padded_size(self._at) == len(self._data) and not any(self._data[self._at :])

    def up_to(self, count: int) -> range:
        """So many items, each of which takes at least a byte."""
        if count > len(self._data) - self._at:
            raise ProtocolError("a batch of states ends early")
        return range(count)

    def number(self) -> int:
        if not self.is_at_end and self._data[self._at] < 0x80:
            self._at += 1
            return self._data[self._at - 1]
        value = 0
        for shift in range(0, 35, 7):
            if self.is_at_end:
                break
            byte = self._data[self._at]
            self._at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                if value >> 32 or (byte == 0 and shift > 0):
                    break  # too large, or not the shortest
                return value
        raise ProtocolError("a batch of states ends early or has a malformed number")

    def numbers(self) -> tuple[int, ...]:
        """Numbers behind how many they are."""
        return tuple(self.number() for _ in self.up_to(self.number()))

    def set(self, size: int) -> frozenset[int]:
        end = self._at + (size + 7) // 8
        if end > len(self._data):
            raise ProtocolError("a batch of states ends early")
        bits = self._data[self._at : end]
        self._at = end
        if size % 8 and bits[-1] >> size % 8:
            raise ProtocolError("a batch of states has facts that do not exist")
        return frozenset(8 * at + n for at, byte in enumerate(bits) if byte for n in _BITS[byte])

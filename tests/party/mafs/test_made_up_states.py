"""A member makes up states, to read off what others would do in them: none is accepted."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import msgspec
import pytest
from support.descents import Replay, steps_of
from support.inside import forward_of, publications_of, solver_of

import tacit
from tacit.central.session import Session
from tacit.domains import DOMAINS
from tacit.errors import ProtocolError
from tacit.profile import profile
from tacit.public.protocol.messages import States, decode, encode
from tacit.public.protocol.states import (
    Batch,
    Descent,
    IndexMeaning,
    Segment,
    Shape,
    State,
    decode_batch,
    encode_batch,
)
from tacit.public.run_options import RunOptions
from tacit.public.settings import Harden, Rule, Settings

TURNS = RunOptions("mafs", "m3", drive="roundrobin")
TACIT, PAPER = profile("tacit"), profile("paper")
FRESH = msgspec.structs.replace(TACIT, harden=(Harden.FRESH,))
ONCE = msgspec.structs.replace(TACIT, harden=(Harden.ONCE,))
UNKNOWN = 1_000_000
"""A number that no state has."""


class Attack:
    """A search that has begun, and in it an agent to which another one sends what it likes."""

    def __init__(self, domain: str, settings: Settings = TACIT, share: float = 1.0):
        session = Session(tacit.load(f"{domain}/small"), settings, TURNS)
        session.disclose(int(session.largest * share))
        solver_of(session).search.begin(grows=False)
        self.session = session
        self.published = publications_of(session)
        self.names = list(self.published)
        self.place = 0
        self.victim, self.evil = self.names[0], self.names[-1]
        self.agent = session.agents[self.victim]
        parts = self.published.values()
        finishing = 2 * sum(part.has_private_goal for part in parts)
        facts = len(session.instance.public.facts) + finishing
        self.shape = Shape(facts, tuple(part.tokens for part in parts))
        public, ledger = session.instance.public, session.coordinator.ledger
        edges = {agent: ledger.edges(agent) for agent in self.names}
        self.replay = Replay(self.published, edges, public.init, len(public.facts))

    def is_accepted(self, state: State, *meanings: IndexMeaning) -> bool:
        """Does the agent take in a state? If it does not, the sender is named."""
        batch = encode_batch(Batch(self.shape, meanings, (state,)))
        frame = encode(States(self.evil, forward_of(self.agent).run, batch))
        before = forward_of(self.agent).counters()
        try:
            self.agent.receive(self.evil, frame)
        except ProtocolError as error:
            said = str(error)
        else:
            return True
        assert f"agent '{self.evil}'" in said
        after = forward_of(self.agent).counters()
        assert all(after[name] == before[name] for name in ("received", "stored", "evaluated"))
        return False

    def drain(self) -> list[tuple[str, bytes]]:
        """What the agent sends while it searches for some time."""
        out: list[tuple[str, bytes]] = []
        for _ in range(10):
            out += self.agent.work(50)
            if self.agent.is_idle:
                break
        return out

    def crossing(self, rounds: int = 200) -> Iterator[tuple[str, str, Batch]]:
        """All search honestly; each batch once its receiver has it."""
        for _ in range(rounds):
            for sender, agent in self.session.agents.items():
                for receiver, frame in agent.work(2):
                    self.session.agents[receiver].receive(sender, frame)
                    message = decode(frame)
                    assert isinstance(message, States)
                    yield sender, receiver, decode_batch(message.batch)
                if agent.has_found:
                    return


def made_up(attack: Attack, count: int) -> Iterator[State]:
    """States with random public facts, in any of the agent's indices that were seen, with descents
    of published actions from any of its states.
    """
    rng = random.Random(1)
    seen = {(0, 0): (0, attack.replay.start.facts)}
    for receiver, frame in attack.drain():
        for state in decode_batch(decode(frame).batch).states if receiver == attack.evil else ():
            seen[state.ref, state.indices[attack.place]] = state.steps, state.facts
    actions = len(attack.published[attack.evil].actions)
    while count > 0:
        for (ref, index), (steps, origin) in seen.items():
            facts = frozenset(f for f in range(attack.shape.facts) if rng.random() < 0.5)
            descent = tuple(rng.randrange(actions) for _ in range(rng.randrange(1, 4)))
            indices = [0] * len(attack.names)
            indices[attack.place] = index
            made = Descent(2 * ref, descent)
            if attack.replay.result(origin, steps_of(len(indices) - 1, made)) == facts:
                continue  # by chance not made up
            yield State(UNKNOWN, steps + len(descent), 0, facts, tuple(indices), made)
            count -= 1


def check_made_up(domain: str, count: int, settings: Settings = TACIT) -> None:
    """None is accepted, and the agent does nothing that it would not have done."""
    attack = Attack(domain, settings)
    states = list(islice(made_up(attack, count), count))
    assert not any(map(attack.is_accepted, states))
    spared = Attack(domain, settings)
    spared.drain()
    assert attack.drain() == spared.drain()


@pytest.mark.parametrize("domain", ["depot", "logistics", "rovers"])
def test_made_up_states_are_refused(domain: str) -> None:
    check_made_up(domain, 204)


@pytest.mark.slow
@pytest.mark.parametrize("settings", [TACIT, PAPER, FRESH, ONCE], ids=["tacit", "paper", "f", "o"])
@pytest.mark.parametrize("domain", list(DOMAINS))
def test_many_made_up_states_are_refused(domain: str, settings: Settings) -> None:
    check_made_up(domain, 2_000, settings)


ALL = (Harden.FRESH, Harden.ONCE, Harden.PAD)


@pytest.mark.parametrize("harden", [(), ALL], ids=["plain", "hardened"])
@pytest.mark.parametrize("base", [TACIT, PAPER], ids=["tacit", "paper"])
@pytest.mark.parametrize("domain", list(DOMAINS))
def test_every_honest_state_follows_by_its_descent(
    domain: str, base: Settings, harden: tuple[Harden, ...]
) -> None:
    """As the core writes them, by an independent replay from what crossed."""
    attack = Attack(domain, msgspec.structs.replace(base, harden=harden))
    counts = base.rule is Rule.SUPPORTED and Harden.ONCE not in harden
    count = 0
    for sender, receiver, batch in attack.crossing():
        count += attack.replay.check_all(sender, receiver, batch, counts)
        if count > 1_000:
            break
    assert count > 0


def alterations(attack: Attack, state: State, seen: list[set[int]]) -> Iterator[State]:
    """Copies of an honest state, each with one thing in it that cannot be."""
    rng = random.Random(state.ref)
    state = replace(state, ref=UNKNOWN)
    descent, place = state.descent, attack.place
    yield replace(state, facts=state.facts ^ {rng.randrange(attack.shape.facts)})
    yield replace(state, steps=state.steps - 1)
    yield replace(state, descent=replace(descent, origin=2 * UNKNOWN))
    yield replace(state, descent=replace(descent, origin=2 * UNKNOWN + 1))
    count = len(attack.published[attack.evil].actions) + 1
    more = replace(descent, actions=(count, *descent.actions))
    yield replace(state, steps=state.steps + 1, descent=more)
    foreign = replace(descent, before=(*descent.before, Segment(place, 1, ())))
    yield replace(state, descent=foreign)
    acted = {len(attack.names) - 1, *(segment.agent for segment in descent.before)}
    for agent, known in enumerate(seen):
        others = sorted(known - {state.indices[agent]})
        if others and agent not in acted:
            indices = list(state.indices)
            indices[agent] = rng.choice(others)
            yield replace(state, indices=tuple(indices))


@pytest.mark.parametrize("settings", [TACIT, PAPER, FRESH, ONCE], ids=["tacit", "paper", "f", "o"])
@pytest.mark.parametrize("domain", ["depot", "logistics", "rovers"])
def test_one_thing_that_cannot_be_is_enough(domain: str, settings: Settings) -> None:
    attack = Attack(domain, settings)
    seen: list[set[int]] = [{0} for _ in attack.names]
    altered = of_indices = 0
    for sender, receiver, batch in attack.crossing():
        for state in batch.states:
            for agent, index in enumerate(state.indices):
                seen[agent].add(index)
        if (sender, receiver) != (attack.evil, attack.victim) or altered > 1_000:
            continue
        known = [indices if n == attack.place else {0} for n, indices in enumerate(seen)]
        for state in batch.states:
            for false in alterations(attack, state, known):
                assert not attack.is_accepted(false), (state, false)
                of_indices += false.indices != state.indices
                altered += 1
            assert attack.is_accepted(state)
    assert altered > 20
    assert of_indices > 0


def first_steps(attack: Attack) -> Iterator[State]:
    """States behind one action of the attacker that needs tokens, and all else holds."""
    start = attack.replay.start
    for number, action in enumerate(attack.replay.actions[-1]):
        if action.tokens and start.facts >= action.needs:
            facts = start.facts - action.deletes | action.adds
            yield State(UNKNOWN + number, 1, 0, facts, start.indices, Descent(0, (number,)))


@pytest.mark.parametrize("domain", ["blocksworld", "driverlog", "sensors"])
def test_an_action_without_its_edge_on_the_ledger_is_refused(domain: str) -> None:
    """An agent that takes tokens which the ledger does not give it is caught by them alone."""
    bare, full = Attack(domain, share=0.0), Attack(domain)
    unsupported = list(first_steps(bare))
    assert unsupported
    assert not any(map(bare.is_accepted, unsupported))
    assert any(map(full.is_accepted, first_steps(full)))


def test_what_anothers_index_means_follows_from_the_descent() -> None:
    attack = Attack("logistics")
    evil = len(attack.names) - 1
    honest = next(
        state
        for sender, receiver, batch in attack.crossing()
        for state in batch.states
        if (sender, receiver) == (attack.evil, attack.victim)
    )
    index = 4_711
    indices = (*honest.indices[:-1], index)
    everything = IndexMeaning(evil, index, frozenset(range(attack.shape.tokens[evil])))
    assert not attack.is_accepted(replace(honest, indices=indices), everything)

"""What each hardening promises, read off the transcript alone.

That plain search does not keep the promise shows that the test could fail.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec
import pytest
from msgspec.structs import replace
from support.forward import LIMITS, TURNS
from support.hardened import ALL, crossed, hardened, repeats
from support.inside import messages_of
from support.problems import generated

from tacit.central.session import Session
from tacit.public.disclosure import INIT
from tacit.public.protocol.messages import Begin, Disclosed, States
from tacit.public.protocol.states import padded_size
from tacit.public.settings import Recipients


def recorded(names: str, recipients: Recipients = Recipients.NEEDED) -> Iterator[Session]:
    for domain in ("logistics", "rovers", "elevators", "depot", "sensors"):
        for seed in (0, 1):
            settings = msgspec.structs.replace(hardened(names), recipients=recipients)
            session = Session(
                generated(domain, "small", seed), settings, replace(TURNS, ranking="m3")
            )
            session.at(session.largest, LIMITS)
            session.at(session.largest // 2, LIMITS)
            yield session


def links(session: Session) -> int:
    """How many of an agent's indices it used in states that look different to who gets them."""
    seen: dict[tuple[int, str, int], set[object]] = {}
    meanings: dict[tuple[int, str, int, int], frozenset[int]] = {}
    agents = session.instance.agents
    initial: dict[tuple[int, int], frozenset[int]] = {}
    disclosed: dict[int, frozenset[int]] = {}
    for message in messages_of(session):
        if isinstance(message, Disclosed):
            tokens = frozenset(edge.token for edge in message.edges if edge.achiever == INIT)
            disclosed[agents.index(message.sender)] = tokens
        elif isinstance(message, Begin):
            initial.update({(message.run, agent): own for agent, own in disclosed.items()})
    for run, _, sender, receiver, batch in crossed(session):
        for told in batch.indices:
            meanings[run, receiver, told.agent, told.index] = told.tokens
        own = agents.index(sender)
        for state in batch.states:
            around = tuple(
                meanings[run, receiver, agent, index] if index else initial[run, agent]
                for agent, index in enumerate(state.indices)
                if agents[agent] not in (sender, receiver)
            )
            view = (state.facts, receiver, around)
            seen.setdefault((run, sender, state.indices[own]), set()).add(view)
    views: Counter[tuple[int, str, int]] = Counter()
    for key, found in seen.items():
        views[key] = max(Counter(receiver for _, receiver, _ in found).values())
    return sum(count > 1 for count in views.values())


@pytest.mark.parametrize("names", ["fresh", ALL])
def test_fresh_indices_link_nothing_that_looks_different(names):
    assert sum(map(links, recorded(names))) == 0


def test_plain_indices_do():
    assert sum(map(links, recorded(""))) > 20


@pytest.mark.parametrize("names", ["once", ALL])
def test_a_pair_is_sent_once_to_a_recipient(names):
    assert sum(map(repeats, recorded(names))) == 0


def test_plain_search_repeats_pairs():
    assert sum(map(repeats, recorded(""))) > 3


@pytest.mark.parametrize("names", ["pad", ALL])
def test_padded_batches_have_few_sizes(names):
    sizes = Counter(
        len(message.batch)
        for session in recorded(names)
        for message in messages_of(session)
        if isinstance(message, States)
    )
    assert sizes
    assert all(padded_size(size) == size for size in sizes)
    assert len(sizes) <= 6


def test_sizes():
    assert [padded_size(n) for n in (0, 1, 1024, 1025, 2**20)] == [1024, 1024, 1024, 4096, 2**20]
    assert padded_size(2**20 + 1) == 2 * 2**20
    assert all(padded_size(padded_size(n)) == padded_size(n) for n in range(1, 2**21, 997))


def test_states_go_to_all_agents_or_only_to_those_that_need_them():
    def told(recipients: Recipients) -> tuple[int, int]:
        """States sent, and states sent to everybody else."""
        states = everybody = 0
        for session in recorded("", recipients):
            receivers: dict[object, set[str]] = {}
            for run, _, sender, receiver, batch in crossed(session):
                for state in batch.states:
                    receivers.setdefault((run, sender, state.ref), set()).add(receiver)
            states += len(receivers)
            others = len(session.instance.agents) - 1
            everybody += sum(len(found) == others for found in receivers.values())
        return states, everybody

    states, everybody = told(Recipients.ALL)
    assert states == everybody > 0
    states, everybody = told(Recipients.NEEDED)
    assert everybody < states

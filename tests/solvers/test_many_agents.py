"""What grows with the number of agents, counted and not timed: messages, bytes, shared objects."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from support.inside import agents_of, order_of, publications_of, published_of, view_of
from support.problems import generated

from tacit.central.instance import Instance
from tacit.central.result import Result
from tacit.central.session import Session
from tacit.policy import POLICY
from tacit.profile import profile
from tacit.public.disclosure import PublicEdge
from tacit.public.outcome import Outcome
from tacit.public.protocol.messages import (
    EdgeDisclosed,
    Introduce,
    NextEdge,
    NoMore,
    Passed,
    Publication,
    Turn,
    decode,
)
from tacit.public.run_options import RunOptions
from tacit.solvers.limits import Limits
from tacit.solvers.rounds import Turns


def cities(count: int) -> Instance:
    """As many trucks as cities, and two planes."""
    return generated(
        "logistics", {"cities": count, "places": 2, "planes": 2, "packages": 2 * count}, 0
    )


def solved(instance: Instance, **options: object) -> tuple[Session, Result]:
    policy = replace(POLICY, online=replace(POLICY.online, rounds_left_out=16))
    session = Session(instance, profile("tacit"), RunOptions(**options), online=True, policy=policy)
    result = session.online(Limits(60))
    assert result.outcome is Outcome.SOLVED
    return session, result


class Scripted:
    """Agents that disclose in the turns they are told, by the number of the turn of all."""

    def __init__(self, discloses: dict[str, set[int]]):
        self.turns = 0
        self.asked: list[str] = []
        self._discloses = discloses

    def __call__(self, agent: str, must: bool) -> Turn:
        self.turns += 1
        self.asked.append(agent)
        if self.turns in self._discloses.get(agent, ()):
            return EdgeDisclosed(agent, PublicEdge(self.turns, 0, True))
        return Passed(agent)


def go_round(turns: Turns) -> int:
    """A round as online runs have them; how many disclosed."""
    for agents in turns.due():
        found = sum(isinstance(turns.take(agent), EdgeDisclosed) for agent in agents)
        if found:
            return found
    return 0


def test_who_always_passes_is_asked_seldom():
    """One of a hundred agents discloses in every round: questions are a few per agent and those of
    the one, not one per agent and round.
    """
    names = [f"agent{n}" for n in range(100)]
    script = Scripted({"agent0": set(range(10_000))})
    turns = Turns(names, script, most_left_out=16)
    for _ in range(64):
        assert go_round(turns) == 1
    asked = Counter(script.asked)
    assert asked["agent0"] == 64
    assert max(asked[name] for name in names[1:]) <= 9
    assert min(asked[name] for name in names[1:]) >= 4


def test_a_round_in_which_nobody_discloses_asked_everybody():
    names = ["a", "b", "c"]
    script = Scripted({"a": set(range(7))})
    turns = Turns(names, script, most_left_out=16)
    while go_round(turns):
        script.asked.clear()
    assert set(script.asked) == set(names)


def test_a_disclosure_ends_the_wait():
    names = ["a", "b"]
    script = Scripted({"a": set(range(40)), "b": {10}})
    turns = Turns(names, script, most_left_out=16)
    while "b" not in script.asked[-1:] or script.turns < 10:
        go_round(turns)
    start = len(script.asked)
    go_round(turns)
    assert script.asked[start:].count("a") == 1


def test_offline_everybody_has_every_turn():
    turns = Turns(["a", "b"], Scripted({}))
    for _ in range(5):
        assert turns.due() == (["a", "b"], [])
        for agent in ("a", "b"):
            assert not isinstance(turns.take(agent), NoMore)


@pytest.mark.parametrize("count", [4, 12])
def test_messages_of_a_run_are_bounded_by_what_was_disclosed(count):
    """Through the coordinator a round takes two messages per agent at most, and beyond the rounds
    that everybody needs, only those who disclose are asked time and again.
    """
    _, result = solved(cities(count), drive="roundrobin")
    frames = result.transcript.frames
    asked = [f for f in frames if f.sender == "solver" and isinstance(decode(f.payload), NextEdge)]
    agents = len(result.ledger.agents)
    assert len(asked) <= 8 * agents + 2 * result.ledger.sum


@pytest.mark.parametrize("count", [4, 12])
def test_bytes_are_those_of_the_publications_for_each_agent(count):
    """What crosses is what all published, once to each agent, and little else."""
    _, result = solved(cities(count), drive="roundrobin")
    messages = zip(result.transcript.frames, result.transcript.messages(), strict=True)
    published = rest = 0
    for frame, message in messages:
        if isinstance(message, Publication):
            published += len(frame.payload)
        elif not isinstance(message, Introduce):
            rest += len(frame.payload)
    agents = len(result.ledger.agents)
    total = sum(len(frame.payload) for frame in result.transcript.frames)
    assert total - rest <= (agents + 1) * published + 100 * agents
    assert rest <= agents * published


def test_agents_of_a_process_have_one_copy_of_what_is_public():
    session, _ = solved(cities(4), drive="roundrobin")
    known = publications_of(session)
    for name, agent in agents_of(session).items():
        world = view_of(order_of(agent)).world
        assert all(world.published[other] is part for other, part in known.items())
        assert published_of(agent).publication is known[name]

"""Turns in the protocol: what an agent refuses, and what it discloses."""

from __future__ import annotations

import msgspec
import pytest
from support.inside import publications_of, unregister
from support.interactive import ECHO

import tacit
from tacit.central.session import Session
from tacit.errors import InputError, ProtocolError
from tacit.party.agent import Agent
from tacit.party.disclosure.ranking import RANKINGS
from tacit.public.disclosure import FINISH, PublicEdge
from tacit.public.protocol.known import Known
from tacit.public.protocol.messages import (
    Disclose,
    EdgeDisclosed,
    EndLayers,
    Introduce,
    NextEdge,
    NoMore,
    Passed,
    Publish,
    decode,
    encode,
)
from tacit.public.run_options import RunOptions
from tacit.public.settings import Settings
from tacit.registry import load_plugin


def met(online: bool = False) -> tuple[list[Agent], Session]:
    """Agents that know each other, and nothing more."""
    instance = tacit.load("logistics/small")
    session = Session(instance, Settings(), RunOptions(ranking="echo"), online=online)
    return list(session.agents.values()), session


def ask(agent: Agent, question) -> object:
    return decode(agent.answer("asker", encode(question)))


def test_a_turn_before_the_others_are_known_is_refused(echo):
    agent = Agent(tacit.load("logistics/small").local("truck1"))
    with pytest.raises(ProtocolError, match="is new: expected 'publish', not 'next-edge'"):
        ask(agent, NextEdge("asker"))
    published = ask(agent, Publish("asker", Settings(), "echo"))
    assert published.is_interactive
    with pytest.raises(ProtocolError, match="is published: expected"):
        ask(agent, NextEdge("asker"))
    ask(agent, Introduce("asker", (published,)))
    with pytest.raises(ProtocolError, match="is reaching: expected 'end-layers'"):
        ask(agent, NextEdge("asker"))
    ask(agent, EndLayers("asker"))
    assert isinstance(ask(agent, NextEdge("asker")), EdgeDisclosed)


def test_an_interactive_ranking_discloses_only_what_it_chose_in_turns(echo):
    (agent, *_), session = met()
    with pytest.raises(ProtocolError, match="asked for its next edge first"):
        ask(agent, Disclose("asker", 1))
    first = ask(agent, NextEdge("asker")).edge
    assert ask(agent, Disclose("asker", 1)).edges == (first,)
    with pytest.raises(ProtocolError, match="asked for its next edge first"):
        ask(agent, Disclose("asker", 2))
    shown = [first]
    while isinstance(turn := ask(agent, NextEdge("asker")), EdgeDisclosed):
        shown.append(turn.edge)
    assert turn == NoMore(agent.name)
    disclosed = ask(agent, Disclose("asker", 10_000))
    assert list(disclosed.edges) == sorted(shown)
    assert len(disclosed.edges) == session.totals[agent.name]
    assert ask(agent, NextEdge("asker")) == NoMore(agent.name)


def test_budgets_are_for_one_user_who_holds_all_agents(echo):
    (agent, *_), _ = met(online=True)
    with pytest.raises(ProtocolError, match="offline only"):
        ask(agent, Disclose("asker", 1))


# ------------------------------------------------------------------ what others disclose


@pytest.mark.parametrize("online", [False, True])
def test_what_is_no_disclosure_of_another_agent_is_refused(echo, online):
    (one, other, *_), _ = met(online)
    edge = PublicEdge(-1, 0)
    for sender, message, said in (
        (other.name, EdgeDisclosed("nobody", edge), "expected a disclosure"),
        (other.name, Passed(other.name), "expected a disclosure"),
        (other.name, NextEdge(other.name), "expected a disclosure"),
        ("nobody", EdgeDisclosed("nobody", edge), "not among the others"),
        (one.name, EdgeDisclosed(one.name, edge), "not among the others"),
    ):
        with pytest.raises(ProtocolError, match=said):
            one.hear(sender, encode(message))
    assert not any(made.seen for made in echo.made), "no ranking sees anything of it"
    assert not len(one.ledger)


@pytest.mark.parametrize(
    ("achiever", "token"), [(10_000, 0), (FINISH, 0), (0, 10_000), (0, -1), (-7, 0)]
)
def test_what_cannot_have_been_disclosed_does_not_fit(echo, achiever, token):
    agents, session = met()
    known = Known([agent.name for agent in agents], len(session.instance.public.facts))
    for part in publications_of(session).values():
        assert part.fits(known)
    one = agents[0].name
    assert EdgeDisclosed(one, PublicEdge(-1, 0)).fits(known)
    assert not EdgeDisclosed(one, PublicEdge(achiever, token)).fits(known)
    assert not EdgeDisclosed("nobody", PublicEdge(-1, 0)).fits(known)


def test_an_edge_counts_once(echo):
    (one, other, third), _ = met(online=True)
    turn = ask(other, NextEdge("asker"))
    for _ in range(2):
        one.hear(other.name, encode(turn))
    mark = tuple(int(agent is other) for agent in (one, other, third))
    ask(one, NextEdge("asker", mark))
    (ranking,) = (made for made in echo.made if made.public.agent == one.name)
    assert ranking.seen == [(other.name, turn.edge)]
    assert one.ledger.counts(other.name).edges == 1


def test_a_turn_supposes_what_is_on_the_ledger(echo):
    (one, other, third), _ = met(online=True)
    turn = ask(other, NextEdge("asker"))
    mark = tuple(int(agent is other) for agent in (one, other, third))
    with pytest.raises(ProtocolError, match="never came"):
        ask(one, NextEdge("asker", mark))
    one.hear(other.name, encode(turn))
    assert not one.ledger.edges(other.name), "it is entered once the coordinator's ledger has it"
    ask(one, NextEdge("asker", mark))
    assert one.ledger.edges(other.name) == (turn.edge,)
    with pytest.raises(ProtocolError, match="ledgers differ"):
        ask(one, NextEdge("asker", (0,) * 3))


def test_a_mark_has_a_count_for_every_agent():
    known = Known("abc", 1)
    assert all(NextEdge("asker", mark).fits(known) for mark in ((), (0, 0, 0), (1, 0, 7)))
    assert not any(NextEdge("asker", mark).fits(known) for mark in ((1,), (0,) * 4, (0, -1, 0)))


def test_turns_are_decoded_strictly():
    question = NextEdge("asker", (0, 1), must=True)
    good = msgspec.msgpack.decode(encode(question))
    assert decode(msgspec.msgpack.encode(good)) == question
    for change in ({"more": 1}, {"heard": []}, {"ledger": [[0]]}, {"ledger": 1}, {"must": 1}):
        with pytest.raises(ProtocolError):
            decode(msgspec.msgpack.encode({**good, **change}))
    edge = {"type": "edge-disclosed", "sender": "a"}
    for change in ({}, {"edge": None}, {"edge": [0]}, {"edge": [0, 1], "total": 3}):
        with pytest.raises(ProtocolError):
            decode(msgspec.msgpack.encode({**edge, **change}))
    for name in ("passed", "no-more"):
        with pytest.raises(ProtocolError):
            decode(msgspec.msgpack.encode({"type": name, "sender": "a", "why": "bound"}))


@pytest.mark.parametrize("edge", ["graph.edges[0]", "type(graph.edges[0])(-1, 99)"])
def test_a_ranking_that_returns_nonsense_is_named(tmp_path, edge):
    file = tmp_path / "bad.py"
    text = ECHO.replace('"echo"', '"bad"').replace("self.left.pop(self.sum % len(self.left))", edge)
    file.write_text(text.replace("graph.", "self.graph."))
    load_plugin(file)
    try:
        with pytest.raises(InputError, match="'bad' returns an edge twice"):
            Session(tacit.load("logistics/small"), Settings(), RunOptions(ranking="bad")).at(3)
    finally:
        unregister(RANKINGS, "bad")

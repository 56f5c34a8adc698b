"""Turns in the protocol: what an agent refuses, and what it discloses."""

from __future__ import annotations

import msgspec
import pytest
from support.inside import unregister
from support.interactive import ECHO

import tacit
from tacit.central.session import Session
from tacit.errors import InputError, ProtocolError
from tacit.party.agent import Agent
from tacit.party.disclosure.ranking import RANKINGS
from tacit.public.disclosure import FINISH, PublicEdge
from tacit.public.protocol.messages import Disclose, Introduce, NextEdge, Publish, decode, encode
from tacit.public.run_options import RunOptions
from tacit.public.settings import Settings
from tacit.registry import load_plugin


def met(agents: int = 2) -> tuple[list[Agent], Session]:
    """Agents that have met, and nothing more."""
    instance = tacit.load("logistics/small")
    session = Session(instance, Settings(), RunOptions(ranking="echo"))
    return list(session.agents.values())[:agents], session


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
    assert ask(agent, NextEdge("asker")).edge is not None


def test_an_interactive_ranking_discloses_only_what_it_chose_in_turns(echo):
    (agent, _), _ = met()
    with pytest.raises(ProtocolError, match="asked for its next edge first"):
        ask(agent, Disclose("asker", 1))
    first = ask(agent, NextEdge("asker")).edge
    assert ask(agent, Disclose("asker", 1)).edges == (first,)
    with pytest.raises(ProtocolError, match="asked for its next edge first"):
        ask(agent, Disclose("asker", 2))
    told = [first]
    while (edge := ask(agent, NextEdge("asker")).edge) is not None:
        told.append(edge)
    disclosed = ask(agent, Disclose("asker", 10_000))
    assert list(disclosed.edges) == sorted(told)
    assert len(disclosed.edges) == disclosed.total
    with pytest.raises(ProtocolError, match="has no more"):
        ask(agent, NextEdge("asker"))


WRONG = [
    ("two edges in one round", lambda me, you: [(you, PublicEdge(-1, 0)), (you, PublicEdge(0, 0))]),
    ("not among the others", lambda me, you: [(me, PublicEdge(0, 0))]),
    ("not among the others", lambda me, you: [("nobody", PublicEdge(0, 0))]),
    ("cannot have", lambda me, you: [(you, PublicEdge(10_000, 0))]),
    ("cannot have", lambda me, you: [(you, PublicEdge(FINISH, 0))]),
    ("cannot have", lambda me, you: [(you, PublicEdge(0, 10_000))]),
    ("cannot have", lambda me, you: [(you, PublicEdge(0, -1))]),
]


@pytest.mark.parametrize(("said", "heard"), WRONG)
def test_what_cannot_have_been_disclosed_is_refused(echo, said, heard):
    (one, other), _ = met()
    with pytest.raises(ProtocolError, match=said):
        ask(one, NextEdge("asker", tuple(heard(one.name, other.name))))
    assert not any(made.seen for made in echo.made), "no ranking hears anything of it"


def test_an_edge_is_not_disclosed_twice(echo):
    (one, other), _ = met()
    news = ((other.name, PublicEdge(-1, 0)),)
    ask(one, NextEdge("asker", news))
    with pytest.raises(ProtocolError, match="sent twice"):
        ask(one, NextEdge("asker", news))


def test_turns_are_decoded_strictly():
    good = msgspec.msgpack.decode(encode(NextEdge("asker", (("a", PublicEdge(0, 1)),))))
    assert decode(msgspec.msgpack.encode(good)) == NextEdge("asker", (("a", PublicEdge(0, 1)),))
    for change in ({"more": 1}, {"heard": [["a", [0]]]}, {"heard": [["a", [0, 1], 2]]}):
        with pytest.raises(ProtocolError):
            decode(msgspec.msgpack.encode({**good, **change}))
    with pytest.raises(ProtocolError):
        decode(msgspec.msgpack.encode({"type": "edge-disclosed", "sender": "a"}))


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

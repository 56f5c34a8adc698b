"""Turns of interactive rankings, read off the transcript."""

from __future__ import annotations

import gc

from support.inside import offline_of, projection_of, shown_edge, transcript_of
from support.renaming import LIMITS
from tacit.central.instance import Instance
from tacit.central.session import Session
from tacit.public.disclosure import PublicEdge
from tacit.public.protocol.messages import EdgeDisclosed, NextEdge, Passed, decode
from tacit.public.run_options import RunOptions
from tacit.public.settings import Settings


def told(session: Session) -> list[tuple[str, PublicEdge]]:
    """All edges in the order in which they were told in turns."""
    frames = (f for f in transcript_of(session).frames if f.receiver == "solver")
    messages = (decode(frame.payload) for frame in frames)
    return [(m.sender, m.edge) for m in messages if isinstance(m, EdgeDisclosed)]


def send_all(session: Session) -> None:
    """Take turns to the end, which nobody needs: all edges at once do not take turns."""
    offline_of(session)._rounds.until(10 * session.largest + 3)


def of(session: Session, agent: str) -> list[PublicEdge]:
    return [edge for name, edge in told(session) if name == agent]


def turns_of(session: Session, agent: str) -> list[PublicEdge | None]:
    """What came of an agent's turns, None for a pass. Where it must not pass, it has the turn in
    which everybody passed once more.
    """
    turns: list[PublicEdge | None] = []
    for frame in transcript_of(session).frames:
        message = decode(frame.payload)
        if frame.receiver == agent and isinstance(message, NextEdge) and message.must:
            assert turns.pop() is None
        if (frame.sender, frame.receiver) == (agent, "solver") and isinstance(
            message, EdgeDisclosed | Passed
        ):
            turns.append(message.edge if isinstance(message, EdgeDisclosed) else None)
    return turns


def check_prefixes(instance: Instance, ranking: str, most: int) -> None:
    """What is disclosed at each k begins what is disclosed at a larger one, in whatever order k
    changes: it is what came of the first k turns.
    """
    most = min(Session(instance, Settings(), RunOptions(ranking=ranking)).largest - 1, most)
    at_once = Session(instance, Settings(), RunOptions(ranking=ranking))
    projection_of(at_once, most)
    one_by_one = Session(instance, Settings(), RunOptions(ranking=ranking))
    for k in (*range(most + 1), *reversed(range(most + 1))):
        one_by_one.at(k, LIMITS)
        for name, agent in one_by_one.agents.items():
            shown = [shown_edge(agent, edge) for edge in agent.disclosed]
            turns = turns_of(at_once, name)[:k]
            assert shown == [edge for edge in turns if edge is not None]
            assert shown == of(at_once, name)[: len(shown)]
    assert told(one_by_one) == told(at_once)


def reachable(*roots: object) -> list[object]:
    """Everything that one gets to by attributes and items, but through no class or module."""
    seen = {id(root): root for root in roots}
    stack = list(roots)
    while stack:
        for thing in gc.get_referents(stack.pop()):
            is_module = isinstance(thing, dict) and "__builtins__" in thing
            if id(thing) not in seen and not is_module and not isinstance(thing, type | type(gc)):
                seen[id(thing)] = thing
                stack.append(thing)
    return list(seen.values())


ECHO = """
from tacit.party.disclosure.ranking import RANKINGS


@RANKINGS.add("echo")
class Echo:
    '''Which edge comes next hangs on all that was heard, and on its order.'''

    is_interactive = True
    made = []

    def __init__(self, graph, public, seed):
        self.graph, self.public = graph, public
        self.left = list(graph.edges)
        self.seen = []
        self.sum = seed
        self.steps = []  # (how much was heard before, what was told)
        Echo.made.append(self)

    def next(self):
        if not self.left:
            return None
        edge = self.left.pop(self.sum % len(self.left))
        self.steps.append((len(self.seen), edge))
        return edge

    def saw(self, agent, item):
        self.seen.append((agent, item))
        number = sum(ord(c) for c in repr(item))
        self.sum = (self.sum * 31 + number * 7 + len(agent)) % 1_000_003
"""

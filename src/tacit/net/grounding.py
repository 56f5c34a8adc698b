"""Grounding with peers: the rounds, and the proof that everybody came to the same public task.

What peers send here is checked by `party.local.grounding` as it comes in. How much a peer may send
in all is bounded, because it is stored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from tacit.net.faults import Fault, out_of_turn, senseless
from tacit.net.talk import Talk
from tacit.party.local.grounding import GroundingAgent
from tacit.party.local.task import LocalTask
from tacit.pddl.syntax import Pair
from tacit.public.protocol import digest
from tacit.public.protocol.link import Agreed, Reason, Stage
from tacit.public.protocol.messages import AnyMessage, Grounding
from tacit.public.task import PublicFact, PublicTask


@dataclass(frozen=True)
class Ground:
    """One agent's local task, the public task of all, and its digest."""

    task: LocalTask
    public: PublicTask
    digest: bytes


def ground_together(
    pair: Pair, agents: Sequence[str], talk: Talk, seconds: float, most: int
) -> Ground:
    """Ground with everybody; `seconds` for each message, at most so many bytes from each peer."""
    agent = _exchange(pair, agents, talk, seconds, most)
    facts, init, goal = agent.public_facts, agent.public_init, agent.public_goal
    public = PublicTask(tuple(agents), facts, init, goal)
    found = digest.of_ground(facts, init, goal)
    _agree(found, talk, seconds)
    return Ground(agent.result(), public, found)


def _exchange(
    pair: Pair, agents: Sequence[str], talk: Talk, seconds: float, most: int
) -> GroundingAgent:
    agent = GroundingAgent(pair, agents)
    out = _Out(talk)
    agent.open(out)
    received: Counter[str] = Counter()
    waiting = talk.deferred()
    while agent.task is None:
        heard = waiting.pop(0) if waiting else talk.expect(seconds, agent.awaited)
        if isinstance(heard.message, Agreed):
            talk.defer(heard)  # it is done already
            continue
        if not isinstance(heard.message, Grounding):
            raise out_of_turn(heard.peer)
        received[heard.peer] += len(heard.payload)
        if received[heard.peer] > most:
            raise senseless(heard.peer)
        try:
            agent.receive(heard.peer, heard.payload, out)
        except (LookupError, ValueError, TypeError):
            raise senseless(heard.peer) from None
    for heard in waiting:
        talk.defer(heard)
    return agent


def _agree(own: bytes, talk: Talk, seconds: float) -> None:
    """Has everybody ground the same public task?"""
    talk.send_all(Agreed(talk.own, Stage.GROUND, own))
    awaited = partial(agreed, Stage.GROUND)
    for peer, message in talk.one_of_each(seconds, awaited, partial(agreed, Stage.COMMITTED)):
        if message.digest != own:
            text = f"agents '{talk.own}' and '{peer}' have different public tasks"
            raise Fault(text, Reason.DISAGREEMENT, peer)


def agreed(stage: Stage, message: AnyMessage) -> Agreed | None:
    """A message, if it is the digest of this stage."""
    return message if isinstance(message, Agreed) and message.stage is stage else None


class _Out:
    """The way out while grounding."""

    def __init__(self, talk: Talk):
        self._talk = talk

    def send(self, receiver: str, frame: bytes) -> None:
        self._talk.send_encoded(receiver, frame)


def public_problem(pair: Pair) -> tuple[list[str], list[PublicFact], list[PublicFact]]:
    """The public objects, initial facts and goals of an agent's own files."""
    private = {item.name for item in pair.objects if item.private}
    public = {predicate.name for predicate in pair.domain.predicates if not predicate.private}
    objects = [item.name for item in pair.objects if not item.private]
    init = [
        PublicFact(atom.name, atom.args)
        for atom in pair.problem.init
        if atom.name in public and private.isdisjoint(atom.args)
    ]
    goals = [
        PublicFact(literal.atom.name, literal.atom.args, literal.positive)
        for literal in pair.problem.goal
        if literal.atom.name in public and private.isdisjoint(literal.atom.args)
    ]
    return objects, init, goals

"""One agent with its secrets, as it takes part in planning: it is asked, and it answers.

Everything it says is a message of `public.protocol.messages`. Its actions and tokens go by numbers
that are a seeded shuffle, and only this side knows both sides of that. What it found out for itself
(its dependencies, its local plan) stays here.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate

from tacit import watch
from tacit.errors import ProtocolError
from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.disclosure.graph import Edge
from tacit.party.disclosure.prices import Account, Prices
from tacit.party.disclosure.words import Words
from tacit.party.extension.carrying import Carrier
from tacit.party.extension.extension import LocalPlan
from tacit.party.local.task import LocalTask
from tacit.party.mafs.forward import Forward, Joint
from tacit.party.mafs.searching import Seeking
from tacit.party.standing import Standing
from tacit.public.disclosure import PublicEdge, PublicStep
from tacit.public.protocol.messages import (
    Answer,
    Begin,
    Carry,
    Disclose,
    Explore,
    Explored,
    Meet,
    Noted,
    Publish,
    Question,
    Replan,
    States,
    Turn,
    decode,
    encode,
)


class Agent:
    """Answers questions; the owner can ask for `local_plan` and `dependencies` besides.

    `seed` is the agent's own secret: who knows it can undo the shuffle of its numbers. `ties` is a
    seed for breaking ties between edges at random, instead of by reachability and declaration.
    `prices` are what telling things costs it, and what it never tells; `budget` is what all of its
    edges together may cost. Neither is in any message.
    """

    def __init__(
        self,
        task: LocalTask,
        seed: int | str = 0,
        ties: int | None = None,
        prices: Prices | None = None,
        budget: int | None = None,
    ):
        self.task = task
        self._seed = seed
        self._ties = ties
        self._prices = prices
        self._budget = budget
        self._standing: Standing | None = None
        self._carrier: Carrier | None = None
        self._seeking: Seeking | None = None

    @property
    def name(self) -> str:
        return self.task.agent

    @property
    def local_plan(self) -> LocalPlan | None:
        """The own part of the plan last agreed on."""
        part = self._seeking or self._carrier
        return part.plan if part else None

    @property
    def has_published(self) -> bool:
        return self._standing is not None

    @property
    def dependencies(self) -> Dependencies:
        return self._ready().dependencies

    @property
    def disclosed(self) -> list[Edge]:
        """The edges this agent has told, in its own numbers."""
        return self._ready().disclosed

    @property
    def account(self) -> Account:
        """For the owner: what the edges told for this budget and the repairs cost."""
        own = self.dependencies
        prices = (own.price(edge.giver, edge.token) or 0 for edge in self.disclosed)
        repairs = self._carrier.paid if self._carrier else 0
        return Account(sum(prices), repairs, self._ready().kept.count)

    @property
    def affordable(self) -> int:
        """For the owner: how many edges the budget could pay for, the cheapest ones."""
        graph = self.dependencies.graph
        prices = sorted(graph.price or [1] * len(graph.columns))
        if self._budget is None:
            return len(prices)
        return bisect_right(list(accumulate(prices)), self._budget)

    @property
    def paid_for(self) -> int | None:
        """For the owner: how many edges the budget has paid for, once no more can be told."""
        return self._ready().paid_for

    @property
    def whole_order(self) -> list[Edge]:
        """For the owner: all edges in the order in which they are told, as far as that is known."""
        return self._ready().whole_order

    def tell(self, edges: Sequence[Edge]) -> tuple[PublicEdge, ...]:
        """For the owner alone: disclose just these edges, whatever the ranking would say."""
        ready = self._ready()
        self._start_afresh()
        ready.disclosed = list(edges)
        return tuple(ready.show(edge) for edge in edges)

    def step(self, action: int) -> PublicStep:
        """For the owner alone: one of its public actions as others see it in a plan."""
        return self._ready().show_step(action)

    @property
    def words(self) -> Words:
        """Names for what this agent has told; for its owner."""
        return Words(self._ready(), self._carrier)

    def answer(self, sender: str, frame: bytes) -> bytes:
        watch.check()
        question = decode(frame)
        if not isinstance(question, Question) or question.sender != sender:
            raise ProtocolError(f"'{sender}' asks what is no question")
        return encode(self._answer(question))

    def _answer(self, question: Question) -> Answer:
        if isinstance(question, Publish):
            self._standing = Standing(
                self.task, question, self._seed, self._ties, self._prices, self._budget
            )
            self.__dict__.pop("_joint", None)
            self._carrier = self._seeking = None
            return self._standing.publish()
        ready = self._ready()
        if isinstance(question, Explore):
            return Explored(self.name, ready.explore(question.facts))
        if isinstance(question, Meet):
            ready.meet(question.others)
            return Noted(self.name)
        if isinstance(question, Turn):
            return ready.turn(question)
        if isinstance(question, Disclose):
            self._start_afresh()
            return ready.disclose(question.budget)
        if isinstance(question, Begin):
            self._seeking = Seeking(ready, self._joint, question)
            return Noted(self.name)
        if isinstance(question, Carry):
            return (self._seeking or self._carries()).carry(question)
        if isinstance(question, Replan):
            return self._carries().replan(question)
        return self._seeks().answer(question)

    def _start_afresh(self) -> None:
        """Every budget is a run of its own, unless a search goes on with a larger one."""
        self._carrier = None
        if self._seeking is not None and not self._seeking.forward.grows:
            self._seeking = None

    def _carries(self) -> Carrier:
        if self._carrier is None:
            self._carrier = Carrier(self._ready())
        return self._carrier

    def _seeks(self) -> Seeking:
        if self._seeking is None:
            raise ProtocolError(f"agent '{self.name}' was not asked to search yet")
        return self._seeking

    @cached_property
    def _joint(self) -> Joint:
        return Joint(self._ready().published)

    @property
    def _forward(self) -> Forward:
        return self._seeks().forward

    def work(self, evaluations: int) -> list[tuple[str, bytes]]:
        """Search on for so many evaluations; frames for other agents."""
        forward = self._forward
        return [
            (receiver, encode(States(self.name, forward.run, batch)))
            for receiver, batch in forward.work(evaluations)
        ]

    def receive(self, sender: str, frame: bytes) -> None:
        """Take in what another agent found."""
        message = decode(frame)
        if not isinstance(message, States) or message.sender != sender:
            raise ProtocolError(f"'{sender}' sends something else than states")
        forward = self._forward
        if message.run == forward.run:  # else it is left over from another search
            forward.take(sender, message.batch)

    @property
    def is_searching(self) -> bool:
        """Has a forward search begun that is not over?"""
        return self._seeking is not None

    @property
    def memory(self) -> int:
        """Bytes that the forward search has stored."""
        return self._forward.counters()["memory"] if self._seeking is not None else 0

    @property
    def is_idle(self) -> bool:
        """Is there nothing left to search, or a goal found?"""
        return self._forward.is_idle

    @property
    def has_found(self) -> bool:
        return self._forward.has_found

    def _ready(self) -> Standing:
        if self._standing is None:
            raise ProtocolError(f"agent '{self.name}' was not asked to publish yet")
        return self._standing

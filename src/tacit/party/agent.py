"""One agent with its secrets, as it takes part in planning: it is asked, and it answers.

Everything it sends is a message of `public.protocol.messages`; `tacit.party.phases` has the
questions that it answers in each phase. Its actions and tokens go by numbers that are a seeded
shuffle, and only this side knows both sides of that. What it found out for itself (its
dependencies, its local plan) stays here, for its owner.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from tacit import watch
from tacit.errors import ProtocolError
from tacit.party import phases
from tacit.party.bounds import NO_BOUNDS, Bounds
from tacit.party.disclosing import Disclosing
from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.disclosure.descriptions import Descriptions
from tacit.party.disclosure.graph import Edge
from tacit.party.disclosure.prices import Account, Prices
from tacit.party.extension.extending import Extending
from tacit.party.extension.extension import LocalPlan
from tacit.party.lasting import Lasting
from tacit.party.local.task import LocalTask
from tacit.party.mafs.forward import Forward
from tacit.party.mafs.searching import Searching
from tacit.party.masking import Masking
from tacit.party.phases import Phase
from tacit.party.published import New, Published
from tacit.party.reaching import Reaching
from tacit.policy import POLICY, Policy
from tacit.public.disclosure import PublicEdge, PublicStep
from tacit.public.ledger import Ledger, Mark
from tacit.public.protocol.messages import (
    AnyMessage,
    Disclosure,
    Publish,
    Question,
    States,
    decode,
    encode,
)


class Agent:
    """Answers questions; the owner can ask for `local_plan` and `dependencies` besides.

    `seed` is the agent's own secret: with it the shuffle of its numbers can be undone. `ties` is a
    seed for breaking ties between edges at random, instead of by reachability and declaration.
    `prices` are what disclosing costs it, and what it never discloses; `bounds` are its owner's.
    Neither is in any message. `lasting` is what its peers know from earlier runs, if that is kept;
    `masking` hides its costs in sums, where such are agreed on.
    """

    def __init__(
        self,
        task: LocalTask,
        seed: int | str = 0,
        ties: int | None = None,
        prices: Prices | None = None,
        bounds: Bounds = NO_BOUNDS,
        policy: Policy = POLICY,
        lasting: Lasting | None = None,
        masking: Masking | None = None,
    ):
        self.task = task
        self._new = New(task, seed, ties, prices, bounds, policy, lasting, masking)
        self._phase: Phase = self._new

    @property
    def name(self) -> str:
        return self.task.agent

    def answer(self, sender: str, frame: bytes) -> bytes:
        """The answer to a question, both as frames."""
        watch.check()
        question = decode(frame)
        if not isinstance(question, Question) or question.sender != sender:
            raise ProtocolError(f"expected a question of '{sender}'")
        phase = self._new if isinstance(question, Publish) else self._phase
        answer, self._phase = phases.answer(phase, question)
        return encode(answer)

    def hear(self, sender: str, frame: bytes) -> None:
        """Another agent disclosed something, to all."""
        message = decode(frame)
        if not isinstance(message, Disclosure) or message.sender != sender:
            raise ProtocolError(f"expected a disclosure of '{sender}'")
        self._disclosing.hear(message)

    def close_ledger(self) -> None:
        """The run is over: enter whatever was heard."""
        if self.knows_others:
            self._disclosing.enter_all()

    def has_caught_up(self, question: AnyMessage) -> bool:
        """Has this agent heard all that a question supposes?"""
        mark: Mark = getattr(question, "ledger", ())
        return not self.knows_others or self._disclosing.catch_up(mark)

    @property
    def _published(self) -> Published:
        match self._phase:
            case New():
                raise ProtocolError(f"agent '{self.name}' has not published yet")
            case Published():
                return self._phase
            case Reaching():
                return self._phase.published
            case _:
                return self._disclosing.published

    @property
    def _disclosing(self) -> Disclosing:
        match self._phase:
            case New() | Published() | Reaching():
                raise ProtocolError(f"agent '{self.name}' does not know the others yet")
            case Disclosing():
                return self._phase
            case Extending() | Searching():
                return self._phase.disclosing

    @property
    def _forward(self) -> Forward:
        if not isinstance(self._phase, Searching):
            raise ProtocolError(f"agent '{self.name}' is not searching")
        return self._phase.forward

    # For the owner

    @property
    def has_published(self) -> bool:
        return not isinstance(self._phase, New)

    @property
    def knows_others(self) -> bool:
        return not isinstance(self._phase, New | Published | Reaching)

    @property
    def local_plan(self) -> LocalPlan | None:
        """The own part of the plan last agreed on."""
        return self._phase.plan if isinstance(self._phase, Extending | Searching) else None

    @property
    def dependencies(self) -> Dependencies:
        return self._published.dependencies

    @property
    def all_edges(self) -> frozenset[PublicEdge]:
        """All that achieves its tokens, disclosed or not, prices or not, by the numbers that others
        see; for its owner alone.
        """
        return self._published.all_edges

    @property
    def ledger(self) -> Ledger:
        """What all agents disclosed, as far as this one has entered it."""
        return self._disclosing.ledger if self.knows_others else Ledger()

    @property
    def asked_plans(self) -> Sequence[bytes]:
        """A digest of the plans that it was asked to extend so far, after each of them."""
        return self._disclosing.asked_plans.digests

    @property
    def disclosed(self) -> Sequence[Edge]:
        """The edges this agent has disclosed, in its own numbers."""
        return self._disclosing.disclosed if self.knows_others else []

    @property
    def account(self) -> Account:
        """What the edges disclosed for this budget and the repairs cost."""
        own = self.dependencies
        prices = (own.price(edge.achiever, edge.token) or 0 for edge in self.disclosed)
        repairs = self._disclosing.repairs.paid if self.knows_others else 0
        return Account(sum(prices), repairs, self._published.withheld.count)

    @property
    def affordable(self) -> int:
        """How many edges the budget could pay for, the cheapest ones."""
        graph, budget = self.dependencies.graph, self._published.bounds.price
        prices = sorted(graph.price or [1] * len(graph.columns))
        if budget is None:
            return len(prices)
        return bisect_right(list(accumulate(prices)), budget)

    @property
    def paid_for(self) -> int | None:
        """How many edges the budget has paid for, once no more can be disclosed."""
        return self._disclosing.order.paid_for

    @property
    def full_order(self) -> list[Edge]:
        """All edges in the order in which they are disclosed, as far as that is known."""
        return self._disclosing.order.whole()

    def disclose_exactly(self, edges: Sequence[Edge]) -> tuple[PublicEdge, ...]:
        """Disclose just these edges, whatever the ranking would say."""
        self._phase = self._disclosing
        return self._phase.disclose_exactly(edges)

    def step(self, action: int) -> PublicStep:
        """One of its public actions as others see it in a plan."""
        return self._published.show_step(action)

    @property
    def descriptions(self) -> Descriptions:
        """Names for what this agent has disclosed."""
        repairs = self._disclosing.repairs if self.knows_others else None
        return Descriptions(self._published, repairs)

    # Forward search

    @property
    def is_searching(self) -> bool:
        """Has a forward search begun that is not over?"""
        return isinstance(self._phase, Searching)

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
            raise ProtocolError(f"expected states of '{sender}'")
        forward = self._forward
        if message.run == forward.run:  # else it is left over from another search
            forward.take(sender, message.batch)

    @property
    def memory(self) -> int:
        """Bytes that the forward search has stored."""
        return self._forward.counters()["memory"] if self.is_searching else 0

    @property
    def is_idle(self) -> bool:
        """Is there nothing left to search, or a goal found?"""
        return self._forward.is_idle

    @property
    def has_found(self) -> bool:
        return self._forward.has_found

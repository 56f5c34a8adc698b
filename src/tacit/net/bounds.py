"""What an agent answers: nothing but what was agreed on, and no more than its owner allows.

The terms are the same for all, and a leader that asks for more is at fault. The owner's own bounds
hold besides, whatever was agreed on and whatever peers ask. An agent with a bound on edges takes
part as one that has no more than these, and reports that it is bounded. So does one with a budget
in prices that does not pay for all of its edges: its order ends where the budget does, and neither
prices nor the budget are sent. One that may send no further repair answers only that it cannot
extend a plan. So planning goes on within the bounds, and if it ends without a plan, everybody knows
whose they were.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from tacit.net.faults import Fault, out_of_turn
from tacit.party.agent import Agent
from tacit.public.disclosure import PublicEdge
from tacit.public.protocol.link import Order, Reason, Terms
from tacit.public.protocol.messages import (
    Answer,
    Begin,
    Disclose,
    Disclosed,
    EdgeDisclosed,
    ExtendAnswer,
    Extended,
    Introduce,
    JointReached,
    NextEdge,
    PrefixFails,
    Publish,
    Question,
    Repair,
    RepairWithheld,
    Resend,
    Threatened,
    decode,
    encode,
)
from tacit.public.settings import Harden
from tacit.solvers import SOLVERS

BUDGETS = 64
"""How many budgets a leader that looks for the smallest one tries at most. It is also how often an
agent answers that it withholds a repair: each time shows something."""


@dataclass(frozen=True)
class Allowance:
    """How many edges, and how many repairs, may be disclosed in all; None for no bound.

    `price` is what the edges may cost, in the agent's own prices.
    """

    edges: int | None = None
    repairs: int | None = None
    price: int | None = None


class Agreement:
    """Whether a question is within the terms of the run. `leader` asks it."""

    def __init__(self, terms: Terms, leader: str):
        self._terms = terms
        self._leader = leader
        self._has_published = self._is_introduced = False
        self._runs = self._turns = self._failures = 0

    def check(self, question: Question | Order) -> None:
        """A fault of the leader's if it may not ask this now."""
        if not self._is_agreed(question):
            text = f"agent '{self._leader}' asks for something that was not agreed on"
            raise Fault(text, Reason.PROTOCOL, self._leader)

    def _is_agreed(self, question: Question | Order) -> bool:
        terms = self._terms
        if isinstance(question, Publish):
            is_first, self._has_published = not self._has_published, True
            asked = (question.settings, question.ranking)
            return is_first and asked == (terms.settings, terms.ranking)
        if isinstance(question, Introduce):
            is_first, self._is_introduced = not self._is_introduced, True
            return is_first
        if isinstance(question, Disclose):
            return terms.k is None or question.budget <= terms.k
        if isinstance(question, NextEdge):
            self._turns += 1
            return terms.k is None or self._turns <= terms.k
        if isinstance(question, Begin):
            self._runs += 1
            is_next = question.run == self._runs
            agents_search = SOLVERS.get(terms.solver).agents_search
            return is_next and agents_search and question.heuristic == terms.heuristic
        if isinstance(question, Resend):
            return Harden.ONCE in terms.settings.harden
        return True

    def count(self, answer: ExtendAnswer) -> None:
        """An answer about a plan: it may be asked for so many repairs at each budget."""
        self._failures += not isinstance(answer, Extended)
        if self._failures > (self._terms.repairs + 1) * BUDGETS:
            text = f"agent '{self._leader}' asks for more repairs than was agreed"
            raise Fault(text, Reason.PROTOCOL, self._leader)


class Bounded:
    """An agent that answers within its owner's bounds. `repairs` counts what repairs have
    disclosed.
    """

    def __init__(self, agent: Agent, allowance: Allowance):
        self._agent = agent
        self._allowance = allowance
        self._sent: set[PublicEdge | int] = set()
        self._prefixes = self._refusals = self._turns = 0

    @property
    def repairs(self) -> int:
        """Threats and tokens disclosed, each once however often it was sent, and prefixes."""
        return len(self._sent) + self._prefixes

    def answer(self, asker: str, question: Question) -> Answer:
        """The agent's answer, or what its owner allows of it."""
        most = self._allowance.edges
        if isinstance(question, NextEdge) and most is not None:
            self._turns += 1
            if self._turns > most + 1:
                raise out_of_turn(asker)
            if self._turns > most:
                return EdgeDisclosed(self._agent.name, None)
        if isinstance(question, Disclose) and most is not None:
            question = msgspec.structs.replace(question, budget=min(question.budget, most))
        answer = decode(self._agent.answer(asker, encode(question)))
        if isinstance(answer, Disclosed):
            return self._disclosed(answer)
        if isinstance(answer, Repair):
            return self._repair(asker, answer)
        if isinstance(answer, JointReached) and most is not None:  # more than is allowed
            return msgspec.structs.replace(answer, initial=())
        assert isinstance(answer, Answer)
        return answer

    def _disclosed(self, answer: Disclosed) -> Disclosed:
        """How many edges there are, as far as the owner's bounds go."""
        bounds = [self._allowance.edges]
        is_short = False
        if self._allowance.price is not None:
            bounds.append(self._agent.paid_for)
            is_short = self._agent.affordable < answer.total
        total = min([answer.total, *(bound for bound in bounds if bound is not None)])
        is_bounded = is_short or total < answer.total
        return msgspec.structs.replace(answer, total=total, bounded=is_bounded)

    def _repair(self, asker: str, answer: Repair) -> Repair | RepairWithheld:
        new: set[PublicEdge | int] = set()
        if isinstance(answer, Threatened):
            new.update(answer.threats, (item.token for item in answer.restored))
            new -= self._sent
        prefixes = int(isinstance(answer, PrefixFails))
        most = self._allowance.repairs
        if most is None or self.repairs + len(new) + prefixes <= most:
            self._sent |= new
            self._prefixes += prefixes
            return answer
        self._refusals += 1
        if self._refusals > BUDGETS:
            text = f"agent '{asker}' asks for more repairs than the owner of this one allows"
            raise Fault(text, Reason.PROTOCOL, asker)
        return RepairWithheld(answer.sender)

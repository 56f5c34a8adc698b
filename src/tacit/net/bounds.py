"""Whether what a leader asks was agreed on.

The terms are the same for all, and a leader that asks for more is at fault. The owner's own bounds
hold besides, whatever was agreed on and whatever peers ask: they are the agent's own business
(`tacit.party.bounds`).
"""

from __future__ import annotations

from tacit.net.faults import Fault
from tacit.public.protocol.link import Order, Reason, Terms
from tacit.public.protocol.messages import (
    Begin,
    Disclose,
    ExtendAnswer,
    Failure,
    Follow,
    Improve,
    Introduce,
    JointReach,
    Learn,
    NextEdge,
    Publish,
    Question,
    Recall,
    Repair,
    RepairWithheld,
    Replanned,
    Resend,
    Trace,
    Weigh,
    tag_of,
)
from tacit.public.settings import Harden
from tacit.safety import SAFETY
from tacit.solvers import SOLVERS

SEARCHING = (Recall, NextEdge, Begin, Learn, JointReach, Follow, Resend)
"""Questions on the way to a plan. Whoever has one traced has found it, and asks none of these: what
states descend from is asked once in a run, for one state.
"""


class Agreement:
    """Whether a question is within the terms of the run. `leader` asks it."""

    def __init__(self, terms: Terms, leader: str):
        self._terms = terms
        self._leader = leader
        self._has_published = self._is_introduced = self._has_asked_turns = False
        self._traced: set[int] = set()
        self._improvements = self._runs = self._repairs = self._failures = self._refusals = 0

    def check(self, question: Question | Order) -> None:
        """A fault of the leader's if it may not ask this now."""
        if not self._is_agreed(question):
            text = f"agent '{self._leader}' asks for something that was not agreed on"
            text += f" ('{tag_of(question)}')"
            raise Fault(text, Reason.PROTOCOL, self._leader)

    def _is_agreed(self, question: Question | Order) -> bool:
        terms = self._terms
        if self._traced and isinstance(question, SEARCHING):
            if not isinstance(question, Begin) or not terms.improve:
                return False  # the plan was found
            self._traced.clear()  # a better one is looked for
        if isinstance(question, Publish):
            is_first, self._has_published = not self._has_published, True
            asked = (question.settings, question.ranking, question.offline)
            return is_first and asked == (terms.settings, terms.ranking, False)
        if isinstance(question, Introduce):
            is_first, self._is_introduced = not self._is_introduced, True
            return is_first
        if isinstance(question, Recall | NextEdge):
            is_first = not self._has_asked_turns
            self._has_asked_turns = True
            return is_first or isinstance(question, NextEdge)
        if isinstance(question, Disclose):
            return False  # budgets are tried one by one where one user holds all agents
        if isinstance(question, Begin):
            self._runs += 1
            is_next = question.run == self._runs
            may_search = SOLVERS.get(terms.solver).agents_search or terms.change_over
            may_search &= self._runs <= SAFETY.leader.searches
            is_wanted = question.optimal == SOLVERS.get(terms.solver).is_optimal
            is_guided = question.heuristic == terms.heuristic
            return is_next and may_search and is_guided and is_wanted
        if isinstance(question, Trace):
            is_new = question.ref not in self._traced
            self._traced.add(question.ref)
            return is_new and len(self._traced) <= SAFETY.leader.traces
        if isinstance(question, Improve | Weigh):
            return self._is_improving(question)
        if isinstance(question, Resend):
            return Harden.ONCE in terms.settings.harden
        return True

    def _is_improving(self, question: Improve | Weigh) -> bool:
        """Responses belong to cleaning, too; what parts cost, and taking over, does not."""
        terms, self._improvements = self._terms, self._improvements + 1
        is_response = isinstance(question, Improve) and question.spared is None
        is_wanted = terms.improve > 0 or (is_response and terms.settings.clean)
        return is_wanted and self._improvements <= SAFETY.leader.improvements

    def count(self, answer: ExtendAnswer | Replanned) -> None:
        """An answer about a plan: there may be so many repairs in a run, few refusals, and not too
        many failures in all.
        """
        most = SAFETY.leader
        is_failed_change = isinstance(answer, Replanned) and not answer.succeeded
        self._failures += isinstance(answer, Failure) or is_failed_change
        self._repairs += isinstance(answer, Repair)
        self._refusals += isinstance(answer, RepairWithheld)
        is_over = self._failures > most.failures or self._refusals > most.withheld
        if is_over or self._repairs > self._terms.repairs + 1:
            text = f"agent '{self._leader}' asks for more repairs than was agreed"
            raise Fault(text, Reason.PROTOCOL, self._leader)

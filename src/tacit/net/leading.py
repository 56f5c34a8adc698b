"""The agent whose lot it is to ask the questions: a solver that knows its peers as names.

It is the same solver as anywhere. Its questions to others go over the network, those to its own
agent do not; while it waits for an answer, what others send is taken in. The projection does not
change over to forward search here: that shows edges and states to all agents, who have agreed to
show them to the leader alone.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from tacit import watch
from tacit.errors import LimitReached, ProtocolError
from tacit.net.faults import Fault, OutOfTime
from tacit.net.member import Member, Own
from tacit.net.talk import Talk
from tacit.public.outcome import Outcome
from tacit.public.protocol.link import Concluded, Go, Halt, Keep, Kept, Order, Reason
from tacit.public.protocol.messages import (
    Again,
    Answer,
    AnyMessage,
    Follow,
    Poll,
    Question,
    decode,
    encode,
)
from tacit.public.task import PublicTask
from tacit.searchers import Clock, make_search
from tacit.solvers.asking import Attempt
from tacit.solvers.budgets import Budgets, Solver
from tacit.solvers.limits import Limits
from tacit.solvers.mafs import MafsSolver
from tacit.solvers.projection import ProjectionSolver

SHORTEST, LONGEST = 0.002, 0.05
"""Seconds between two looks at how far the others are: at the beginning of a search, and later."""


@dataclass(frozen=True)
class Tried:
    """What came of one budget, and what was told for it by the agent that told most. `spacing` is
    for the numbers of the plan, if there is one.
    """

    k: int
    outcome: Outcome
    told: int
    spacing: int = 0

    @property
    def solved(self) -> bool:
        return self.outcome is Outcome.SOLVED


class Leading:
    """Plans with all agents, as one of them."""

    def __init__(
        self,
        member: Member,
        talk: Talk,
        public: PublicTask,
        own: Own,
        seed: str,
    ):
        self._member = member
        self._talk = talk
        self._public = public
        self._own = own
        self._terms = own.terms
        self._seed = random.Random(f"{seed} search").getrandbits(31)
        self._driver = _Driver(member, talk, lambda: self.ask_all(encode(Go(talk.own))))

    def run(self) -> Concluded:
        """Plan, and tell everybody how it ended."""
        terms = self._terms
        seconds = float("inf") if terms.seconds is None else terms.seconds
        with watch.limited(seconds):
            try:
                solver, found = self._plan(Limits(seconds, terms.repairs))
            except LimitReached as limit:
                solver, found = None, Tried(0, Outcome(limit.outcome), 0)
        watch.check()  # the owner's own limits end it without a word on how far it got
        bounded = () if found.solved or solver is None else self._bounded(solver)
        outcome = found.outcome
        if bounded and outcome is Outcome.NO_PLAN:
            outcome = Outcome.UNDECIDED  # nobody knows what more edges would give
        conclusion = Concluded(self._talk.own, outcome, found.k, found.spacing, bounded)
        self._talk.tell_all(conclusion)
        return conclusion

    def _plan(self, limits: Limits) -> tuple[Solver, Tried]:
        solver, k = self._solver(), self._terms.k
        budgets = Budgets(solver, self._terms.settings, self._finish)
        return solver, budgets.first(limits) if k is None else budgets.at(k, limits)

    def _bounded(self, solver: Solver) -> tuple[str, ...]:
        """Agents that would have been asked for more if their owners allowed it."""
        k = self._terms.k
        few = {agent for agent in solver.bounded if k is None or solver.totals[agent] < k}
        return tuple(agent for agent in self._public.agents if agent in few | solver.silent)

    def _solver(self) -> Solver:
        terms, own = self._terms, self._talk.own
        make = partial(make_search, planner="native", seed=self._seed, memory=None, clock=Clock())
        if terms.solver == "mafs":
            return MafsSolver(
                self._public,
                self.ask,
                self._driver,
                terms.settings,
                terms.ranking,
                terms.heuristic,
                name=own,
                ask_all=self.ask_all,
                make_planner=make,
            )
        return ProjectionSolver(
            self._public, self.ask, make, terms.settings, terms.ranking, own, self.ask_all
        )

    def _finish(self, attempt: Attempt, start: float) -> Tried:
        """Have everybody keep a plan that all confirmed."""
        if attempt.outcome is not Outcome.SOLVED:
            return Tried(attempt.k, attempt.outcome, attempt.told)
        frame = encode(Keep(self._talk.own, attempt.k, attempt.steps))
        answers = map(decode, self.ask_all(frame))
        spacing = max(_expect_kept(answer) for answer in answers)
        return Tried(attempt.k, attempt.outcome, attempt.told, spacing)

    def ask(self, agent: str, frame: bytes) -> bytes:
        """A question to one agent, and its answer."""
        return self._ask([agent], frame)[agent]

    def ask_all(self, frame: bytes) -> list[bytes]:
        """A question to all agents, who think about it at the same time, and their answers."""
        answers = self._ask(self._public.agents, frame)
        return [answers[agent] for agent in self._public.agents]

    def _ask(self, agents: Sequence[str], frame: bytes) -> dict[str, bytes]:
        question = decode(frame)
        assert isinstance(question, Question | Order)
        self._halt_for(question)
        own = self._talk.own
        others = [agent for agent in agents if agent != own]
        for agent in others:
            self._talk.send_frame(agent, question, frame)
        answers: dict[str, bytes] = {}
        if own in agents:
            answer = self._member.answer(question)
            self._talk.keep(answer)
            answers[own] = encode(answer)
        return answers | self._await_answers(others, question)

    def _halt_for(self, question: Question | Order) -> None:
        """Nobody searches on while something else is asked than how far everybody is."""
        if self._driver.is_going and not isinstance(question, Poll | Follow | Again):
            self._driver.is_going = False
            self.ask_all(encode(Halt(self._talk.own)))

    def _await_answers(self, agents: Sequence[str], question: Question | Order) -> dict[str, bytes]:
        end = time.monotonic() + self._own.seconds
        answers: dict[str, bytes] = {}
        missing = set(agents)
        while missing and (left := end - time.monotonic()) > 0:
            heard = self._talk.hear(min(left, watch.left()))
            watch.check()
            if heard is None:
                continue
            if heard.peer in missing and isinstance(heard.message, Answer | Kept):
                try:
                    self._member.checks.answer(question, heard.message)
                except ProtocolError as error:
                    raise Fault(str(error), Reason.PROTOCOL, heard.peer) from None
                answers[heard.peer] = heard.payload
                missing.discard(heard.peer)
            else:
                self._member.handle(heard)
        if missing:
            names = ", ".join(f"'{agent}'" for agent in agents if agent in missing)
            raise OutOfTime(f"agent {names} gave no answer in {self._own.seconds:g} s")
        return answers


def _expect_kept(answer: AnyMessage) -> int:
    if not isinstance(answer, Kept):
        text = f"agent '{answer.sender}' answers something else than was asked"
        raise Fault(text, Reason.PROTOCOL, answer.sender)
    return answer.spacing


class _Driver:
    """Gives the own agent time to search while the others search by themselves. `is_going` until
    everybody is halted; then all are told to go when it is time to work again.
    """

    def __init__(self, member: Member, talk: Talk, go: Callable[[], object]):
        self._member = member
        self._talk = talk
        self._go = go
        self.is_going = False
        self._pulse = SHORTEST

    def work(self, seconds: float, evaluations: int | None) -> None:
        """Search on for a while. The others' evaluations are looked at by polling them."""
        if not self.is_going:
            self._go()
            self.is_going, self._pulse = True, SHORTEST
        end = time.monotonic() + min(seconds, self._pulse)
        self._pulse = min(self._pulse * 2, LONGEST)
        member = self._member
        while (left := end - time.monotonic()) > 0 and not member.has_found:
            heard = self._talk.hear(0.0 if member.can_work else min(left, 0.005))
            if heard is not None:
                member.handle(heard)
            elif member.can_work:
                member.work()

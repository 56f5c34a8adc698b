"""The elected leader, which asks the questions: a solver that knows its peers as names.

It is the same solver as anywhere, and the run is online: what is disclosed is never taken back. Its
questions to others go over the network, those to its own agent do not; while it waits for an
answer, what others send is taken in. What its own agent discloses goes to all members, as
everybody's does.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from functools import partial

from tacit import watch
from tacit.errors import LimitReached, ProtocolError
from tacit.net.faults import Fault, OutOfTime
from tacit.net.interrupting import on_interrupt
from tacit.net.member import Member, Own
from tacit.net.talk import Talk
from tacit.net.weighing import Weighing
from tacit.public.outcome import Outcome
from tacit.public.protocol.link import Concluded, Go, Halt, Keep, Kept, Order, Reason
from tacit.public.protocol.messages import (
    Answer,
    AnyMessage,
    Follow,
    Poll,
    Question,
    Resend,
    decode,
    encode,
    is_disclosure,
)
from tacit.public.run_options import DEFAULTS
from tacit.public.task import PublicTask
from tacit.searchers import Clock, make_cheaper_search, make_search
from tacit.solvers import SOLVERS
from tacit.solvers.agreeing import Steps
from tacit.solvers.attempt import Attempt
from tacit.solvers.coordinator import Agents, Coordinator
from tacit.solvers.improving import Improver
from tacit.solvers.limits import Limits
from tacit.solvers.online import Online
from tacit.solvers.solver import Solver, Tools

SHORTEST, LONGEST = 0.002, 0.05
"""Seconds between two looks at how far the others are: at the beginning of a search, and later."""


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
        """Plan, and send all agents how it ended."""
        terms = self._terms
        seconds = float("inf") if terms.seconds is None else terms.seconds
        with watch.limited(seconds):
            try:
                conclusion = self._plan(Limits(seconds, terms.repairs))
            except LimitReached as limit:
                conclusion = Concluded(self._talk.own, Outcome(limit.outcome))
        watch.check()  # the owner's own limits end it silently
        self._talk.send_all(conclusion)
        self._member.settle(conclusion)
        return conclusion

    def _plan(self, limits: Limits) -> Concluded:
        solver, own = self._solver(), self._talk.own
        attempt = Online(solver).run(limits)
        if attempt.outcome is Outcome.SOLVED:
            spacing = self._improve(solver, attempt)
            return Concluded(own, attempt.outcome, attempt.ledger.mark, spacing)
        out_of_reach, outcome = solver.coordinator.out_of_reach, attempt.outcome
        limited = {*attempt.no_more, *solver.coordinator.silent}
        if limited and outcome is Outcome.NO_PLAN and not out_of_reach:
            outcome = Outcome.UNDECIDED  # more edges might solve it
        names = tuple(agent for agent in self._public.agents if agent in limited)
        goals, agents = out_of_reach.goals, out_of_reach.agents
        return Concluded(own, outcome, attempt.ledger.mark, 0, names, goals, agents)

    def _solver(self) -> Solver:
        terms, own = self._terms, self._talk.own
        planner = DEFAULTS.planner
        make = partial(make_search, planner=planner, seed=self._seed, memory=None, clock=Clock())
        agents = Agents(self._public, self.ask, self.ask_all, self._driver, own)
        coordinator = Coordinator(agents, terms.settings, terms.ranking)
        cheaper = partial(make_cheaper_search, seed=self._seed)
        tools = Tools(
            make, terms.heuristic, change_over=terms.change_over, make_cheaper_search=cheaper
        )
        return SOLVERS.get(terms.solver)(coordinator, tools)

    def _improve(self, solver: Solver, attempt: Attempt) -> int:
        """Have all agents keep the plan, and better ones as they are found; how the steps of the
        last one are numbered. Whatever ends that, the best so far was kept.
        """
        seconds, settings = self._terms.improve, self._terms.settings
        judge = Weighing(solver.coordinator, seconds > 0, self._keep)
        improver = Improver(solver, judge, self._seed, time.monotonic)
        with watch.unlimited():
            improver.begin(attempt)
        if attempt.replanned is not None:
            return judge.spacing
        try:
            with on_interrupt(improver.stop):
                if settings.clean:
                    improver.clean(may_show_states=seconds > 0)
                if seconds > 0:
                    improver.improve(seconds)
        except LimitReached:
            attempt.is_interrupted = True
        return judge.spacing

    def _keep(self, steps: Steps) -> int:
        """Have all agents keep a plan that all confirmed; how its steps are numbered."""
        answers = map(decode, self.ask_all(encode(Keep(self._talk.own, steps))))
        return max(_expect_kept(answer) for answer in answers)

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
            self._member.reply(answer)
            answers[own] = encode(answer)
        return answers | self._await_answers(others, question)

    def _halt_for(self, question: Question | Order) -> None:
        """Nobody searches on while something else is asked than how far everybody is."""
        if self._driver.is_going and not isinstance(question, Poll | Follow | Resend):
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
                if is_disclosure(heard.message):
                    self._member.hear(heard, is_checked=True)
            else:
                self._member.handle(heard)
        if missing:
            names = ", ".join(f"'{agent}'" for agent in agents if agent in missing)
            raise OutOfTime(f"agent {names} gave no answer in {self._own.seconds:g} s")
        return answers


def _expect_kept(answer: AnyMessage) -> int:
    if not isinstance(answer, Kept):
        text = f"agent '{answer.sender}' does not answer the question"
        raise Fault(text, Reason.PROTOCOL, answer.sender)
    return answer.spacing


class _Driver:
    """Gives the own agent time to search while the others search by themselves. `is_going` until
    everybody is halted; then `Go` is sent to all when it is time to work again.
    """

    is_apart = True

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

"""One agent taking part in planning: it answers the leader, and searches when asked to.

It answers nothing that was not agreed on: questions come from the leader alone, with the settings,
the ranking and the heuristic of the run's terms, and they must fit the public task
(`tacit.net.bounds`). It discloses nothing before all agents have shown that they were sent the same
publications. What it discloses it sends to all members itself, and before it answers it waits until
it has heard what the others disclosed so far, so that all hold the same ledger. A message that
makes no sense ends the run with a fault that names the peer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from msgspec.structs import replace

from tacit import watch
from tacit.errors import LimitReached, ProtocolError
from tacit.net.bounds import Agreement
from tacit.net.comparing import Comparing
from tacit.net.faults import Fault, out_of_turn, senseless
from tacit.net.interrupting import on_interrupt
from tacit.net.numbering import most_spacing, spacing_for
from tacit.net.own_plan import KeptPlan
from tacit.net.talk import Heard, Talk
from tacit.party.agent import Agent
from tacit.party.extension.checking import part_holds
from tacit.policy import POLICY
from tacit.public.disclosure import FINISH, PublicStep
from tacit.public.outcome import Outcome
from tacit.public.protocol import digest
from tacit.public.protocol.checks import Checks
from tacit.public.protocol.link import (
    Agreed,
    Concluded,
    Go,
    Halt,
    Keep,
    Kept,
    Order,
    Reason,
    Settled,
    Stage,
    Terms,
)
from tacit.public.protocol.messages import (
    Ack,
    Answer,
    AnyMessage,
    Begin,
    Disclosed,
    Disclosure,
    EdgeDisclosed,
    ExtendAnswer,
    Introduce,
    Publication,
    Question,
    Repair,
    Replanned,
    States,
    decode,
    encode,
    is_disclosure,
)
from tacit.public.task import PublicAction

T = TypeVar("T")


@dataclass(frozen=True)
class Own:
    """What an agent brings to a run. `seconds` bounds the wait for an answer."""

    agent: Agent
    terms: Terms
    seconds: float = 600.0


class Member:
    """An agent among its peers, from grounding to the end."""

    def __init__(self, own: Own, agents: Sequence[str], talk: Talk, ground: bytes, leader: str):
        self.agent = own.agent
        self.leader = leader
        self.conclusion: Concluded | None = None
        self.kept: KeptPlan | None = None
        self.checks = Checks(agents, own.agent.task.public_count)
        self._own = own
        self._agreement = Agreement(own.terms, self.leader)
        self._talk = talk
        self._ground = ground
        self._digest: bytes | None = None
        self._digests: dict[str, bytes] = {}
        self._comparing = Comparing(own.agent, leader, talk)
        self._public: dict[PublicStep, PublicAction] = {}
        self._is_going = False
        self._run = 0

    # What comes in

    def handle(self, heard: Heard) -> None:
        """A message of a peer, answered if it is a question."""
        message = heard.message
        if isinstance(message, States):
            self._receive(heard, message)
        elif isinstance(message, Agreed):
            if message.stage is not Stage.PUBLISHED or heard.peer in self._digests:
                raise out_of_turn(heard.peer)
            self._digests[heard.peer] = message.digest
            self._compare()
        elif isinstance(message, Settled):
            self._check_of(heard.peer, message)
            self._comparing.hear_settled(heard.peer, message)
        elif is_disclosure(message):
            self.hear(heard)
        elif heard.peer != self.leader:
            raise out_of_turn(heard.peer)
        elif isinstance(message, Concluded):
            self._conclude(message)
        elif isinstance(message, Question | Order):
            self.reply(self.answer(message))
        else:
            raise out_of_turn(heard.peer)

    def hear(self, heard: Heard, is_checked: bool = False) -> None:
        """A peer disclosed something, to all."""
        if not is_checked:
            self._check_of(heard.peer, heard.message)
        if not self.agent.knows_others or isinstance(heard.message, Disclosed):
            raise out_of_turn(heard.peer)
        self.agent.hear(heard.peer, heard.payload)
        if isinstance(heard.message, EdgeDisclosed | Repair):
            if heard.message.seen is None:
                raise senseless(heard.peer)
            self._comparing.hear(heard.peer, heard.message.seen)

    def _check_of(self, peer: str, message: AnyMessage) -> None:
        try:
            self.checks.heard(message)
        except ProtocolError as error:
            raise Fault(str(error), Reason.PROTOCOL, peer) from None

    def reply(self, answer: AnyMessage) -> None:
        """An answer for the leader; if it discloses something, for all members."""
        if isinstance(answer, EdgeDisclosed | Repair):
            answer = replace(answer, seen=self._comparing.seen())
        if is_disclosure(answer):
            self._talk.send_all(answer)
        elif self.leader != self.agent.name:
            self._talk.send(self.leader, answer)

    def _receive(self, heard: Heard, message: States) -> None:
        """States of this search; those of an earlier one are too late, of a later one too early."""
        if message.run > self._run:
            raise out_of_turn(heard.peer)
        if message.run < self._run or not self.agent.is_searching:
            return
        try:
            self.agent.receive(heard.peer, heard.payload)
        except ProtocolError as error:
            raise Fault(str(error), Reason.PROTOCOL, heard.peer) from None
        watch.check()

    def _conclude(self, message: Concluded) -> None:
        """The end: without a plan, or with one that this agent keeps and can number."""
        kept = self.kept
        self._check(lambda: self.checks.heard(message))
        self._await_disclosures(message)
        if message.outcome is Outcome.SOLVED and (
            kept is None or not kept.spacing <= message.spacing <= most_spacing(len(kept.steps))
        ):
            text = f"agent '{self.leader}' ends with a plan that was not confirmed"
            raise Fault(text, Reason.PROTOCOL, self.leader)
        self.settle(message)
        self.conclusion = message

    def settle(self, end: Concluded) -> None:
        """Have all others seen and kept the same? Until they say so, nothing is kept."""
        is_asked_alike = end.outcome not in (Outcome.TIME, Outcome.MEMORY)
        if is_asked_alike and end.ledger and self.agent.knows_others:
            self._await_disclosures(end)
            steps = self.kept.steps if self.kept and end.outcome is Outcome.SOLVED else ()
            self._comparing.settle(end, steps, self._own.seconds / 2, self.handle)

    def _compare(self) -> None:
        """Were all sent the same?"""
        for peer, found in self._digests.items():
            if self._digest is not None and found != self._digest:
                text = f"agents '{self._talk.own}' and '{peer}' were sent different publications"
                raise Fault(text, Reason.DISAGREEMENT, peer)

    # Questions

    def answer(self, question: Question | Order) -> AnyMessage:
        """The answer to a question of the leader, which may be this very agent."""
        self._agreement.check(question)
        self.checks.question(self.leader, question)
        if self._digest is not None:
            self._await_digests()
        self._await_disclosures(question)
        self._comparing.compare()
        answer = self._check(lambda: self._answer(question))
        self.checks.answer(question, answer)
        return answer

    def _check(self, work: Callable[[], T]) -> T:
        """What of the leader's makes no sense is its fault."""
        try:
            return work()
        except Fault:
            raise
        except ProtocolError as error:
            raise Fault(str(error), Reason.PROTOCOL, self.leader) from None
        except (LookupError, ValueError, TypeError, OverflowError):
            raise senseless(self.leader) from None

    def _await_disclosures(self, question: Question | Order | Concluded) -> None:
        """What others disclosed comes from them, and maybe later than the question after it."""
        end = time.monotonic() + self._own.seconds / 2
        while not self._check(lambda: self.agent.has_caught_up(question)):
            heard = self._talk.expect(max(0.0, end - time.monotonic()), self._talk.peers)
            if not isinstance(heard.message, Disclosure | States | Agreed | Settled):
                raise out_of_turn(heard.peer)
            self.handle(heard)

    def _await_digests(self) -> None:
        """What follows discloses more, so all must have been sent the same by now."""
        while missing := [peer for peer in self._talk.peers if peer not in self._digests]:
            heard = self._talk.expect(self._own.seconds / 2, missing)
            if not isinstance(heard.message, Agreed):
                raise out_of_turn(heard.peer)
            self.handle(heard)

    def _answer(self, question: Question | Order) -> AnyMessage:
        if isinstance(question, Go | Halt):
            self._is_going = isinstance(question, Go)
            return Ack(self.agent.name)
        if isinstance(question, Keep):
            return self._keep(question)
        if isinstance(question, Begin):
            self._is_going = False
        answer = decode(self.agent.answer(self.leader, encode(question)))
        assert isinstance(answer, Answer)
        if isinstance(question, Begin):
            self._run = question.run
        elif isinstance(question, Introduce):
            self._introduce(question.others)
        elif isinstance(answer, ExtendAnswer | Replanned):
            self._agreement.count(answer)
        return answer

    def _introduce(self, others: Sequence[Publication]) -> None:
        self._public = {PublicStep(p.sender, a.id): a for p in others for a in p.actions}
        self._digest = digest.of_published(self._ground, others)
        self._talk.send_all(Agreed(self.agent.name, Stage.PUBLISHED, self._digest))
        self._compare()

    def _keep(self, question: Keep) -> Kept:
        """Remember the own part of a plan, once it was checked step by step."""
        plan = self.agent.local_plan
        steps = tuple(step for step in question.steps if step.action != FINISH)
        known = [self._public[step] for step in steps]
        if plan is None or not part_holds(self.agent.task, known, plan):
            text = f"agent '{self.agent.name}' cannot execute the plan of '{self.leader}'"
            raise Fault(text, Reason.PROTOCOL, self.leader)
        spacing = spacing_for(self.agent.task, plan)
        self.kept = KeptPlan(steps, tuple(known), plan, spacing)
        return Kept(self.agent.name, spacing)

    # At work

    @property
    def can_work(self) -> bool:
        """Is there something to search, and room for what is found?"""
        if not self._is_going or not self.agent.is_searching or self.agent.is_idle:
            return False
        return not self._talk.is_clogged

    @property
    def has_found(self) -> bool:
        return self.agent.is_searching and self.agent.has_found

    def work(self) -> None:
        """Search a little, and send what was found."""
        evaluations = POLICY.network.slices * POLICY.forward.slice
        for receiver, frame in self.agent.work(evaluations):
            self._talk.send_states(receiver, frame)
        watch.check()

    def follow(self) -> Concluded:
        """Answer and search until the leader reports how it ended.

        An agent whose time to plan is up does no more, and waits for the leader to report it: its
        own clock may be ahead.
        """
        seconds = float("inf") if self._own.terms.seconds is None else self._own.terms.seconds
        with watch.limited(seconds), on_interrupt(self._note_interrupt):
            try:
                return self._answer_and_search()
            except LimitReached as limit:
                if limit.outcome != "time":
                    raise
        return self._await_end()

    def _note_interrupt(self) -> None:
        """Once there is a plan, whoever leaves would take it from all: the leader ends it soon."""
        if self.kept is None:
            raise KeyboardInterrupt

    def _await_end(self) -> Concluded:
        while self.conclusion is None:
            heard = self._talk.expect(self._own.seconds, [self.leader])
            if heard.peer == self.leader and isinstance(heard.message, Concluded):
                self._conclude(heard.message)
        return self.conclusion

    def _answer_and_search(self) -> Concluded:
        while self.conclusion is None:
            heard = self._talk.hear(0.0 if self.can_work else self._patience)
            if heard is not None:
                self.handle(heard)
            elif self.can_work:
                self.work()
        return self.conclusion

    @property
    def _patience(self) -> float:
        """How long to wait for a message: briefly if there would be work but for a full queue."""
        return 0.005 if self._talk.is_clogged else float("inf")

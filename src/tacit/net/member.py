"""One agent taking part in planning: it answers whoever leads, and searches when told to.

It answers nothing that was not agreed on: questions come from the leader alone, with the settings,
the ranking, the heuristic and at most the budget of the run's terms, and they must fit the public
task. What it cannot make sense of ends the run with a fault that names the peer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tacit.errors import ProtocolError
from tacit.net.faults import Fault, OutOfMemory, out_of_turn, senseless
from tacit.net.numbering import spacing_for
from tacit.net.talk import Heard, Talk
from tacit.party.agent import Agent
from tacit.party.checking import part_holds
from tacit.party.extension import LocalPlan
from tacit.public import digest
from tacit.public.checks import Checks
from tacit.public.disclosure import FINISH, PublicStep
from tacit.public.link import Agreed, Concluded, Go, Keep, Kept, Reason, Stage, Terms
from tacit.public.messages import (
    AnyMessage,
    Begin,
    Carried,
    Disclose,
    Meet,
    Noted,
    Publish,
    Published,
    Question,
    States,
    Turn,
    decode,
    encode,
)
from tacit.public.task import PublicAction
from tacit.transport.drive import SLICE

LOOK_EVERY = 64
"""Slices of work, or frames received, between two looks at the memory that is held."""


@dataclass(frozen=True)
class KeptPlan:
    """A plan that everybody confirmed, as this agent knows it."""

    steps: tuple[PublicStep, ...]
    own: LocalPlan


class Member:
    """An agent among its peers, from grounding to the end."""

    def __init__(
        self,
        agent: Agent,
        agents: Sequence[str],
        talk: Talk,
        terms: Terms,
        ground: bytes,
        memory: int,
    ):
        self.agent = agent
        self.leader = digest.leader(agents, ground)
        self.conclusion: Concluded | None = None
        self.kept: dict[int, KeptPlan] = {}
        self.repairs = 0
        self.checks = Checks(agents, agent.task.public_count)
        self._talk = talk
        self._terms = terms
        self._ground = ground
        self._memory = memory
        self._digest: bytes | None = None
        self._digests: dict[str, bytes] = {}
        self._public: dict[PublicStep, PublicAction] = {}
        self._has_published = self._is_going = False
        self._run = self._looked = self._turns = 0

    # What comes in

    def handle(self, heard: Heard) -> None:
        """A message of a peer, answered if it is a question."""
        message = heard.message
        if isinstance(message, States):
            self._receive(heard, message)
        elif isinstance(message, Agreed):
            self._digests[heard.peer] = message.digest
            self._compare(message.stage)
        elif heard.peer != self.leader:
            raise out_of_turn(heard.peer)
        elif isinstance(message, Concluded):
            self.conclusion = message
        elif isinstance(message, Question | Go | Keep):
            self._talk.send(heard.peer, self.answer(message))
        else:
            raise out_of_turn(heard.peer)

    def _receive(self, heard: Heard, message: States) -> None:
        """States of this search; those of an earlier one are too late, of a later one too early."""
        if message.run > self._run:
            raise out_of_turn(heard.peer)
        if message.run < self._run or not self.agent.is_searching:
            return
        try:
            self.agent.receive(heard.peer, heard.payload)
        except ProtocolError:
            raise senseless(heard.peer) from None
        self._look_at_memory()

    def _compare(self, stage: Stage) -> None:
        """Was everybody told the same?"""
        if stage is not Stage.PUBLISHED:
            raise Fault("digests of the ground task come twice", Reason.PROTOCOL)
        for peer, found in self._digests.items():
            if self._digest is not None and found != self._digest:
                text = f"agents '{self._talk.own}' and '{peer}' were told different publications"
                raise Fault(text, Reason.DISAGREEMENT, peer)

    # Questions

    def answer(self, question: Question | Go | Keep) -> AnyMessage:
        """The answer to a question of the leader, who may be this very agent."""
        self._check_terms(question)
        self.checks.question(self.leader, question)
        try:
            answer = self._answer(question)
        except Fault:
            raise
        except ProtocolError as error:
            raise Fault(str(error), Reason.PROTOCOL, self.leader) from None
        except (LookupError, ValueError, TypeError, OverflowError):
            raise senseless(self.leader) from None
        self.checks.answer(question, answer)
        return answer

    def _check_terms(self, question: Question | Go | Keep) -> None:
        terms = self._terms
        if isinstance(question, Publish):
            is_agreed = (question.settings, question.ranking) == (terms.settings, terms.ranking)
            is_agreed &= not self._has_published
            self._has_published = True
        elif isinstance(question, Disclose):
            is_agreed = terms.k is None or question.budget <= terms.k
        elif isinstance(question, Turn):
            self._turns += 1
            is_agreed = terms.k is None or self._turns <= terms.k
        elif isinstance(question, Begin):
            is_agreed = terms.solver == "mafs" and question.heuristic == terms.heuristic
            is_agreed &= question.run == self._run + 1
        else:
            is_agreed = True
        if not is_agreed:
            text = f"agent '{self.leader}' asks for something else than was agreed"
            raise Fault(text, Reason.PROTOCOL, self.leader)

    def _answer(self, question: Question | Go | Keep) -> AnyMessage:
        if isinstance(question, Go):
            self._is_going = True
            return Noted(self.agent.name)
        if isinstance(question, Keep):
            return self._keep(question)
        if isinstance(question, Begin):
            self._is_going = False
        answer = decode(self.agent.answer(self.leader, encode(question)))
        if isinstance(question, Begin):
            self._run = question.run
        elif isinstance(question, Meet):
            self._meet(question.others)
        elif isinstance(answer, Carried):
            self._count_repairs(answer)
        return answer

    def _meet(self, others: Sequence[Published]) -> None:
        self._public = {PublicStep(p.sender, a.id): a for p in others for a in p.actions}
        self._digest = digest.of_published(self._ground, others)
        self._talk.tell_all(Agreed(self.agent.name, Stage.PUBLISHED, self._digest))
        self._compare(Stage.PUBLISHED)

    def _count_repairs(self, answer: Carried) -> None:
        self.repairs += not answer.succeeded
        if self.repairs > self._terms.repairs * 64 + 64:
            text = f"agent '{self.leader}' asks for more repairs than was agreed"
            raise Fault(text, Reason.PROTOCOL, self.leader)

    def _keep(self, question: Keep) -> Kept:
        """Remember the own part of a plan, once it was checked step by step."""
        plan = self.agent.local_plan
        steps = tuple(step for step in question.steps if step.action != FINISH)
        known = [self._public[step] for step in steps]
        if plan is None or not part_holds(self.agent.task, known, plan):
            text = f"'{self.agent.name}' cannot do its part of what '{self.leader}' calls a plan"
            raise Fault(text, Reason.PROTOCOL, self.leader)
        self.kept[question.k] = KeptPlan(steps, plan)
        return Kept(self.agent.name, spacing_for(self.agent.task, plan))

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
        for receiver, frame in self.agent.work(SLICE):
            self._talk.send_states(receiver, frame)
        self._look_at_memory()

    def _look_at_memory(self) -> None:
        self._looked += 1
        if self._looked % LOOK_EVERY == 0 and self.agent.memory > self._memory:
            raise OutOfMemory("the search holds more memory than it may")

    def follow(self) -> Concluded:
        """Answer and search until the leader says how it ended."""
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

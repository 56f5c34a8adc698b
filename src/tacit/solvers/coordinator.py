"""What every solver begins with: agents publish, are introduced to each other, and disclose.

A solver knows agents only as names that answer questions. The coordinator asks them all for their
publications, passes these on, and keeps the ledger: what agents disclose they send to all members
themselves, the coordinator among them, so that everybody has the same. *Online* the ledger grows
until there is a plan (`tacit.solvers.online`). *Offline*, where one user holds all agents, each
budget k has a ledger of its own (`tacit.solvers.offline`).
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, TypeVar

from tacit import watch
from tacit.errors import LimitReached, ProtocolError
from tacit.public.classes import counted_by
from tacit.public.disclosure import PublicStep
from tacit.public.ledger import Kind, Ledger, Mark
from tacit.public.outcome import Outcome
from tacit.public.projection import Projection
from tacit.public.protocol.entries import entered
from tacit.public.protocol.messages import (
    Ack,
    AnyMessage,
    Disclosure,
    EdgeDisclosed,
    EndLayers,
    Extend,
    ExtendAnswer,
    Failure,
    Introduce,
    JointReach,
    JointReached,
    LayersEnded,
    Message,
    NextEdge,
    Publication,
    Publish,
    Recall,
    Recalled,
    RepairWithheld,
    Replanned,
    Turn,
    decode,
    encode,
)
from tacit.public.settings import Settings
from tacit.public.task import PublicTask
from tacit.safety import SAFETY
from tacit.solvers.attempt import Attempt

T = TypeVar("T", bound=Message)

AskAll = Callable[[bytes], list[bytes]]
"""One question to all agents, and their answers in the order of the agents."""


class Driver(Protocol):
    """Gives agents time to search and carries their frames. `is_apart`: they are on hosts of their
    own, and to tell them something takes longer than a little work.
    """

    is_apart: bool

    def work(self, seconds: float, evaluations: int | None) -> None:
        """Search on for a while: no longer than so many seconds, for at most so many evaluations
        per agent, and until an agent found a goal or none can go on.
        """


@dataclass(frozen=True)
class Agents:
    """The agents of a run as a solver knows them: names that answer.

    `name` is the coordinator's own. A question to all goes through `ask_all`, if there is one: the
    agents may then work on it at the same time. `driver` is for solvers whose agents search.
    Whatever carries the answers also carries those that disclose something to all other agents.
    """

    public: PublicTask
    ask: Callable[[str, bytes], bytes]
    ask_all: AskAll | None = None
    driver: Driver | None = None
    name: str = "solver"


@dataclass(frozen=True)
class OutOfReach:
    """What cannot be reached even if nothing is ever deleted: public goals, by number, and the
    private goals of these agents. There is no plan then, whatever is disclosed.
    """

    goals: tuple[int, ...] = ()
    agents: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.goals or self.agents)


class Coordinator:
    """Agents that have published, and the ledger of what they disclose.

    Once a limit of the user's has ended an answer (`limit`), the state of the agents is unknown, so
    nothing more is tried.
    """

    def __init__(self, agents: Agents, settings: Settings, ranking: str, offline: bool = False):
        self.public = agents.public
        self.settings = settings
        self.name = agents.name
        self.is_offline = offline
        self.limit: LimitReached | None = None
        self.seconds_of_turns = 0.0
        """CPU time in which agents chose their next edges."""
        self._agents = agents
        self._driver = agents.driver
        self._ask_all_bytes = agents.ask_all or self._one_by_one
        self._asked_about: tuple[PublicStep, ...] = ()
        self.silent: Counter[str] = Counter()
        """How often agents did not say why they cannot extend a plan, as their owners do not allow
        another repair.
        """
        self._failures: Counter[str] = Counter()
        self.ledger = Ledger(self.public.agents)
        with watch.phase("introducing"):
            question = Publish(self.name, settings, ranking, offline)
            self.publications = self.expect_all(question, Publication)
            introduced = Introduce(self.name, tuple(self.publications.values()))
            self.expect_all(introduced, Ack)
            self.publications = _as_introduced(introduced)
            ended = self.expect_all(EndLayers(self.name), LayersEnded)
        self.out_of_reach = OutOfReach(
            self._goals_out_of_reach(),
            tuple(agent for agent, answer in ended.items() if not answer.can_finish),
        )
        self.begin_ledger()
        self.has_recalled = not offline and any(answer.can_recall for answer in ended.values())
        """Are edges on the ledger that all members know from earlier runs?"""
        if self.has_recalled:
            self.expect_all(Recall(self.name), Recalled)

    def begin_ledger(self) -> Ledger:
        """A ledger with nothing on it but what was published without being counted."""
        class_of = counted_by(self.settings, self.public.facts, self.publications)
        self.ledger = Ledger(self.public.agents, class_of)
        for agent, part in self.publications.items():
            self.ledger.add(agent, Kind.FREE, part.threats)
        return self.ledger

    @property
    def driver(self) -> Driver:
        """What gives the agents time to search; a benchmark may put one around it."""
        assert self._driver is not None, "these agents do not search"
        return self._driver

    @driver.setter
    def driver(self, driver: Driver) -> None:
        self._driver = driver

    @property
    def is_interactive(self) -> bool:
        """Does what an agent discloses depend on what others disclosed before?"""
        return any(part.is_interactive for part in self.publications.values())

    @property
    def may_pass(self) -> bool:
        """Do rankings pass when no edge is of use?"""
        return all(part.may_pass for part in self.publications.values())

    @property
    def mark(self) -> Mark:
        """How far the ledger is, for questions; offline agents need not compare."""
        return () if self.is_offline else self.ledger.mark

    def _goals_out_of_reach(self) -> tuple[int, ...]:
        """Public goals that do not hold and that nobody achieves: grounding has left no action
        that is out of reach.
        """
        reached = set(self.public.init)
        for part in self.publications.values():
            reached.update(fact for action in part.actions for fact in action.adds)
        return tuple(fact for fact in self.public.goal if fact not in reached)

    def reach_together(self) -> tuple[set[int], Mapping[str, JointReached]]:
        """Relaxed reachability over all agents under the rule of the search: each is sent, round by
        round, what the others newly reach, until nothing is new; all that is reached, and the last
        answers.
        """
        news: tuple[int, ...] = ()
        known = set(self.public.init)
        while True:
            answers = self.expect_all(JointReach(self.name, news), JointReached)
            found = {fact for answer in answers.values() for fact in answer.facts}
            news = tuple(sorted(found - known))
            if not news:
                return known, answers
            known.update(news)

    @cached_property
    def bare(self) -> Projection:
        """What was published, with nothing disclosed; to be copied."""
        return Projection.of(self.public, self.publications, watch.check)

    def until_limit(self, attempt: Attempt, work: Callable[[Attempt], object]) -> Attempt:
        """A limit of the user's ends an attempt, whatever it is doing, and all that come after."""
        try:
            if self.limit is not None:
                raise self.limit
            work(attempt)
        except LimitReached as limit:
            self.end(limit, attempt)
        return attempt

    def end(self, limit: LimitReached, attempt: Attempt) -> None:
        """Let an attempt end by a limit."""
        self.limit = limit
        attempt.outcome, attempt.phase = Outcome(limit.outcome), limit.phase

    def projection(self) -> Projection:
        """What was published, with all that is on the ledger but prefixes."""
        with watch.phase("disclosing"):
            projection = self.bare.copy()
            for agent in self.ledger.agents:
                watch.check()
                projection.disclose(agent, self.ledger.edges(agent))
                projection.restore(agent, self.ledger.restored(agent))
                projection.disclose(agent, self.ledger.threats(agent))
        return projection

    def take_turn(self, agent: str, must: bool = False) -> Turn:
        """An agent's next edge, unless it passes or has no more."""
        start = time.process_time()
        try:
            with watch.phase("ranking"):
                answer = self.ask(agent, NextEdge(self.name, self.mark, must))
        finally:
            self.seconds_of_turns += time.process_time() - start
        if not isinstance(answer, Turn):
            raise unexpected(answer)
        return answer

    def ask(self, agent: str, question: AnyMessage) -> AnyMessage:
        """What one agent answers."""
        return self._read(agent, self._agents.ask(agent, encode(question)))

    def ask_all(self, question: AnyMessage) -> list[AnyMessage]:
        """What all agents answer to the same question."""
        answers = self._ask_all_bytes(encode(question))
        return [self._read(*found) for found in zip(self.public.agents, answers, strict=True)]

    def expect_all(self, question: AnyMessage, kind: type[T]) -> dict[str, T]:
        """The same, if the answers are of this kind."""
        return {answer.sender: expect(answer, kind) for answer in self.ask_all(question)}

    def extend_all(self, steps: tuple[PublicStep, ...]) -> dict[str, ExtendAnswer]:
        """Can all agents extend this public plan?"""
        self._asked_about = steps
        answers: dict[str, ExtendAnswer] = {}
        for answer in self.ask_all(Extend(self.name, steps, self.mark)):
            if not isinstance(answer, ExtendAnswer):
                raise unexpected(answer)
            answers[answer.sender] = answer
        return answers

    def may_ask_to_extend(self, plans: int) -> bool:
        """May all be asked about so many more plans? Online an agent answers only so often that it
        cannot execute one.
        """
        if self.is_offline:
            return True
        failures = max(self._failures.values(), default=0) + plans
        silent = max(self.silent.values(), default=0) + plans
        return failures <= SAFETY.leader.failures and silent <= SAFETY.leader.withheld

    def _one_by_one(self, frame: bytes) -> list[bytes]:
        return [self._agents.ask(agent, frame) for agent in self.public.agents]

    def _read(self, agent: str, frame: bytes) -> AnyMessage:
        watch.check()
        answer = decode(frame)
        if answer.sender != agent:
            raise ProtocolError(f"agent '{agent}' answers under another name")
        is_failed_change = isinstance(answer, Replanned) and not answer.succeeded
        self._failures[agent] += isinstance(answer, Failure) or is_failed_change
        if isinstance(answer, RepairWithheld):
            self.silent[agent] += 1
        is_turn = isinstance(answer, EdgeDisclosed)  # offline it counts once a budget has it
        if isinstance(answer, Disclosure) and not (self.is_offline and is_turn):
            entered(self.ledger, answer, self._asked_about)
        return answer


def _as_introduced(introduced: Introduce) -> dict[str, Publication]:
    """The publications as all agents have read them: those of one process read them once, and what
    the coordinator had read before is forgotten.
    """
    known = expect(decode(encode(introduced)), Introduce)
    return {part.sender: part for part in known.others}


def expect(answer: AnyMessage, kind: type[T]) -> T:
    """The answer, if it is of the kind that was asked for."""
    if not isinstance(answer, kind):
        raise unexpected(answer)
    return answer


def unexpected(answer: AnyMessage) -> ProtocolError:
    """Another kind of answer was expected."""
    return ProtocolError(f"agent '{answer.sender}' does not answer the question")

"""What every solver begins with: agents publish, are introduced to each other, and disclose.

A solver knows agents only as names that answer questions. The coordinator asks them all for their
publications, passes these on, and for each budget k asks for their k best edges; where a ranking is
interactive, agents take turns in disclosing them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, TypeVar

from tacit import watch
from tacit.errors import LimitReached, ProtocolError
from tacit.public.disclosure import PublicEdge, PublicStep
from tacit.public.outcome import Outcome
from tacit.public.projection import Projection, Reach
from tacit.public.protocol.messages import (
    AnyMessage,
    Disclose,
    Disclosed,
    EdgeDisclosed,
    Extend,
    ExtendAnswer,
    Introduce,
    JointReach,
    JointReached,
    Layer,
    Message,
    NextEdge,
    NextLayer,
    Publication,
    Publish,
    RepairWithheld,
    decode,
    encode,
)
from tacit.public.settings import Settings
from tacit.public.task import PublicTask
from tacit.solvers.attempt import Attempt
from tacit.solvers.rounds import Heard, Rounds

T = TypeVar("T", bound=Message)
E = TypeVar("E", Layer, JointReached)

AskAll = Callable[[bytes], list[bytes]]
"""One question to all agents, and their answers in the order of the agents."""


class Driver(Protocol):
    """Gives agents time to search and carries their frames."""

    def work(self, seconds: float, evaluations: int | None) -> None:
        """Search on for a while: no longer than so many seconds, for at most so many evaluations
        per agent, and until an agent found a goal or none can go on.
        """


@dataclass(frozen=True)
class Agents:
    """The agents of a run as a solver knows them: names that answer.

    `name` is the coordinator's own. A question to all goes through `ask_all`, if there is one: the
    agents may then work on it at the same time. `driver` is for solvers whose agents search.
    """

    public: PublicTask
    ask: Callable[[str, bytes], bytes]
    ask_all: AskAll | None = None
    driver: Driver | None = None
    name: str = "solver"


class Coordinator:
    """Agents that have published, ready for any number of budgets.

    Where agents have a budget in prices besides, `most` is set: none can pay for more edges. Once a
    limit of the user's has ended an answer (`limit`), the state of the agents is unknown, so
    nothing more is tried.
    """

    def __init__(self, agents: Agents, settings: Settings, ranking: str):
        self.public = agents.public
        self.settings = settings
        self.name = agents.name
        self.most: int | None = None
        self.limit: LimitReached | None = None
        self.seconds_of_turns = 0.0
        """CPU time in which agents chose their next edges, where they take turns."""
        self._agents = agents
        self._driver = agents.driver
        self._ask_all_bytes = agents.ask_all or self._one_by_one
        self.bounded: set[str] = set()
        """Agents whose owners do not allow them to disclose all edges."""
        self.silent: set[str] = set()
        """Agents whose owners do not allow them another repair."""
        self.disclosed: dict[str, int] = {}
        """Edges that agents had disclosed when they were last asked."""
        with watch.phase("introducing"):
            question = Publish(self.name, settings, ranking)
            self.publications = self.expect_all(question, Publication)
            self.reach_together(lambda news: NextLayer(self.name, news), Layer)  # breaks ties
            self.ask_all(Introduce(self.name, tuple(self.publications.values())))
        is_interactive = any(part.is_interactive for part in self.publications.values())
        self._rounds = Rounds(self.public.agents if is_interactive else (), self._take_turn)
        self.totals: dict[str, int] = {}
        self.totals = {agent: answer.total for agent, answer in self.disclose_all(0).items()}

    @property
    def driver(self) -> Driver:
        """What gives the agents time to search; a benchmark may put one around it."""
        assert self._driver is not None, "these agents do not search"
        return self._driver

    @driver.setter
    def driver(self, driver: Driver) -> None:
        self._driver = driver

    def reach_together(
        self, question: Callable[[tuple[int, ...]], NextLayer | JointReach], kind: type[E]
    ) -> tuple[set[int], Mapping[str, E]]:
        """Relaxed reachability over all agents: each is sent, round by round, what the others
        newly reach, until nothing is new; all that is reached, and the last answers.
        """
        news: tuple[int, ...] = ()
        known = set(self.public.init)
        while True:
            answers = self.expect_all(question(news), kind)
            found = {fact for answer in answers.values() for fact in answer.facts}
            news = tuple(sorted(found - known))
            if not news:
                return known, answers
            known.update(news)

    @property
    def takes_turns(self) -> bool:
        """Is a ranking interactive, so that edges are disclosed one by one?"""
        return bool(self._rounds.agents)

    @property
    def rounds(self) -> int:
        """How many rounds of turns there were."""
        return self._rounds.count

    @property
    def largest(self) -> int:
        """The budget at which every agent discloses everything, or all that it can pay for."""
        largest = max(self.totals.values(), default=0)
        return largest if self.most is None else min(largest, self.most)

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
        attempt.disclosed = attempt.disclosed or dict(self.disclosed)

    def projection(self, k: int) -> Projection:
        """Π_k: what was published, with every agent's k best edges."""
        return self.projection_with(self.disclose_all(k))

    def projection_with(self, disclosed: Mapping[str, Disclosed]) -> Projection:
        """What was published, with these edges."""
        with watch.phase("disclosing"):
            projection = self.bare.copy()
            for agent, answer in disclosed.items():
                watch.check()
                projection.disclose(agent, (*answer.edges, *answer.known))
        return projection

    def rounds_until_reachable(self) -> int:
        """The k at which the goal of Π_k can be reached if nothing is ever deleted, round by round:
        no agent discloses an edge more than that takes.
        """
        with self._counted():
            return self._rounds.until_reachable(Reach(self.projection(0)), self.largest)

    def take_all_turns(self) -> None:
        """Let interactive rankings go on to the end, so that their full order can be seen."""
        self._rounds.until(self.largest)

    def _take_turn(self, agent: str, heard: tuple[Heard, ...]) -> PublicEdge | None:
        edge = expect(self.ask(agent, NextEdge(self.name, heard)), EdgeDisclosed).edge
        if edge is not None:
            self.disclosed[agent] = self.disclosed.get(agent, 0) + 1
        return edge

    def disclose(self, agent: str, k: int) -> Disclosed:
        """An agent's k best edges."""
        self._take_turns(k)
        return expect(self.ask(agent, Disclose(self.name, k)), Disclosed)

    def disclose_all(self, k: int) -> dict[str, Disclosed]:
        """Every agent's k best edges."""
        self._take_turns(k)
        with watch.phase("disclosing"):
            disclosed = self.expect_all(Disclose(self.name, k), Disclosed)
        self.disclosed = {agent: len(answer.edges) for agent, answer in disclosed.items()}
        return disclosed

    def _take_turns(self, k: int) -> None:
        """If agents take turns, all of them do until they have disclosed so many edges.

        Where every agent discloses everything there is nothing to choose.
        """
        is_choice = k < self.largest or self.bounded or self.most is not None
        if self.takes_turns and is_choice:
            with self._counted():
                self._rounds.until(k)

    @contextmanager
    def _counted(self) -> Iterator[None]:
        start = time.process_time()
        try:
            with watch.phase("ranking"):
                yield
        finally:
            self.seconds_of_turns += time.process_time() - start

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

    def extend_all(
        self, steps: tuple[PublicStep, ...], urgent: bool = False
    ) -> dict[str, ExtendAnswer]:
        """Can all agents extend this public plan?"""
        answers: dict[str, ExtendAnswer] = {}
        for answer in self.ask_all(Extend(self.name, steps, urgent)):
            if not isinstance(answer, ExtendAnswer):
                raise unexpected(answer)
            answers[answer.sender] = answer
        return answers

    def _one_by_one(self, frame: bytes) -> list[bytes]:
        return [self._agents.ask(agent, frame) for agent in self.public.agents]

    def _read(self, agent: str, frame: bytes) -> AnyMessage:
        watch.check()
        answer = decode(frame)
        if answer.sender != agent:
            raise ProtocolError(f"agent '{agent}' answers under another name")
        if isinstance(answer, Disclosed) and answer.bounded:
            self.bounded.add(agent)
            self.totals[agent] = answer.total  # it may find out later that there is no more
        if isinstance(answer, RepairWithheld):
            self.silent.add(agent)
        return answer


def expect(answer: AnyMessage, kind: type[T]) -> T:
    """The answer, if it is of the kind that was asked for."""
    if not isinstance(answer, kind):
        raise unexpected(answer)
    return answer


def unexpected(answer: AnyMessage) -> ProtocolError:
    """Another kind of answer was expected."""
    return ProtocolError(f"agent '{answer.sender}' does not answer the question")

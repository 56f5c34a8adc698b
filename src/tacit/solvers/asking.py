"""What every solver begins with: everybody publishes, meets the others, and discloses.

A solver knows agents only as names that answer questions. Whoever solves asks them all for their
public projections, tells them the others', and for each budget k asks for their k best edges; where
a ranking listens, agents take turns in telling them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from tacit import watch
from tacit.errors import LimitReached, ProtocolError
from tacit.public.disclosure import PublicEdge, PublicStep
from tacit.public.outcome import Outcome
from tacit.public.projection import Projection, Reach
from tacit.public.protocol.messages import (
    AnyMessage,
    Carried,
    Disclose,
    Disclosed,
    Explore,
    Explored,
    Foresee,
    Foreseen,
    Meet,
    Message,
    Publish,
    Published,
    Told,
    Turn,
    decode,
    encode,
)
from tacit.public.settings import Settings
from tacit.public.task import PublicTask
from tacit.solvers.rounds import Heard, Rounds

T = TypeVar("T", bound=Message)
E = TypeVar("E", Explored, Foreseen)

AskAll = Callable[[bytes], list[bytes]]
"""One question to all agents, and their answers in the order of the agents."""


@dataclass
class Counters:
    """What searching cost, over all rounds."""

    expanded: int = 0
    evaluated: int = 0
    generated: int = 0

    def add(self, counted: Counters, since: Counters | None = None) -> None:
        """Count more, or what was counted since."""
        since = since or Counters()
        self.expanded += counted.expanded - since.expanded
        self.evaluated += counted.evaluated - since.evaluated
        self.generated += counted.generated - since.generated


@dataclass
class Attempt:
    """What came of one budget. `repairs` counts the answers that told something, per agent.

    `replanned` is None unless the agents changed the public plan: then it says how many of its
    steps each of them put in or left out. `stuck`: repairs ruled out too few public plans, or there
    were none. `changed_over`: forward search went on where the projection was stuck. `phase`
    is where a limit of the user's ended it.
    """

    k: int
    outcome: Outcome
    steps: tuple[PublicStep, ...] = ()
    disclosed: dict[str, int] = field(default_factory=dict)
    repairs: dict[str, int] = field(default_factory=dict)
    counters: Counters = field(default_factory=Counters)
    replanned: dict[str, int] | None = None
    stuck: bool = False
    changed_over: bool = False
    phase: str | None = None

    @property
    def told(self) -> int:
        return most_told(self.disclosed, self.repairs)


def most_told(disclosed: Mapping[str, int], repairs: Mapping[str, int]) -> int:
    """Edges and repairs of the agent that told most."""
    return max((n + repairs.get(agent, 0) for agent, n in disclosed.items()), default=0)


A = TypeVar("A", bound=Attempt)


class Asking:
    """Agents that have published, ready for any number of budgets.

    Where agents have a budget in prices besides, `most` is set: none can pay for more edges. What
    everybody is asked goes through `ask_all`, if there is one: all may think at the same time.
    Once a limit of the user's has ended an answer (`limit`), nobody knows what state the agents are
    in, so nothing more is tried.
    """

    def __init__(
        self,
        public: PublicTask,
        ask: Callable[[str, bytes], bytes],
        settings: Settings,
        ranking: str,
        name: str = "solver",
        ask_all: AskAll | None = None,
    ):
        self.most: int | None = None
        self.limit: LimitReached | None = None
        self.seconds_of_turns = 0.0
        """CPU time in which agents chose what to tell next, where they take turns."""
        self._public = public
        self._ask_bytes = ask
        self._ask_all_bytes = ask_all or self._one_by_one
        self._settings = settings
        self._name = name
        self.bounded: set[str] = set()
        """Agents whose owners do not allow to tell all edges."""
        self.silent: set[str] = set()
        """Agents whose owners do not allow to tell another repair."""
        self.disclosed: dict[str, int] = {}
        """Edges that agents told when they were last asked."""
        with watch.phase("introducing"):
            self._published = self._expect_all(Publish(name, settings, ranking), Published)
            self._reach_together(lambda news: Explore(name, news), Explored)
            self._ask_all(Meet(name, tuple(self._published.values())))
        listeners = [agent for agent, part in self._published.items() if part.listens]
        self._rounds = Rounds(public.agents if listeners else (), self._take_turn)
        self.totals: dict[str, int] = {}
        self.totals = {agent: told.total for agent, told in self.disclose_all(0).items()}

    def _reach_together(
        self, question: Callable[[tuple[int, ...]], Explore | Foresee], kind: type[E]
    ) -> tuple[set[int], Mapping[str, E]]:
        """Tell everybody, round by round, what others brought within reach until there are no news;
        all of it, and the last answers.
        """
        news: tuple[int, ...] = ()
        known = set(self._public.init)
        while True:
            answers = self._expect_all(question(news), kind)
            found = {fact for answer in answers.values() for fact in answer.facts}
            news = tuple(sorted(found - known))
            if not news:
                return known, answers
            known.update(news)

    @property
    def takes_turns(self) -> bool:
        """Does somebody's ranking listen, so that edges are told one by one?"""
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
    def _bare(self) -> Projection:
        """What was published, with nothing disclosed; to be copied."""
        return Projection.of(self._public, self._published, watch.check)

    def until_limit(self, attempt: A, work: Callable[[A], object]) -> A:
        """A limit of the user's ends an attempt, whatever it is at, and all that come after it."""
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
        """Π_k: what was published, with everybody's k best edges."""
        return self._projection_with(self.disclose_all(k))

    def _projection_with(self, told: Mapping[str, Disclosed]) -> Projection:
        with watch.phase("disclosing"):
            projection = self._bare.copy()
            for agent, answer in told.items():
                watch.check()
                projection.disclose(agent, (*answer.edges, *answer.known))
        return projection

    def rounds_until_reachable(self) -> int:
        """The k at which the goal of Π_k can be reached if nothing is ever deleted, round by round:
        nobody tells an edge more than that takes.
        """
        with self._counted():
            return self._rounds.until_reachable(Reach(self.projection(0)), self.largest)

    def take_all_turns(self) -> None:
        """Let rankings that listen go on to the end, for who wants to see their whole order."""
        self._rounds.until(self.largest)

    def _take_turn(self, agent: str, heard: tuple[Heard, ...]) -> PublicEdge | None:
        edge = expect(self._ask(agent, Turn(self._name, heard)), Told).edge
        if edge is not None:
            self.disclosed[agent] = self.disclosed.get(agent, 0) + 1
        return edge

    def disclose(self, agent: str, k: int) -> Disclosed:
        """An agent's k best edges."""
        self._take_turns(k)
        return expect(self._ask(agent, Disclose(self._name, k)), Disclosed)

    def disclose_all(self, k: int) -> dict[str, Disclosed]:
        """Everybody's k best edges."""
        self._take_turns(k)
        with watch.phase("disclosing"):
            told = self._expect_all(Disclose(self._name, k), Disclosed)
        self.disclosed = {agent: len(answer.edges) for agent, answer in told.items()}
        return told

    def _take_turns(self, k: int) -> None:
        """If agents take turns, all of them do until they got so far.

        Where everybody discloses everything there is nothing to choose.
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

    def _ask(self, agent: str, question: AnyMessage) -> AnyMessage:
        return self._read(agent, self._ask_bytes(agent, encode(question)))

    def _ask_all(self, question: AnyMessage) -> list[AnyMessage]:
        """What everybody answers to the same question."""
        answers = self._ask_all_bytes(encode(question))
        return [self._read(*found) for found in zip(self._public.agents, answers, strict=True)]

    def _expect_all(self, question: AnyMessage, kind: type[T]) -> dict[str, T]:
        return {answer.sender: expect(answer, kind) for answer in self._ask_all(question)}

    def _one_by_one(self, frame: bytes) -> list[bytes]:
        return [self._ask_bytes(agent, frame) for agent in self._public.agents]

    def _read(self, agent: str, frame: bytes) -> AnyMessage:
        watch.check()
        answer = decode(frame)
        if answer.sender != agent:
            raise ProtocolError(f"agent '{agent}' answers in another's name")
        if isinstance(answer, Disclosed) and answer.bounded:
            self.bounded.add(agent)
            self.totals[agent] = answer.total  # it may come to know that there is no more
        if isinstance(answer, Carried) and answer.bounded:
            self.silent.add(agent)
        return answer


def expect(answer: AnyMessage, kind: type[T]) -> T:
    """The answer, if it is of the kind that was asked for."""
    if not isinstance(answer, kind):
        raise ProtocolError(f"agent '{answer.sender}' answers something else than was asked")
    return answer

"""The joint projection: plan on what was disclosed, let every agent carry out its part, repair.

The solver knows agents only as names that answer questions, and the classical planner only as
something that searches a `Projection`. It asks everybody to publish, then for each budget k builds
Π_k and searches a public plan. If every agent can carry out its part, that is a solution. If one
cannot, it answers with a repair (DESIGN §1.4.4) that keeps the plan out, and the search goes on.
"""

from __future__ import annotations

import enum
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from tacit.errors import ProtocolError
from tacit.public.disclosure import FINISH, PublicEdge, PublicStep
from tacit.public.messages import (
    AnyMessage,
    Carried,
    Carry,
    Disclose,
    Disclosed,
    Meet,
    Message,
    Publish,
    Published,
    Told,
    Turn,
    decode,
    encode,
)
from tacit.public.projection import Projection, Reach
from tacit.public.settings import Settings, Threats
from tacit.public.task import PublicTask
from tacit.solvers.rounds import Heard, Rounds

T = TypeVar("T", bound=Message)

URGENT, PATIENCE = 20_000, 6
"""Evaluated states, and rounds, after which agents are asked to tell all direct threats at once."""


Forbidden = tuple[int | None, list[int]]


class Outcome(enum.Enum):
    """How an attempt at one k ended."""

    SOLVED = "solved"
    NO_PLAN = "no plan"
    NOT_EXTENDED = "not extended"
    UNDECIDED = "undecided"
    TIME = "time"
    MEMORY = "memory"


@dataclass
class Counters:
    """What searching cost, over all rounds."""

    expanded: int = 0
    evaluated: int = 0
    generated: int = 0


class Searcher(Protocol):
    """A search on one projection that can be told more about it."""

    def run(self, seconds: float, counters: Counters) -> tuple[Outcome, tuple[int, ...]]: ...
    def add_delete(self, action: int, fact: int) -> None: ...
    def forbid(self, actions: list[int], group: int | None) -> None: ...


@dataclass
class Attempt:
    """What came of one budget. `repairs` counts the answers that told something, per agent."""

    k: int
    outcome: Outcome
    steps: tuple[PublicStep, ...] = ()
    disclosed: dict[str, int] = field(default_factory=dict)
    repairs: dict[str, int] = field(default_factory=dict)
    counters: Counters = field(default_factory=Counters)


@dataclass(frozen=True)
class Limits:
    """`seconds` is the user's own; `repairs` bounds the rounds of repair.

    `prefixes` bounds the answers that rule out a single beginning: where these are all that can be
    said, there are too many, and "undecided" is the honest end.
    """

    seconds: float = float("inf")
    repairs: int = 10_000
    prefixes: int = 500


class ProjectionSolver:
    """One run: agents that have published, ready for any number of budgets."""

    def __init__(
        self,
        public: PublicTask,
        ask: Callable[[str, bytes], bytes],
        make_search: Callable[[Projection], Searcher],
        settings: Settings,
        ranking: str,
        name: str = "solver",
    ):
        self._public = public
        self._ask_bytes = ask
        self._make_search = make_search
        self._settings = settings
        self._name = name
        self._published: dict[str, Published] = {}
        for agent in public.agents:
            answer = self._ask(agent, Publish(name, settings, ranking))
            self._published[agent] = _expect(answer, Published)
        for agent in public.agents:
            self._ask(agent, Meet(name, tuple(self._published.values())))
        listeners = [agent for agent, part in self._published.items() if part.listens]
        self._rounds = Rounds(public.agents if listeners else (), self._take_turn)
        self.totals = {agent: self.disclose(agent, 0).total for agent in public.agents}

    @property
    def takes_turns(self) -> bool:
        """Does somebody's ranking listen, so that edges are told one by one?"""
        return bool(self._rounds.agents)

    @property
    def largest(self) -> int:
        """The budget at which every agent discloses everything."""
        return max(self.totals.values(), default=0)

    def attempt(self, k: int, limits: Limits) -> Attempt:
        """Plan with budget k."""
        deadline = time.monotonic() + limits.seconds
        attempt = Attempt(k, Outcome.UNDECIDED)
        projection = self.projection(k, attempt)
        search = self._make_search(projection)
        attempt.repairs = dict.fromkeys(self._public.agents, 0)
        forbidden: list[Forbidden] = []
        for round_number in range(limits.repairs + 1):
            outcome, plan = search.run(max(0.0, deadline - time.monotonic()), attempt.counters)
            attempt.outcome = outcome
            if outcome is not Outcome.SOLVED:
                return attempt
            attempt.steps = tuple(projection.steps[number] for number in plan)
            is_hard = attempt.counters.evaluated > URGENT and round_number >= PATIENCE
            failed = self._carry_out(attempt.steps, is_hard)
            if not failed:
                return attempt
            if not self._settings.repair or self._settings.threats is Threats.NONE:
                attempt.outcome = Outcome.NOT_EXTENDED
                return attempt
            for answer in failed:
                if not answer.decided or len(forbidden) >= limits.prefixes:
                    attempt.outcome = Outcome.UNDECIDED
                    return attempt
                attempt.repairs[answer.sender] += _put_in(projection, answer)
                forbidden += _forbidden(projection, plan, answer)
            if any(answer.returned for answer in failed):
                search = self._make_search(projection)
                told = forbidden
            else:
                told = [x for answer in failed for x in _forbidden(projection, plan, answer)]
                _tell_threats(projection, search, failed)
            for group, actions in told:
                search.forbid(actions, group)
        attempt.outcome = Outcome.UNDECIDED
        return attempt

    def projection(self, k: int, attempt: Attempt | None = None) -> Projection:
        """Π_k: what was published, with everybody's k best edges."""
        projection = Projection.of(self._public, self._published)
        for agent in self._public.agents:
            told = self.disclose(agent, k)
            projection.disclose(agent, (*told.edges, *told.known))
            if attempt is not None:
                attempt.disclosed[agent] = len(told.edges)
        return projection

    def rounds_until_reachable(self) -> int:
        """The k at which the goal of Π_k can be reached if nothing is ever deleted, round by round:
        nobody tells an edge more than that takes.
        """
        return self._rounds.until_reachable(Reach(self.projection(0)), self.largest)

    def _take_turn(self, agent: str, heard: tuple[Heard, ...]) -> PublicEdge | None:
        return _expect(self._ask(agent, Turn(self._name, heard)), Told).edge

    def _carry_out(self, steps: tuple[PublicStep, ...], is_hard: bool) -> list[Carried]:
        """Ask everybody; the answers of those who cannot."""
        question = Carry(self._name, steps, is_hard)
        answers = [_expect(self._ask(agent, question), Carried) for agent in self._public.agents]
        return [answer for answer in answers if not answer.succeeded]

    def disclose(self, agent: str, k: int) -> Disclosed:
        """An agent's k best edges; if agents take turns, all of them do until they got so far."""
        self._rounds.until(k)
        return _expect(self._ask(agent, Disclose(self._name, k)), Disclosed)

    def _ask(self, agent: str, question: AnyMessage) -> AnyMessage:
        answer = decode(self._ask_bytes(agent, encode(question)))
        if answer.sender != agent:
            raise ProtocolError(f"agent '{agent}' answers in another's name")
        return answer


def _put_in(projection: Projection, answer: Carried) -> int:
    """Put an agent's answer into the projection; how much it told."""
    projection.bring_back(answer.sender, answer.returned)
    projection.disclose(answer.sender, answer.threats)
    prefixes = bool(answer.own_prefix or answer.joint_prefix)
    return len(answer.threats) + len(answer.returned) + prefixes


def _tell_threats(projection: Projection, search: Searcher, answers: list[Carried]) -> None:
    for answer in answers:
        for edge in answer.threats:
            action = projection.number[PublicStep(answer.sender, edge.giver)]
            search.add_delete(action, projection.tokens[answer.sender, edge.token])


def _forbidden(projection: Projection, plan: tuple[int, ...], answer: Carried) -> list[Forbidden]:
    """Beginnings that an answer rules out: of one agent's actions, or of all."""
    own = [number for number in plan if projection.steps[number].agent == answer.sender]
    if answer.own_prefix:
        return [(projection.group[own[0]], own[: answer.own_prefix])]
    if answer.joint_prefix:
        return [(None, _joint(projection, plan, answer))]
    return []


def _joint(projection: Projection, plan: tuple[int, ...], answer: Carried) -> list[int]:
    """The first steps of the plan, last actions of agents not counted but taken along."""
    taken: list[int] = []
    count = 0
    for number in plan:
        step = projection.steps[number]
        is_finish = step.action == FINISH
        if count == answer.joint_prefix and not (is_finish and step.agent == answer.sender):
            break
        taken.append(number)
        count += not is_finish
    return taken


def _expect(answer: AnyMessage, kind: type[T]) -> T:
    if not isinstance(answer, kind):
        raise ProtocolError(f"agent '{answer.sender}' answers something else than was asked")
    return answer

"""Multi-agent forward search, as whoever started it sees it: begin, wait, put the plan together.

The agents search by themselves and send each other states; a *driver* (`tacit.transport`) gives
them time and carries their frames. This module only asks questions. It polls the agents, and ends
the search

* when one has found a goal: it traces the plan back from agent to agent and asks everybody to
  confirm it, each with its own records;
* when nobody can go on: all are idle and all frames sent were received, in two rounds of polling
  that give the same counts (a frame under way between them would have changed some). Then there is
  no plan at this k, unless the hardening `once` kept states back: these are asked for first;
* when the user's time or memory is up.

Meanwhile it plans in what was disclosed, and tells the agents what it found
(`tacit.solvers.public_plans`). k may grow inside one search: what was held back is kept by the
agents, and a disclosure sets it free.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tacit import watch
from tacit.errors import InternalError, ProtocolError
from tacit.public.disclosure import PublicEdge, PublicStep
from tacit.public.outcome import Outcome
from tacit.public.protocol.messages import (
    Again,
    Begin,
    Carried,
    Carry,
    Disclosed,
    Follow,
    Foresee,
    Foreseen,
    Learn,
    Poll,
    Status,
    Trace,
    Traced,
)
from tacit.public.settings import Harden, Rule, Settings, Threats
from tacit.public.task import PublicTask
from tacit.solvers.asking import AskAll, Asking, Attempt, expect
from tacit.solvers.limits import Deadline, Limits
from tacit.solvers.public_plans import MakePlanner, PublicPlans

PATIENCE = 4_000
"""Evaluations per agent that a budget gets before it grows, while more can be disclosed."""


HEURISTIC = "ff"

SHOWN_THREATS = (Threats.RANKED, Threats.KNOWN)

LONGEST = 100_000
"""How often a plan may go from one agent to another."""


class Driver(Protocol):
    """Gives agents time to search and carries their frames."""

    def work(self, seconds: float, evaluations: int | None) -> None:
        """Search on for a while: no longer than so many seconds, for at most so many evaluations
        per agent, and until somebody found a goal or nobody can go on.
        """


@dataclass
class MafsAttempt(Attempt):
    """`agents` has each agent's own counts; `failed` is the last budget that was not enough.

    `out_of_reach`: there would be no plan even if nothing were ever deleted, so neither with less.
    `refuted`: while k grew one by one, the last at which all states were searched in vain.
    """

    failed: int = -1
    refuted: int | None = None
    out_of_reach: bool = False
    agents: dict[str, Status] = field(default_factory=dict)


Shown = tuple[tuple[str, tuple[PublicEdge, ...]], ...]
Watch = Callable[[int, Sequence[Status]], None]


class MafsSolver(Asking):
    """Lets the agents search by themselves, driven by `driver`.

    `watch` is shown every agent's status now and then; `memory` bounds the bytes of all searches.
    """

    def __init__(
        self,
        public: PublicTask,
        ask: Callable[[str, bytes], bytes],
        driver: Driver,
        settings: Settings,
        ranking: str,
        heuristic: str = HEURISTIC,
        memory: int | None = None,
        watch: Watch | None = None,
        name: str = "solver",
        ask_all: AskAll | None = None,
        make_planner: MakePlanner | None = None,
    ):
        super().__init__(public, ask, settings, ranking, name, ask_all)
        self._prepare(driver, heuristic, memory, watch, make_planner)

    @classmethod
    def after(
        cls,
        other: Asking,
        driver: Driver,
        memory: int | None = None,
        watch: Watch | None = None,
        make_planner: MakePlanner | None = None,
    ) -> MafsSolver:
        """Forward search by the agents of another solver, who have published for that one."""
        made = cls.__new__(cls)
        vars(made).update(vars(other))
        made._prepare(driver, HEURISTIC, memory, watch, make_planner)
        return made

    def _prepare(
        self,
        driver: Driver,
        heuristic: str,
        memory: int | None,
        watch: Watch | None,
        make_planner: MakePlanner | None,
    ) -> None:
        self._make_planner = make_planner
        self._shown: Shown = ()
        self._free: dict[str, tuple[PublicEdge, ...]] = {}
        """Edges of the start that were not disclosed, where these are free."""
        self._plans: PublicPlans | None = None
        self._driver = driver
        self._heuristic = heuristic
        self._memory = memory
        self._watch = watch
        self._run = 0

    def attempt(self, k: int, limits: Limits) -> MafsAttempt:
        """Search with budget k."""
        attempt = MafsAttempt(k, Outcome.UNDECIDED)
        return self.until_limit(
            attempt, lambda attempt: self._try(attempt, self.disclose_all(k), limits)
        )

    def attempt_with(self, told: Mapping[str, Disclosed], k: int, limits: Limits) -> MafsAttempt:
        """Search with what everybody has told at budget k."""
        attempt = MafsAttempt(k, Outcome.UNDECIDED)
        return self.until_limit(attempt, lambda attempt: self._try(attempt, told, limits))

    def _try(self, attempt: MafsAttempt, told: Mapping[str, Disclosed], limits: Limits) -> None:
        self._begin(attempt, self._shown_to_all(attempt, told), grows=False)
        if self._is_foreseen():
            self._search(attempt, limits.begin(), limits.evaluations)
        else:
            attempt.agents = {status.sender: status for status in self._poll()}
            attempt.outcome, attempt.out_of_reach = Outcome.NO_PLAN, True

    def grow(self, low: int, limits: Limits, patience: int | None = PATIENCE) -> MafsAttempt:
        """Search with budget `low`, and with more whenever that is not enough.

        Without patience k grows one by one, and only when there is no plan with less; the limit on
        evaluations is then that of each budget.
        """
        attempt = MafsAttempt(low, Outcome.UNDECIDED, failed=low - 1)
        deadline = limits.begin()
        most = None if patience else limits.evaluations
        return self.until_limit(
            attempt, lambda attempt: self._grow(attempt, deadline, patience, most)
        )

    def _grow(
        self, attempt: MafsAttempt, deadline: Deadline, patience: int | None, most: int | None
    ) -> None:
        self._begin(attempt, self._all_disclosed(attempt), grows=True)
        step = 1
        not_enough = (Outcome.NO_PLAN, Outcome.UNDECIDED) if patience else (Outcome.NO_PLAN,)
        while True:
            can_grow = attempt.k < self.largest
            self._search(attempt, deadline, patience if patience and can_grow else most)
            if not can_grow or attempt.outcome not in not_enough:
                return
            attempt.failed = attempt.k
            attempt.k = min(self.largest, attempt.k + step)
            step = max(1, attempt.k // 8) if patience else 1
            self._ask_all(Learn(self._name, self._all_disclosed(attempt)))

    def _begin(self, attempt: MafsAttempt, shown: Shown, grows: bool) -> None:
        self._run += 1
        with watch.phase("searching"):
            self._ask_all(Begin(self._name, self._run, shown, self._heuristic, grows))
        attempt.repairs = dict.fromkeys(self._public.agents, 0)

    def _all_disclosed(self, attempt: MafsAttempt) -> Shown:
        return self._shown_to_all(attempt, self.disclose_all(attempt.k))

    def _shown_to_all(self, attempt: MafsAttempt, told: Mapping[str, Disclosed]) -> Shown:
        attempt.disclosed = {agent: len(answer.edges) for agent, answer in told.items()}
        shown = tuple((agent, _shown(answer)) for agent, answer in told.items())
        self._shown, self._free, self._plans = shown, {}, None
        return shown

    def _public_plans(self, make: MakePlanner) -> PublicPlans:
        projection = self._bare.copy()
        for agent, edges in self._shown:
            projection.disclose(agent, edges)
        for agent, edges in self._free.items():
            projection.disclose(agent, edges)
        return PublicPlans(projection, make, self._settings.threats in SHOWN_THREATS)

    def _is_foreseen(self) -> bool:
        """Are all goals within reach under the rule, if nothing is ever deleted?

        Under `supported` every agent sees that for itself when it begins to search.
        """
        if self._settings.rule is Rule.SUPPORTED:
            return True
        reached, last = self._reach_together(lambda news: Foresee(self._name, news), Foreseen)
        self._free = {agent: answer.free for agent, answer in last.items()}
        can_finish = all(answer.can_finish for answer in last.values())
        return can_finish and reached.issuperset(self._public.goal)

    def iterate(self, limits: Limits) -> MafsAttempt:
        """The paper's iterative method, in one search: nothing is disclosed at first, and one edge
        more of every agent whenever there is no plan, or none within so many evaluations.
        """
        attempt, deadline = MafsAttempt(0, Outcome.UNDECIDED, refuted=-1), limits.begin()
        return self.until_limit(attempt, lambda attempt: self._iterate(attempt, deadline))

    def _iterate(self, attempt: MafsAttempt, deadline: Deadline) -> None:
        self._begin(attempt, self._all_disclosed(attempt), grows=True)
        while True:
            is_last = attempt.k >= self.largest
            self._search(attempt, deadline, None if is_last else PATIENCE)
            if attempt.outcome is Outcome.NO_PLAN:
                attempt.refuted = attempt.k
            if is_last or attempt.outcome not in (Outcome.NO_PLAN, Outcome.UNDECIDED):
                return
            attempt.failed = attempt.k
            attempt.k += 1
            self._ask_all(Learn(self._name, self._all_disclosed(attempt)))

    def _search(self, attempt: MafsAttempt, deadline: Deadline, evaluations: int | None) -> None:
        with watch.phase("searching"):
            self._drive(attempt, deadline, evaluations)

    def _drive(self, attempt: MafsAttempt, deadline: Deadline, evaluations: int | None) -> None:
        """Let everybody work until there is an outcome; undecided after so many evaluations."""
        begun = self._evaluated(self._poll())
        last: list[Status] = []
        called: list[Status] = []
        while True:
            left = deadline.left
            if left > 0:
                self._driver.work(left, evaluations)
            statuses = self._poll()
            attempt.agents = {status.sender: status for status in statuses}
            self._count(attempt, statuses)
            if self._watch is not None:
                self._watch(attempt.k, statuses)
            found = next((s.sender for s in statuses if s.has_found), None)
            is_quiet = _is_quiet(statuses) and _is_same(statuses, last)
            if found is not None:
                attempt.steps = self._put_together(found)
                attempt.outcome = Outcome.SOLVED
            elif is_quiet and (not self._keeps_back or _is_same(statuses, called)):
                attempt.outcome = Outcome.NO_PLAN
            elif left <= 0:
                attempt.outcome = Outcome.TIME
            elif self._memory is not None and sum(s.memory for s in statuses) > self._memory:
                attempt.outcome = Outcome.MEMORY
            elif evaluations and self._evaluated(statuses) - begun > evaluations * len(statuses):
                attempt.outcome = Outcome.UNDECIDED
            else:
                if is_quiet:
                    self._ask_all(Again(self._name))
                    called = statuses
                self._guide(self._evaluated(statuses) - begun, deadline)
                last = statuses
                continue
            return

    def _guide(self, evaluated: int, deadline: Deadline) -> None:
        """Plan as much as the agents have searched, and tell them what was found."""
        if self._make_planner is None or not evaluated:
            return
        if self._plans is None:
            self._plans = self._public_plans(self._make_planner)
        steps = self._plans.seek(evaluated, deadline.left)
        if steps is not None:
            self._ask_all(Follow(self._name, steps))

    @property
    def _keeps_back(self) -> bool:
        """May agents have states that they have not sent?"""
        return Harden.ONCE in self._settings.harden

    def _poll(self) -> list[Status]:
        return list(self._expect_all(Poll(self._name), Status).values())

    @staticmethod
    def _evaluated(statuses: Sequence[Status]) -> int:
        return sum(status.evaluated for status in statuses)

    @staticmethod
    def _count(attempt: MafsAttempt, statuses: Sequence[Status]) -> None:
        attempt.counters.expanded = sum(status.expanded for status in statuses)
        attempt.counters.evaluated = sum(status.evaluated for status in statuses)
        attempt.counters.generated = sum(status.generated for status in statuses)

    def _put_together(self, finder: str) -> tuple[PublicStep, ...]:
        """Trace a goal back to the start, from agent to agent, and let everybody confirm it."""
        steps: list[PublicStep] = []
        agent: str | None = finder
        ref = 0
        seen: set[tuple[str, int]] = set()
        while agent is not None:
            seen.add((agent, ref))
            traced = expect(self._ask(agent, Trace(self._name, ref)), Traced)
            steps[:0] = (PublicStep(agent, step) for step in traced.steps)
            if traced.origin == agent or (traced.origin, traced.ref) in seen or len(seen) > LONGEST:
                raise ProtocolError(f"agent '{agent}' leads a plan back to nowhere")
            agent, ref = traced.origin, traced.ref
        plan = tuple(steps)
        with watch.phase("extending"):
            answers = self._expect_all(Carry(self._name, plan), Carried)
        for agent, answer in answers.items():
            if not answer.succeeded:
                raise InternalError(f"agent '{agent}' does not confirm the plan that was found")
        return plan


def _shown(answer: Disclosed) -> tuple[PublicEdge, ...]:
    return (*answer.edges, *answer.known)


def _is_quiet(statuses: Sequence[Status]) -> bool:
    sent = sum(status.sent for status in statuses)
    received = sum(status.received for status in statuses)
    return sent == received and all(status.is_idle for status in statuses)


def _is_same(now: Sequence[Status], before: Sequence[Status]) -> bool:
    def counts(statuses: Sequence[Status]) -> list[tuple[int, int]]:
        return [(status.sent, status.received) for status in statuses]

    return counts(now) == counts(before)

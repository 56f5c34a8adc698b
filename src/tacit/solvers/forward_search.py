"""Agents search forward, as the coordinator sees it: begin, wait, put the plan together.

The agents search by themselves and send each other states; a *driver* (`tacit.transport`) gives
them time and carries their frames. This module only asks questions. It polls the agents, and ends
the search

* when one has found a goal: the plan is traced back from agent to agent, and every agent confirms
  it, each with its own records;
* when none can go on: all are idle and all frames sent were received, in two rounds of polling that
  give the same counts (a frame in flight between them would have changed some). Then there is no
  plan at this k, unless the hardening `once` withheld states: these are asked for first. Under
  `secure` that is left undecided (docs/privacy.md);
* when the user's time or memory is up.

Meanwhile it plans in what was disclosed, and sends the agents what it found
(`tacit.solvers.plan_guidance`).
"""

from __future__ import annotations

from collections.abc import Sequence

from tacit import watch
from tacit.errors import ProtocolError
from tacit.public.disclosure import PublicStep
from tacit.public.outcome import Outcome
from tacit.public.protocol.messages import (
    Begin,
    Confirm,
    Extended,
    Follow,
    Learn,
    Poll,
    Resend,
    Status,
    Trace,
    Traced,
)
from tacit.public.settings import Harden, Rule, Threats
from tacit.solvers.attempt import Attempt, Counters
from tacit.solvers.coordinator import Coordinator, expect
from tacit.solvers.limits import Deadline
from tacit.solvers.plan_guidance import PlanGuidance
from tacit.solvers.solver import Tools

DISCLOSED_THREATS = (Threats.RANKED, Threats.KNOWN)

LONGEST = 100_000
"""How often a plan may go from one agent to another: no trace goes on for ever."""


class ForwardSearch:
    """Searches of the same agents, one after the other."""

    def __init__(self, coordinator: Coordinator, tools: Tools):
        self._coordinator = coordinator
        self._name = coordinator.name
        self._tools = tools
        self._guidance: PlanGuidance | None = None
        self._run = 0
        self._is_led = False
        """Do the agents search along a plan that was given, and along no other?"""
        self._counted = Counters()
        """What the agents had done in this search when they were last asked."""

    def number_for_another(self) -> int:
        """The number of a search that these agents make for somebody else; no other has it."""
        self._run += 1
        return self._run

    def begin(self, grows: bool) -> None:
        """Let all agents begin with what is on the ledger; if it `grows`, more may follow."""
        self._run += 1
        self._guidance, self._counted = None, Counters()
        self._is_led = False
        with watch.phase("searching"):
            heuristic, mark = self._tools.heuristic, self._coordinator.mark
            self._coordinator.ask_all(Begin(self._name, self._run, mark, heuristic, grows))

    def follow(
        self, steps: tuple[PublicStep, ...], attempt: Attempt, deadline: Deadline, evaluations: int
    ) -> None:
        """Let all agents search along one plan, which may not be executable as it is."""
        self.begin(grows=False)
        self._is_led = True
        with watch.phase("searching"):
            self._coordinator.ask_all(Follow(self._name, steps, self._coordinator.mark))
            self._drive(attempt, deadline, evaluations)

    def learn(self) -> None:
        """Let all agents go on with more edges."""
        self._guidance = None
        self._coordinator.ask_all(Learn(self._name, self._coordinator.mark))

    def is_within_joint_reach(self) -> bool:
        """Are all goals within reach under the rule, if nothing is ever deleted?

        Under `supported` every agent sees that for itself when it begins to search.
        """
        if self._coordinator.settings.rule is Rule.SUPPORTED:
            return True
        reached, last = self._coordinator.reach_together()
        can_finish = all(answer.can_finish for answer in last.values())
        return can_finish and reached.issuperset(self._coordinator.public.goal)

    def run(self, attempt: Attempt, deadline: Deadline, evaluations: int | None) -> None:
        """Let the agents work until there is an outcome; undecided after so many evaluations."""
        with watch.phase("searching"):
            self._drive(attempt, deadline, evaluations)

    def _drive(self, attempt: Attempt, deadline: Deadline, evaluations: int | None) -> None:
        begun = evaluated(self.poll())
        last: list[Status] = []
        resent: list[Status] = []
        while True:
            left = deadline.left
            if left > 0:
                self._coordinator.driver.work(left, evaluations)
            statuses = self.poll()
            self._note(attempt, statuses)
            found = next((s.sender for s in statuses if s.has_found), None)
            is_over = is_quiet(statuses) and is_same(statuses, last)
            if found is not None:
                attempt.steps = self._put_together(found)
                attempt.outcome = Outcome.SOLVED
            elif is_over and (not self._withholds or is_same(statuses, resent)):
                attempt.outcome = self._without_plan
            elif left <= 0:
                attempt.outcome = Outcome.TIME
            elif self._is_out_of_memory(statuses):
                attempt.outcome = Outcome.MEMORY
            elif evaluations and evaluated(statuses) - begun > evaluations * len(statuses):
                attempt.outcome = Outcome.UNDECIDED
            else:
                if is_over:
                    self._coordinator.ask_all(Resend(self._name))
                    resent = statuses
                self._guide(evaluated(statuses) - begun, deadline)
                last = statuses
                continue
            return

    def _note(self, attempt: Attempt, statuses: Sequence[Status]) -> None:
        """Count what was done since the last time, since others may search for the same attempt."""
        attempt.agents = {status.sender: status for status in statuses}
        counted = Counters(
            sum(status.expanded for status in statuses),
            evaluated(statuses),
            sum(status.generated for status in statuses),
        )
        attempt.counters.add(counted, self._counted)
        self._counted = counted
        if self._tools.watcher is not None:
            self._tools.watcher(attempt.k, statuses)

    def _is_out_of_memory(self, statuses: Sequence[Status]) -> bool:
        limit = self._tools.memory
        return limit is not None and sum(status.memory for status in statuses) > limit

    def _guide(self, evaluated: int, deadline: Deadline) -> None:
        """Plan as much as the agents have searched, and send them what was found."""
        if not evaluated or self._is_led:
            return
        if self._guidance is None:
            self._guidance = self._make_guidance()
        steps = self._guidance.seek(evaluated, deadline.left)
        if steps is not None:
            self._coordinator.ask_all(Follow(self._name, steps, self._coordinator.mark))

    def _make_guidance(self) -> PlanGuidance:
        projection = self._coordinator.projection()
        shows_deletes = self._coordinator.settings.threats in DISCLOSED_THREATS
        policy = self._tools.policy.guidance
        return PlanGuidance(projection, self._tools.make_search, shows_deletes, policy)

    @property
    def _withholds(self) -> bool:
        """May agents have states that they have not sent?"""
        return Harden.ONCE in self._coordinator.settings.harden

    @property
    def _without_plan(self) -> Outcome:
        """What it means that nobody can go on; Secure-MAFS finds plans and refutes none."""
        is_secure = Harden.SECURE in self._coordinator.settings.harden
        return Outcome.UNDECIDED if is_secure else Outcome.NO_PLAN

    def poll(self) -> list[Status]:
        """How far every agent is."""
        return list(self._coordinator.expect_all(Poll(self._name), Status).values())

    def _put_together(self, finder: str) -> tuple[PublicStep, ...]:
        """Trace a goal back to the initial state, from agent to agent, and have all confirm it."""
        steps: list[PublicStep] = []
        agent: str | None = finder
        ref = 0
        seen: set[tuple[str, int]] = set()
        while agent is not None:
            seen.add((agent, ref))
            traced = expect(self._coordinator.ask(agent, Trace(self._name, ref)), Traced)
            steps[:0] = (PublicStep(agent, step) for step in traced.steps)
            if traced.origin == agent or (traced.origin, traced.ref) in seen or len(seen) > LONGEST:
                raise ProtocolError(f"agent '{agent}' traces a plan back to nowhere")
            agent, ref = traced.origin, traced.ref
        plan = tuple(steps)
        with watch.phase("extending"):
            answers = self._coordinator.ask_all(Confirm(self._name, plan))
        for answer in answers:
            if not isinstance(answer, Extended):
                text = f"agent '{answer.sender}' does not confirm the plan that was found"
                raise ProtocolError(text)
        return plan


def evaluated(statuses: Sequence[Status]) -> int:
    """States evaluated by all together."""
    return sum(status.evaluated for status in statuses)


def is_quiet(statuses: Sequence[Status]) -> bool:
    """Is everybody idle, and was all received that was sent?"""
    sent = sum(status.sent for status in statuses)
    received = sum(status.received for status in statuses)
    return sent == received and all(status.is_idle for status in statuses)


def is_same(now: Sequence[Status], before: Sequence[Status]) -> bool:
    """Did no frame go anywhere between two rounds of polling?"""

    def counts(statuses: Sequence[Status]) -> list[tuple[int, int]]:
        return [(status.sent, status.received) for status in statuses]

    return counts(now) == counts(before)

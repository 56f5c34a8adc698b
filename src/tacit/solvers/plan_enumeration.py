"""Where nothing can be repaired, several public plans are tried, each made in another way.

The first is a plan of the projection as it is. If some agent cannot extend it, the second is one of
the pessimistic projection, which may have no plan, so that it is not searched for long. Only then
are the agents asked to replan, if the settings say so: that discloses more than k. After that the
pessimistic search is given more time, and at last come plans of the projection by other engines.
"""

from __future__ import annotations

from typing import Protocol

from tacit.policy import POLICY, Policy
from tacit.public.disclosure import PublicStep
from tacit.public.outcome import Outcome
from tacit.public.projection import Projection
from tacit.solvers.attempt import Attempt
from tacit.solvers.limits import Deadline
from tacit.solvers.planner import MakeSearch, Planner, run

Steps = tuple[PublicStep, ...]


class Extenders(Protocol):
    """The agents, who must extend a plan."""

    def failing_agents(self, steps: Steps) -> set[str]:
        """Ask all agents; those that cannot extend the plan."""

    def change(self, steps: Steps, failed: set[str], attempt: Attempt, deadline: Deadline) -> None:
        """Let the agents change a plan that some cannot extend, if they may."""


class PlanEnumeration:
    """Plans of one projection, one after the other, until all agents can extend one."""

    def __init__(
        self,
        projection: Projection,
        make: MakeSearch,
        agents: Extenders,
        attempt: Attempt,
        deadline: Deadline,
        policy: Policy = POLICY,
    ):
        self._projection = projection
        self._make = make
        self._agents = agents
        self._attempt = attempt
        self._evaluations: int | None = None
        self._deadline = deadline
        self._policy = policy
        self._pessimistic: Planner | None = None
        self._failed: list[tuple[Steps, set[str]]] = []
        """Plans that some cannot extend, and that no agent was asked to change yet."""

    def try_all(self, evaluations: int | None) -> Attempt:
        """Make plans until all agents can extend one, as it is or changed."""
        self._evaluations = evaluations
        self._attempt.outcome, steps = self._find(self._make(self._projection, 0))
        if self._attempt.outcome is Outcome.SOLVED and not self._is_extended(steps):
            pessimistic = self._make(self._projection.pessimistic(), 0)
            if pessimistic is not None and pessimistic.counts:
                self._pessimistic = pessimistic
            first = self._policy.pessimistic.evaluations
            is_over = self._is_found_pessimistically(first) or self._is_changed()
            again = self._policy.enumeration.pessimistic_again
            if not is_over and not self._is_found_pessimistically(again):
                self._try_others()
        return self._attempt

    def _is_extended(self, steps: Steps) -> bool:
        self._attempt.steps = steps
        failed = self._agents.failing_agents(steps)
        self._attempt.outcome = Outcome.NOT_EXTENDED if failed else Outcome.SOLVED
        if failed:
            self._failed.append((steps, failed))
        return not failed

    def _is_found_pessimistically(self, evaluations: int) -> bool:
        outcome, steps = self._find(self._pessimistic, evaluations)
        if outcome is not Outcome.UNDECIDED:
            self._pessimistic = None
        return outcome is Outcome.SOLVED and self._is_extended(steps)

    def _is_changed(self) -> bool:
        """Is it over because agents changed a plan, or because no time is left?"""
        while self._failed and self._attempt.outcome is Outcome.NOT_EXTENDED:
            steps, failed = self._failed.pop(0)
            if steps != self._attempt.steps:  # agents keep the last plan they were asked about
                self._attempt.steps, failed = steps, self._agents.failing_agents(steps)
            self._agents.change(steps, failed, self._attempt, self._deadline)
        return self._attempt.outcome is not Outcome.NOT_EXTENDED

    def _try_others(self) -> None:
        for way in range(1, self._policy.enumeration.plans):
            if self._is_changed():
                return
            outcome, steps = self._find(self._make(self._projection, way))
            if outcome is not Outcome.SOLVED or self._is_extended(steps):
                return
        self._is_changed()

    def _find(self, planner: Planner | None, within: int | None = None) -> tuple[Outcome, Steps]:
        """A plan by this planner, within what is left or within so many evaluations."""
        if planner is None:
            return Outcome.NO_PLAN, ()
        counters, most = self._attempt.counters, self._evaluations
        if within is not None:
            more = counters.evaluated + within
            most = more if most is None else min(most, more)
        outcome, plan = run(planner, self._deadline, most, counters)
        return outcome, self._projection.named(plan)

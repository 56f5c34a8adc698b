"""The joint projection: plan on what was disclosed, let every agent extend the plan, repair.

The solver knows the classical planner only as something that searches a `Projection`. It builds the
projection of the ledger and searches a public plan, in the pessimistic projection first
(`tacit.solvers.pessimistic`). If every agent can extend it by private actions, that is a solution.
If one cannot, it answers with a repair (docs/solving.md) that excludes the plan, and the search
goes on. Where there is no repair, other public plans are tried, and under `extension=replan` the
agents change one until all can execute it (`tacit.solvers.plan_enumeration`).

Some failures no threat explains, above all where private actions have public preconditions. Then an
agent can only rule out a prefix of the plan, and there are too many of these: the projection is
*stuck*. It may then *change over*: the agents search forward by themselves, with the very edges
that they have disclosed. No agent discloses a further edge or repair for that.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

from tacit import watch
from tacit.public.disclosure import FINISH, PublicStep
from tacit.public.ledger import Prefix, prefix_of
from tacit.public.outcome import Outcome
from tacit.public.projection import Projection
from tacit.public.protocol.messages import (
    Extended,
    Failure,
    PrefixFails,
    Repair,
    RepairWithheld,
    Replan,
    Replanned,
    Scope,
    Threatened,
)
from tacit.public.settings import Extension, Rule, Settings, Threats
from tacit.solvers import SOLVERS, replanning
from tacit.solvers.attempt import Attempt
from tacit.solvers.budget_search import R
from tacit.solvers.budgets import Budgets
from tacit.solvers.coordinator import expect
from tacit.solvers.forward_search import ForwardSearch
from tacit.solvers.limits import Deadline, Limits
from tacit.solvers.mafs import MafsSolver
from tacit.solvers.observed_facts import observed_facts
from tacit.solvers.pessimistic import PessimisticSearch
from tacit.solvers.plan_enumeration import PlanEnumeration
from tacit.solvers.planner import run
from tacit.solvers.solver import Solver


@SOLVERS.add("projection")
class ProjectionSolver(Solver):
    """Plans on Π_k with a classical planner."""

    summary = "a classical planner on the joint projection; each agent extends its plan"
    understands = frozenset({"planner", "change_over", "extension", "max_repairs"})
    _last: _Line | None = None

    @classmethod
    def keeps_to_supported(cls, settings: Settings) -> bool:
        return settings.extension is Extension.STRICT

    def smallest(self, budgets: Budgets[R], low: int, limits: Limits) -> R:
        settings = self.coordinator.settings
        if _more_may_hurt(settings):
            return budgets.step_up(low, limits)
        if settings.uses_repair:
            return budgets.least_disclosed(low, limits, self.tools.policy.effort)
        return budgets.bisect(low, limits)

    def plan(self, attempt: Attempt, limits: Limits) -> None:
        deadline = limits.begin()
        self.plan_on_projection(attempt, limits)
        if attempt.stuck and self.may_change_over:
            left = replace(limits, seconds=deadline.left, evaluations=self._share_of(limits))
            self.change_over(attempt, left)

    def finish(self, attempt: Attempt, limits: Limits) -> None:
        """In turns with forward search, each with more effort: forward search ends some time,
        prefixes alone need not.
        """
        if not self.may_change_over:
            self.plan(attempt, limits)
            return
        deadline, states = limits.begin(), self.tools.policy.online.states
        most = limits.repairs + attempt.repair_rounds
        while True:
            for search in (self.plan_on_projection, self.change_over_for_good):
                left = most - attempt.repair_rounds
                search(
                    attempt,
                    replace(limits, seconds=deadline.left, repairs=left, evaluations=states),
                )
                if attempt.outcome is not Outcome.UNDECIDED:
                    return
            states *= 2

    @property
    def may_change_over(self) -> bool:
        """May the agents search forward where the projection is stuck?"""
        return self.tools.change_over and can_change_over(self.coordinator.settings)

    @property
    def forward_search(self) -> ForwardSearch | None:
        return self.forward.search if self.may_change_over else None

    def change_over(self, attempt: Attempt, limits: Limits) -> None:
        """Go on by forward search."""
        self.forward.plan(attempt, limits)
        attempt.changed_over = True

    def change_over_for_good(self, attempt: Attempt, limits: Limits) -> None:
        """The same where nobody discloses more."""
        self.forward.finish(attempt, limits)
        attempt.changed_over = True

    @cached_property
    def forward(self) -> MafsSolver:
        """Lets the agents search forward with what is on the ledger."""
        return MafsSolver(self.coordinator, self.tools)

    def _share_of(self, limits: Limits) -> int | None:
        """Evaluations of each agent in a forward search, however many agents there are."""
        states, share = limits.evaluations, self.tools.policy.guidance.planner_share
        return None if states is None else max(1, states // share)

    def plan_on_projection(self, attempt: Attempt, limits: Limits) -> None:
        """Plan with a classical planner alone."""
        deadline = limits.begin()
        with watch.phase("searching"):
            if self.coordinator.settings.uses_repair:
                self._plan_and_repair(attempt, limits, deadline)
            elif not self._may_ask(4 * self.tools.policy.enumeration.plans):  # or to change it
                attempt.outcome = Outcome.UNDECIDED
            else:
                projection = self.coordinator.projection()
                make, policy = self.tools.make_search, self.tools.policy
                plans = PlanEnumeration(projection, make, self, attempt, deadline, policy)
                plans.try_all(limits.evaluations)
        if attempt.outcome is Outcome.SOLVED:
            attempt.solved_by = ProjectionSolver.name

    def ask_about_pessimistic_plan(self, attempt: Attempt, limits: Limits) -> None:
        """Have all agents extend the first plan of the pessimistic projection, if there is one."""
        with watch.phase("searching"):
            line, counters = self._line(), attempt.counters
            found = line.search.run_pessimistically(limits.begin().left, None, counters)
            attempt.outcome = Outcome.UNDECIDED if found is None else found[0]
            if found is None or found[0] is not Outcome.SOLVED:
                return
            if not self._extend_or_repair(attempt, line, found[1]):
                attempt.solved_by = ProjectionSolver.name

    def _plan_and_repair(self, attempt: Attempt, limits: Limits, deadline: Deadline) -> None:
        policy, first = self.tools.policy.repair, self.tools.policy.pessimistic.evaluations
        line, before, prefixes = self._line(), attempt.counters.evaluated, 0
        spent_before = line.search.spent
        for round_number in range(limits.repairs + 1):
            if not self._may_ask(1):
                break
            spent = line.search.spent - spent_before  # on top of what is allowed
            evaluated = attempt.counters.evaluated - before - spent
            if round_number > 0 and evaluated > first:
                line.search.search_longer()
            most = None if limits.evaluations is None else limits.evaluations + before + spent
            attempt.outcome, plan = run(line.search, deadline, most, attempt.counters)
            if attempt.outcome is not Outcome.SOLVED:
                is_open = attempt.outcome is Outcome.UNDECIDED
                attempt.stuck = is_open and prefixes > 0 and not line.search.counts
                return
            failed = self._extend_or_repair(attempt, line, plan)
            if not failed:
                return
            prefixes += sum(isinstance(answer, PrefixFails) for answer in failed)
            is_silent = any(isinstance(answer, RepairWithheld) for answer in failed)
            is_any = any(isinstance(answer, Repair) for answer in failed)
            attempt.stuck = is_silent or not is_any or prefixes > limits.most_prefixes(policy)
            if attempt.stuck:
                return
            if limits.max_disclosed is not None and attempt.most_disclosed >= limits.max_disclosed:
                return
        attempt.outcome, attempt.stuck = Outcome.UNDECIDED, True

    def _extend_or_repair(
        self, attempt: Attempt, line: _Line, plan: tuple[int, ...]
    ) -> list[Failure]:
        """Ask everybody about a plan. If some cannot extend it, their answers repair the line."""
        attempt.steps = line.projection.named(plan)
        failed = self._failed(attempt.steps)
        if failed:
            attempt.repair_rounds += 1
            attempt.outcome = Outcome.UNDECIDED
            repairs = [answer for answer in failed if isinstance(answer, Repair)]
            line.repair(repairs, attempt.steps)  # what others could not decide does not matter then
        return failed

    def _may_ask(self, plans: int) -> bool:
        return self.coordinator.may_ask_to_extend(plans)

    def _line(self) -> _Line:
        """The search so far if nobody disclosed an edge since, else one on the ledger as it is."""
        coordinator = self.coordinator
        edges = tuple(coordinator.ledger.counts(agent).edges for agent in coordinator.public.agents)
        is_same = self._last is not None and self._last.edges == edges
        if self._last is None or not is_same or coordinator.is_offline:
            projection = coordinator.projection()
            observed = self._observed_facts(projection)
            policy = self.tools.policy.pessimistic
            search = PessimisticSearch(projection, self.tools.make_search, observed, policy)
            self._last = _Line(edges, projection, search)
            for agent in coordinator.ledger.agents:
                for prefix in coordinator.ledger.prefixes(agent):
                    self._last.forbid(prefix)
        return self._last

    def _observed_facts(self, projection: Projection) -> list[int]:
        """What private actions may look at, if any do."""
        is_any = any(
            part.has_public_preconditions for part in self.coordinator.publications.values()
        )
        return observed_facts(projection, len(self.coordinator.public.facts)) if is_any else []

    def failing_agents(self, steps: tuple[PublicStep, ...]) -> set[str]:
        """Ask everybody; who cannot."""
        return {answer.sender for answer in self._failed(steps)}

    def _failed(self, steps: tuple[PublicStep, ...]) -> list[Failure]:
        """The answers of agents that cannot."""
        with watch.phase("extending"):
            answers = self.coordinator.extend_all(steps).values()
        return [answer for answer in answers if not isinstance(answer, Extended)]

    def change(
        self, steps: tuple[PublicStep, ...], failed: set[str], attempt: Attempt, deadline: Deadline
    ) -> None:
        """There is no repair: let the agents change the plan, if the settings say so."""
        if self.coordinator.settings.extension is not Extension.REPLAN:
            return
        agents = self.coordinator.public.agents
        rounds = self.tools.policy.extension.replanning_rounds
        before = tuple(step for step in steps if step.action != FINISH)
        agreed = [agent for agent in agents if agent not in failed]
        with watch.phase("extending"):
            found = replanning.replan(agents, before, agreed, self._replan, deadline, rounds)
        if found is not None:
            attempt.outcome = Outcome.SOLVED
            attempt.replanned = replanning.changed(agents, before, found)
            attempt.steps = found
        elif deadline.has_passed:
            attempt.outcome = Outcome.TIME

    def _replan(self, agent: str, steps: tuple[PublicStep, ...], seconds: float) -> Replanned:
        question = Replan(self.coordinator.name, steps, None if math.isinf(seconds) else seconds)
        return expect(self.coordinator.ask(agent, question), Replanned)


def _more_may_hurt(settings: Settings) -> bool:
    """May a plan be lost when more is disclosed?"""
    threats_may = settings.threats in (Threats.RANKED, Threats.KNOWN)
    return threats_may or settings.extension is Extension.REPLAN


def can_change_over(settings: Settings) -> bool:
    """Do forward search and the projection accept the same plans, and do agents repair?"""
    is_same = settings.threats is Threats.ON_DEMAND and settings.rule is Rule.SUPPORTED
    return is_same and settings.uses_repair


@dataclass
class _Line:
    """A search on the projection of the ledger, as it was when agents had so many edges on it."""

    edges: tuple[int, ...]
    projection: Projection
    search: PessimisticSearch

    def repair(self, answers: list[Repair], plan: tuple[PublicStep, ...]) -> None:
        """Go on with these repairs, which are on the ledger already."""
        threats = [answer for answer in answers if isinstance(answer, Threatened)]
        for answer in threats:
            self.projection.restore(answer.sender, answer.restored)
            self.projection.disclose(answer.sender, answer.threats)
        if any(answer.restored for answer in threats):
            self.search = self.search.again(self.projection)
        else:
            for answer in threats:
                self._add_deletes(answer)
        for failed in answers:
            if isinstance(failed, PrefixFails):
                is_joint = failed.scope is Scope.JOINT
                self.forbid(prefix_of(plan, failed.sender, failed.steps, is_joint, failed.for_good))

    def _add_deletes(self, answer: Threatened) -> None:
        for edge in answer.threats:
            action = self.projection.number[PublicStep(answer.sender, edge.achiever)]
            self.search.add_delete(action, self.projection.tokens[answer.sender, edge.token])

    def forbid(self, prefix: Prefix) -> None:
        actions = [self.projection.number[step] for step in prefix.steps]
        group = None if prefix.joint or not actions else self.projection.group[actions[0]]
        self.search.forbid(actions, group)

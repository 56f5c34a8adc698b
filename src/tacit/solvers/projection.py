"""The joint projection: plan on what was disclosed, let every agent extend the plan, repair.

The solver knows the classical planner only as something that searches a `Projection`. For each
budget k it builds Π_k and searches a public plan, in the pessimistic projection first
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
from dataclasses import replace

from tacit import watch
from tacit.public.disclosure import FINISH, PublicStep
from tacit.public.outcome import Outcome
from tacit.public.projection import Projection
from tacit.public.protocol.messages import (
    Disclosed,
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
from tacit.solvers.limits import Deadline, Limits
from tacit.solvers.mafs import MafsSolver
from tacit.solvers.observed_facts import observed_facts
from tacit.solvers.pessimistic import PessimisticSearch
from tacit.solvers.plan_enumeration import PlanEnumeration
from tacit.solvers.planner import Searcher, run
from tacit.solvers.solver import Solver

Forbidden = tuple[int | None, list[int]]


@SOLVERS.add("projection")
class ProjectionSolver(Solver):
    """Plans on Π_k with a classical planner."""

    summary = "a classical planner on the joint projection; each agent extends its plan"
    understands = frozenset({"planner", "change_over", "extension", "max_repairs"})
    _forward: MafsSolver | None = None

    @classmethod
    def keeps_to_supported(cls, settings: Settings) -> bool:
        return settings.extension is Extension.STRICT

    def smallest(self, budgets: Budgets[R], low: int, limits: Limits) -> R:
        settings = self.coordinator.settings
        if _more_may_hurt(settings):
            return budgets.step_up(low, limits)
        if settings.uses_repair:
            return budgets.least_disclosed(low, limits, self.tools.policy.budgets.projection)
        return budgets.bisect(low, limits)

    def attempt(self, k: int, limits: Limits) -> Attempt:
        deadline, disclosed = limits.begin(), dict[str, Disclosed]()
        coordinator, policy = self.coordinator, self.tools.policy.repair
        may_change_over = self.tools.change_over and can_change_over(coordinator.settings)

        def work(attempt: Attempt) -> None:
            disclosed.update(coordinator.disclose_all(k))
            attempt.disclosed = {agent: len(answer.edges) for agent, answer in disclosed.items()}
            within = limits
            if may_change_over:
                prefixes = min(limits.most_prefixes(policy), policy.prefixes_before_switch)
                within = replace(limits, prefixes=prefixes)
            self.plan(coordinator.projection_with(disclosed), attempt, within)

        attempt = coordinator.until_limit(Attempt(k, Outcome.UNDECIDED), work)
        if not attempt.stuck or not may_change_over or coordinator.limit is not None:
            return attempt
        if self._forward is None:
            self._forward = MafsSolver(coordinator, self.tools)
        left = replace(limits, seconds=deadline.left, evaluations=self._share_of(limits))
        found = self._forward.attempt_with(disclosed, k, left)
        found.repairs, found.changed_over = attempt.repairs, True
        found.counters.add(attempt.counters)
        return found

    def _share_of(self, limits: Limits) -> int | None:
        """Evaluations of each agent, which are those of all agents together."""
        states = limits.evaluations
        return None if states is None else max(1, states // len(self.coordinator.public.agents))

    def plan(self, projection: Projection, attempt: Attempt, limits: Limits) -> Attempt:
        """Plan with what a projection has and the agents have disclosed."""
        attempt.repairs = dict.fromkeys(self.coordinator.public.agents, 0)

        def work(attempt: Attempt) -> None:
            self._plan(projection, attempt, limits)
            if attempt.outcome is Outcome.SOLVED:
                attempt.solved_by = self.name

        return self.coordinator.until_limit(attempt, work)

    def _plan(self, projection: Projection, attempt: Attempt, limits: Limits) -> None:
        deadline = limits.begin()
        with watch.phase("searching"):
            if self.coordinator.settings.uses_repair:
                self._plan_and_repair(projection, attempt, limits, deadline)
            else:
                make, policy = self.tools.make_search, self.tools.policy
                plans = PlanEnumeration(projection, make, self, attempt, deadline, policy)
                plans.try_all(limits.evaluations)

    def _plan_and_repair(
        self, projection: Projection, attempt: Attempt, limits: Limits, deadline: Deadline
    ) -> Attempt:
        make, policy = self.tools.make_search, self.tools.policy.repair
        observed, prefixes = self._observed_facts(projection), 0
        search = PessimisticSearch(projection, make, observed, self.tools.policy.pessimistic)
        for round_number in range(limits.repairs + 1):
            evaluated = attempt.counters.evaluated - search.spent
            is_slow = evaluated > limits.starts_bulk_after(policy)
            first_bulk = policy.first_bulk_round if is_slow else policy.last_single_round
            is_hard = round_number >= first_bulk
            if is_hard:
                search.search_longer()
            most = None if limits.evaluations is None else limits.evaluations + search.spent
            attempt.outcome, plan = run(search, deadline, most, attempt.counters)
            if attempt.outcome is not Outcome.SOLVED:
                is_open = attempt.outcome is Outcome.UNDECIDED
                attempt.stuck = is_open and prefixes > 0 and not search.counts
                return attempt
            attempt.steps = projection.named(plan)
            failed = self._failed(attempt.steps, is_hard and not search.is_active)
            if not failed:
                return attempt
            attempt.outcome = Outcome.UNDECIDED
            for answer in failed:
                if isinstance(answer, Repair):
                    attempt.repairs[answer.sender] += _put_in(projection, answer)
            answers = _answers(failed)
            forbidden = [item for a in answers for item in _forbidden(projection, plan, a)]
            prefixes += len(forbidden)
            attempt.stuck = not answers or prefixes > limits.most_prefixes(policy)
            if attempt.stuck:
                return attempt
            if limits.max_disclosed is not None and attempt.most_disclosed >= limits.max_disclosed:
                return attempt
            if any(isinstance(answer, Threatened) and answer.restored for answer in answers):
                search = search.again(projection)
            else:
                _add_threats(projection, search, answers)
            for group, actions in forbidden:
                search.forbid(actions, group)
        attempt.stuck = True
        return attempt

    def _observed_facts(self, projection: Projection) -> list[int]:
        """What private actions may look at, if any do."""
        is_any = any(
            part.has_public_preconditions for part in self.coordinator.publications.values()
        )
        return observed_facts(projection, len(self.coordinator.public.facts)) if is_any else []

    def failing_agents(self, steps: tuple[PublicStep, ...]) -> set[str]:
        """Ask everybody; who cannot."""
        return {answer.sender for answer in self._failed(steps)}

    def _failed(self, steps: tuple[PublicStep, ...], is_hard: bool = False) -> list[Failure]:
        """The answers of agents that cannot."""
        with watch.phase("extending"):
            answers = self.coordinator.extend_all(steps, is_hard).values()
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


def _answers(failed: list[Failure]) -> list[Repair]:
    """What rules the plan out. That another agent could not decide does not matter then, but one
    that withholds repairs must not be asked again.
    """
    if any(isinstance(answer, RepairWithheld) for answer in failed):
        return []
    return [answer for answer in failed if isinstance(answer, Repair)]


def _put_in(projection: Projection, answer: Repair) -> int:
    """Put an agent's repair into the projection; how much it discloses."""
    if isinstance(answer, Threatened):
        projection.restore(answer.sender, answer.restored)
        projection.disclose(answer.sender, answer.threats)
    return answer.disclosures


def _add_threats(projection: Projection, search: Searcher, answers: list[Repair]) -> None:
    for answer in answers:
        for edge in answer.threats if isinstance(answer, Threatened) else ():
            action = projection.number[PublicStep(answer.sender, edge.achiever)]
            search.add_delete(action, projection.tokens[answer.sender, edge.token])


def _forbidden(projection: Projection, plan: tuple[int, ...], answer: Repair) -> list[Forbidden]:
    """Prefixes that an answer rules out: of one agent's actions, or of all."""
    if not isinstance(answer, PrefixFails):
        return []
    if answer.scope is Scope.JOINT:
        return [(None, _joint(projection, plan, answer))]
    own = [number for number in plan if projection.steps[number].agent == answer.sender]
    return [(projection.group[own[0]], own[: answer.steps])]


def _joint(projection: Projection, plan: tuple[int, ...], answer: PrefixFails) -> list[int]:
    """The first steps of the plan, last actions of agents not counted but taken along."""
    taken: list[int] = []
    count = 0
    for number in plan:
        step = projection.steps[number]
        is_finish = step.action == FINISH
        if count == answer.steps and not (is_finish and step.agent == answer.sender):
            break
        taken.append(number)
        count += not is_finish
    return taken

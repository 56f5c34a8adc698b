"""Trials of a choice of edges: agents that disclose exactly these, and a planner.

There are two questions about a choice. Does its projection have a plan (`search`)? And is there a
supported plan that can be extended? The second is what `tacit solve` answers for the k best edges
of a ranking with threats `on-demand` (`solve`); repairs are disclosed in addition and are not part
of the choice. With all secrets at hand, it can also be decided on the joint task (`join`).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cached_property

import msgspec

from tacit.central.analysis.minimum.choices import Choice, Choices, Price
from tacit.central.analysis.minimum.priced import Priced
from tacit.central.instance import Instance
from tacit.central.joint import JointTask
from tacit.central.price_policy import PricePolicy
from tacit.central.result import Result
from tacit.central.session import Session
from tacit.central.used import used_edges
from tacit.party.disclosure.graph import Edge
from tacit.planners import PlannerLimits, PlannerOutcome, PlannerResult
from tacit.planners.native import NativeSearch
from tacit.policy import POLICY, Policy
from tacit.public.disclosure import PublicStep
from tacit.public.outcome import Outcome
from tacit.public.run_options import RunOptions
from tacit.public.settings import Extension, Settings, Threats
from tacit.searchers import classical
from tacit.solvers.attempt import Attempt
from tacit.solvers.limits import Limits
from tacit.solvers.projection import ProjectionSolver


class Trials(Session):
    """Agents of one problem that can be tried with any choice."""

    def __init__(
        self,
        instance: Instance,
        settings: Settings,
        seed: int,
        price: Price | None = None,
        price_policy: PricePolicy = PricePolicy(),  # noqa: B008
        policy: Policy = POLICY,
    ):
        self.policy = policy
        on_demand = msgspec.structs.replace(
            settings, threats=Threats.ON_DEMAND, repair=True, extension=Extension.STRICT
        )
        options = RunOptions("projection", "m1", seed=seed)
        super().__init__(instance, on_demand, options, price_policy, policy)
        self._seed = seed
        self.choices = Choices(self.agents, self._offline.projection(0), price or self._own_price)

    def _own_price(self, agent: str, edge: Edge) -> int | None:
        """The agent's own price; 1 unless it has prices."""
        return self.agents[agent].dependencies.price(edge.achiever, edge.token)

    @property
    def _planning(self) -> ProjectionSolver:
        assert isinstance(self.solver, ProjectionSolver)
        return self.solver

    def search(self, choice: Choice, evaluations: int, seconds: float) -> PlannerResult:
        """A plan of the projection of this choice."""
        task = classical(self.choices.projection(choice))
        return NativeSearch(task, self._seed).run(PlannerLimits(evaluations, seconds))

    def join(self, choice: Choice, evaluations: int, seconds: float) -> PlannerResult:
        """A supported plan that can be extended, found on the joint task with all secrets."""
        task = self.joint.task(self.choices.by_agent(choice))
        return NativeSearch(task, self._seed).run(PlannerLimits(evaluations, seconds))

    def vary(
        self,
        choice: Choice,
        evaluations: int,
        seconds: float,
        seed: int,
        loads: Sequence[int] = (),
        plan: Sequence[int] = (),
        window: tuple[int, int] = (0, 0),
    ) -> tuple[int, ...] | None:
        """Another such plan, with `loads` as the cost of each agent's actions.

        If a plan is given, only the part in the window is replanned.
        """
        disclosed = self.choices.by_agent(choice)
        first, last = window
        task = self.joint.task(disclosed, loads)
        if plan:
            task = self.joint.window(disclosed, plan, first, last, loads)
        engines = self.policy.minimum.priced_engines if loads else self.policy.planner.portfolio
        search = NativeSearch(task, seed, engines, use_costs=bool(loads))
        found = search.run(PlannerLimits(evaluations, seconds))
        return (*plan[:first], *found.plan, *plan[last:]) if found.solved else None

    @cached_property
    def joint(self) -> JointTask:
        return JointTask(self.agents)

    def solve(self, choice: Choice, evaluations: int, seconds: float) -> Result:
        """The same, found as agents would: a public plan, and the repairs it needs."""
        start = time.process_time()
        attempt, policy = self._disclosing(choice, Outcome.UNDECIDED), self.policy.repair
        limits = Limits(seconds, policy.single_answers, policy.prefixes, evaluations)
        plan = self._planning.plan_on_projection
        self.coordinator.until_limit(attempt, lambda attempt: plan(attempt, limits))
        return self._finished(attempt, start)

    def _disclosing(self, choice: Choice, outcome: Outcome) -> Attempt:
        """An attempt with exactly this on its ledger."""
        ledger = self.coordinator.begin_ledger()
        self.choices.disclose(choice, ledger)
        return Attempt(0, outcome, ledger=ledger)

    def in_public(self, plan: Sequence[int]) -> tuple[PublicStep, ...]:
        """The public part of a plan that `join` found."""
        return self.joint.in_public(plan)

    def extend(self, choice: Choice, steps: tuple[PublicStep, ...]) -> Result | None:
        """A public plan, extended as it is; None if an agent cannot extend it."""
        start = time.process_time()
        attempt = self._disclosing(choice, Outcome.SOLVED)
        if self._planning.failing_agents(steps):
            return None
        attempt.steps = steps
        return self._finished(attempt, start)

    def steps(self, plan: Sequence[int]) -> tuple[PublicStep, ...]:
        """The public steps of a plan that `search` found."""
        return tuple(self.choices.steps[action] for action in plan)

    def used(self, result: Result) -> Choice:
        """The edges that the plan of the last trial uses."""
        assert result.plan is not None
        return self.choices.numbers(used_edges(self.agents, result.plan))

    @cached_property
    def _priced(self) -> Priced:
        return Priced(self.choices, self.policy.minimum)

    def cheap(self, price: Sequence[int], evaluations: int, seconds: float) -> Choice | None:
        """The edges of a plan found under these prices for using an edge."""
        found = self._priced.search(price, self._seed, evaluations, seconds)
        if found is None:
            return None
        choice, plan = found
        return self.choices.used_in_public(choice, plan)


def is_unsolvable(result: PlannerResult | Result) -> bool:
    """Whether it was proved that there is no plan."""
    return result.outcome in (PlannerOutcome.UNSOLVABLE, Outcome.NO_PLAN)

"""One problem opened for planning: its agents, a solver, and budgets to try.

The agents live in one process here, for one trusted user, but they talk through bytes as they would
anywhere. The joint plan is put together from what each agent keeps for itself, and passes the
independent validator before anybody sees it.
"""

from __future__ import annotations

import time
from functools import partial

from tacit.central.agent_pool import (
    account,
    affordable,
    disclosed_edges,
    full_order,
    make_pool,
    own_plan,
)
from tacit.central.instance import Instance
from tacit.central.price_policy import PricePolicy
from tacit.central.result import Result
from tacit.central.validate.judge import Verdict, validate
from tacit.central.validate.plan import Plan, Step, plan_of
from tacit.choices import check
from tacit.errors import InternalError
from tacit.party.agent import Agent
from tacit.party.disclosure.graph import Edge
from tacit.policy import POLICY, Policy
from tacit.public.outcome import Outcome
from tacit.public.run_options import RunOptions
from tacit.public.settings import Settings
from tacit.searchers import Clock, make_search
from tacit.solvers import SOLVERS
from tacit.solvers.attempt import Attempt
from tacit.solvers.budgets import Budgets
from tacit.solvers.coordinator import Agents, Coordinator
from tacit.solvers.limits import Limits as Limits
from tacit.solvers.solver import Solver, Tools, Watcher

SEARCHING = "searching"


class InvalidResult(InternalError):
    """The validator rejects what a solver returned."""


class Session:
    """The agents of one problem with one solver.

    `search_clock` has the CPU time of all classical searches so far. With `prices`, what agents
    disclose costs them something; `warnings` says which rules about prices match nothing.
    """

    def __init__(
        self,
        instance: Instance,
        settings: Settings = Settings(),  # noqa: B008
        options: RunOptions = RunOptions(),  # noqa: B008
        prices: PricePolicy = PricePolicy(),  # noqa: B008
        policy: Policy = POLICY,
        watcher: Watcher | None = None,
    ):
        check(options, settings)
        self.instance = instance
        self.settings = settings
        self.options = options
        self.search_clock = Clock()
        self._prices = prices
        own_prices = prices.of(instance, settings)
        self.warnings = tuple(w for own in own_prices.values() for w in own.warnings)
        agents = [
            Agent(
                instance.local(name),
                options.seed,
                options.ties,
                own_prices.get(name),
                prices.budget,
                policy,
            )
            for name in instance.agents
        ]
        self._pool = make_pool(agents, options, policy)
        start = time.process_time()
        self.solver = self._make_solver(policy, watcher)
        self.coordinator = self.solver.coordinator
        if prices.budget is not None:
            asked = (self._pool.recall(name, affordable) for name in instance.agents)
            self.coordinator.most = max(asked, default=0)
        self.budgets = Budgets(self.solver, self._finished)
        self._seconds = {"dependencies": time.process_time() - start}

    def _make_solver(self, policy: Policy, watcher: Watcher | None) -> Solver:
        options, memory = self.options, self.options.memory
        agents = Agents(self.instance.public, self._pool.ask, driver=self._pool.driver)
        make = partial(
            make_search,
            planner=options.planner,
            seed=options.seed,
            memory=memory,
            clock=self.search_clock,
        )
        tools = Tools(make, options.heuristic, memory, watcher, options.change_over, policy)
        coordinator = Coordinator(agents, self.settings, options.ranking)
        return SOLVERS.get(options.solver)(coordinator, tools)

    @property
    def budget(self) -> int | None:
        """What every agent may spend, in its own prices."""
        return self._prices.budget

    @property
    def agents(self) -> dict[str, Agent]:
        """The agents themselves, if they live in this process."""
        return self._pool.agents

    def edges(self, agent: str) -> list[str]:
        """What an agent disclosed, by its own names."""
        return self._pool.recall(agent, disclosed_edges)

    def close(self) -> None:
        """Let go of what the agents hold."""
        self._pool.close()

    @property
    def totals(self) -> dict[str, int]:
        """Per agent, how many edges it has."""
        return dict(self.coordinator.totals)

    def order(self, agent: str) -> list[Edge]:
        """All edges of an agent in the order in which it discloses them; for its owner."""
        self.coordinator.take_all_turns()
        return self._pool.recall(agent, full_order)

    def make_orders(self) -> None:
        """Let all rankings that are not interactive make their full order, so that it is there."""
        if not self.coordinator.takes_turns:
            for agent in self.instance.agents:
                self._pool.recall(agent, full_order)

    @property
    def largest(self) -> int:
        """The budget at which every agent discloses everything."""
        return self.coordinator.largest

    @property
    def seconds_of_turns(self) -> float:
        """CPU time in which agents chose what to disclose, where they take turns."""
        return self.coordinator.seconds_of_turns

    def disclose(self, k: int) -> None:
        """Let every agent disclose its k best edges, as it does when it plans with them."""
        self.coordinator.disclose_all(k)

    def at(self, k: int, limits: Limits = Limits()) -> Result:  # noqa: B008
        """Plan with budget k."""
        return self.budgets.at(k, limits)

    def first(self, limits: Limits = Limits()) -> Result:  # noqa: B008
        """Plan with the smallest budget that solves."""
        result = self.budgets.first(limits)
        if self.coordinator.limit is not None:
            result.phase = self.coordinator.limit.phase
        return result

    def iterate(self, limits: Limits = Limits()) -> Result:  # noqa: B008
        """Plan with a budget that grows from 0, one by one, inside one search.

        Every agent defers the states that it prunes, and goes on from them once an edge more
        supports them.
        """
        return self.budgets.iterate(limits)

    @property
    def found(self) -> Result | None:
        """The best that `first` had found when it was stopped; the agents may be in any state."""
        return self.budgets.found

    def may_be_reachable(self, k: int) -> bool:
        """Is the goal reachable in Π_k if nothing is ever deleted?"""
        return self.budgets.may_be_reachable(k)

    def _finished(self, attempt: Attempt, start: float) -> Result:
        """An attempt with its plan, which passes the validator before anybody sees it."""
        solved = attempt.outcome is Outcome.SOLVED
        plan = self._joint_plan() if solved else None
        verdict = validate(self.instance.source, plan) if plan is not None else None
        if verdict is not None and not verdict.valid:
            raise InvalidResult(f"the validator rejects the plan: {verdict.message}")
        return self._result(attempt, plan, verdict, time.process_time() - start)

    def _result(
        self, attempt: Attempt, plan: Plan | None, verdict: Verdict | None, seconds: float
    ) -> Result:
        is_priced = self._prices.weights is not None and self.coordinator.limit is None
        priced = self.instance.agents if is_priced else ()
        is_ended = attempt.outcome in (Outcome.TIME, Outcome.MEMORY)
        return Result(
            outcome=attempt.outcome,
            k=attempt.k,
            plan=plan,
            verdict=verdict,
            dependencies=self.totals,
            disclosed=attempt.disclosed,
            repairs=attempt.repairs,
            counters=attempt.counters,
            transcript=self._pool.transcript,
            seconds={**self.instance.seconds, **self._seconds, "solve": seconds},
            searches=attempt.agents,
            replanned=attempt.replanned,
            out_of_reach=attempt.out_of_reach,
            refuted=attempt.refuted,
            accounts={name: self._pool.recall(name, account) for name in priced},
            changed_over=attempt.changed_over,
            solved_by=attempt.solved_by,
            phase=attempt.phase or (SEARCHING if is_ended else None),
        )

    def _joint_plan(self) -> Plan:
        """All agents' own actions, each before the public step it was placed before."""
        placed: list[tuple[int, bool, int, int, str, str]] = []
        for rank, name in enumerate(self.instance.agents):
            for order, (before, is_public, text) in enumerate(self._pool.recall(name, own_plan)):
                placed.append((before, is_public, rank, order, name, text))
        steps = ((name, plan_of([text]).steps[0]) for *_, name, text in sorted(placed))
        return Plan(tuple(Step(name, step.name, step.args) for name, step in steps))

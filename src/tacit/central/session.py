"""One problem opened for planning: its agents, a solver, and budgets to try.

The agents live in one process here, for one trusted user, but they talk through bytes as they would
anywhere. The joint plan is put together from what each agent keeps for itself, and passes the
independent validator before anybody sees it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from tacit import watch
from tacit.central.agent_pool import (
    account,
    affordable,
    disclosed_edges,
    full_order,
    joint_plan,
    make_pool,
    total,
)
from tacit.central.instance import Instance
from tacit.central.judging import Improving
from tacit.central.judging import InvalidResult as InvalidResult
from tacit.central.price_policy import PricePolicy
from tacit.central.result import OFFLINE, ONLINE, Improvement, Result, Unreachable
from tacit.central.validate.judge import Verdict
from tacit.central.validate.plan import Plan
from tacit.choices import check, heuristic_of
from tacit.errors import InputError
from tacit.party.agent import Agent
from tacit.party.bounds import Bounds
from tacit.party.disclosure.graph import Edge
from tacit.policy import POLICY, Policy
from tacit.public.outcome import Outcome
from tacit.public.protocol.transcript import Transcript
from tacit.public.run_options import RunOptions
from tacit.public.settings import Count, Settings
from tacit.searchers import Clock, make_cheaper_search, make_search
from tacit.solvers import SOLVERS
from tacit.solvers.attempt import Attempt
from tacit.solvers.budgets import Budgets
from tacit.solvers.coordinator import Agents, Coordinator
from tacit.solvers.limits import Limits as Limits
from tacit.solvers.offline import Offline
from tacit.solvers.online import Online
from tacit.solvers.solver import Solver, Tools, Watcher

SEARCHING = "searching"

R = TypeVar("R")


class Session:
    """The agents of one problem with one solver: *offline*, for any number of budgets, or `online`,
    for one run as agents make it between them.

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
        online: bool = False,
    ):
        check(options, settings)
        if settings.count is Count.CLASSES and not online:
            hint = "leave out k, or count edges"
            raise InputError("classes are counted in online runs alone", hint)
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
                Bounds(price=prices.budget),
                policy,
            )
            for name in instance.agents
        ]
        self._pool = make_pool(agents, options, policy)
        start = time.process_time()
        self.is_online = online
        self.coordinator = self._make_coordinator()
        self.totals = {name: self._pool.recall(name, total) for name in instance.agents}
        """Per agent, how many edges it has."""
        offline = None if online else Offline(self.coordinator, self.totals, self._most())
        self.solver = self._make_solver(policy, watcher, offline)
        source = instance.source
        joint = partial(joint_plan, self._pool, instance.agents)
        self._improving = Improving(self.solver, options, source, joint, online)
        self.budgets = None if online else Budgets(self.solver, self._finished)
        self.report: Callable[[Improvement], None] = lambda _: None
        """Is told of each better plan after the first."""
        self._is_last = False
        """Is the budget that is tried the one that was asked for?"""
        self._solved: tuple[Attempt, Verdict] | None = None
        """The last run that has a plan."""
        self._tried: list[tuple[Result, Attempt]] | None = None
        """Budgets that solved, while the smallest is looked for."""
        self._seconds = {"dependencies": time.process_time() - start}

    def _make_coordinator(self) -> Coordinator:
        agents = Agents(self.instance.public, self._pool.ask, driver=self._pool.driver)
        offline = not self.is_online
        return Coordinator(agents, self.settings, self.options.ranking, offline)

    def _most(self) -> int | None:
        """The most edges that any agent can pay for, where they have budgets in prices."""
        if self._prices.budget is None:
            return None
        return max((self._pool.recall(n, affordable) for n in self.instance.agents), default=0)

    def _make_solver(
        self, policy: Policy, watcher: Watcher | None, offline: Offline | None
    ) -> Solver:
        options, memory = self.options, self.options.memory
        make = partial(
            make_search,
            planner=options.planner,
            seed=options.seed,
            memory=memory,
            clock=self.search_clock,
        )
        change_over = options.change_over
        cheaper = partial(make_cheaper_search, seed=options.seed)
        tools = Tools(
            *(make, heuristic_of(options), memory, watcher, change_over, policy, offline, cheaper)
        )
        return SOLVERS.get(options.solver)(self.coordinator, tools)

    @property
    def budget(self) -> int | None:
        """What every agent may spend, in its own prices."""
        return self._prices.budget

    @property
    def transcript(self) -> Transcript:
        """What crossed so far, but for grounding."""
        return self._pool.transcript

    @property
    def agents(self) -> dict[str, Agent]:
        """The agents themselves, if they live in this process."""
        return self._pool.agents

    def edges(self, agent: str) -> list[str]:
        """What an agent disclosed, by its own names."""
        return self._pool.recall(agent, disclosed_edges)

    def recall(self, agent: str, question: Callable[[Agent], R]) -> R:
        """Ask an agent as its owner."""
        return self._pool.recall(agent, question)

    def close(self) -> None:
        """Let go of what the agents hold."""
        self._pool.close()

    @property
    def _offline(self) -> Offline:
        return self.solver.offline

    @property
    def _budgets(self) -> Budgets[Result]:
        assert self.budgets is not None, "an online run tries no budgets"
        return self.budgets

    def order(self, agent: str) -> list[Edge]:
        """All edges of an agent in the order in which it discloses them; for its owner."""
        self._offline.take_all_turns()
        return self._pool.recall(agent, full_order)

    def make_orders(self) -> None:
        """Let all rankings that are not interactive make their full order, so that it is there."""
        if not self.coordinator.is_interactive:
            for agent in self.instance.agents:
                self._pool.recall(agent, full_order)

    @property
    def largest(self) -> int:
        """The budget at which every agent discloses everything."""
        return self._offline.largest

    @property
    def seconds_of_turns(self) -> float:
        """CPU time in which agents chose what to disclose, where they take turns."""
        return self.coordinator.seconds_of_turns

    def disclose(self, k: int) -> None:
        """Let every agent disclose its k best edges, as it does when it plans with them."""
        self._offline.disclose_all(k)

    def online(self, limits: Limits = Limits()) -> Result:  # noqa: B008
        """Plan as agents do between them: once, with a ledger that grows until there is a plan."""
        start = time.process_time()
        attempt = Online(self.solver).run(limits)
        with watch.unlimited():
            return self._finished(attempt, start, is_last=True)

    def at(self, k: int, limits: Limits = Limits()) -> Result:  # noqa: B008
        """Plan with budget k."""
        self._is_last = True
        return self._budgets.at(k, limits)

    def first(self, limits: Limits = Limits()) -> Result:  # noqa: B008
        """Plan with the smallest budget that solves."""
        self._tried = []
        result = self._budgets.first(limits)
        attempt = next((own for found, own in self._tried if found is result), None)
        self._tried = None
        if attempt is not None and result.verdict is not None:
            self._solved = attempt, result.verdict
        if self.coordinator.limit is not None:
            result.phase = self.coordinator.limit.phase
        else:
            with watch.unlimited():
                self._improve_again(result, attempt)
        return result

    def _improve_again(self, result: Result, attempt: Attempt | None) -> None:
        """Improve a plan that was found on the way, once agents are back at its budget."""
        kept = None if attempt is None else self._improving.again(attempt, self.report)
        if attempt is not None and kept is not None:
            result.plan, result.verdict = kept
            result.improvements = tuple(attempt.improvements)
            result.is_interrupted = attempt.is_interrupted

    def iterate(self, limits: Limits = Limits()) -> Result:  # noqa: B008
        """Plan with a budget that grows from 0, one by one, inside one search.

        Every agent defers the states that it prunes, and goes on from them once an edge more
        supports them.
        """
        return self._budgets.iterate(limits)

    def cleaned(self) -> Verdict:
        """What the plan of the last run is worth once it is cleaned; if a limit in force ends that,
        as far as it went. What the run disclosed and counted is not touched.
        """
        assert self._solved is not None, "no run has a plan"
        return self._improving.cleaned(*self._solved)

    @property
    def found(self) -> Result | None:
        """The best that `first` had found when it was stopped; the agents may be in any state."""
        return self._budgets.found

    def may_be_reachable(self, k: int) -> bool:
        """Is the goal reachable in Π_k if nothing is ever deleted?"""
        return self._budgets.may_be_reachable(k)

    def _finished(self, attempt: Attempt, start: float, is_last: bool = False) -> Result:
        """An attempt with its plan, which passes the validator before anybody sees it."""
        plan, verdict = None, None
        if attempt.outcome is Outcome.SOLVED:
            is_asked = is_last or self._is_last
            plan, verdict = self._improving.improved(attempt, self.report, is_asked)
            self._solved = attempt, verdict
        result = self._result(attempt, plan, verdict, time.process_time() - start)
        if plan is not None and self._tried is not None and attempt.replanned is None:
            self._tried.append((result, attempt))
        self._is_last = False
        return result

    def _result(
        self, attempt: Attempt, plan: Plan | None, verdict: Verdict | None, seconds: float
    ) -> Result:
        is_priced = self._prices.weights is not None and self.coordinator.limit is None
        priced = self.instance.agents if is_priced else ()
        accounts = {name: self._pool.recall(name, account) for name in priced}

        def kept(name: str) -> bool:
            is_withheld = name in accounts and accounts[name].never > 0
            return is_withheld or attempt.ledger.counts(name).edges < self.totals[name]

        is_ended = attempt.outcome in (Outcome.TIME, Outcome.MEMORY)
        no_more = tuple(name for name in attempt.no_more if kept(name))
        unreachable = self._unreachable() if attempt.out_of_reach else None
        is_known = unreachable is not None or not no_more
        return Result(
            outcome=attempt.outcome if is_known else _at_most_undecided(attempt.outcome),
            k=attempt.k,
            plan=plan,
            verdict=verdict,
            dependencies=self.totals,
            ledger=attempt.ledger,
            counters=attempt.counters,
            transcript=self._pool.transcript,
            seconds={**self.instance.seconds, **self._seconds, "solve": seconds},
            searches=attempt.agents,
            replanned=attempt.replanned,
            out_of_reach=attempt.out_of_reach,
            refuted=attempt.refuted,
            accounts=accounts,
            changed_over=attempt.changed_over,
            solved_by=attempt.solved_by,
            is_optimal=attempt.is_optimal,
            cost_counted=self._cost_counted(attempt),
            is_cheapest_of_all=attempt.is_optimal and self._supports_every_plan(attempt),
            counted_cost=attempt.counted_cost,
            bound=attempt.bound,
            phase=attempt.phase or (SEARCHING if is_ended else None),
            mode=ONLINE if self.is_online else OFFLINE,
            no_more=no_more,
            instance=self.instance,
            unreachable=unreachable,
            improvements=tuple(attempt.improvements),
            is_interrupted=attempt.is_interrupted,
        )

    def _cost_counted(self, attempt: Attempt) -> str | None:
        is_counted = self.solver.is_optimal or attempt.is_optimal
        return self.settings.cost.value if is_counted else None

    def _supports_every_plan(self, attempt: Attempt) -> bool:
        """Is everything disclosed, under settings that lose no plan then?"""
        counts = attempt.ledger.counts
        is_whole = all(counts(name).edges >= total for name, total in self.totals.items())
        return is_whole and self.settings.loses_no_plan

    def _unreachable(self) -> Unreachable | None:
        """What cannot be reached by anybody, by name."""
        found, facts = self.coordinator.out_of_reach, self.instance.public.facts
        if not found:
            return None
        return Unreachable(tuple(str(facts[goal]) for goal in found.goals), found.agents)


def _at_most_undecided(outcome: Outcome) -> Outcome:
    """Where agents kept edges and said "no more", it is not known that no plan exists."""
    return Outcome.UNDECIDED if outcome is Outcome.NO_PLAN else outcome

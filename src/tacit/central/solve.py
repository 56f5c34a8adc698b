"""`solve`: from a loaded problem to a plan that was checked, on one page.

The agents live in one process here, for one trusted user, but they talk through bytes as they
would anywhere. The joint plan is put together from what each agent keeps for itself, and passes
the independent validator before anybody sees it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import partial

from tacit.central.billing import Account, Bill
from tacit.central.gathering import Means as Means
from tacit.central.gathering import account, affordable, gather, own_plan, told_edges, whole_order
from tacit.central.instance import Instance
from tacit.central.validate.judge import Verdict, validate
from tacit.central.validate.plan import Plan, Step, plan_of
from tacit.errors import InputError, InternalError, LimitReached
from tacit.party.agent import Agent
from tacit.party.disclosure.graph import Edge
from tacit.party.disclosure.ranking import RANKINGS as RANKINGS
from tacit.public.outcome import Outcome
from tacit.public.protocol.messages import Status
from tacit.public.protocol.transcript import Transcript
from tacit.public.settings import DEFAULT_RANKING, Settings, Threats
from tacit.searchers import Clock, make_search
from tacit.solvers.asking import Asking, Attempt, Counters, most_told
from tacit.solvers.budgets import Budgets
from tacit.solvers.limits import Limits as Limits
from tacit.solvers.mafs import PATIENCE as PATIENCE
from tacit.solvers.mafs import MafsAttempt, MafsSolver
from tacit.solvers.projection import ProjectionSolver
from tacit.solvers.public_plans import MakePlanner


@dataclass
class Result:
    """What came of a run: the outcome, the plan, and what every agent disclosed for it."""

    outcome: Outcome
    k: int
    plan: Plan | None
    verdict: Verdict | None
    dependencies: dict[str, int]
    disclosed: dict[str, int]
    repairs: dict[str, int]
    counters: Counters
    transcript: Transcript
    seconds: dict[str, float] = field(default_factory=dict)
    searches: dict[str, Status] = field(default_factory=dict)
    """Per agent, what its own search did (solver `mafs`)."""
    replanned: dict[str, int] | None = None
    """Per agent, how many public steps replanning put in or left out; None without it."""
    out_of_reach: bool = False
    """Forward search: the agents saw together that there is no plan, with this budget or less."""
    refuted: int | None = None
    """Where k grew one by one (`Session.iterate`), the last at which there is no plan, or -1."""
    accounts: dict[str, Account] = field(default_factory=dict)
    """Per agent, what it disclosed in its own prices; empty if nobody gave any."""
    changed_over: bool = False
    """The projection got no further, and forward search went on."""
    solved_by: str | None = None
    """The solver that made the plan, `projection` or `mafs`; None without a plan."""
    phase: str | None = None
    """What the run was at when a limit on time or memory ended it. A plan may have been found by
    then: it is the best so far."""

    @property
    def solved(self) -> bool:
        return self.outcome is Outcome.SOLVED

    @property
    def told(self) -> int:
        """Edges and repairs of the agent that told most."""
        return most_told(self.disclosed, self.repairs)

    @property
    def extension(self) -> str | None:
        """How the plan was made: `strict`, or `replanned`, which discloses more than k."""
        if not self.solved:
            return None
        return "strict" if self.replanned is None else "replanned"


SEARCHING = "searching"
LIMITS = (Outcome.TIME, Outcome.MEMORY)


def ended(limit: LimitReached, seconds: dict[str, float] | None = None) -> Result:
    """What came of a run that a limit ended before anything could be tried."""
    nothing: dict[str, int] = {}
    return Result(
        *(Outcome(limit.outcome), 0, None, None, nothing, nothing, nothing),
        Counters(),
        Transcript(),
        seconds or {},
        phase=limit.phase,
    )


class InvalidResult(InternalError):
    """A solver returned what the validator refuses."""


class Session:
    """Agents that have published, ready to be tried with any budget.

    `search_clock` has the CPU time of all searches on the projection so far (`projection`). With a
    `bill`, agents ask prices for what they tell; `warnings` says which of its rules match nothing.
    """

    def __init__(
        self,
        instance: Instance,
        settings: Settings,
        ranking: str = DEFAULT_RANKING,
        seed: int = 0,
        means: Means = Means(),  # noqa: B008
        ties: int | None = None,
        bill: Bill = Bill(),  # noqa: B008
    ):
        self.instance = instance
        if settings.threats is Threats.PAPER_INDEX:
            raise InputError("threats 'paper-index' are for counting only", "solve with 'ranked'")
        if settings.harden and means.solver != "mafs":
            raise InputError("there is nothing to harden but forward search", "--solver mafs")
        self.ranking = ranking
        self.settings = settings
        self._means = means
        self.search_clock = Clock()
        self._bill = bill
        prices = bill.prices(instance, settings)
        agents = [
            Agent(instance.local(name), seed, ties, prices.get(name), bill.budget)
            for name in instance.agents
        ]
        self.warnings = tuple(w for own in prices.values() for w in own.warnings)
        self._party = gather(agents, means)
        start = time.process_time()
        self._solver = self._make_solver(ranking, seed)
        if bill.budget is not None:
            asked = (self._party.recall(name, affordable) for name in instance.agents)
            self._solver.most = max(asked, default=0)
        self._budgets = Budgets(self._solver, settings, self._finished)
        self._seconds = {"dependencies": time.process_time() - start}

    def _make_solver(self, ranking: str, seed: int) -> ProjectionSolver | MafsSolver:
        public, ask, means = self.instance.public, self._party.ask, self._means
        make = partial(
            make_search,
            planner=means.planner,
            seed=seed,
            memory=means.memory,
            clock=self.search_clock,
        )
        if means.solver == "projection":
            change = partial(self._change_over, make) if means.change_over else None
            return ProjectionSolver(public, ask, make, self.settings, ranking, change_over=change)
        return MafsSolver(
            public,
            ask,
            self._party.driver,
            self.settings,
            ranking,
            means.heuristic,
            means.memory,
            means.watch,
            make_planner=make,
        )

    def _change_over(self, make: MakePlanner, projection: Asking) -> MafsSolver:
        """Forward search by the same agents; it takes turns, so that a run can be repeated."""
        means, driver = self._means, self._party.driver
        return MafsSolver.after(projection, driver, means.memory, means.watch, make)

    @property
    def budget(self) -> int | None:
        """What every agent may spend, in its own prices."""
        return self._bill.budget

    @property
    def agents(self) -> dict[str, Agent]:
        """The agents themselves, if they live in this process."""
        return self._party.agents

    def edges(self, agent: str) -> list[str]:
        """What an agent disclosed, in its own words."""
        return self._party.recall(agent, told_edges)

    def close(self) -> None:
        """Let go of what the agents hold."""
        self._party.close()

    @property
    def totals(self) -> dict[str, int]:
        """Per agent, how many edges it has."""
        return dict(self._solver.totals)

    def order(self, agent: str) -> list[Edge]:
        """All edges of an agent in the order in which it tells them; for its owner."""
        self._solver.take_all_turns()
        return self._party.recall(agent, whole_order)

    def make_orders(self) -> None:
        """Let all rankings that do not listen make their whole order, so that it is there."""
        if not self._solver.takes_turns:
            for agent in self.instance.agents:
                self._party.recall(agent, whole_order)

    @property
    def largest(self) -> int:
        """The budget at which every agent discloses everything."""
        return self._solver.largest

    @property
    def seconds_of_turns(self) -> float:
        """CPU time in which agents chose what to tell, where they take turns."""
        return self._solver.seconds_of_turns

    def disclose(self, k: int) -> None:
        """Let every agent disclose its k best edges, as it does when it plans with them."""
        self._solver.disclose_all(k)

    def at(self, k: int, limits: Limits = Limits()) -> Result:  # noqa: B008
        """Plan with budget k."""
        return self._budgets.at(k, limits)

    def _finished(self, attempt: Attempt, start: float) -> Result:
        """An attempt with its plan, which passes the validator before anybody sees it."""
        solved = attempt.outcome is Outcome.SOLVED
        plan = self._joint_plan() if solved else None
        verdict = validate(self.instance.source, plan) if plan is not None else None
        if verdict is not None and not verdict.valid:
            raise InvalidResult(f"a plan was found that is none: {verdict.message}")
        return self._result(attempt, plan, verdict, time.process_time() - start)

    def first(self, limits: Limits = Limits()) -> Result:  # noqa: B008
        """Plan with the smallest budget that solves."""
        result = self._budgets.first(limits)
        if self._solver.limit is not None:
            result.phase = self._solver.limit.phase
        return result

    def iterate(self, limits: Limits = Limits()) -> Result:  # noqa: B008
        """Plan with a budget that grows from 0, one by one, inside one forward search.

        Every agent keeps the states that it holds back, and goes on from them once an edge more
        lets it.
        """
        return self._budgets.iterate(limits)

    @property
    def found(self) -> Result | None:
        """The best that `first` had found when it was stopped; the agents may be anywhere."""
        return self._budgets.found

    def _lower_bound(self) -> int:
        return self._budgets.lower_bound()

    def may_be_reachable(self, k: int) -> bool:
        """Is the goal reachable in Π_k if nothing is ever deleted?"""
        return self._budgets.may_be_reachable(k)

    def _result(
        self, attempt: Attempt, plan: Plan | None, verdict: Verdict | None, seconds: float
    ) -> Result:
        accounts = {
            name: self._party.recall(name, account)
            for name in (self.instance.agents if self._bill.weights and self._is_whole else ())
        }
        return Result(
            attempt.outcome,
            attempt.k,
            plan,
            verdict,
            dict(self._solver.totals),
            attempt.disclosed,
            attempt.repairs,
            attempt.counters,
            self._party.transcript,
            {**self.instance.seconds, **self._seconds, "solve": seconds},
            attempt.agents if isinstance(attempt, MafsAttempt) else {},
            attempt.replanned,
            isinstance(attempt, MafsAttempt) and attempt.out_of_reach,
            attempt.refuted if isinstance(attempt, MafsAttempt) else None,
            accounts,
            attempt.changed_over,
            None if plan is None else "mafs" if attempt.changed_over else self._means.solver,
            attempt.phase or (SEARCHING if attempt.outcome in LIMITS else None),
        )

    @property
    def _is_whole(self) -> bool:
        """Can agents still be asked? After a limit some may be gone."""
        return self._solver.limit is None

    def _joint_plan(self) -> Plan:
        """Everybody's own actions, each before the public step it was placed before."""
        placed: list[tuple[int, bool, int, int, str, str]] = []
        for rank, name in enumerate(self.instance.agents):
            for order, (before, is_public, text) in enumerate(self._party.recall(name, own_plan)):
                placed.append((before, is_public, rank, order, name, text))
        steps = ((name, plan_of([text]).steps[0]) for *_, name, text in sorted(placed))
        return Plan(tuple(Step(name, step.name, step.args) for name, step in steps))

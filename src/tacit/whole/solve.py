"""`solve`: from a loaded problem to a plan that was checked, on one page.

The agents live in one process here, for one trusted user, but they talk through bytes as they
would anywhere. The joint plan is put together from what each agent keeps for itself, and passes
the independent validator before anybody sees it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from tacit import native
from tacit.errors import InputError, InternalError
from tacit.party.agent import Agent
from tacit.party.graph import Edge
from tacit.planners import PLANNERS, ClassicalTask, PlannerLimits
from tacit.planners import Outcome as PlannerOutcome
from tacit.planners.native import NativeSearch
from tacit.public.disclosure import PublicStep
from tacit.public.projection import Projection
from tacit.public.settings import Settings, Threats
from tacit.public.transcript import Transcript
from tacit.solvers.projection import Attempt, Counters, Outcome, ProjectionSolver
from tacit.solvers.projection import Limits as Limits
from tacit.transport.in_process import Questions
from tacit.whole.instance import Instance
from tacit.whole.plan import Plan, Step, plan_of
from tacit.whole.validate import Verdict, validate

_OUTCOMES = {
    PlannerOutcome.SOLVED: Outcome.SOLVED,
    PlannerOutcome.UNSOLVABLE: Outcome.NO_PLAN,
    PlannerOutcome.TIME: Outcome.TIME,
    PlannerOutcome.MEMORY: Outcome.MEMORY,
}


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

    @property
    def solved(self) -> bool:
        return self.outcome is Outcome.SOLVED


def _classical(projection: Projection) -> ClassicalTask:
    return ClassicalTask(
        projection.facts,
        projection.init,
        projection.goal,
        native.flat(projection.needs),
        native.flat(projection.adds),
        native.flat(projection.deletes),
        projection.cost,
        projection.group,
    )


class _Search:
    """The embedded planner, as the solver sees it."""

    def __init__(self, projection: Projection, seed: int, memory: int | None):
        self._memory = memory
        self._search = NativeSearch(_classical(projection), seed)
        self.add_delete = self._search.add_delete

    def run(self, seconds: float, counters: Counters) -> tuple[Outcome, tuple[int, ...]]:
        result = self._search.run(PlannerLimits(seconds=seconds, memory=self._memory))
        counters.expanded = result.expanded
        counters.evaluated = result.evaluated
        counters.generated = result.generated
        return _OUTCOMES.get(result.outcome, Outcome.UNDECIDED), result.plan

    def forbid(self, actions: list[int], group: int | None) -> None:
        self._search.forbid(actions, group)


class _FastDownwardSearch:
    """Fast Downward, as the solver sees it: every round is a new run on the projection as it is."""

    def __init__(self, projection: Projection, memory: int | None):
        self._projection = projection
        self._memory = memory
        self._has_prefixes = False
        self._planner = PLANNERS.get("fast-downward")()

    def run(self, seconds: float, counters: Counters) -> tuple[Outcome, tuple[int, ...]]:
        if self._has_prefixes:  # it cannot be told that a plan must not begin in some way
            return Outcome.UNDECIDED, ()
        limits = PlannerLimits(seconds=seconds, memory=self._memory)
        result = self._planner.solve(_classical(self._projection), limits)
        counters.expanded += result.expanded
        counters.evaluated += result.evaluated
        counters.generated += result.generated
        return _OUTCOMES.get(result.outcome, Outcome.UNDECIDED), result.plan

    def add_delete(self, action: int, fact: int) -> None:
        """The projection has it already."""

    def forbid(self, actions: list[int], group: int | None) -> None:
        self._has_prefixes = True


class Session:
    """Agents that have published, ready to be tried with any budget."""

    def __init__(
        self,
        instance: Instance,
        settings: Settings,
        ranking: str = "m3",
        seed: int = 0,
        memory: int | None = None,
        planner: str = "native",
        ties: int | None = None,
    ):
        self.instance = instance
        if settings.threats is Threats.PAPER_INDEX:
            raise InputError("threats 'paper-index' are for counting only", "solve with 'ranked'")
        self.agents = {name: Agent(instance.local(name), seed, ties) for name in instance.agents}
        self._questions = Questions(list(self.agents.values()), "solver")
        self._settings = settings
        start = time.process_time()
        self._solver = ProjectionSolver(
            instance.public,
            self._questions.ask,
            lambda projection: self._search(projection, planner, seed, memory),
            settings,
            ranking,
        )
        self._seconds = {"dependencies": time.process_time() - start}

    @staticmethod
    def _search(
        projection: Projection, planner: str, seed: int, memory: int | None
    ) -> _Search | _FastDownwardSearch:
        if planner == "native":
            return _Search(projection, seed, memory)
        return _FastDownwardSearch(projection, memory)

    @property
    def totals(self) -> dict[str, int]:
        """Per agent, how many edges it has."""
        return dict(self._solver.totals)

    def order(self, agent: str) -> list[Edge]:
        """All edges of an agent in the order in which it tells them; for its owner."""
        self._solver.disclose(agent, self.largest)
        return self.agents[agent].disclosed

    @property
    def largest(self) -> int:
        """The budget at which every agent discloses everything."""
        return self._solver.largest

    def at(self, k: int, limits: Limits = Limits()) -> Result:  # noqa: B008
        """Plan with budget k."""
        start = time.process_time()
        attempt = self._solver.attempt(k, limits)
        solved = attempt.outcome is Outcome.SOLVED
        plan = self._joint_plan(attempt.steps) if solved else None
        verdict = validate(self.instance.source, plan) if plan is not None else None
        if verdict is not None and not verdict.valid:
            raise InternalError(f"a plan was found that is none: {verdict.message}")
        return self._result(attempt, plan, verdict, time.process_time() - start)

    def first(self, limits: Limits = Limits()) -> Result:  # noqa: B008
        """Plan with the smallest budget that solves."""
        deadline = time.monotonic() + limits.seconds

        def attempt(k: int) -> Result:
            return self.at(k, Limits(max(0.0, deadline - time.monotonic()), limits.repairs))

        low = self._lower_bound()
        hunt = _step if self._settings.threats in (Threats.RANKED, Threats.KNOWN) else _bisect
        result = hunt(low, self.largest, attempt)
        self._solver.projection(result.k)  # the agents go back to the budget of the result
        return result

    def _lower_bound(self) -> int:
        """The smallest k at which the goal is reachable in Π_k if nothing is ever deleted."""
        solver = self._solver
        if solver.takes_turns:
            return solver.rounds_until_reachable()
        return _smallest(0, self.largest, lambda k: solver.projection(k).is_relaxed_reachable())

    def _result(
        self, attempt: Attempt, plan: Plan | None, verdict: Verdict | None, seconds: float
    ) -> Result:
        return Result(
            attempt.outcome,
            attempt.k,
            plan,
            verdict,
            dict(self._solver.totals),
            attempt.disclosed,
            attempt.repairs,
            attempt.counters,
            self._questions.transcript,
            {**self.instance.seconds, **self._seconds, "solve": seconds},
        )

    def _joint_plan(self, steps: tuple[PublicStep, ...]) -> Plan:
        """Everybody's own actions, each before the public step it was placed before."""
        placed: list[tuple[int, int, int, str, int]] = []
        for rank, (name, agent) in enumerate(self.agents.items()):
            assert agent.local_plan is not None
            for order, (action, before) in enumerate(agent.local_plan.actions):
                is_public = bool(agent.task.arrays.is_public[action])
                placed.append((before, int(is_public), rank, name, order))
        placed.sort(key=lambda entry: (entry[0], entry[1], entry[2], entry[4]))
        named: list[Step] = []
        for _, _, _, name, order in placed:
            plan = self.agents[name].local_plan
            assert plan is not None
            text = self.agents[name].task.action_name(plan.actions[order][0])
            step = plan_of([text]).steps[0]
            named.append(Step(name, step.name, step.args))
        return Plan(tuple(named))


def _smallest(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """The smallest number from low to high for which a monotone condition holds; high if none."""
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low


def _bisect(low: int, high: int, attempt: Callable[[int], Result]) -> Result:
    """The smallest solved budget, if more disclosure never hurts."""
    best: Result | None = None
    last: Result | None = None
    step = 1
    k = low
    while best is None:  # up from the lower bound in growing steps
        last = attempt(k)
        if last.solved:
            best = last
        elif k >= high or last.outcome in (Outcome.TIME, Outcome.MEMORY):
            return last
        else:
            low = k + 1
            k = min(high, k + step)
            step *= 2
    high = best.k
    while low < high:
        middle = (low + high) // 2
        last = attempt(middle)
        if last.solved:
            best, high = last, middle
        else:
            low = middle + 1
    return best


def _step(low: int, high: int, attempt: Callable[[int], Result]) -> Result:
    """The first solved budget going up, in steps that grow: more disclosure may hurt here."""
    k, step = low, 1
    while True:
        result = attempt(k)
        if result.solved or k >= high or result.outcome in (Outcome.TIME, Outcome.MEMORY):
            return result
        k = min(high, k + step)
        step = max(step, (k - low) // 16)

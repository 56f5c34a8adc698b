"""Will a choice of edges do? Agents that disclose just what they are told to, and a planner.

Two questions can be asked of a choice. Has its projection a plan (`search`)? And is there a plan
that is supported and can be carried out? The second is what `tacit solve` answers for the k best
edges of a ranking with threats `on-demand` (`solve`); repairs are told besides, and are not part
of the choice. Who sees everything can also ask it of one task (`join`), which decides it for
good.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cached_property

import msgspec

from tacit.central.analysis.minimum.choices import Choice, Choices, Price
from tacit.central.analysis.minimum.priced import ENGINES, Priced
from tacit.central.billing import Bill
from tacit.central.instance import Instance
from tacit.central.joint import JointTask
from tacit.central.solve import Result, Session
from tacit.central.used import used_edges
from tacit.party.disclosure.graph import Edge
from tacit.planners import Outcome, PlannerLimits, PlannerResult
from tacit.planners.native import PORTFOLIO, NativeSearch
from tacit.public.disclosure import PublicStep
from tacit.public.outcome import Outcome as Solved
from tacit.public.settings import Extension, Settings, Threats
from tacit.searchers import classical
from tacit.solvers.asking import Attempt
from tacit.solvers.limits import Limits
from tacit.solvers.projection import ProjectionSolver

REPAIRS, PREFIXES = 200, 20
"""Rounds of repair, and prefixes among them, that one choice is worth."""


class Trials(Session):
    """Agents of one problem that can be tried with any choice."""

    def __init__(
        self,
        instance: Instance,
        settings: Settings,
        seed: int,
        price: Price | None = None,
        bill: Bill = Bill(),  # noqa: B008
    ):
        on_demand = msgspec.structs.replace(
            settings, threats=Threats.ON_DEMAND, repair=True, extension=Extension.STRICT
        )
        super().__init__(instance, on_demand, "m1", seed, bill=bill)
        self._seed = seed
        self.choices = Choices(self.agents, self._solver.projection(0), price or self._asked)

    def _asked(self, agent: str, edge: Edge) -> int | None:
        """The agent's own price; 1 unless it gave some."""
        return self.agents[agent].dependencies.price(edge.giver, edge.token)

    @property
    def _planning(self) -> ProjectionSolver:
        assert isinstance(self._solver, ProjectionSolver)
        return self._solver

    def search(self, choice: Choice, evaluations: int, seconds: float) -> PlannerResult:
        """A plan of the projection of this choice."""
        task = classical(self.choices.projection(choice))
        return NativeSearch(task, self._seed).run(PlannerLimits(evaluations, seconds))

    def join(self, choice: Choice, evaluations: int, seconds: float) -> PlannerResult:
        """A supported plan that can be carried out, found by looking at all secrets at once."""
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
        """Another such plan, found where each agent's actions cost what `loads` says.

        Of a plan that is given, only what is in the window is searched for anew.
        """
        told = self.choices.by_agent(choice)
        first, last = window
        task = self.joint.task(told, loads)
        if plan:
            task = self.joint.window(told, plan, first, last, loads)
        engines = ENGINES if loads else PORTFOLIO
        search = NativeSearch(task, seed, engines, use_costs=bool(loads))
        found = search.run(PlannerLimits(evaluations, seconds))
        return (*plan[:first], *found.plan, *plan[last:]) if found.solved else None

    @cached_property
    def joint(self) -> JointTask:
        return JointTask(self.agents)

    def solve(self, choice: Choice, evaluations: int, seconds: float) -> Result:
        """The same, found as agents would: a public plan, and what repairs it takes."""
        start = time.process_time()
        self.choices.tell(choice)
        attempt = Attempt(0, Solved.UNDECIDED)
        limits = Limits(seconds, REPAIRS, PREFIXES, evaluations)
        self._planning.plan(self.choices.projection(choice), attempt, limits)
        return self._finished(attempt, start)

    def in_public(self, plan: Sequence[int]) -> tuple[PublicStep, ...]:
        """What everybody sees of a plan that `join` found."""
        return self.joint.in_public(plan)

    def carry(self, choice: Choice, steps: tuple[PublicStep, ...]) -> Result | None:
        """A public plan, carried out as it is; None if somebody cannot."""
        start = time.process_time()
        self.choices.tell(choice)
        if self._planning.carry_out(steps):
            return None
        repairs = dict.fromkeys(self.choices.names, 0)
        return self._finished(Attempt(0, Solved.SOLVED, steps, repairs=repairs), start)

    def steps(self, plan: Sequence[int]) -> tuple[PublicStep, ...]:
        """A plan that `search` found, as everybody sees it."""
        return tuple(self.choices.steps[action] for action in plan)

    def used(self, result: Result) -> Choice:
        """The edges that the plan of the last trial rests on."""
        assert result.plan is not None
        return self.choices.numbers(used_edges(self.agents, result.plan))

    @cached_property
    def _priced(self) -> Priced:
        return Priced(self.choices)

    def cheap(self, price: Sequence[int], evaluations: int, seconds: float) -> Choice | None:
        """The edges of a plan that was looked for where using an edge has this price."""
        found = self._priced.search(price, self._seed, evaluations, seconds)
        if found is None:
            return None
        choice, plan = found
        return self.choices.used_in_public(choice, plan)


def is_refuted(result: PlannerResult | Result) -> bool:
    """Was it proved that there is no plan?"""
    return result.outcome in (Outcome.UNSOLVABLE, Solved.NO_PLAN)

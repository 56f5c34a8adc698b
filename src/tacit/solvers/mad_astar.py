"""Solver `mad-astar`: optimal multi-agent forward search (MAD-A*, docs/optimal.md).

The agents search by themselves in the order of A* and send each other states with what these cost
(`tacit.solvers.optimal_search` begins, polls and ends that). The plan is the cheapest of those that
are supported on the ledger; where everything is disclosed and settings lose no plan, the cheapest
of all.
"""

from __future__ import annotations

from tacit.errors import InputError
from tacit.public.ledger import Mark
from tacit.public.outcome import Outcome
from tacit.public.settings import Objective, Rule, Settings, stands_for_several
from tacit.solvers import SOLVERS
from tacit.solvers.attempt import Attempt
from tacit.solvers.coordinator import Coordinator
from tacit.solvers.limits import Limits
from tacit.solvers.optimal_search import OptimalSearch
from tacit.solvers.solver import Solver, Tools


@SOLVERS.add("mad-astar")
class MadAstarSolver(Solver):
    """Lets the agents search for the cheapest plan, driven by the coordinator's driver."""

    summary = "optimal multi-agent forward search: the cheapest plan that the ledger supports"
    understands = frozenset({"harden", "recipients", "heuristic", "drive", "cost"})
    agents_search = True
    is_optimal = True
    heuristic = "lmcut"

    def __init__(self, coordinator: Coordinator, tools: Tools):
        super().__init__(coordinator, tools)
        self.search = OptimalSearch(coordinator, tools)
        self._mark: Mark | None = None
        """How far the ledger was when the agents last began."""

    @classmethod
    def check(cls, settings: Settings) -> None:
        super().check(settings)
        if settings.rule is not Rule.SUPPORTED:
            hint = "use --rule supported, or --profile tacit"
            raise InputError(f"solver '{cls.name}' finds supported plans only", hint)
        if settings.objective is not Objective.COST:
            hint = "use --objective cost, or another solver with --improve SECONDS"
            raise InputError(f"solver '{cls.name}' finds plans of least cost only", hint)
        if stands_for_several(settings.harden):
            hint = "harden with fresh and pad alone"
            raise InputError(f"solver '{cls.name}' cannot send states once", hint)

    @classmethod
    def keeps_to_supported(cls, settings: Settings) -> bool:
        return True

    def plan(self, attempt: Attempt, limits: Limits) -> None:
        mark = self.coordinator.mark
        if self.coordinator.is_offline or mark != self._mark:
            self._mark = mark
            self.search.begin()
        self.search.run(attempt, limits.begin(), limits.evaluations)
        if attempt.outcome is Outcome.SOLVED:
            attempt.solved_by = self.name

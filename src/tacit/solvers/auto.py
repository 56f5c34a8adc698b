"""Solver `auto`: the projection's first plan, then forward search, which needs no repairs.

Once the goals are in reach, the agents are asked about one plan of the pessimistic projection: in
many domains they can extend it, and no state has to cross. If not, with every ledger forward search
has some effort; it follows plans of the pessimistic projection as guidance, discloses nothing
beyond the edges on the ledger, goes on where it was, and shows agents which edge holds it up most.
The projection would take repairs, each of which counts, so it comes back only when nobody
discloses more. Offline, where there is nothing to save, this is the projection, which changes over
where it is stuck.
"""

from __future__ import annotations

from dataclasses import replace

from tacit.public.outcome import Outcome
from tacit.public.settings import Settings
from tacit.solvers import SOLVERS
from tacit.solvers.attempt import Attempt
from tacit.solvers.limits import Limits
from tacit.solvers.mafs import MafsSolver
from tacit.solvers.projection import ProjectionSolver


@SOLVERS.add("auto")
class AutoSolver(ProjectionSolver):
    """The projection, after forward search was tried."""

    summary = "the projection's first plan, forward search, and the projection with repairs"
    understands = (ProjectionSolver.understands | MafsSolver.understands) - {"drive"}

    _is_first = True

    @classmethod
    def keeps_to_supported(cls, settings: Settings) -> bool:
        parts = (ProjectionSolver, MafsSolver)
        return all(part.keeps_to_supported(settings) for part in parts)

    @classmethod
    def is_bounded_by_projection(cls, settings: Settings) -> bool:
        return MafsSolver.is_bounded_by_projection(settings)

    def finish(self, attempt: Attempt, limits: Limits) -> None:
        """As the projection does, but forward search is the first to try."""
        deadline = limits.begin()
        if self.may_change_over:
            states = self.tools.policy.online.states
            self.change_over_for_good(attempt, replace(limits, evaluations=states))
            if attempt.outcome is not Outcome.UNDECIDED:
                return
        super().finish(attempt, replace(limits, seconds=deadline.left))

    def plan(self, attempt: Attempt, limits: Limits) -> None:
        if self.coordinator.is_offline or not self.may_change_over:
            super().plan(attempt, limits)
            return
        if self._is_first:
            self._is_first = False
            self.ask_about_pessimistic_plan(attempt, limits)
            if attempt.outcome is not Outcome.UNDECIDED:
                return
        self.forward.plan(attempt, replace(limits, evaluations=self._share_of(limits)))

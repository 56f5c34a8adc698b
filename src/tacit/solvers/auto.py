"""Solver `auto`: forward search first, since it needs no repairs, then the projection.

Forward search follows plans of the pessimistic projection as guidance and discloses nothing beyond
the edges on the ledger; where it is too slow, the projection finds a plan soon and takes repairs,
each of which counts. So with every ledger forward search has some effort, then the projection has
its own, with few repairs, before more is disclosed. The search forward goes on where it was.
Offline, where there is nothing to save, this is the projection, which changes over where it is
stuck.
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

    summary = "forward search, and the projection where that is too slow: discloses least"
    understands = (ProjectionSolver.understands | MafsSolver.understands) - {"drive"}

    @classmethod
    def keeps_to_supported(cls, settings: Settings) -> bool:
        parts = (ProjectionSolver, MafsSolver)
        return all(part.keeps_to_supported(settings) for part in parts)

    @classmethod
    def is_bounded_by_projection(cls, settings: Settings) -> bool:
        return MafsSolver.is_bounded_by_projection(settings)

    def plan(self, attempt: Attempt, limits: Limits) -> None:
        if self.coordinator.is_offline or not self.may_change_over:
            super().plan(attempt, limits)
            return
        deadline = limits.begin()
        self.search_forward(attempt, replace(limits, evaluations=self._share_of(limits)))
        if attempt.outcome is Outcome.UNDECIDED:
            self.plan_on_projection(attempt, replace(limits, seconds=deadline.left))

"""The leader weighs a plan that all have agreed on, and has all keep the best.

Costs of public steps are known to all. What private actions cost in all is a secure sum
(`tacit.public.protocol.weighing`); it is asked for only where all agreed to improve plans. How long
a plan takes is judged by its public steps, since private ones are nobody else's business.
"""

from __future__ import annotations

from collections.abc import Callable

from tacit.public.protocol.messages import Weigh, Weighed
from tacit.public.protocol.weighing import MODULUS
from tacit.public.settings import Objective
from tacit.solvers.agreeing import Steps
from tacit.solvers.cleaning import PublicPlans
from tacit.solvers.coordinator import Coordinator
from tacit.solvers.improving import Quality


class Weighing:
    """Weighs by sums if `is_exact`, else by public steps alone; `keep` has all agents keep it."""

    def __init__(self, coordinator: Coordinator, is_exact: bool, keep: Callable[[Steps], int]):
        self._coordinator = coordinator
        self._keep = keep
        self._sums = 0
        self.is_exact = is_exact
        self.spacing = 0
        """How the steps of the plan that was kept last are numbered."""

    def weigh(self, steps: Steps) -> Quality:
        plans = PublicPlans(self._coordinator.projection(), steps)
        numbers = plans.numbers(steps)
        private = self._private() if self.is_exact else 0
        cost, length = plans.cost(numbers), len(steps)
        if self._coordinator.settings.objective is Objective.COST:
            cost += private
        else:
            length += private
        return Quality(cost, length, plans.public_makespan(numbers))

    def keep(self, steps: Steps) -> None:
        self.spacing = self._keep(steps)

    def _private(self) -> int:
        """What private actions add, over all agents."""
        coordinator, self._sums = self._coordinator, self._sums + 1
        answers = coordinator.expect_all(Weigh(coordinator.name, self._sums), Weighed).values()
        return sum(answer.masked for answer in answers) % MODULUS

"""A plan of a classical task made cheaper: costs first, then the number of steps.

`below` starts from a plan that is known. If LM-cut says that no plan costs less, that is all. Else
it searches to optimality within a bound on evaluations, and if that is not enough, below the cost
of the best plan so far by weighted searches, each with less weight on the estimate than the one
before, as LAMA does (Richter and Westphal, 2010). A search that may evaluate fewer than two states
for each step of the plan is not begun. What it returns is never worse than what it was given.
Effort counts evaluations, so that it is repeatable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tacit import native
from tacit.planners import ClassicalTask, PlannerLimits, PlannerOutcome
from tacit.planners.native import NativeSearch, strips
from tacit.policy import CheapestPolicy

SCALE = 1 << 10
"""What a unit of cost counts against a step: no plan that is worth comparing is longer."""
FEWEST = 2
"""States per step of a plan: with fewer no search finds one that is about as long."""


def scaled(task: ClassicalTask) -> ClassicalTask:
    """The task with costs that count its steps, too."""
    return replace(task, cost=[SCALE * cost + 1 for cost in task.cost])


class Cheapest:
    """Searches of one task below a bound."""

    def __init__(self, task: ClassicalTask, seed: int, policy: CheapestPolicy):
        priced = scaled(task)
        self._cost = priced.cost
        self._task = strips(priced)
        self._seed = seed
        self._policy = policy
        self.is_optimal = False
        """Was the last plan proved to be one of least cost?"""

    def below(self, plan: Sequence[int]) -> tuple[int, ...]:
        """The cheapest plan found, at worst the given one."""
        best = tuple(plan)
        if self._is_cheapest(best):
            self.is_optimal = True
            return best
        found = self._search(("optimal",), "hmax", self._policy.optimal, best)
        self.is_optimal = found is not None
        if found is not None:
            return found
        for weight in self._policy.weights:
            engine = f"weighted-{weight}"
            best = self._search((engine,), "ff", self._policy.evaluations, best) or best
        return best

    def _is_cheapest(self, plan: tuple[int, ...]) -> bool:
        """Does LM-cut prove it? It takes about as long as an evaluation for each step does."""
        if FEWEST * len(plan) > self._policy.optimal:
            return False
        bound, _ = native.evaluate(self._task, "lmcut", self._task.init, True)
        return bound is not None and bound >= self._sum(plan)

    def _search(
        self, engines: tuple[str, ...], heuristic: str, most: int, best: tuple[int, ...]
    ) -> tuple[int, ...] | None:
        """A plan at least as good as the best so far; None if the search gave up."""
        if FEWEST * len(best) > most:
            return None
        search = NativeSearch(self._task, self._seed, engines, (heuristic,), use_costs=True)
        search.bound(self._sum(best))
        result = search.run(PlannerLimits(most))
        if result.outcome is PlannerOutcome.UNSOLVABLE:
            return best
        return result.plan if result.outcome is PlannerOutcome.SOLVED else None

    def _sum(self, plan: Sequence[int]) -> int:
        return sum(self._cost[action] for action in plan)

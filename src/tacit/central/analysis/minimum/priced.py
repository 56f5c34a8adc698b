"""Plans that pay for each edge they use: one more action per edge, which discloses it.

An action adds a fact that it was executed. A token costs the price of an edge into it whose
achiever was executed; the token then stays. The search is guided by the price still to be paid,
but does not guarantee the cheapest plan.
"""

from __future__ import annotations

from collections.abc import Sequence

from tacit import native
from tacit.central.analysis.minimum.choices import Choice, Choices
from tacit.planners import ClassicalTask, PlannerLimits
from tacit.planners.native import NativeSearch
from tacit.policy import MinimumPolicy


class Priced:
    """The task of a problem with an action for every edge."""

    def __init__(self, choices: Choices, policy: MinimumPolicy):
        self._policy = policy
        bare = choices.projection(())
        self._actions = len(bare.needs)
        self._edges = len(choices)
        executed: dict[int, int] = {}
        needs, adds, deletes = bare.needs, bare.adds, bare.deletes
        for achiever in choices.achiever:
            if achiever >= 0 and achiever not in executed:
                executed[achiever] = bare.facts + len(executed)
                adds[achiever] = (*adds[achiever], executed[achiever])
        for achiever, fact in zip(choices.achiever, choices.fact, strict=True):
            needs.append([executed[achiever]] if achiever >= 0 else [])
            adds.append([fact])
            deletes.append([])
        self._facts = bare.facts + len(executed)
        self._init_goal = (bare.init, bare.goal)
        self._rows = (native.flat(needs), native.flat(adds), native.flat(deletes))

    def search(
        self, price: Sequence[int], seed: int, evaluations: int, seconds: float
    ) -> tuple[Choice, tuple[int, ...]] | None:
        """A plan and the edges that it pays for; None if none was found, or there are too many."""
        if self._edges > self._policy.priced_edges:
            return None
        scale = self._policy.price_scale
        cost = [0] * self._actions + [scale * each for each in price]
        task = ClassicalTask(self._facts, *self._init_goal, *self._rows, cost, [0] * len(cost))
        search = NativeSearch(task, seed, self._policy.priced_engines, use_costs=True)
        found = search.run(PlannerLimits(evaluations, seconds))
        if not found.solved:
            return None
        paid = frozenset(n - self._actions for n in found.plan if n >= self._actions)
        return paid, tuple(n for n in found.plan if n < self._actions)

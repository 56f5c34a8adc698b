"""Plans that pay for each edge they use: one more action per edge, which discloses it.

An action leaves a mark that it was done. Whoever wants a token pays for an edge into it whose
giver has left its mark; the token then stays. The search is guided by what is still to be paid,
but does not promise the cheapest plan.
"""

from __future__ import annotations

from collections.abc import Sequence

from tacit import native
from tacit.central.analysis.minimum.choices import Choice, Choices
from tacit.planners import ClassicalTask, PlannerLimits
from tacit.planners.native import NativeSearch

MOST_EDGES = 40_000
SCALE = 20
"""What a price of 1 counts against a step of the plan."""

ENGINES = ("lazy", "climb", "landmarks", "random")


class Priced:
    """The task of a problem with an action for every edge."""

    def __init__(self, choices: Choices):
        bare = choices.projection(())
        self._actions = len(bare.needs)
        self._edges = len(choices)
        marks: dict[int, int] = {}
        needs, adds, deletes = bare.needs, bare.adds, bare.deletes
        for giver in choices.giver:
            if giver >= 0 and giver not in marks:
                marks[giver] = bare.facts + len(marks)
                adds[giver].append(marks[giver])
        for giver, fact in zip(choices.giver, choices.fact, strict=True):
            needs.append([marks[giver]] if giver >= 0 else [])
            adds.append([fact])
            deletes.append([])
        self._facts = bare.facts + len(marks)
        self._ends = (bare.init, bare.goal)
        self._rows = (native.flat(needs), native.flat(adds), native.flat(deletes))

    def search(
        self, price: Sequence[int], seed: int, evaluations: int, seconds: float
    ) -> tuple[Choice, tuple[int, ...]] | None:
        """A plan and the edges that it pays for; None if none was found, or there are too many."""
        if self._edges > MOST_EDGES:
            return None
        cost = [0] * self._actions + [SCALE * each for each in price]
        task = ClassicalTask(self._facts, *self._ends, *self._rows, cost, [0] * len(cost))
        search = NativeSearch(task, seed, ENGINES, use_costs=True)
        found = search.run(PlannerLimits(evaluations, seconds))
        if not found.solved:
            return None
        paid = frozenset(n - self._actions for n in found.plan if n >= self._actions)
        return paid, tuple(n for n in found.plan if n < self._actions)

"""A lower bound on what must be disclosed: implicit hitting sets.

A *cut* is a set of edges of which every sufficient choice has at least one. Cuts come from
insufficient choices: add edges while the choice stays insufficient; the other edges are a cut.
Whether a choice suffices in the delete relaxation is decided quickly, and the first cuts come from
LM-cut, for all agents together and for each alone. Then it iterates: the cheapest choice that hits
every cut is a lower bound; if it is insufficient it yields more cuts, and if it suffices, it is
optimal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tacit import native
from tacit.central.analysis.minimum.choices import OBJECTIVES, Choice, Choices
from tacit.planners.native import strips
from tacit.searchers import classical


class Bound:
    """Cuts found so far, and what follows from them: `lower`, per objective."""

    def __init__(self, choices: Choices):
        self._choices = choices
        self._all = sorted(choices.all)
        self._task = strips(classical(choices.projection(())))
        self._relaxed = native.RelaxedCuts(
            self._task, choices.achiever, choices.fact, choices.price
        )
        self._hitting = native.HittingSet(choices.group, choices.price)
        self._rank = [0] * len(choices)
        self.lower = dict.fromkeys(OBJECTIVES, 0)
        self.has_any = self._relaxed.reaches(self._all)
        """Whether the goal is relaxed reachable if everything is disclosed."""
        self._seeded = False

    def may_suffice(self, choice: Iterable[int]) -> bool:
        """Whether the goal is relaxed reachable with this choice."""
        return self._relaxed.reaches(list(choice))

    def add(self, cut: Iterable[int]) -> None:
        """Add a cut: one of these edges has to be disclosed."""
        found = list(cut)
        for n in found:
            self._rank[n] += 1
        self._hitting.add(found)

    def cheapest(self, objective: str, branches: int, is_over: Callable[[], bool]) -> Choice | None:
        """A choice that hits every cut, reaches the goal in the delete relaxation, and costs no
        more than `lower` if that is decided within `branches`. None if the time is up before.
        """
        self._seed()
        while not is_over():
            if self._cut_away(self._hitting.some(objective == "max")):
                continue
            lower, _, chosen = self._least(objective, branches)
            self._raise(objective, lower)
            if not self._cut_away(chosen):
                return frozenset(chosen)
        return None

    def _raise(self, objective: str, lower: int) -> None:
        """A bound on one objective implies one on the other: some agent pays at least the mean."""
        known = self.lower
        known[objective] = max(known[objective], lower)
        known["max"] = max(known["max"], -(-known["sum"] // max(1, len(self._choices.names))))
        known["sum"] = max(known["sum"], known["max"])

    def _least(self, objective: str, branches: int) -> tuple[int, bool, list[int]]:
        if objective == "sum":
            return self._hitting.least_sum(branches)
        return self._hitting.least_max(branches, self.lower["max"])

    def _cut_away(self, chosen: list[int]) -> bool:
        """Add disjoint cuts that this choice does not hit; whether there are any."""
        cut = self.relaxed_cut(chosen)
        if not cut:
            return False
        while cut:
            self.add(cut)
            chosen = chosen + cut
            cut = self.relaxed_cut(chosen)
        return True

    def relaxed_cut(self, chosen: list[int]) -> list[int]:
        """A cut that a choice does not hit; empty if the goal is relaxed reachable with it."""
        return self._relaxed.cut(chosen, self._rank)

    def _seed(self) -> None:
        if self._seeded:
            return
        self._seeded = True
        choices = self._choices
        prices = [choices.price]
        for own in sorted(set(choices.group)):
            pairs = zip(choices.group, choices.price, strict=True)
            prices.append([price if group == own else 0 for group, price in pairs])
        for price in prices:
            cuts, _, _ = native.lm_cut(self._task, self._relaxed, price)
            for cut in cuts:
                others = set(self._all).difference(cut)
                self.add(self._relaxed.cut(sorted(others), self._rank))

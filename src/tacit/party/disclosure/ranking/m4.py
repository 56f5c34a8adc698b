"""m4: edges that lead to public facts, a fact counting less each time it is reached again."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from tacit.party.disclosure.ranking import RANKINGS
from tacit.party.disclosure.ranking._greedy import Greedy


@RANKINGS.add("m4")
class M4(Greedy):
    """Sum of 1/(c_f + 1) over public facts f of enabled actions; c_f: how often before."""

    def items_of(self, actions: Sequence[int]) -> Iterable[Hashable]:
        achieves = self.graph.achieves
        return sorted({fact for action in actions for fact in achieves[action]})

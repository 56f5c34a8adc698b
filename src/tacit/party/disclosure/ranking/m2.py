"""m2: tokens whose actions achieve many public facts, fewer the more edges they have already."""

from __future__ import annotations

from tacit.party.disclosure.ranking import RANKINGS
from tacit.party.disclosure.ranking._greedy import Greedy


@RANKINGS.add("m2")
class M2(Greedy):
    """Distinct public facts that the actions in Needs(t) achieve − pub(t)."""

    fall = 1.0

    def levels(self) -> list[float]:
        achieves = self.graph.achieves
        return [
            float(len({fact for action in users for fact in achieves[action]}))
            for users in self.graph.needed_by
        ]

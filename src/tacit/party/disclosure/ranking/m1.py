"""m1: tokens that many public actions need, fewer the more edges they have already."""

from __future__ import annotations

from tacit.party.disclosure.ranking import RANKINGS
from tacit.party.disclosure.ranking._greedy import Greedy


@RANKINGS.add("m1")
class M1(Greedy):
    """|Needs(t)| − pub(t)."""

    fall = 1.0

    def levels(self) -> list[float]:
        return [float(len(users)) for users in self.graph.needed_by]

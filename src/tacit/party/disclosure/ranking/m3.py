"""m3: edges that enable actions, an action counting less each time it is enabled again."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from tacit.party.disclosure.ranking import RANKINGS
from tacit.party.disclosure.ranking._greedy import Greedy


@RANKINGS.add("m3")
class M3(Greedy):
    """Sum of 1/(c_a + 1) over the actions a that the edge enables; c_a: how often before."""

    def items_of(self, actions: Sequence[int]) -> Iterable[Hashable]:
        yield tuple(actions)  # all alike: one item, as heavy as there are actions

    def weight(self, item: Hashable) -> float:
        assert isinstance(item, tuple)
        return len(item)

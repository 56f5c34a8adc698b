"""Rounds of turns: every agent discloses one edge, knowing what the others disclosed before it.

Only interactive rankings need this. The order of agents stays the same, rounds are gone through
once and remembered, and only earlier turns have an influence on them. So what was disclosed in the
first k rounds is the same however a run comes to ask for them, and every k is a prefix.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tacit.public.disclosure import PublicEdge
from tacit.public.projection import Reach

Heard = tuple[str, PublicEdge]


class Rounds:
    """The rounds so far. `take_turn(agent, heard)` asks one agent for its next edge."""

    def __init__(
        self,
        agents: Sequence[str],
        take_turn: Callable[[str, tuple[Heard, ...]], PublicEdge | None],
    ):
        self.agents = tuple(agents)
        self._take_turn = take_turn
        self._rounds: list[tuple[Heard, ...]] = []
        self._news: dict[str, list[Heard]] = {agent: [] for agent in agents}
        """Per agent with edges left, what the others disclosed since its last turn."""

    @property
    def count(self) -> int:
        return len(self._rounds)

    def until(self, count: int) -> None:
        """Go on until there were so many rounds, or no agent has an edge left."""
        while len(self._rounds) < count and self._news:
            self._rounds.append(self._go_round())

    def until_reachable(self, reach: Reach, most: int) -> int:
        """The rounds it takes until the goal can be reached; and not one round more."""
        for count in range(most):
            if reach.has_goal:
                return count
            self.until(count + 1)
            for agent, edge in self._rounds[count] if count < len(self._rounds) else ():
                reach.disclose(agent, edge)
        return most

    def _go_round(self) -> tuple[Heard, ...]:
        disclosed: list[Heard] = []
        for agent in self.agents:
            if agent not in self._news:
                continue
            edge = self._take_turn(agent, tuple(self._news[agent]))
            if edge is None:
                del self._news[agent]
                continue
            self._news[agent] = []
            for other, news in self._news.items():
                if other != agent:
                    news.append((agent, edge))
            disclosed.append((agent, edge))
        return tuple(disclosed)

"""Turns: an agent discloses its next edge, passes, or discloses no more.

Agents take turns in an order that stays. A round is one turn of everybody who has not said "no
more"; online, of everybody who is likely to disclose (`Turns.due`). *Online* what was disclosed
counts from then on (`Turns`). *Offline* rounds are gone through once and remembered (`Rounds`);
only earlier turns have an influence on them, so what was disclosed in the first k rounds is the
same however a run comes to ask for them, and every k is a prefix.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tacit.public.disclosure import PublicEdge
from tacit.public.projection import Reach
from tacit.public.protocol.messages import EdgeDisclosed, NoMore, Turn

Disclosed = tuple[str, PublicEdge]
TakeTurn = Callable[[str, bool], Turn]
"""Asks an agent for its next edge; whether it must not pass."""


class Turns:
    """Who has a turn next. `open` are the agents that have not said "no more".

    An agent that passed twice is left out of two rounds, then of four, up to `most_left_out`.
    That depends on nothing but its answers, which the coordinator has anyway.
    """

    def __init__(self, agents: Sequence[str], take_turn: TakeTurn, most_left_out: int = 0):
        self.open = list(agents)
        self._take_turn = take_turn
        self._most_left_out = most_left_out
        self._edges = dict.fromkeys(agents, 0)
        self._passes = dict.fromkeys(agents, 0)
        self._left_out = dict.fromkeys(agents, 0)

    def due(self) -> tuple[list[str], list[str]]:
        """Who has a turn in the next round, and who is left out of it unless all of them pass."""
        asked, left_out = list[str](), list[str]()
        for agent in self.open:
            passes = min(self._passes[agent], self._most_left_out)  # so that the power is small
            is_due = self._left_out[agent] >= min(2**passes // 4 * 2, self._most_left_out)
            self._left_out[agent] += 1
            (asked if is_due else left_out).append(agent)
        return asked, left_out

    def take(self, agent: str, must: bool = False) -> Turn:
        """One agent's turn."""
        turn = self._take_turn(agent, must)
        self._edges[agent] += isinstance(turn, EdgeDisclosed)
        self._left_out[agent] = 0
        self._passes[agent] = 0 if isinstance(turn, EdgeDisclosed) else self._passes[agent] + 1
        if isinstance(turn, NoMore):
            self.open.remove(agent)
        return turn

    def one_must(self) -> Turn | None:
        """The agent that disclosed fewest edges, of those that have not said "no more", discloses
        or says so; None if all have.
        """
        if not self.open:
            return None
        return self.take(min(self.open, key=self._edges.__getitem__), must=True)


class Rounds:
    """The rounds so far, offline. If everybody passes, everybody must disclose in that round."""

    def __init__(self, agents: Sequence[str], take_turn: TakeTurn):
        self.agents = tuple(agents)
        self._turns = Turns(agents, take_turn)
        self._rounds: list[tuple[Disclosed, ...]] = []

    @property
    def count(self) -> int:
        return len(self._rounds)

    def until(self, count: int) -> None:
        """Go on until there were so many rounds, or no agent has an edge left."""
        while len(self._rounds) < count and self._turns.open:
            self._rounds.append(self._go_round(must=False) or self._go_round(must=True))

    def until_reachable(self, reach: Reach, most: int) -> int:
        """The rounds it takes until the goal can be reached; and not one round more."""
        for count in range(most):
            if reach.has_goal:
                return count
            self.until(count + 1)
            for agent, edge in self._rounds[count] if count < len(self._rounds) else ():
                reach.disclose(agent, edge)
        return most

    def _go_round(self, must: bool) -> tuple[Disclosed, ...]:
        answers = [self._turns.take(agent, must) for agent in tuple(self._turns.open)]
        return tuple((a.sender, a.edge) for a in answers if isinstance(a, EdgeDisclosed))

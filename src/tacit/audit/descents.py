"""What the descents of states show of an agent: its public steps, one by one and in their order.

Without descents a reader sees public facts, and must conclude from two states which action led
from one to the other. A descent names the actions, also those of agents that sent the reader
nothing, and says under which number an agent sent the state behind them. So more is known where
several actions change the same facts, and of steps that others passed on.

An action that was done had its tokens. Where no edge on the ledger achieved one on the way, its
agent had it in another way. A reader knows the whole way to a state if each state that the descents
begin with is known to it, too; else, and where a state stands for several ways (`once`, `secure`),
all it can say is whether some edge on the ledger achieves the token.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tacit.audit.moves import Move, bits, numbers_in
from tacit.public.disclosure import INIT, PublicEdge
from tacit.public.protocol.states import State

Way = tuple[int, ...]
"""Per agent, the tokens that edges on the ledger achieved on the way to a state."""


@dataclass
class SeenSteps:
    """What descents show of one agent."""

    shown: int = 0
    passed_on: int = 0
    """Steps up to states that the agent did not send to the reader itself."""
    told_apart: int = 0
    """Different actions in descents that change the same facts as another one does."""
    lacking: dict[tuple[int, int, bool], None] = field(default_factory=dict)
    """Actions that were done, each with a token that no edge on the ledger achieves there, and
    whether the action was its agent's first."""
    overclaimed: set[int] = field(default_factory=set)
    """Tokens that its indices mean and that were not achieved on the way."""


class DescentAudit:
    """The descents of all states that somebody saw."""

    def __init__(
        self,
        moves: Sequence[Sequence[Move]],
        edges: Mapping[str, Iterable[PublicEdge]],
        is_one_way: bool,
    ):
        self.seen = {agent: SeenSteps() for agent in edges}
        self._agents = list(self.seen.values())
        self._moves = moves
        self._is_one_way = is_one_way
        self._achieved = [bits(e.token for e in own if e.positive) for own in edges.values()]
        self._start: Way = tuple(
            bits(e.token for e in own if e.positive and e.achiever == INIT)
            for own in edges.values()
        )
        self._known: dict[tuple[int, int, int], tuple[Way | None, tuple[int, ...]]] = {}
        self._longest: dict[tuple[int, int, int], int] = {}
        self._done: list[set[int]] = [set() for _ in moves]

    def take(
        self, run: int, sender: int, receiver: int, state: State, meant: Sequence[int]
    ) -> None:
        """A state that crossed, and what its indices mean."""
        descent = state.descent
        by = receiver if descent.from_sender is None else sender
        way: Way | None = self._start if self._is_one_way else None
        indices: tuple[int, ...] = (0,) * len(self._moves)
        if descent.origin:
            way, indices = self._known.get((run, by, descent.origin >> 1), (None, ()))
        begun = {agent for agent, index in enumerate(indices) if index}
        if not indices:
            begun.update(range(len(self._moves)))  # nobody knows
        segments = [(s.agent, s.ref, s.actions) for s in reversed(descent.before)]
        for agent, ref, actions in (*segments, (sender, state.ref, descent.actions)):
            if agent < len(self._moves):
                own = [a for a in reversed(actions) if a < len(self._moves[agent])]
                key = (run, agent, ref)
                self._longest[key] = max(self._longest.get(key, 0), len(own))
                for action in own:
                    way = self._step(agent, self._moves[agent][action], way, agent not in begun)
                    begun.add(agent)
        self._known[run, sender, state.ref] = way, state.indices
        for agent, tokens in enumerate(meant if way is not None else ()):
            self._agents[agent].overclaimed.update(numbers_in(tokens & ~(way or meant)[agent]))

    def _step(self, agent: int, move: Move, way: Way | None, is_first: bool) -> Way | None:
        """An action was done; the way behind it."""
        self._done[agent].add(move.action)
        held = self._achieved[agent] if way is None else way[agent]
        if is_first:
            held &= self._start[agent]
        for token in numbers_in(move.tokens & ~held):
            self._agents[agent].lacking[move.action, token, is_first] = None
        if way is None:
            return None
        return (*way[:agent], way[agent] | move.achieves, *way[agent + 1 :])

    def count(self) -> None:
        """All states were taken."""
        for (run, agent, ref), steps in self._longest.items():
            self._agents[agent].shown += steps
            self._agents[agent].passed_on += 0 if (run, agent, ref) in self._known else steps
        looks: dict[tuple[int, int], int] = {}
        for move in (move for own in self._moves for move in own):
            looks[_look(move)] = looks.get(_look(move), 0) + 1
        for about, own, done in zip(self._agents, self._moves, self._done, strict=True):
            about.told_apart = sum(looks[_look(move)] > 1 for move in own if move.action in done)


def _look(move: Move) -> tuple[int, int]:
    """What an action changes wherever it is done."""
    return move.adds & ~move.needs, move.deletes & ~move.adds

"""One agent's view of the joint task, as its forward search needs it (DESIGN §1.5).

The agent sees its own actions in full and the others' as they published them. Facts come in
segments that begin at multiples of 64 (see `src/core/mafs/node_task.hpp`): the public facts, with
"may still act" and "has finished" for each agent with private goals behind them; the agent's own
private facts; the tokens of every agent. Own tokens go by the numbers that others see, because
they cross.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from tacit import native
from tacit.public.disclosure import FINISH, INIT, PublicEdge, PublicStep
from tacit.public.messages import Published

WORD = 64


def aligned(count: int) -> int:
    return -(-count // WORD) * WORD


@dataclass
class Actions:
    """Rows of a classical task."""

    needs: list[list[int]] = field(default_factory=list)
    adds: list[list[int]] = field(default_factory=list)
    deletes: list[list[int]] = field(default_factory=list)

    def append(self, needs: list[int], adds: list[int], deletes: list[int]) -> int:
        self.needs.append(needs)
        self.adds.append(adds)
        self.deletes.append(deletes)
        return len(self.needs) - 1

    def task(self, facts: int, init: Sequence[int], goal: Sequence[int]) -> native.StripsTask:
        count = len(self.needs)
        flat = native.flat
        rows = (flat(self.needs), flat(self.adds), flat(self.deletes))
        return native.StripsTask(facts, init, goal, *rows, [1] * count, [0] * count)


@dataclass(frozen=True)
class Places:
    """Where things are among the facts of a task: of the view, or of the projection."""

    public: int
    private: int
    tokens: tuple[int, ...]

    @cached_property
    def first_token(self) -> tuple[int, ...]:
        at, found = aligned(self.public) + aligned(self.private), []
        for count in self.tokens:
            found.append(at)
            at += aligned(count)
        return tuple(found)

    @property
    def first_private(self) -> int:
        return aligned(self.public)

    @property
    def facts(self) -> int:
        total = sum(map(aligned, self.tokens))
        return aligned(self.public) + aligned(self.private) + total


class Joint:
    """What all agents published, in the facts that forward search works with."""

    def __init__(self, published: Mapping[str, Published], public_count: int):
        self.agents = tuple(published)
        self.published = published
        self._may_act: dict[str, int] = {}
        count = public_count
        for agent, part in published.items():
            if part.has_private_goal:
                self._may_act[agent] = count
                count += 2
        self.public_facts = count
        self.token_counts = tuple(part.tokens for part in published.values())

    def may_act(self, agent: str) -> list[int]:
        """The fact that the agent has not finished, if it ever will."""
        return [self._may_act[agent]] if agent in self._may_act else []

    def finished(self, agent: str) -> int:
        return self._may_act[agent] + 1

    @property
    def init(self) -> list[int]:
        return list(self._may_act.values())

    @property
    def goal(self) -> list[int]:
        return [fact + 1 for fact in self._may_act.values()]

    def add_shown(self, agent: str, places: Places, into: Actions) -> dict[int, int]:
        """An agent's actions as it published them; the row of each by its number."""
        first = places.first_token[self.agents.index(agent)]
        may_act, rows = self.may_act(agent), {}
        part = self.published[agent]
        for action in part.actions:
            needs = [*action.needs, *(first + token for token in action.tokens), *may_act]
            rows[action.id] = into.append(needs, list(action.adds), list(action.deletes))
        if may_act:
            needs = [*(first + token for token in part.goal), *may_act]
            rows[FINISH] = into.append(needs, [self.finished(agent)], may_act)
        return rows

    def gains(
        self,
        agent: str,
        edges: Iterable[PublicEdge],
        places: Places,
        row: Callable[[PublicStep], Iterable[int]],
    ) -> Iterable[tuple[int, int]]:
        """Pairs of action and token fact that disclosed edges add."""
        first = places.first_token[self.agents.index(agent)]
        for edge in edges:
            if edge.positive and edge.giver != INIT:
                for number in row(PublicStep(agent, edge.giver)):
                    yield number, first + edge.token

    def given_at_start(
        self, agent: str, edges: Iterable[PublicEdge], places: Places
    ) -> Iterable[int]:
        """Token facts that disclosed edges of the start make true."""
        first = places.first_token[self.agents.index(agent)]
        return (first + edge.token for edge in edges if edge.positive and edge.giver == INIT)

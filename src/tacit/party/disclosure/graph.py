"""The dependency graph of one agent, as far as a ranking may see it: numbers, no names.

Public actions are numbered 0, 1, … in the order of declaration; `INIT` is the agent's initial
state. If the agent has private goals, one more action stands behind the public ones: it needs
their tokens, and achieves a fact of its own. `edges` is the order in which ties are broken: by the
relaxed layer of the achiever, `INIT` first, then by declaration, never by spelling. Where the agent
has prices, what must never be disclosed is not in here, so that nothing built on the graph can
disclose it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import msgspec

from tacit.native import Rows

INIT = -1
PRIVATE_GOAL = -1
"""The fact that the virtual action of the private goals achieves."""


class Edge(msgspec.Struct, frozen=True, order=True, gc=False):
    """`achiever` (a public action or `INIT`) achieves a token, or deletes it if not `positive`."""

    achiever: int
    token: int
    positive: bool = True


@dataclass(frozen=True)
class EdgeColumns:
    """Edges as three columns, in tie-break order."""

    achiever: Sequence[int]
    token: Sequence[int]
    positive: Sequence[int]

    @classmethod
    def of(cls, edges: Iterable[Edge]) -> EdgeColumns:
        rows = [(edge.achiever, edge.token, int(edge.positive)) for edge in edges]
        return cls(*map(list, zip(*rows, strict=True))) if rows else cls((), (), ())

    def __len__(self) -> int:
        return len(self.achiever)

    def __getitem__(self, place: int) -> Edge:
        return Edge(self.achiever[place], self.token[place], bool(self.positive[place]))


@dataclass(frozen=True)
class Work:
    """What the agent itself can do, and what that costs by the objective: its own actions, private
    ones too, over public facts and, behind them, its own. Numbers, no names.
    """

    facts: int
    init: Sequence[int]
    goal: Sequence[int]
    pre: Rows
    add: Rows
    delete: Rows
    price: Sequence[int]
    """Per action, by the objective."""
    number: Mapping[int, int]
    """Per public action, which one of the graph it is."""
    deletes: Sequence[Sequence[int]]
    """Per action, the tokens that it certainly deletes."""
    goal_tokens: Sequence[int]


@dataclass(frozen=True)
class Graph:
    """Tokens, the actions that need them, what these actions achieve, and the edges."""

    tokens: int
    needs: Sequence[Sequence[int]]
    achieves: Sequence[Sequence[int]]
    columns: EdgeColumns
    deletes: Sequence[Sequence[int]] = ()
    """Per public action, the tokens that it certainly deletes: for a ranking that `uses_deletes`,
    and where threats matter at all."""
    price: Sequence[int] = ()
    """Per edge, in the order of `edges`, what disclosing it costs the agent: a whole number from 0.
    Empty if each costs 1. What must never be disclosed is no edge here."""
    work: Work | None = None
    """What the agent itself can do: for a ranking that `uses_work`."""
    draws: Sequence[float] = ()
    """Per edge, a number between 0 and 1 that its owner drew for it once and for all runs: for a
    ranking that `uses_draws`, and where the owner keeps a lasting ledger."""

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        columns = self.columns
        return tuple(map(Edge, columns.achiever, columns.token, map(bool, columns.positive)))

    @cached_property
    def needed_by(self) -> tuple[tuple[int, ...], ...]:
        """Per token, the actions that need it."""
        users: list[list[int]] = [[] for _ in range(self.tokens)]
        for action, tokens in enumerate(self.needs):
            for token in tokens:
                users[token].append(action)
        return tuple(map(tuple, users))

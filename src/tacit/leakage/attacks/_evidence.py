"""What an attack may use, with actions and tokens of all agents numbered through.

What looks alike is up to the core's shapes (`src/core/ranking/shapes.hpp`), which the ranking
`goal` uses to infer what others can do: hashed once, so that nothing is compared pair by pair.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from tacit import native
from tacit.leakage.view import View
from tacit.public.disclosure import INIT, PublicEdge

Pair = tuple[int, int]
"""An action and a token, in the numbers of their agent."""
Guesses = Mapping[str, frozenset[Pair]]
"""Per agent, pairs that are taken for edges, disclosed ones among them."""


@dataclass(frozen=True)
class Evidence:
    """A view, and the edges of those observers that look at their own, too."""

    view: View
    own: Mapping[str, frozenset[PublicEdge]]

    @cached_property
    def _agents(self) -> list[str]:
        return list(self.view.agents)

    @cached_property
    def _first_action(self) -> list[int]:
        parts = (self.view.agents[agent].part for agent in self._agents)
        return list(accumulate((len(part.actions) for part in parts), initial=0))

    @cached_property
    def _first_token(self) -> list[int]:
        parts = (self.view.agents[agent].part for agent in self._agents)
        return list(accumulate((part.tokens for part in parts), initial=0))

    @cached_property
    def _place(self) -> list[dict[int, int]]:
        """Per agent, where each of its actions is among those of all."""
        rows = zip(self._first_action, self._agents, strict=False)
        return [
            {action.id: n for n, action in enumerate(self.view.agents[agent].part.actions, first)}
            for first, agent in rows
        ]

    @cached_property
    def shapes(self) -> native.Shapes | None:
        """What all that was published looks like; None if facts have no names."""
        names = self.view.names
        if names is None:
            return None
        parts = [self.view.agents[agent].part for agent in self._agents]
        actions = [action for part in parts for action in part.actions]
        predicates: dict[tuple[str, bool], int] = {}
        objects: dict[str, int] = {}
        rows = zip(self._first_token, parts, strict=False)
        return native.Shapes(
            [
                predicates.setdefault((f.predicate, f.positive), len(predicates))
                for f in names.facts
            ],
            native.flat([objects.setdefault(a, len(objects)) for a in f.args] for f in names.facts),
            native.flat([action.needs for action in actions]),
            native.flat([action.adds for action in actions]),
            native.flat([action.deletes for action in actions]),
            native.flat(
                [first + t for t in a.tokens] for first, part in rows for a in part.actions
            ),
            self._first_action,
            self._first_token,
        )

    def disclosed(self) -> dict[str, tuple[PublicEdge, ...]]:
        """All edges that anybody disclosed."""
        return {agent: seen.edges for agent, seen in self.view.agents.items()}

    def numbered(self, edges: Mapping[str, Iterable[PublicEdge]]) -> tuple[list[int], list[int]]:
        """Edges of actions as the shapes take them."""
        actions, tokens = [], []
        for number, agent in enumerate(self._agents):
            place, first = self._place[number], self._first_token[number]
            for edge in edges.get(agent, ()):
                if edge.achiever != INIT and edge.positive:
                    actions.append(place[edge.achiever])
                    tokens.append(first + edge.token)
        return actions, tokens

    def guesses(self, rows: tuple[memoryview, memoryview]) -> Guesses:
        """Per token of all the actions that are named, by agent."""
        named = native.Rows(rows)
        found: dict[str, frozenset[Pair]] = {}
        for number, agent in enumerate(self._agents):
            ids = [action.id for action in self.view.agents[agent].part.actions]
            first, action = self._first_token[number], self._first_action[number]
            count = self._first_token[number + 1] - first
            found[agent] = frozenset(
                (ids[place - action], token)
                for token in range(count)
                for place in named[first + token]
            )
        return found

    def looks(self, agent: str, tokens: Iterable[int]) -> set[int]:
        """What tokens of an agent look like."""
        shapes, first = self.shapes, self._first_token[self._agents.index(agent)]
        return set() if shapes is None else {shapes.look(first + token) for token in tokens}

    def classes(self, agent: str) -> int:
        """How many different-looking edges an agent disclosed, those of its initial state among
        them.
        """
        edges = self.view.agents[agent].edges
        initial = self.looks(agent, (edge.token for edge in edges if edge.achiever == INIT))
        if self.shapes is None:
            return len(edges)
        return self.shapes.classes(*self.numbered({agent: edges})) + len(initial)

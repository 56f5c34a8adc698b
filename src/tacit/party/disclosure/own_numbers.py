"""From an agent's own numbers to those that others see, and what a search makes of its actions.

All of it is the same for every budget, so that it is made once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.disclosure.graph import INIT, Edge
from tacit.party.mafs.joint_reachability import Abilities
from tacit.public.settings import Rule


@dataclass(frozen=True)
class OwnNumbers:
    """Per own public action and per own token, the number that others see."""

    own: Dependencies
    action: Sequence[int]
    token: Sequence[int]

    @cached_property
    def tokens_of(self) -> list[list[int]]:
        """Per own action, the tokens it needs, as others see them; the last action of all last.

        Under `pairwise` the last one needs none: private goals are part of the goal test there.
        """
        own, task, shown = self.own, self.own.task, self.token
        needs: list[list[int]] = [[] for _ in range(len(task.arrays.schema))]
        for number, members in enumerate(own.members):
            tokens = [shown[token] for token in own.graph.needs[number]]
            for action in members:
                needs[action] = tokens
        has_goal = any(fact >= task.public_count for fact in task.arrays.goal)
        of_goal = [] if own.settings.rule is Rule.PAIRWISE else own.goal
        return [*needs, [shown[token] for token in of_goal]] if has_goal else needs

    @cached_property
    def edges(self) -> list[Edge]:
        """All own positive edges, each once: where k may grow, each has a support bit."""
        return [edge for edge in dict.fromkeys(self.own.graph.edges) if edge.positive]

    @cached_property
    def initial_edges(self) -> list[Edge]:
        """Those of the initial state."""
        return [edge for edge in self.edges if edge.achiever == INIT]

    @cached_property
    def deletes(self) -> list[list[int]]:
        """Per own action, the tokens it certainly deletes, as others see them."""
        shown, count = self.token, len(self.own.token_facts)
        rows = [
            [shown[token] for token in tokens if token < count]
            for tokens in self.own.certain_deletes
        ]
        return rows + [[] for _ in range(len(self.tokens_of) - len(rows))]

    @cached_property
    def abilities(self) -> Abilities:
        """What I can do; under `pairwise` tokens do not count."""
        counts = self.own.settings.rule is not Rule.PAIRWISE
        return Abilities(self.own.task, self.tokens_of if counts else [])

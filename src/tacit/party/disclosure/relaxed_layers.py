"""When each of an agent's actions comes within reach, if nothing is ever deleted
(docs/rankings.md).

This decides between edges that rank alike: what can happen earlier is disclosed earlier. An agent
cannot find it out alone. The others' projections look as if everything were possible at once, a
truck that unloads what it never loaded, and all edges would tie. So the agents find it out
together, in rounds as they do while grounding: each sends the public facts that it could newly make
true with all that the others could so far. An action's layer is the round in which it comes within
reach, and within a round the number of own new actions that must come before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress

from tacit import native, watch
from tacit.party.local.task import LocalTask


class RelaxedLayers:
    """One agent's side of it."""

    def __init__(self, task: LocalTask):
        self._task = task
        arrays = task.arrays
        self._reached = bytearray(arrays.public_facts + len(arrays.private_facts[0]) - 1)
        """Per fact whether it is within reach."""
        self._reach(arrays.init)
        self._layers = [-1] * len(task.arrays.schema)
        self._depth = 0

    def extend(self, facts: Iterable[int]) -> tuple[int, ...]:
        """Go one round on with these public facts; the public facts that are newly within reach."""
        self._reach(facts)
        reached = list(compress(range(len(self._reached)), self._reached))
        others = native.Projection(*native.flat([()]), *native.flat([reached]))
        depths = native.relaxed_layers(self._task.arrays, [others])
        news: set[int] = set()
        for action, depth in enumerate(watch.checked(depths)):
            if depth >= 0 and self._layers[action] < 0:
                self._layers[action] = self._depth + depth
                news.update(fact for fact in self._task.add[action] if not self._reached[fact])
        self._reach(news)
        self._depth += 1 + max(depths, default=0)
        return tuple(sorted(fact for fact in news if fact < self._task.public_count))

    def _reach(self, facts: Iterable[int]) -> None:
        for fact in facts:
            self._reached[fact] = 1

    @property
    def has_private_goals(self) -> bool:
        """Are all private goals within reach?"""
        task = self._task
        return all(self._reached[f] for f in task.arrays.goal if f >= task.public_count)

    @property
    def layers(self) -> Sequence[int]:
        """Per own action its layer; what is never within reach comes last."""
        return [self._depth if layer < 0 else layer for layer in self._layers]


def all_layers(tasks: Iterable[LocalTask]) -> dict[str, Sequence[int]]:
    """The layers of all agents' actions, where all tasks are in one place."""
    sides = {task.agent: RelaxedLayers(task) for task in tasks}
    news: set[int] = set()
    while news := {fact for side in sides.values() for fact in side.extend(news)}:
        pass
    return {agent: side.layers for agent, side in sides.items()}

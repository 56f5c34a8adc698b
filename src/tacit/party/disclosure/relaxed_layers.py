"""When each of an agent's actions comes within reach, if nothing is ever deleted
(docs/rankings.md).

This decides between edges that rank alike: what can happen earlier is disclosed earlier. An agent
cannot find it out alone. The others' projections look as if everything were possible at once, a
truck that unloads what it never loaded, and all edges would tie. But it has heard when others reach
what: while grounding, each told in its turn what it could newly make true. So nothing more is
asked. First comes what an agent can do without the others, then what it can with what it was told
before each of its turns; and among that, what takes fewer own new actions before it.

All that grounding leaves is within reach if nothing is ever deleted, with all that others can do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import compress, cycle

from tacit import native, watch
from tacit.party.local.task import LocalTask
from tacit.pddl.agents import natural_order


class WithinReach:
    """What one agent can make true, turn by turn."""

    def __init__(self, task: LocalTask):
        self._task = task
        arrays = task.arrays
        self._reached = bytearray(arrays.public_facts + len(arrays.private_facts[0]) - 1)
        """Per fact whether it is within reach."""
        self._reach(arrays.init)
        self._layers = [-1] * len(task.arrays.schema)
        self._depth = 0

    def extend(self, facts: Iterable[int]) -> tuple[int, ...]:
        """Go on with these public facts; the public facts that are newly within reach."""
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


class RelaxedLayers(WithinReach):
    """The layers of one agent's actions, by what it was told while grounding."""

    def __init__(self, task: LocalTask):
        super().__init__(task)
        for facts in ((), *filter(None, task.told)):
            self.extend(facts)


def take_turns(tasks: Mapping[str, LocalTask], init: Iterable[int]) -> None:
    """Let the agents of tasks that were grounded in one place tell each other in turns what they
    reach, as if each had grounded its own files.
    """
    order = natural_order(tasks)
    sides = {agent: WithinReach(tasks[agent]) for agent in order}
    unsaid = {agent: set(side.extend(())) for agent, side in sides.items()}
    heard: dict[str, list[int]] = {agent: [] for agent in order}
    told: dict[str, list[list[int]]] = {agent: [] for agent in order}
    known, silent = set(init), 0
    for agent in cycle(order):
        if silent == len(order):
            break
        facts, heard[agent] = heard[agent], []
        told[agent].append(facts)
        if facts:
            unsaid[agent].update(sides[agent].extend(facts))
        news = sorted(unsaid[agent] - known)
        unsaid[agent].clear()
        known.update(news)
        silent = 0 if news else silent + 1
        for other in order:
            if news and other != agent:
                heard[other] += news
    for agent, task in tasks.items():
        task.told = told[agent]

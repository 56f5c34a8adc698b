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

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle

from tacit import native, watch
from tacit.party.local.task import LocalTask
from tacit.pddl.agents import natural_order


class WithinReach:
    """What one agent can make true, turn by turn."""

    def __init__(self, task: LocalTask):
        self._task = task
        self._core = native.WithinReach(task.arrays)

    def extend(self, facts: Iterable[int]) -> tuple[int, ...]:
        """Go on with these public facts; the public facts that are newly within reach."""
        watch.check()
        news: list[int] = self._core.extend(list(facts)).tolist()
        return tuple(news[: bisect_left(news, self._task.public_count)])

    @property
    def has_private_goals(self) -> bool:
        """Are all private goals within reach?"""
        task = self._task
        own = (fact for fact in task.arrays.goal if fact >= task.public_count)
        return all(map(self._core.is_reached, own))

    @property
    def layers(self) -> Sequence[int]:
        """Per own action its layer; what is never within reach comes last."""
        return self._core.layers().tolist()


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

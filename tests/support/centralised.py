"""A problem as one classical task, as if there were no privacy: for tests, benches and comparison.

The public facts keep their numbers; each agent's private facts and then its actions follow those of
the agents before it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from tacit.central.instance import Instance
from tacit.central.validate.plan import Plan, Step
from tacit.planners import ClassicalTask


class Centralised:
    """Everything that an instance holds in one task, with the way back to plan steps."""

    def __init__(self, instance: Instance):
        self._instance = instance
        self._first_action: list[int] = []  # per agent
        self.task = self._join()

    def _join(self) -> ClassicalTask:
        public = len(self._instance.public.facts)
        facts = public
        init, goal = array("i", self._instance.public.init), array("i", self._instance.public.goal)
        pre, add, delete = _Rows(), _Rows(), _Rows()
        cost, group = array("i"), array("i")
        for number, agent in enumerate(self._instance.agents):
            arrays = self._instance.local(agent).arrays
            shift = facts - public
            self._first_action.append(len(cost))
            init.extend(n + shift for n in arrays.init if n >= public)
            goal.extend(n + shift for n in arrays.goal if n >= public)
            for rows, part in ((pre, arrays.pre), (add, arrays.add), (delete, arrays.del_)):
                rows.append(part, public, shift)
            cost.extend(arrays.cost)
            group.extend([number] * len(arrays.cost))
            facts += len(arrays.private_facts[0]) - 1
        return ClassicalTask(facts, init, goal, pre.parts, add.parts, delete.parts, cost, group)

    def step(self, action: int) -> Step:
        """The plan step that an action of the task stands for."""
        agent_number = self.task.group[action]
        agent = self._instance.agents[agent_number]
        name = self._instance.local(agent).action_name(action - self._first_action[agent_number])
        schema, *args = name.strip("()").split()
        return Step(agent, schema, tuple(args))

    def plan(self, actions: Iterable[int]) -> Plan:
        return Plan(tuple(self.step(action) for action in actions))


class _Rows:
    def __init__(self) -> None:
        self.parts = (array("i", [0]), array("i"))

    def append(self, rows: tuple[memoryview, memoryview], public: int, shift: int) -> None:
        """Rows of one agent, whose private facts move by `shift`."""
        start, items = self.parts
        first = len(items)
        start.extend(first + n for n in rows[0][1:])
        items.extend(n if n < public else n + shift for n in rows[1])

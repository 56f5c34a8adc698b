"""Everything that all agents can do together, with support as part of the state (DESIGN §1.2).

One classical task: the public facts, every agent's private facts, and its tokens. A public action
needs its tokens, gives those of the edges that were chosen, and ends those that it certainly
ends. So the plans of this task are just the supported plans that can be carried out, and where it
has none, there is none. Nobody but who sees all secrets could write it down.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tacit import native
from tacit.party.agent import Agent
from tacit.party.graph import INIT, Edge
from tacit.planners import ClassicalTask
from tacit.public.disclosure import FINISH, PublicStep


class JointTask:
    """The task of a problem, for any choice of edges."""

    def __init__(self, agents: Mapping[str, Agent]):
        self._agents = agents
        first = next(iter(agents.values())).task
        self._public = first.public_count
        self._facts = self._public
        self._init: set[int] = set()
        self._goal: set[int] = set()
        self._needs: list[list[int]] = []
        self._adds: list[list[int]] = []
        self._deletes: list[list[int]] = []
        self._cost: list[int] = []
        self._steps: list[PublicStep | None] = []
        self._tokens: dict[str, int] = {}
        self._members: dict[tuple[str, int], list[int]] = {}
        for agent in agents.values():
            self._add_agent(agent)

    def _add_agent(self, agent: Agent) -> None:
        own, task = agent.dependencies, agent.task
        shift = self._facts - self._public
        tokens = self._tokens[agent.name] = self._facts + len(task.private_facts)
        count = len(own.token_facts)
        self._facts = tokens + count

        def moved(row: Iterable[int]) -> list[int]:
            return [fact if fact < self._public else fact + shift for fact in row]

        self._init.update(moved(task.arrays.init))
        self._goal.update(moved(task.arrays.goal), (tokens + token for token in own.goal))
        for action, is_public in enumerate(task.arrays.is_public):
            needs, ends = moved(task.pre[action]), moved(task.delete[action])
            step: PublicStep | None = None
            if is_public:
                number = own.number[action]
                needs += [tokens + token for token in own.graph.needs[number]]
                ends += [tokens + token for token in own.ends[action] if token < count]
                self._members.setdefault((agent.name, number), []).append(len(self._steps))
                step = agent.step(number)
            self._needs.append(needs)
            self._adds.append(moved(task.add[action]))
            self._deletes.append(ends)
            self._cost.append(task.cost[action])
            self._steps.append(step)

    def task(self, told: Mapping[str, Sequence[Edge]]) -> ClassicalTask:
        """The task in which these edges are disclosed."""
        init, adds = set(self._init), list(self._adds)
        for name, edges in told.items():
            for edge in edges:
                token = self._tokens[name] + edge.token
                if edge.giver == INIT:
                    init.add(token)
                    continue
                for action in self._members[name, edge.giver]:
                    adds[action] = [*adds[action], token]
        return ClassicalTask(
            self._facts,
            sorted(init),
            sorted(self._goal),
            native.flat(self._needs),
            native.flat(adds),
            native.flat(self._deletes),
            self._cost,
            [0] * len(self._cost),
        )

    def in_public(self, plan: Iterable[int]) -> tuple[PublicStep, ...]:
        """What of a plan everybody sees, with the last action of each agent that has one."""
        steps = [step for action in plan if (step := self._steps[action]) is not None]
        steps += [
            PublicStep(name, FINISH)
            for name, agent in self._agents.items()
            if any(fact >= self._public for fact in agent.task.arrays.goal)
        ]
        return tuple(steps)

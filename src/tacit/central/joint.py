"""The joint task of all agents, with support as part of the state (docs/semantics.md).

One classical task: the public facts, every agent's private facts, and its tokens. A public action
needs its tokens, achieves those of the disclosed edges, and deletes those that it certainly
deletes. So the plans of this task are exactly the supported plans that can be extended, and if it
has none, there is none. It contains the secrets of all agents.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from tacit import native
from tacit.central.validate.plan import Plan, Step
from tacit.party.agent import Agent
from tacit.party.disclosure.graph import INIT, Edge
from tacit.planners import ClassicalTask
from tacit.planners.native import strips
from tacit.public.disclosure import FINISH, PublicStep

_REASONS = {
    "none": "",
    "pairs": "two facts that the goal needs never hold together",
    "terminal actions": "more agents than there are would have to take a step after which they "
    "take none",
    "last action": "all agents would have to take a step after which they take none, and none of "
    "these can be the last",
    "triples": "three facts that the goal needs never hold together",
}


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
        self._owner: list[int] = []
        self._tokens: dict[str, int] = {}
        self._members: dict[tuple[str, int], list[int]] = {}
        for number, agent in enumerate(agents.values()):
            self._add_agent(number, agent)

    def _add_agent(self, owner: int, agent: Agent) -> None:
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
            needs, deletes = moved(task.pre[action]), moved(task.delete[action])
            step: PublicStep | None = None
            if is_public:
                number = own.number[action]
                needs += [tokens + token for token in own.graph.needs[number]]
                certain = own.certain_deletes[action]
                deletes += [tokens + token for token in certain if token < count]
                self._members.setdefault((agent.name, number), []).append(len(self._steps))
                step = agent.step(number)
            self._needs.append(needs)
            self._adds.append(moved(task.add[action]))
            self._deletes.append(deletes)
            self._cost.append(task.cost[action])
            self._steps.append(step)
            self._owner.append(owner)

    def task(
        self, disclosed: Mapping[str, Sequence[Edge]], loads: Sequence[int] = ()
    ) -> ClassicalTask:
        """The task in which these edges are disclosed; with `loads`, each agent's actions cost
        that much.
        """
        init, adds = self._with(disclosed)
        return self._task(init, self._goal, adds, loads)

    def achievers(self, agent: str, edge: Edge) -> list[int]:
        """The actions of an edge; -1 for the initial state."""
        return [-1] if edge.achiever == INIT else self._members[agent, edge.achiever]

    def token(self, agent: str, edge: Edge) -> int:
        """The fact that an edge achieves."""
        return self._tokens[agent] + edge.token

    def window(
        self,
        disclosed: Mapping[str, Sequence[Edge]],
        plan: Sequence[int],
        first: int,
        last: int,
        loads: Sequence[int],
    ) -> ClassicalTask:
        """The task of replacing the steps of a plan from `first` up to, not including, `last`."""
        state, adds = self._with(disclosed)
        for action in plan[:first]:
            state.difference_update(self._deletes[action])
            state.update(adds[action])
        goal = set(self._goal)
        for action in reversed(plan[last:]):
            goal.difference_update(adds[action])
            goal.update(self._needs[action])
        return self._task(state, goal, adds, loads)

    def _with(self, disclosed: Mapping[str, Sequence[Edge]]) -> tuple[set[int], list[list[int]]]:
        """The initial state, and what actions add, if these edges are disclosed."""
        init, adds = set(self._init), list(self._adds)
        for name, edges in disclosed.items():
            for edge in edges:
                token = self.token(name, edge)
                for action in self.achievers(name, edge):
                    if action < 0:
                        init.add(token)
                    else:
                        adds[action] = [*adds[action], token]
        return init, adds

    def _task(
        self, init: set[int], goal: set[int], adds: list[list[int]], loads: Sequence[int]
    ) -> ClassicalTask:
        return ClassicalTask(
            self._facts,
            sorted(init),
            sorted(goal),
            native.flat(self._needs),
            native.flat(adds),
            native.flat(self._deletes),
            [loads[owner] for owner in self._owner] if loads else self._cost,
            self._owner,
        )

    def why_unsolvable(self, disclosed: Mapping[str, Sequence[Edge]], thorough: bool) -> str:
        """Why there is no plan if these edges are disclosed; empty if that is not proved.

        With fewer edges there is none either. A `thorough` proof may take seconds.
        """
        is_public = [step is not None for step in self._steps]
        task = strips(self.task(disclosed))
        number = native.prove_unsolvable(task, self._public, is_public, thorough)
        return _REASONS[native.UNSOLVABILITY_PROOFS[number]]

    def in_public(self, plan: Iterable[int]) -> tuple[PublicStep, ...]:
        """The public part of a plan, with the final step of each agent that has private goals."""
        steps = [step for action in plan if (step := self._steps[action]) is not None]
        return (*steps, *self._finishes())

    def _finishes(self) -> list[PublicStep]:
        return [
            PublicStep(name, FINISH)
            for name, agent in self._agents.items()
            if any(fact >= self._public for fact in agent.task.arrays.goal)
        ]

    def numbers(self, plan: Plan) -> list[int]:
        """A plan by name as actions of this task."""
        return [self._by_name[step.agent, str(step)] for step in plan.steps]

    def named(self, plan: Iterable[int]) -> Plan:
        """Actions of this task as a plan by name."""
        names = {number: name for name, number in self._by_name.items()}
        return Plan(tuple(_step(*names[action]) for action in plan))

    @cached_property
    def _by_name(self) -> dict[tuple[str | None, str], int]:
        tasks = [agent.task for agent in self._agents.values()]
        names = ((t.agent, t.action_name(a).lower()) for t in tasks for a in range(len(t.cost)))
        return {name: number for number, name in enumerate(names)}

    def work(self, plan: Iterable[int]) -> list[int]:
        """How many actions of a plan each agent executes."""
        counts = [0] * len(self._agents)
        for action in plan:
            counts[self._owner[action]] += 1
        return counts


def _step(agent: str | None, written: str) -> Step:
    name, *args = written.strip("()").split()
    return Step(agent, name, tuple(args))

"""Everything that all agents can do together, with support as part of the state (DESIGN §1.2).

One classical task: the public facts, every agent's private facts, and its tokens. A public action
needs its tokens, gives those of the edges that were chosen, and ends those that it certainly
ends. So the plans of this task are just the supported plans that can be carried out, and where it
has none, there is none. Nobody but who sees all secrets could write it down.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from tacit import native
from tacit.central.validate.plan import Plan
from tacit.party.agent import Agent
from tacit.party.disclosure.graph import INIT, Edge
from tacit.planners import ClassicalTask
from tacit.planners.native import strips
from tacit.public.disclosure import FINISH, PublicStep

_REFUTATIONS = {
    "none": "",
    "pairs": "two facts that the goal needs never hold together",
    "last steps": "more agents than there are would have to take a step after which they take none",
    "last of all": "all agents would have to take a step after which they take none, and none of "
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
            self._owner.append(owner)

    def task(self, told: Mapping[str, Sequence[Edge]], loads: Sequence[int] = ()) -> ClassicalTask:
        """The task in which these edges are disclosed; with `loads`, each agent's actions cost
        that much.
        """
        init, adds = self._with(told)
        return self._task(init, self._goal, adds, loads)

    def window(
        self,
        told: Mapping[str, Sequence[Edge]],
        plan: Sequence[int],
        first: int,
        last: int,
        loads: Sequence[int],
    ) -> ClassicalTask:
        """The task to do otherwise what a plan does from its step `first` until before `last`."""
        state, adds = self._with(told)
        for action in plan[:first]:
            state.difference_update(self._deletes[action])
            state.update(adds[action])
        goal = set(self._goal)
        for action in reversed(plan[last:]):
            goal.difference_update(adds[action])
            goal.update(self._needs[action])
        return self._task(state, goal, adds, loads)

    def _with(self, told: Mapping[str, Sequence[Edge]]) -> tuple[set[int], list[list[int]]]:
        """What holds at the start, and what actions add, if these edges are disclosed."""
        init, adds = set(self._init), list(self._adds)
        for name, edges in told.items():
            for edge in edges:
                token = self._tokens[name] + edge.token
                if edge.giver == INIT:
                    init.add(token)
                    continue
                for action in self._members[name, edge.giver]:
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

    def refutation(self, told: Mapping[str, Sequence[Edge]], thorough: bool) -> str:
        """Why there is no plan if these edges are disclosed; empty if that is not known.

        Whoever discloses less has no plan either. A `thorough` proof may take seconds.
        """
        is_public = [step is not None for step in self._steps]
        number = native.refute(strips(self.task(told)), self._public, is_public, thorough)
        return _REFUTATIONS[native.REFUTATIONS[number]]

    def in_public(self, plan: Iterable[int]) -> tuple[PublicStep, ...]:
        """What of a plan everybody sees, with the last action of each agent that has one."""
        steps = [step for action in plan if (step := self._steps[action]) is not None]
        return (*steps, *self._last())

    def _last(self) -> list[PublicStep]:
        return [
            PublicStep(name, FINISH)
            for name, agent in self._agents.items()
            if any(fact >= self._public for fact in agent.task.arrays.goal)
        ]

    def numbers(self, plan: Plan) -> list[int]:
        """A plan by name as actions of this task."""
        return [self._by_name[step.agent, str(step)] for step in plan.steps]

    @cached_property
    def _by_name(self) -> dict[tuple[str | None, str], int]:
        tasks = [agent.task for agent in self._agents.values()]
        names = ((t.agent, t.action_name(a).lower()) for t in tasks for a in range(len(t.cost)))
        return {name: number for number, name in enumerate(names)}

    def work(self, plan: Iterable[int]) -> list[int]:
        """How many actions of a plan each agent does."""
        done = [0] * len(self._agents)
        for action in plan:
            done[self._owner[action]] += 1
        return done

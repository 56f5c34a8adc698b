"""The agents of a run that one trusted user holds: in this process, or each in one of its own.

Solvers ask them through bytes either way. Besides, the user may ask each agent, as its owner, for
what it withholds from others: its part of the plan, and what it disclosed by name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeVar

from tacit.central.validate.plan import Plan, Step, plan_of
from tacit.party.agent import Agent
from tacit.party.disclosure.graph import Edge
from tacit.party.disclosure.prices import Account
from tacit.policy import POLICY, Policy
from tacit.public.disclosure import PublicEdge
from tacit.public.protocol.transcript import Transcript
from tacit.public.run_options import Drive, RunOptions
from tacit.solvers import SOLVERS
from tacit.solvers.coordinator import Driver
from tacit.transport.drive import RoundRobin, Threads
from tacit.transport.in_process import Questions

if TYPE_CHECKING:
    from tacit.transport.processes import Processes

R = TypeVar("R")


def own_plan(agent: Agent) -> list[tuple[int, bool, str]]:
    """An agent's actions: public steps before it, whether it is public itself, and its name."""
    assert agent.local_plan is not None
    task = agent.task
    return [
        (before, bool(task.arrays.is_public[action]), task.action_name(action))
        for action, before in agent.local_plan.actions
    ]


def disclosed_edges(agent: Agent) -> list[str]:
    """What an agent disclosed, by its own names."""
    return [agent.dependencies.describe(edge) for edge in agent.disclosed]


def full_order(agent: Agent) -> list[Edge]:
    """An agent's edges in the order in which it discloses them."""
    return agent.full_order


def all_edges(agent: Agent) -> frozenset[PublicEdge]:
    """All edges of an agent, disclosed or not, in the numbers that others see."""
    return agent.all_edges


def account(agent: Agent) -> Account:
    """What an agent's disclosure cost it, in its own prices."""
    return agent.account


def affordable(agent: Agent) -> int:
    """How many edges it could pay for."""
    return agent.affordable


def total(agent: Agent) -> int:
    """How many edges it has."""
    return len(agent.dependencies.graph.columns)


class MakeDriver(Protocol):
    def __call__(self, agents: Sequence[Agent], transcript: Transcript | None) -> Driver: ...


class AgentPool:
    """All agents of a run."""

    def __init__(
        self,
        agents: dict[str, Agent],
        transcript: Transcript,
        ask: Callable[[str, bytes], bytes],
        driver: Driver | None,
        apart: Processes[Agent] | None = None,
    ):
        self.agents = agents
        self.transcript = transcript
        self.ask = ask
        self._driver = driver
        self._apart = apart

    @classmethod
    def here(
        cls, agents: Sequence[Agent], make: MakeDriver | None = None, record: bool = False
    ) -> AgentPool:
        """Agents of this process."""
        questions = Questions(list(agents), "solver")
        kept = questions.transcript if record else None
        driver = make(agents, kept) if make else None
        return cls({a.name: a for a in agents}, questions.transcript, questions.ask, driver)

    @classmethod
    def apart(cls, agents: Sequence[Agent], record: bool = False) -> AgentPool:
        """Agents each in a process of its own, which alone goes on to hold it."""
        transcript = Transcript()
        from tacit.transport.processes import Processes  # noqa: PLC0415 - seldom needed

        processes = Processes(agents, "solver", transcript, record)
        return cls({}, transcript, processes.ask, processes, processes)

    @property
    def driver(self) -> Driver:
        assert self._driver is not None
        return self._driver

    def recall(self, agent: str, question: Callable[[Agent], R]) -> R:
        """Ask an agent as its owner."""
        if self._apart is not None:
            return self._apart.recall(agent, question)
        return question(self.agents[agent])

    def close(self) -> None:
        if self._apart is not None:
            self._apart.close()


def make_pool(agents: Sequence[Agent], options: RunOptions, policy: Policy = POLICY) -> AgentPool:
    """The agents as the solver meets them."""
    if not SOLVERS.get(options.solver).agents_search or options.drive == Drive.ROUNDROBIN:
        make = partial(RoundRobin, policy=policy.forward)
        return AgentPool.here(agents, make, options.record)
    if options.drive == Drive.PROCESSES:
        return AgentPool.apart(agents, options.record)
    threads = partial(Threads, threads=options.threads, policy=policy.forward)
    return AgentPool.here(agents, threads, options.record)


def joint_plan(pool: AgentPool, agents: Sequence[str]) -> Plan:
    """All agents' own actions, each before the public step it was placed before."""
    placed: list[tuple[int, bool, int, int, str, str]] = []
    for rank, name in enumerate(agents):
        for order, (before, is_public, text) in enumerate(pool.recall(name, own_plan)):
            placed.append((before, is_public, rank, order, name, text))
    steps = ((name, plan_of([text]).steps[0]) for *_, name, text in sorted(placed))
    return Plan(tuple(Step(name, step.name, step.args) for name, step in steps))

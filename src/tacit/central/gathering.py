"""The agents of a run that one trusted user holds: in this process, or each in one of its own.

Solvers ask them through bytes either way. Besides, the user may ask each agent, as its owner, for
what it keeps to itself: its part of the plan, and what it disclosed in its own words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol, TypeVar

from tacit import native
from tacit.errors import InputError
from tacit.party.agent import Agent
from tacit.party.disclosure.graph import Edge
from tacit.party.disclosure.prices import Account
from tacit.public.protocol.transcript import Transcript
from tacit.solvers.mafs import Driver, Watch
from tacit.transport.drive import RoundRobin, Threads
from tacit.transport.in_process import Questions
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


def told_edges(agent: Agent) -> list[str]:
    """What an agent disclosed, in its own words."""
    return [agent.dependencies.describe(edge) for edge in agent.disclosed]


def whole_order(agent: Agent) -> list[Edge]:
    """An agent's edges in the order in which it tells them."""
    return agent.whole_order


def account(agent: Agent) -> Account:
    """What an agent's disclosure cost it, in its own prices."""
    return agent.account


def affordable(agent: Agent) -> int:
    """How many edges it could pay for."""
    return agent.affordable


class MakeDriver(Protocol):
    def __call__(self, agents: Sequence[Agent], transcript: Transcript | None) -> Driver: ...


class Party:
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
    ) -> Party:
        """Agents of this process."""
        questions = Questions(list(agents), "solver")
        kept = questions.transcript if record else None
        driver = make(agents, kept) if make else None
        return cls({a.name: a for a in agents}, questions.transcript, questions.ask, driver)

    @classmethod
    def apart(cls, agents: Sequence[Agent], record: bool = False) -> Party:
        """Agents each in a process of its own, which alone goes on to hold it."""
        transcript = Transcript()
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


@dataclass(frozen=True)
class Means:
    """With what a run is done: which solver, and how it works. `memory` is in bytes.

    `planner` is for `projection`, and `change_over`: may it leave the search to the agents where
    it gets no further? `heuristic`, `drive` and `threads` are for `mafs`, whose states
    are in the transcript only if `record` says so. `watch` sees the agents' status now and then.
    """

    solver: str = "projection"
    planner: str = "native"
    memory: int | None = None
    heuristic: str = "ff"
    drive: str = "threads"
    threads: int | None = None
    record: bool = False
    watch: Watch | None = None
    change_over: bool = True


def gather(agents: Sequence[Agent], means: Means) -> Party:
    """The agents as the solver meets them."""
    if means.solver == "projection":
        return Party.here(agents, RoundRobin, means.record)
    if means.solver != "mafs":
        raise InputError(f"there is no solver called '{means.solver}'", "projection or mafs")
    if means.heuristic not in native.heuristics():
        known = ", ".join(native.heuristics())
        raise InputError(f"there is no heuristic called '{means.heuristic}'", f"there are: {known}")
    if means.drive == "processes":
        return Party.apart(agents, means.record)
    if means.drive == "roundrobin":
        return Party.here(agents, RoundRobin, means.record)
    if means.drive == "threads":
        return Party.here(agents, partial(Threads, threads=means.threads), means.record)
    raise InputError(
        f"there is no way to drive called '{means.drive}'", "threads, processes or roundrobin"
    )

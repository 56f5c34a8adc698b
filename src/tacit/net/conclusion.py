"""How a run ended for one agent, with what its owner alone may look at."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from tacit.net.own_plan import KnownStep
from tacit.party.agent import Agent
from tacit.party.disclosure.named_graph import NamedGraph, disclosed_first
from tacit.public.ledger import Ledger
from tacit.public.outcome import Outcome


@dataclass(frozen=True)
class Conclusion:
    """How a run ended for one agent: the leader, and the ledger of the run as this agent has it.

    `dependencies` is how many edges the agent itself has, `recalled` how many of them all peers
    knew before and were sent again. `no_more` are agents that said "no more", if there is no plan;
    `unreachable` are public goals that are out of reach, and `unfinished` agents whose private
    goals are, whatever is disclosed.
    """

    outcome: Outcome
    leader: str
    ledger: Ledger
    dependencies: int
    no_more: tuple[str, ...] = ()
    unreachable: tuple[str, ...] = ()
    unfinished: tuple[str, ...] = ()
    plan: Path | None = None
    recalled: int = 0
    agent: Agent | None = field(default=None, repr=False, compare=False)
    """The agent itself, for its owner."""
    steps: tuple[KnownStep, ...] = field(default=(), repr=False)
    """The plan as this agent knows it."""

    @property
    def k(self) -> int:
        return self.ledger.k

    @property
    def disclosed(self) -> list[str]:
        """What the agent disclosed in its own names, in its order."""
        if self.agent is None or not self.dependencies:
            return []
        return [self.agent.dependencies.describe(edge) for edge in self.agent.disclosed]

    def graph(self, problem: str) -> NamedGraph | None:
        """The agent's dependencies, those that it disclosed first."""
        if self.agent is None or not self.dependencies:
            return None
        return disclosed_first(self.agent.dependencies, self.agent.disclosed, problem, "")

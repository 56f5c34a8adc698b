"""What came of one budget, and what it cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tacit.public.disclosure import PublicStep
from tacit.public.outcome import Outcome
from tacit.public.protocol.messages import Status


@dataclass
class Counters:
    """What searching cost, over all rounds."""

    expanded: int = 0
    evaluated: int = 0
    generated: int = 0

    def add(self, counted: Counters, since: Counters | None = None) -> None:
        """Add counts, or only what was counted since."""
        since = since or Counters()
        self.expanded += counted.expanded - since.expanded
        self.evaluated += counted.evaluated - since.evaluated
        self.generated += counted.generated - since.generated


@dataclass
class Attempt:
    """What came of one budget. `repairs` counts what agents disclosed in repairs, per agent.

    `replanned` is None unless the agents changed the public plan: then it counts the steps that
    each of them inserted or removed. `stuck`: repairs ruled out too few public plans, or there were
    none. `changed_over`: forward search went on where the projection was stuck. `phase` is where a
    limit of the user's ended it.

    Solvers whose agents search by themselves add: `agents`, each agent's own counts; `failed`, the
    last budget that was not enough; `refuted`, while k grew one by one, the last budget at which
    all states were searched in vain; `out_of_reach`, there would be no plan even if nothing were
    ever deleted, so neither with a smaller budget.
    """

    k: int
    outcome: Outcome
    steps: tuple[PublicStep, ...] = ()
    disclosed: dict[str, int] = field(default_factory=dict)
    repairs: dict[str, int] = field(default_factory=dict)
    counters: Counters = field(default_factory=Counters)
    replanned: dict[str, int] | None = None
    stuck: bool = False
    changed_over: bool = False
    phase: str | None = None
    failed: int = -1
    refuted: int | None = None
    out_of_reach: bool = False
    agents: dict[str, Status] = field(default_factory=dict)
    solved_by: str | None = None
    """The solver that found the plan, by name; None without a plan."""

    @property
    def most_disclosed(self) -> int:
        return most_disclosed(self.disclosed, self.repairs)


def most_disclosed(disclosed: Mapping[str, int], repairs: Mapping[str, int]) -> int:
    """Edges and repairs of the agent that disclosed most."""
    return max((n + repairs.get(agent, 0) for agent, n in disclosed.items()), default=0)

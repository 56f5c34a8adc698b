"""What came of planning, and what it cost."""

from __future__ import annotations

from dataclasses import dataclass, field

from tacit.public.disclosure import PublicStep
from tacit.public.ledger import Ledger
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


@dataclass(frozen=True)
class Improvement:
    """A better plan: when it was found, in seconds since the first, and what it is worth."""

    seconds: float
    cost: int
    makespan: int


@dataclass
class Attempt:
    """What came of one budget or, online, of a run; `ledger` is what was disclosed for it.

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
    ledger: Ledger = field(default_factory=Ledger)
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

    is_optimal: bool = False
    """Is it proved that no supported plan is cheaper, as the settings count costs?"""
    counted_cost: int | None = None
    """What the plan of an optimal search costs, as the settings count costs."""
    bound: int | None = None
    """No supported plan costs less, by an optimal search that was ended."""
    improvements: list[Improvement] = field(default_factory=list)
    """Better plans after the first, each better than the one before."""
    is_interrupted: bool = False
    """Did anything end improving before its time was up?"""

    repair_rounds: int = 0
    """How often some agent could not extend a public plan."""
    no_more: tuple[str, ...] = ()
    """Online and without a plan: agents that said "no more"."""

    @property
    def most_disclosed(self) -> int:
        return self.ledger.largest

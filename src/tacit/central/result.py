"""What comes of a run that one trusted user makes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tacit.central.price_policy import Account
from tacit.central.validate.judge import Verdict
from tacit.central.validate.plan import Plan
from tacit.errors import LimitReached
from tacit.public.ledger import Ledger
from tacit.public.outcome import Outcome
from tacit.public.protocol.messages import Status
from tacit.public.protocol.transcript import Transcript
from tacit.solvers.attempt import Counters
from tacit.solvers.attempt import Improvement as Improvement

if TYPE_CHECKING:
    from tacit.central.instance import Instance

ONLINE, OFFLINE = "online", "offline"
"""A run between agents, in which nothing is taken back; or budgets tried independently."""


@dataclass(frozen=True)
class Unreachable:
    """Public goals by name, and agents with private goals, that no agent can help to reach."""

    goals: tuple[str, ...]
    agents: tuple[str, ...]


@dataclass(repr=False)
class Result:
    """What came of a run: the outcome, the plan, and the ledger of what every agent disclosed.

    Online the ledger is that of the whole run. Offline it is that of the budget k, as if it alone
    had been run.
    """

    outcome: Outcome
    k: int
    plan: Plan | None
    verdict: Verdict | None
    dependencies: dict[str, int]
    ledger: Ledger
    counters: Counters
    transcript: Transcript
    seconds: dict[str, float] = field(default_factory=dict)
    searches: dict[str, Status] = field(default_factory=dict)
    """Per agent, what its own search did (solver `mafs`)."""
    replanned: dict[str, int] | None = None
    """Per agent, how many public steps replanning inserted or removed; None without it."""
    out_of_reach: bool = False
    """Forward search: the agents saw together that there is no plan, with this budget or less."""
    refuted: int | None = None
    """Where k grew one by one (`Session.iterate`), the last at which there is no plan, or -1."""
    accounts: dict[str, Account] = field(default_factory=dict)
    """Per agent, what it disclosed in its own prices; empty if nobody gave any."""
    changed_over: bool = False
    """The projection got no further, and forward search went on."""
    solved_by: str | None = None
    """The solver that made the plan; None without a plan."""
    is_optimal: bool = False
    """Is it proved that no plan supported on this ledger is cheaper, as the settings count?"""
    cost_counted: str | None = None
    """Optimal search: which costs count, `public` or `total`."""
    is_cheapest_of_all: bool = False
    """It is optimal, and with everything disclosed every plan is supported."""
    counted_cost: int | None = None
    """What the plan of an optimal search costs, as the settings count costs."""
    bound: int | None = None
    """No supported plan costs less, by an optimal search that was ended."""
    phase: str | None = None
    """What the run was doing when a limit on time or memory ended it. A plan may have been found by
    then: it is the best so far."""

    improvements: tuple[Improvement, ...] = ()
    """Better plans after the first, each with the seconds of CPU time since the first."""
    is_interrupted: bool = False
    """Improving was interrupted: the plan is the best so far."""

    mode: str = OFFLINE
    """`online` or `offline`."""
    no_more: tuple[str, ...] = ()
    """Online and without a plan: agents that would have disclosed no more, and kept something."""
    instance: Instance | None = None
    """The problem, for pictures of the plan."""
    unreachable: Unreachable | None = None
    """Goals that cannot be reached even if nothing is ever deleted."""

    def __repr__(self) -> str:
        plan = f", {self.verdict.length} steps, cost {self.verdict.cost}" if self.verdict else ""
        ledger = f"{self.ledger.largest} disclosed by one agent at most, {self.ledger.sum} by all"
        return f"<result: {self.outcome.value}{plan}, k = {self.k}, {ledger}>"

    def _repr_html_(self) -> str:
        from tacit.central.pictures import result_page  # noqa: PLC0415 - for notebooks

        return result_page(self).in_notebook()

    @property
    def solved(self) -> bool:
        return self.outcome is Outcome.SOLVED

    @property
    def most_disclosed(self) -> int:
        """Edges and repairs of the agent that disclosed most."""
        return self.ledger.largest

    @property
    def disclosed(self) -> dict[str, int]:
        """Per agent, how many edges are on the ledger."""
        return {agent: own.edges for agent, own in self.ledger.per_agent().items()}

    @property
    def repairs(self) -> dict[str, int]:
        """Per agent, how many repairs are on the ledger."""
        return {agent: own.repairs for agent, own in self.ledger.per_agent().items()}

    def kept(self, agent: str) -> int:
        """How many edges an agent never disclosed to anybody."""
        return self.dependencies[agent] - self.ledger.counts(agent).edges

    @property
    def extension(self) -> str | None:
        """How the plan was made: `strict`, or `replanned`, which discloses more than k."""
        if not self.solved:
            return None
        return "strict" if self.replanned is None else "replanned"


def ended(
    limit: LimitReached, mode: str = ONLINE, seconds: dict[str, float] | None = None
) -> Result:
    """What came of a run that a limit ended before anything could be tried."""
    return Result(
        *(Outcome(limit.outcome), 0, None, None, {}, Ledger()),
        Counters(),
        Transcript(),
        seconds or {},
        phase=limit.phase,
        mode=mode,
    )

"""What comes of a run that one trusted user makes."""

from __future__ import annotations

from dataclasses import dataclass, field

from tacit.central.price_policy import Account
from tacit.central.validate.judge import Verdict
from tacit.central.validate.plan import Plan
from tacit.errors import LimitReached
from tacit.public.outcome import Outcome
from tacit.public.protocol.messages import Status
from tacit.public.protocol.transcript import Transcript
from tacit.solvers.attempt import Counters, most_disclosed


@dataclass
class Result:
    """What came of a run: the outcome, the plan, and what every agent disclosed for it."""

    outcome: Outcome
    k: int
    plan: Plan | None
    verdict: Verdict | None
    dependencies: dict[str, int]
    disclosed: dict[str, int]
    repairs: dict[str, int]
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
    phase: str | None = None
    """What the run was doing when a limit on time or memory ended it. A plan may have been found by
    then: it is the best so far."""

    @property
    def solved(self) -> bool:
        return self.outcome is Outcome.SOLVED

    @property
    def most_disclosed(self) -> int:
        """Edges and repairs of the agent that disclosed most."""
        return most_disclosed(self.disclosed, self.repairs)

    @property
    def extension(self) -> str | None:
        """How the plan was made: `strict`, or `replanned`, which discloses more than k."""
        if not self.solved:
            return None
        return "strict" if self.replanned is None else "replanned"


def ended(limit: LimitReached, seconds: dict[str, float] | None = None) -> Result:
    """What came of a run that a limit ended before anything could be tried."""
    nothing: dict[str, int] = {}
    return Result(
        *(Outcome(limit.outcome), 0, None, None, nothing, nothing, nothing),
        Counters(),
        Transcript(),
        seconds or {},
        phase=limit.phase,
    )

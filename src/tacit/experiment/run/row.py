"""What is stored of an experiment: runs, each with its full configuration.

A `Unit` is one problem with one solver, ranking and seed under one set of settings and limits. It
is what a process works on, because what budgets share (loading, dependencies, the order of edges)
is computed once for it. A `Run` is one thing that was *asked* of a unit: a budget k, written as a
number; `smallest`, the smallest budget that solves; `iterative`, the budget at which forward search
finishes if it grows from 0 inside one search; `online`, a run as agents make it between them; or
`all`, which stands for everything that might have been asked if the unit could not even be loaded.
All but `online` are offline: budgets are tried independently of each other.

`disclosed` and `repairs` are the ledger of a run: how many edges and how many repairs each agent
disclosed, online over the whole run, offline at the budget k, as if it alone had been run. A run
that was not executed has none.

Levels (percent of the edges of the agent that has most) are not stored. Two levels with equal k
are one run, and the result at a level is looked up by its k (`tacit.experiment.run.levels`).

`used` counts, per agent, the disclosed edges that the plan uses; `price` is the price of its edges
and repairs, if there are prices. `extension` is how the plan was made: `strict`, or `replanned`,
which discloses more than k; then `replanned` counts, per agent, the public steps that were added or
removed. Runs stored before this was recorded have None there, and `made` is what can still be
inferred: only the projection under `extension=replan` replans.

`leakage` is, per agent, what all others together know of it (`tacit.leakage.measure`), where that
was asked for; the fields `leakage_…` of a run are sums over agents.

`cleaned` is what the plan is worth once it is cleaned, where that was asked for: the fields of
`CLEANED`. The plan itself and all else in the row are as they were found. It is empty where the
settings clean plans anyway, since the row is then that of a cleaned plan.

`optimal`: it is proved that no plan that is supported on the ledger of the run is cheaper, as the
settings count costs (solver `mad-astar`, or `improve`). It is false where that is not known.

A run with `settled_by` was not executed: the run at that larger k had proved that there is no plan
here either. One whose detail begins with `PROVED` was not executed either: it has the proof
(`tacit.central.analysis.proof`).

A run with `changed_over` switched to forward search where the projection made no progress. One
with `taken_over` found no plan itself: it has the plan of the run at that smaller k
(`tacit.experiment.run.taking_over`), and its detail has its own outcome.
"""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec

from tacit.choices import SOLVERS

SMALLEST = "smallest"
ITERATIVE = "iterative"
ONLINE = "online"
ALL = "all"
FORMER = {"first": SMALLEST}
"""What was asked, as earlier versions called it; their rows are read as those of today."""
OFFLINE = "offline"
TIED = " ties"
MINIMUM, LOWER, BEST = "minimum", "lower", "best"
LOWER_PRICE, BEST_PRICE = "lower price", "best price"
"""The solver of units that bound what must be disclosed, and what is asked of them."""


STRICT, REPLANNED, UNKNOWN = "strict", "replanned", "unknown"
"""How a plan was made."""

PROVED = "proved from all secrets: "
"""How the detail begins of a run that was not executed, because it was proved from all secrets that
there is no plan."""


BY_ITSELF = "by itself: "
"""How the detail begins of a run that has the plan of a smaller budget; then comes its own outcome.
"""


class RunOutcome(enum.Enum):
    """How a run ended."""

    SOLVED = "solved"
    NO_PLAN = "no plan"
    NOT_EXTENDED = "not extended"
    UNDECIDED = "undecided"
    TIME = "time"
    MEMORY = "memory"
    INVALID_PLAN = "invalid plan"
    CRASH = "crash"
    BAD_INPUT = "bad input"


class Unit(msgspec.Struct, frozen=True, omit_defaults=True):
    """One configuration except for the budget. `settings` is the full bundle as JSON.

    `time_limit` is in seconds and `memory_limit` in MiB, None for no limit. `plugins` is a digest
    of the user's own code, empty if there is none. `ties` is the seed by which ties between edges
    were broken, None for the usual order; then it is not part of the key, so that units of stores
    from before ties keep theirs. `weights` is a digest of the agents' prices, empty and not part of
    the key if there were none, as is `planner` for the default one.
    """

    problem: str
    domain: str
    form: str
    digest: str
    solver: str
    profile: str
    settings: str
    ranking: str
    seed: int
    time_limit: float | None
    memory_limit: int | None
    plugins: str
    version: str
    ties: int | None = None
    weights: str = ""
    planner: str = ""

    @property
    def series(self) -> str:
        """Its name in tables: the ranking, and whether ties were broken at random."""
        return self.ranking if self.ties is None else f"{self.ranking}{TIED}"

    @property
    def draw(self) -> int:
        """The seed of this unit within its series: of the ranking, or of the ties."""
        return self.seed if self.ties is None else self.ties

    @property
    def may_replan(self) -> bool:
        """Whether agents may change the public plan, so that it discloses more than k."""
        choices = msgspec.json.decode(self.settings, type=dict[str, Any])
        understands = SOLVERS.get(self.solver).understands if self.solver in SOLVERS else ()
        return "extension" in understands and choices.get("extension") == "replan"

    @property
    def key(self) -> str:
        """A short name that no other configuration has."""
        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()[:32]


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one run. Counts are per agent; seconds are CPU time; None is "not known"."""

    unit: Unit
    asked: str
    outcome: RunOutcome
    k: int | None = None
    settled_by: int | None = None
    settles: bool = False
    changed_over: bool = False
    taken_over: int | None = None
    dependencies: dict[str, int] = {}
    disclosed: dict[str, int] = {}
    repairs: dict[str, int] = {}
    used: dict[str, int] = {}
    price: dict[str, int] = {}
    plan_length: int | None = None
    cost: int | None = None
    makespan: int | None = None
    makespan_paper: int | None = None
    expanded: int | None = None
    evaluated: int | None = None
    generated: int | None = None
    seconds_load: float | None = None
    seconds_dependencies: float | None = None
    seconds_search: float | None = None
    seconds_extension: float | None = None
    seconds_total: float | None = None
    started: float = 0.0
    ended: float = 0.0
    detail: str = ""
    plan: str = ""
    extension: str | None = None
    replanned: dict[str, int] = {}
    leakage: dict[str, dict[str, float]] = {}
    optimal: bool = False
    cleaned: dict[str, int] = {}

    @property
    def made(self) -> str:
        """How the plan was made: strict, replanned or unknown; nothing if there is no plan."""
        if not self.solved:
            return ""
        return self.extension or (UNKNOWN if self.unit.may_replan else STRICT)

    @property
    def solved(self) -> bool:
        return self.outcome is RunOutcome.SOLVED

    @property
    def own_outcome(self) -> RunOutcome:
        """Its own outcome, before a plan was taken over."""
        if self.taken_over is None:
            return self.outcome
        return RunOutcome(self.detail.removeprefix(BY_ITSELF).partition(": ")[0])

    @property
    def largest(self) -> int:
        """The budget at which every agent discloses everything."""
        return largest(self.dependencies)

    @property
    def mode(self) -> str:
        """`online`, a run between agents; or `offline`, with budgets tried independently."""
        return ONLINE if self.asked == ONLINE else OFFLINE

    @property
    def most_disclosed(self) -> int:
        """Edges plus repairs of the agent that disclosed most."""
        agents = {*self.disclosed, *self.repairs}
        return max((self._disclosed_by(agent) for agent in agents), default=0)

    @property
    def sum_disclosed(self) -> int:
        """Edges plus repairs of all agents."""
        return sum(self.disclosed.values()) + sum(self.repairs.values())

    def leaked(self, what: str) -> float | None:
        """The sum over agents of what is known of each; None if it was not measured."""
        if not self.leakage:
            return None
        return round(sum(own[what] for own in self.leakage.values()), 6)

    @property
    def known_edges(self) -> float | None:
        """How many edges of actions are known to the others, disclosed, certain or guessed right,
        of the agent of which most are; None if it was not measured.
        """
        if not self.leakage:
            return None
        return max(
            self.disclosed.get(agent, 0) + own["guessed_right"]
            for agent, own in self.leakage.items()
        )

    @property
    def most_bits(self) -> float | None:
        """Bits learned of the graph of the agent of which most were; None if not measured."""
        return max((own["bits_b"] for own in self.leakage.values()), default=None)

    def _disclosed_by(self, agent: str) -> int:
        return self.disclosed.get(agent, 0) + self.repairs.get(agent, 0)


LEAKAGE = (
    *("certain", "guessed", "guessed_right", "undisclosed", "classes"),
    *("bits_a", "bits_b", "bits_b_all"),
)
"""What is known of an agent beyond what it disclosed, as `Run.leakage` has it."""
COUNTS = ("dependencies", "disclosed", "repairs", "used", "price", "replanned")
"""The fields of a run that count per agent."""
CLEANED = ("plan_length", "cost", "makespan", "makespan_paper")
"""What a plan is worth, as found in fields of a run, and as `Run.cleaned` has it when cleaned."""
UNIT_FIELDS = Unit.__struct_fields__
RUN_FIELDS = tuple(name for name in Run.__struct_fields__ if name != "unit")

TIMES = frozenset(name for name in Run.__struct_fields__ if name.startswith("seconds_")) | {
    "started",
    "ended",
}
"""The fields of a run that differ from one machine or moment to the next."""


def largest(counts: Mapping[str, int]) -> int:
    """The maximum over agents; 0 if there is none."""
    return max(counts.values(), default=0)


def with_cleaned_plan(run: Run) -> Run:
    """The run with what its plan is worth once it is cleaned, if that was measured."""
    return msgspec.structs.replace(run, **run.cleaned) if run.cleaned else run


def without_times(run: Run) -> Run:
    """The run without what depends on machine and moment."""
    blank = {name: 0.0 if name in ("started", "ended") else None for name in TIMES}
    return msgspec.structs.replace(run, **blank)

"""What is stored of an experiment: runs, each with its full configuration.

A `Unit` is one problem with one solver, ranking and seed under one set of choices and limits. It is
what a process works on, because all that budgets share (loading, dependencies, the order of edges)
is done once for it. A `Run` is one thing that was *asked* of a unit: a budget k, written as a
number; `first`, the smallest budget that solves; `iterative`, the budget at which forward search is
done if it grows from 0 inside one search; or `all`, which stands for everything that might have
been asked when the unit could not even be loaded.

Levels (percent of the edges of the agent that has most) are not stored. Two levels with equal k
are one run, and what a level came to is looked up by its k (`tacit.experiment.run.levels`).

`used` counts, per agent, the disclosed edges that the plan made use of; `price` is what its edges
and repairs cost it, where there are prices. `extension` says how the plan was made: `strict`, or
`replanned`, which discloses more than k; then `replanned` counts, per agent, the public steps that
were put in or left out. Runs from before this was recorded have None there, and `made` tells what
is known all the same: nobody replans but the projection under `extension=replan`.

A run with `settled_by` was not carried out: the run at that larger k had proved that there is no
plan here either. One whose detail begins with `PROVED` was not carried out either: it has the proof
(`tacit.central.analysis.proof`).

A run with `changed_over` was carried on by forward search where the projection got no further. One
with `taken_over` found no plan itself: it has the plan of the run at that smaller k
(`tacit.experiment.run.taking_over`), and its detail says how it ended by itself.
"""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec

FIRST = "first"
ITERATIVE = "iterative"
ALL = "all"
TIED = " ties"
MINIMUM, LOWER, BEST = "minimum", "lower", "best"
LOWER_PRICE, BEST_PRICE = "lower price", "best price"
"""The solver of units that bound what must be disclosed, and what is asked of them."""


STRICT, REPLANNED, UNKNOWN = "strict", "replanned", "unknown"
"""How a plan was made."""

PROVED = "proved from all secrets: "
"""How the detail begins of a run that was not carried out, because who sees all secrets can prove
that there is no plan."""


BY_ITSELF = "by itself: "
"""How the detail begins of a run that has the plan of a smaller budget; then comes its own outcome.
"""


class Outcome(enum.Enum):
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
    """One configuration but for the budget. `settings` is the full bundle as JSON.

    `time_limit` is in seconds and `memory_limit` in MiB, None for no limit. `plugins` is a digest
    of the user's own code that took part, empty if there was none. `ties` is the seed by which ties
    between edges were broken, None for the usual order; then it is no part of the key, so that
    units of stores that knew no ties keep theirs. `weights` is a digest of the prices that agents
    asked, empty and no part of the key if there were none.
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

    @property
    def series(self) -> str:
        """What a table calls it: the ranking, and whether ties were broken by lot."""
        return self.ranking if self.ties is None else f"{self.ranking}{TIED}"

    @property
    def draw(self) -> int:
        """Which draw of its series this is: a seed of the ranking, or of the ties."""
        return self.seed if self.ties is None else self.ties

    @property
    def may_replan(self) -> bool:
        """May agents change the public plan, so that it discloses more than k?"""
        choices = msgspec.json.decode(self.settings, type=dict[str, Any])
        return self.solver == "projection" and choices.get("extension") == "replan"

    @property
    def key(self) -> str:
        """A short name that no other configuration has."""
        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()[:32]


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one run. Counts are per agent; seconds are CPU time; None is "not known"."""

    unit: Unit
    asked: str
    outcome: Outcome
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

    @property
    def made(self) -> str:
        """How the plan was made: strict, replanned or unknown; nothing if there is no plan."""
        if not self.solved:
            return ""
        return self.extension or (UNKNOWN if self.unit.may_replan else STRICT)

    @property
    def solved(self) -> bool:
        return self.outcome is Outcome.SOLVED

    @property
    def own_outcome(self) -> Outcome:
        """How it ended by itself, whatever was taken over."""
        if self.taken_over is None:
            return self.outcome
        return Outcome(self.detail.removeprefix(BY_ITSELF).partition(": ")[0])

    @property
    def largest(self) -> int:
        """The budget at which every agent discloses everything."""
        return largest(self.dependencies)

    @property
    def told(self) -> int:
        """Edges plus repairs of the agent that told most."""
        return max((n + self.repairs.get(a, 0) for a, n in self.disclosed.items()), default=0)


COUNTS = ("dependencies", "disclosed", "repairs", "used", "price", "replanned")
"""The fields of a run that count per agent."""
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


def without_times(run: Run) -> Run:
    """The run as it would be anywhere."""
    blank = {name: 0.0 if name in ("started", "ended") else None for name in TIMES}
    return msgspec.structs.replace(run, **blank)

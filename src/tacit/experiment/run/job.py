"""A unit as a job: what it needs, which runs remain, and rows for runs that never ran."""

from __future__ import annotations

import time
from collections.abc import Mapping
from fractions import Fraction

import msgspec

from tacit.central.price_policy import PricePolicy, Weights
from tacit.experiment.run import levels as budgets
from tacit.experiment.run.row import (
    ALL,
    BEST,
    BEST_PRICE,
    ITERATIVE,
    LOWER,
    LOWER_PRICE,
    MINIMUM,
    ONLINE,
    PROVED,
    SMALLEST,
    Run,
    RunOutcome,
    Unit,
)
from tacit.experiment.run.suite import Problem
from tacit.public.settings import Settings


class Job(msgspec.Struct, frozen=True):
    """A unit, where to find what it needs, and its earlier runs."""

    unit: Unit
    problem: Problem
    settings: Settings
    levels: tuple[Fraction, ...]
    smallest: bool
    plugins: tuple[str, ...] = ()
    done: dict[str, Run] = {}
    weights: Weights | None = None
    proofs: bool = True
    """Whether budgets are first tried to be proved unsolvable, from all secrets."""
    iterative: bool = False
    online: bool = False
    leakage: bool = False
    """Whether it is measured what the others know of each agent."""
    cleaned: bool = False
    """Whether it is measured what each plan is worth once it is cleaned."""

    @property
    def price_policy(self) -> PricePolicy:
        """The prices of a unit; one file serves all problems, so rules may match nothing."""
        return PricePolicy(self.weights, lenient=True)

    def left(self, done: dict[str, Run]) -> list[str] | None:
        """The runs that remain; None if that is not known before loading."""
        if self.unit.solver == MINIMUM:
            asked = (LOWER, BEST, *((LOWER_PRICE, BEST_PRICE) if self.weights else ()))
            return [] if ALL in done else [one for one in asked if one not in done]
        return budgets.remaining(done, self.levels, self.others)

    @property
    def others(self) -> tuple[str, ...]:
        """What is asked besides budgets, in the order in which it is executed."""
        wanted = {SMALLEST: self.smallest, ITERATIVE: self.iterative, ONLINE: self.online}
        return tuple(asked for asked, is_wanted in wanted.items() if is_wanted)

    @property
    def is_offline(self) -> bool:
        """Is anything asked but an online run?"""
        return bool(self.levels or self.smallest or self.iterative)


def known(done: Mapping[str, Run]) -> dict[str, int]:
    """The number of edges per agent, if earlier runs of the unit have it."""
    return next((run.dependencies for run in done.values() if run.dependencies), {})


def settled(unit: Unit, dependencies: dict[str, int], k: int, settled_by: int) -> Run:
    """A run that need not be executed: the one at a larger budget proved that there is no plan."""
    now = time.time()
    return Run(
        unit=unit,
        asked=str(k),
        outcome=RunOutcome.NO_PLAN,
        k=k,
        settled_by=settled_by,
        dependencies=dependencies,
        started=now,
        ended=now,
    )


def proved(
    unit: Unit, dependencies: dict[str, int], k: int, why: str, seconds: Mapping[str, float]
) -> Run:
    """A run that need not be executed: with all secrets, it is proved that there is no plan."""
    return msgspec.structs.replace(
        settled(unit, dependencies, k, k),
        settled_by=None,
        settles=True,
        detail=PROVED + why,
        seconds_load=seconds["load"],
        seconds_dependencies=seconds["dependencies"],
        seconds_search=seconds["proof"],
        seconds_extension=0.0,
        seconds_total=sum(seconds.values()),
    )


def failure(
    unit: Unit,
    asked: str,
    dependencies: dict[str, int],
    outcome: RunOutcome,
    detail: str,
    started: float,
) -> Run:
    """A run that ended without a result."""
    return Run(
        unit=unit,
        asked=asked,
        outcome=outcome,
        k=int(asked) if asked.isdecimal() else None,
        dependencies=dependencies,
        started=started,
        ended=time.time(),
        detail=detail,
    )

"""Plans of the joint projection for agents that search forward.

While they search, whoever asked for it plans in what they published and disclosed, as it would for
the other solver, and tells them each plan (`Follow`). The agents look at states on it first. So
forward search gets where a classical planner gets, if the plan can be carried out, and goes on as
before if not. An easy search is over before there is a plan. Effort is counted in evaluations, so
that runs can be repeated.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol

from tacit.public.disclosure import PublicStep
from tacit.public.outcome import Outcome
from tacit.public.projection import Projection
from tacit.solvers.asking import Counters

PLANS = 6
"""How many plans are made, each by other engines first."""

SHARE = 4
"""Evaluations of the planner, which are quick, for one of all agents together."""


class Planner(Protocol):
    """A search on one projection."""

    def run(
        self, seconds: float, evaluations: int | None, counters: Counters
    ) -> tuple[Outcome, tuple[int, ...]]: ...


MakePlanner = Callable[[Projection, int], Planner | None]
"""A planner for a projection, given how many others were made for it before."""


class PublicPlans:
    """Plans of one projection, one after the other."""

    def __init__(self, projection: Projection, make: MakePlanner):
        self._projection = projection
        self._make = make
        self._planner: Planner | None = None
        self._made = 0
        self._known: set[tuple[int, ...]] = set()
        self._spent = 0
        self.counters = Counters()

    def seek(self, evaluated: int, seconds: float = math.inf) -> tuple[PublicStep, ...] | None:
        """Plan on, given how many states the agents have evaluated so far; the next plan, if any.

        A plan that was found before counts, but is not told again.
        """
        effort = SHARE * evaluated - self._spent
        if effort <= 0 or self._made >= PLANS or seconds <= 0:
            return None
        if self._planner is None:
            self._planner = self._make(self._projection, self._made)
        if self._planner is None:
            self._made = PLANS
            return None
        before = self.counters.evaluated
        outcome, plan = self._planner.run(seconds, effort, self.counters)
        self._spent += self.counters.evaluated - before
        if outcome is Outcome.UNDECIDED:
            return None
        self._planner = None
        self._made = self._made + 1 if outcome is Outcome.SOLVED else PLANS
        if outcome is not Outcome.SOLVED or plan in self._known:
            return None
        self._known.add(plan)
        return tuple(self._projection.steps[number] for number in plan)

"""Plans of the joint projection for agents that search forward.

While they search, whoever asked for it plans in what they published and disclosed, as it would for
the other solver, and tells them each plan (`Follow`). The agents look at states on it first. So
forward search gets where a classical planner gets, if the plan can be carried out, and goes on as
before if not. Every other plan is made by a guess at what ends tokens (`Projection.cautious`). An
easy search is over before there is a plan, and the next plan is not made before agents had time to
follow the last. Effort is counted in evaluations, so that runs can be repeated.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from tacit.public.disclosure import PublicStep
from tacit.public.outcome import Outcome
from tacit.public.projection import Projection
from tacit.solvers.asking import Counters
from tacit.solvers.planner import Planner

PLANS = 12
"""How many searches for a plan there are, each by other engines first."""

PATIENCE = 20_000
"""Evaluations for a plan by a guess, which may have none."""

WALK = 10
"""Evaluations of all agents together that a step of a plan takes to follow, about."""

SHARE = 4
"""Evaluations of the planner, which are quick, for one of all agents together."""


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
        self._spent_before = 0
        self._next = 0
        self.counters = Counters()

    def seek(self, evaluated: int, seconds: float = math.inf) -> tuple[PublicStep, ...] | None:
        """Plan on, given how many states the agents have evaluated so far; the next plan, if any.

        A plan that was found before counts, but is not told again.
        """
        effort = SHARE * evaluated - self._spent
        if effort <= 0 or evaluated < self._next or self._made >= PLANS or seconds <= 0:
            return None
        if self._planner is None:
            self._begin()
        if self._planner is None:
            self._made = PLANS
            return None
        if self._is_guess:
            effort = min(effort, PATIENCE - (self._spent - self._spent_before))
        before = self.counters.evaluated
        outcome, plan = self._planner.run(seconds, effort, self.counters)
        self._spent += self.counters.evaluated - before
        if outcome is Outcome.UNDECIDED and not self._is_given_up:
            return None
        return self._take(outcome, plan, evaluated)

    @property
    def _is_guess(self) -> bool:
        return self._made % 2 == 1

    @property
    def _is_given_up(self) -> bool:
        return self._is_guess and self._spent - self._spent_before >= PATIENCE

    def _begin(self) -> None:
        projection = self._projection.cautious() if self._is_guess else self._projection
        self._planner = self._make(projection, self._made // 2)
        self._spent_before = self._spent

    def _take(
        self, outcome: Outcome, plan: tuple[int, ...], evaluated: int
    ) -> tuple[PublicStep, ...] | None:
        """What a search ended with; the next one is another."""
        self._planner = None
        self._made = self._made + 1 if outcome is Outcome.SOLVED or self._is_guess else PLANS
        if outcome is not Outcome.SOLVED or plan in self._known:
            return None
        self._known.add(plan)
        self._next = evaluated + WALK * len(plan)
        return self._projection.named(plan)

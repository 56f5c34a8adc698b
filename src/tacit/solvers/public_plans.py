"""Plans of the joint projection for agents that search forward.

While they search, whoever asked for it plans in what they published and disclosed, as it would for
the other solver, and tells them each plan (`Follow`). The agents look at states on it first. So
forward search gets where a classical planner gets, if the plan can be carried out, and goes on as
before if not. Every other plan is made by a guess at what ends tokens (`Projection.cautious`), as
long as it has plans; where nothing of what ends tokens is shown, all are, since others lead astray.
An easy search is over before there is a plan, and the next plan is not made before agents had time
to follow the last. Effort is counted in evaluations, so that runs can be repeated.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from tacit.public.disclosure import PublicStep
from tacit.public.outcome import Outcome
from tacit.public.projection import Projection
from tacit.solvers.asking import Counters
from tacit.solvers.planner import Planner

PLANS = 6
"""How many plans are made of a projection, each by other engines first."""

TURN, PATIENCE = 10_000, 500_000
"""Evaluations before it is another's turn, and those for a plan by a guess, which may have none."""

WALK = 10
"""Evaluations of all agents together that a step of a plan takes to follow, about."""

SHARE = 4
"""Evaluations of the planner, which are quick, for one of all agents together."""


MakePlanner = Callable[[Projection, int], Planner | None]
"""A planner for a projection, given how many others were made for it before."""


@dataclass
class _Line:
    """Plans of one projection, each by other engines first."""

    projection: Projection
    is_guess: bool
    made: int = 0
    planner: Planner | None = None
    spent: int = 0
    """Evaluations for the plan that is being made."""
    turns: int = 1

    @property
    def left(self) -> int:
        """Evaluations until it is another's turn."""
        return self.turns * TURN - self.spent

    @property
    def is_over(self) -> bool:
        return self.made >= PLANS or (self.is_guess and self.turns * TURN > PATIENCE)


class PublicPlans:
    """Plans of one projection, one after the other."""

    def __init__(self, projection: Projection, make: MakePlanner, shows_ends: bool):
        self._make = make
        self._steps = projection.named
        guess = _Line(projection.cautious(), is_guess=True)
        plain = [_Line(projection, is_guess=False)] if shows_ends else []
        self._lines = [*plain, guess]
        """They take turns, the first is next."""
        self._known: set[tuple[int, ...]] = set()
        self._next = 0
        self.counters = Counters()

    def seek(self, evaluated: int, seconds: float = math.inf) -> tuple[PublicStep, ...] | None:
        """Plan on, given how many states the agents have evaluated so far; the next plan, if any.

        A plan that was found before counts, but is not told again.
        """
        effort = SHARE * evaluated - self.counters.evaluated
        if effort <= 0 or evaluated < self._next or not self._lines or seconds <= 0:
            return None
        outcome, plan = self._run(self._lines[0], seconds, effort)
        if outcome is not Outcome.SOLVED or plan in self._known:
            return None
        self._known.add(plan)
        self._next = evaluated + WALK * len(plan)
        return self._steps(plan)

    def _run(self, line: _Line, seconds: float, effort: int) -> tuple[Outcome, tuple[int, ...]]:
        """Plan on, and say whose turn is next."""
        if line.planner is None:
            line.planner, line.spent = self._make(line.projection, line.made), 0
        if line.planner is None or not line.planner.counts:
            self._lines.remove(line)
            return Outcome.UNDECIDED, ()
        before = self.counters.evaluated
        outcome, plan = line.planner.run(seconds, min(effort, line.left), self.counters)
        line.spent += self.counters.evaluated - before
        if outcome is Outcome.UNDECIDED and line.left > 0:
            return outcome, plan
        self._lines.remove(line)
        if outcome is Outcome.UNDECIDED:
            line.turns += 1
        else:
            line.planner, line.turns = None, 1
            line.made += 1
        if not line.is_over and outcome in (Outcome.UNDECIDED, Outcome.SOLVED):
            self._lines.append(line)
        elif outcome is not Outcome.SOLVED and not line.is_guess:
            self._lines.clear()
        return outcome, plan

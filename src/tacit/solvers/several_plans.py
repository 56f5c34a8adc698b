"""Where nothing can be repaired, several public plans are tried, each made in another way.

The first is a plan of the projection as it is. If somebody cannot carry it out, the second is made
by a guess at what ends tokens (`Projection.cautious`), which may have no plan, so that it is not
looked for long. Only then are the agents asked to change a plan, if the settings say so: that tells
more than was disclosed. After that the guess is given more time, and at last come plans of the
projection by other engines.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from tacit.public.disclosure import PublicStep
from tacit.public.outcome import Outcome
from tacit.public.projection import Projection
from tacit.solvers.asking import Attempt
from tacit.solvers.guessing import PATIENCE
from tacit.solvers.limits import Deadline
from tacit.solvers.planner import Planner, run

PLANS = 6
"""How many public plans are made of the projection as it is."""

LONG_PATIENCE = 40_000
"""Evaluations for a plan by the guess once agents could not change a plan; `PATIENCE` before."""

Steps = tuple[PublicStep, ...]


class Parties(Protocol):
    """The agents, who must carry a plan out."""

    def carry_out(self, steps: Steps) -> set[str]:
        """Ask everybody; who cannot."""

    def change(self, steps: Steps, failed: set[str], attempt: Attempt, deadline: Deadline) -> None:
        """Let the agents change a plan that some cannot carry out, if they may."""


class SeveralPlans:
    """Plans of one projection, one after the other, until one can be carried out."""

    def __init__(
        self,
        projection: Projection,
        make: Callable[[Projection, int], Planner | None],
        parties: Parties,
        attempt: Attempt,
        evaluations: int | None,
        deadline: Deadline,
    ):
        self._projection = projection
        self._make = make
        self._parties = parties
        self._attempt = attempt
        self._evaluations = evaluations
        self._deadline = deadline
        self._guessing: Planner | None = None
        self._failed: list[tuple[Steps, set[str]]] = []
        """Plans that some cannot carry out, and nobody was asked to change yet."""

    def try_all(self) -> Attempt:
        """Make plans until all agents can carry one out, as it is or changed."""
        self._attempt.outcome, steps = self._find(self._make(self._projection, 0))
        if self._attempt.outcome is Outcome.SOLVED and not self._is_carried_out(steps):
            guessing = self._make(self._projection.cautious(), 0)
            self._guessing = guessing if guessing is not None and guessing.counts else None
            is_over = self._is_guessed(PATIENCE) or self._is_changed()
            if not is_over and not self._is_guessed(LONG_PATIENCE):
                self._try_others()
        return self._attempt

    def _is_carried_out(self, steps: Steps) -> bool:
        self._attempt.steps = steps
        failed = self._parties.carry_out(steps)
        self._attempt.outcome = Outcome.NOT_EXTENDED if failed else Outcome.SOLVED
        if failed:
            self._failed.append((steps, failed))
        return not failed

    def _is_guessed(self, patience: int) -> bool:
        outcome, steps = self._find(self._guessing, patience)
        if outcome is not Outcome.UNDECIDED:
            self._guessing = None
        return outcome is Outcome.SOLVED and self._is_carried_out(steps)

    def _is_changed(self) -> bool:
        """Is it over because agents changed a plan, or because there is no time for it?"""
        while self._failed and self._attempt.outcome is Outcome.NOT_EXTENDED:
            steps, failed = self._failed.pop(0)
            if steps != self._attempt.steps:  # agents keep the last plan they were asked about
                self._attempt.steps, failed = steps, self._parties.carry_out(steps)
            self._parties.change(steps, failed, self._attempt, self._deadline)
        return self._attempt.outcome is not Outcome.NOT_EXTENDED

    def _try_others(self) -> None:
        for way in range(1, PLANS):
            if self._is_changed():
                return
            outcome, steps = self._find(self._make(self._projection, way))
            if outcome is not Outcome.SOLVED or self._is_carried_out(steps):
                return
        self._is_changed()

    def _find(self, planner: Planner | None, patience: int | None = None) -> tuple[Outcome, Steps]:
        """A plan by this planner, within what is left or within the patience."""
        if planner is None:
            return Outcome.NO_PLAN, ()
        counters, most = self._attempt.counters, self._evaluations
        if patience is not None:
            more = counters.evaluated + patience
            most = more if most is None else min(most, more)
        outcome, plan = run(planner, self._deadline, most, counters)
        return outcome, self._projection.named(plan)

"""Plans of the joint projection that guide agents who search forward.

While they search, the coordinator plans in what they published and disclosed, as it would for the
projection solver, and sends them each plan (`Follow`). The agents look at states on it first. So
forward search gets where a classical planner gets, if the plan can be extended, and goes on as
before if not. Every other plan is one of the pessimistic projection, as long as there are any;
where no deletes of tokens are disclosed, all are, since others mislead. An easy search is over
before there is a plan, and the next plan is not made before the agents had time to follow the last.
Effort is counted in evaluations, so that runs can be repeated.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from tacit.policy import POLICY, GuidancePolicy
from tacit.public.disclosure import PublicStep
from tacit.public.outcome import Outcome
from tacit.public.projection import Projection
from tacit.solvers.attempt import Counters
from tacit.solvers.planner import MakeSearch, Planner


@dataclass
class _Line:
    """Plans of one projection, each by other engines first."""

    projection: Projection
    is_pessimistic: bool
    policy: GuidancePolicy
    made: int = 0
    planner: Planner | None = None
    spent: int = 0
    """Evaluations for the plan that is being made."""
    turns: int = 1

    @property
    def left(self) -> int:
        """Evaluations until it is another's turn."""
        return self.turns * self.policy.turn - self.spent

    @property
    def is_over(self) -> bool:
        policy = self.policy
        is_long = self.turns * policy.turn > policy.pessimistic_evaluations
        return self.made >= policy.plans or (self.is_pessimistic and is_long)


class PlanGuidance:
    """Plans of one projection, one after the other."""

    def __init__(
        self,
        projection: Projection,
        make: MakeSearch,
        shows_deletes: bool,
        policy: GuidancePolicy = POLICY.guidance,
    ):
        self._make = make
        self._policy = policy
        self._steps = projection.named
        pessimistic = _Line(projection.pessimistic(), is_pessimistic=True, policy=policy)
        plain = [_Line(projection, False, policy)] if shows_deletes else []
        self._lines = [*plain, pessimistic]
        """They take turns, the first is next."""
        self._known: set[tuple[int, ...]] = set()
        self._next = 0
        self.counters = Counters()

    def seek(self, evaluated: int, seconds: float = math.inf) -> tuple[PublicStep, ...] | None:
        """Plan on, given how many states the agents have evaluated so far; the next plan, if any.

        A plan that was found before counts, but is not returned again.
        """
        effort = self._policy.planner_share * evaluated - self.counters.evaluated
        if effort <= 0 or evaluated < self._next or not self._lines or seconds <= 0:
            return None
        outcome, plan = self._run(self._lines[0], seconds, effort)
        if outcome is not Outcome.SOLVED or plan in self._known:
            return None
        self._known.add(plan)
        self._next = evaluated + self._policy.evaluations_per_step * len(plan)
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
        elif outcome is not Outcome.SOLVED and not line.is_pessimistic:
            self._lines.clear()
        return outcome, plan

"""A joint plan is weighed and kept, where one user holds all agents: the validator's word counts.

Each plan that is weighed is put together from all agents' parts and passes the validator. What is
kept is the plan itself, so that whatever interrupts improving, the best plan so far is there.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from tacit.central.validate.judge import Verdict, validate
from tacit.central.validate.plan import Plan
from tacit.errors import InternalError, LimitReached
from tacit.pddl.syntax import Description
from tacit.public.protocol.messages import Extended
from tacit.public.run_options import RunOptions
from tacit.solvers.agreeing import Steps
from tacit.solvers.attempt import Attempt, Counters, Improvement
from tacit.solvers.improving import Improver, Quality
from tacit.solvers.proving import may_prove
from tacit.solvers.solver import Solver


class InvalidResult(InternalError):
    """The validator rejects what a solver returned."""


class Validating:
    """Weighs by the validator; `kept` is the plan that was kept last, with its verdict."""

    is_exact = True

    def __init__(self, source: Description, joint_plan: Callable[[], Plan]):
        self._source = source
        self._joint_plan = joint_plan
        self._weighed: tuple[Plan, Verdict] | None = None
        self.kept: tuple[Plan, Verdict] | None = None

    def weigh(self, steps: Steps) -> Quality:
        plan = self._joint_plan()
        verdict = validate(self._source, plan)
        if not verdict.valid:
            raise InvalidResult(f"the validator rejects the plan: {verdict.message}")
        self._weighed = plan, verdict
        assert verdict.cost is not None
        assert verdict.makespan is not None
        return Quality(verdict.cost, verdict.length, verdict.makespan)

    def keep(self, steps: Steps) -> None:
        self.kept = self._weighed


class Improving:
    """Weighs first plans of one session, and improves those that were asked for."""

    def __init__(
        self,
        solver: Solver,
        options: RunOptions,
        source: Description,
        joint_plan: Callable[[], Plan],
        is_online: bool,
    ):
        self._solver, self._options = solver, options
        self._source, self._joint_plan = source, joint_plan
        self._is_online = is_online
        self._cleans = solver.coordinator.settings.clean

    def improved(
        self, attempt: Attempt, report: Callable[[Improvement], None], is_asked: bool = True
    ) -> tuple[Plan, Verdict]:
        """What all agents have just agreed on, or better; whatever ends that, the best so far."""
        judge = Validating(self._source, self._joint_plan)
        improver = Improver(self._solver, judge, self._options.seed, report=report)
        improver.begin(attempt)
        if is_asked and attempt.replanned is None:  # else its steps are no plan of the projection
            try:
                self._improve(improver, attempt)
            except (KeyboardInterrupt, LimitReached):
                attempt.is_interrupted = True
        assert judge.kept is not None
        return judge.kept

    def _improve(self, improver: Improver, attempt: Attempt) -> None:
        seconds = self._options.improve
        if self._cleans:
            self._clean(improver, attempt)
        if seconds > 0 and not attempt.is_optimal:
            proof = self._solver.tools.policy.improving.proof if may_prove(self._solver) else 0.0
            improver.improve(seconds * (1 - proof))
            if proof:
                improver.prove(seconds * proof)

    def _clean(self, improver: Improver, attempt: Attempt) -> None:
        has_shown = attempt.changed_over or self._solver.agents_search
        may_show = has_shown or not self._is_online or self._options.improve > 0
        improver.clean(may_show_states=may_show)

    def cleaned(self, attempt: Attempt, verdict: Verdict) -> Verdict:
        """What a plan that all agents agreed on is worth once it is cleaned; as it was where agents
        changed its steps, since it is no plan of the projection then. The attempt stays as it was.
        """
        if attempt.replanned is not None or not self._may_go_on(attempt):
            return verdict
        judge = Validating(self._source, self._joint_plan)
        improver = Improver(self._solver, judge, self._options.seed)
        mine = replace(attempt, counters=Counters(), improvements=[])
        improver.begin(mine)
        with suppress(LimitReached):
            self._clean(improver, mine)
        assert judge.kept is not None
        return judge.kept[1]

    def _may_go_on(self, attempt: Attempt) -> bool:
        """Do agents do their parts of an earlier plan again, with the budget they have now?"""
        answers = self._solver.coordinator.extend_all(attempt.steps).values()
        return all(isinstance(answer, Extended) for answer in answers)

    def again(
        self, attempt: Attempt, report: Callable[[Improvement], None]
    ) -> tuple[Plan, Verdict] | None:
        """The same of a plan that agents agreed on earlier, with the budget they have now."""
        if not self._cleans and self._options.improve <= 0:
            return None
        if not self._may_go_on(attempt):
            return None
        return self.improved(attempt, report)

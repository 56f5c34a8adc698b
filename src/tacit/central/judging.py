"""A joint plan is weighed and kept, where one user holds all agents: the validator's word counts.

Each plan that is weighed is put together from all agents' parts and passes the validator. What is
kept is the plan itself, so that whatever interrupts improving, the best plan so far is there.
"""

from __future__ import annotations

from collections.abc import Callable

from tacit.central.validate.judge import Verdict, validate
from tacit.central.validate.plan import Plan
from tacit.errors import InternalError
from tacit.pddl.syntax import Description
from tacit.solvers.agreeing import Steps
from tacit.solvers.improving import Quality


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

"""Tacit as an engine of unified-planning, for problems with several agents.

The kind of a problem says less than the engine must know: a number may be a cost, which Tacit
supports, or anything else, which it does not. So `supported_kind` declares what is always
supported, and the rest is checked by translating the problem; `skip_checks` is therefore set.
"""

from __future__ import annotations

import inspect
import math
from dataclasses import fields
from typing import IO, Any
from warnings import warn

from unified_planning.engines import Credits, Engine, PlanGenerationResult
from unified_planning.engines.mixins import OneshotPlannerMixin
from unified_planning.engines.mixins.oneshot_planner import OptimalityGuarantee
from unified_planning.engines.results import LogLevel, LogMessage, PlanGenerationResultStatus
from unified_planning.exceptions import UPUsageError
from unified_planning.model import ProblemKind
from unified_planning.model.problem_kind_versioning import LATEST_PROBLEM_KIND_VERSION
from unified_planning.plans import ActionInstance, SequentialPlan

from tacit.central.instance import Instance
from tacit.central.result import Result, ended
from tacit.central.solve import Asked, solve
from tacit.central.validate.plan import Plan
from tacit.errors import LimitReached, TacitError
from tacit.pddl.reader import read_texts
from tacit.pddl.source import Source
from tacit.public.declared import declared
from tacit.public.run_options import RunOptions
from tacit.public.settings import Settings
from tacit.unified_planning.writing import Written, write_problem
from tacit.watch import limited

_STATUS = {
    "solved": PlanGenerationResultStatus.SOLVED_SATISFICING,
    "time": PlanGenerationResultStatus.TIMEOUT,
    "memory": PlanGenerationResultStatus.MEMOUT,
}


_NAMED = tuple(inspect.signature(solve).parameters)
PARAMETERS = tuple(
    dict.fromkeys(
        name
        for name in (*_NAMED, *(one.name for one in (*declared(RunOptions), *declared(Settings))))
        if name not in ("instance", "choices", "policy", "time_limit")
    )
)
"""What `params` may have; the time limit is unified-planning's own `timeout`."""
_ASKED = tuple(one.name for one in fields(Asked))
"""Those of them that ask for an offline search instead of an online run."""


class TacitEngine(Engine, OneshotPlannerMixin):  # type: ignore[misc]
    """A planner for a `MultiAgentProblem`; its parameters are those of `tacit.solve`.

    As there, a run is online unless `k`, `percent`, `smallest` or `iterative` is given.
    """

    def __init__(self, **options: Any):
        Engine.__init__(self)
        OneshotPlannerMixin.__init__(self)
        self.skip_checks = True
        for name in options:
            if name not in PARAMETERS:
                hint = "use timeout" if name == "time_limit" else f"there are {PARAMETERS}"
                raise UPUsageError(f"tacit has no parameter '{name}'; {hint}")
        self._options = options

    @property
    def name(self) -> str:
        return "tacit"

    @staticmethod
    def supported_kind() -> ProblemKind:
        """What every problem may use; costs too, which kinds cannot distinguish from numbers."""
        kind = ProblemKind(version=LATEST_PROBLEM_KIND_VERSION)
        kind.set_problem_class("ACTION_BASED_MULTI_AGENT")
        kind.set_typing("FLAT_TYPING")
        kind.set_typing("HIERARCHICAL_TYPING")
        kind.set_conditions_kind("NEGATIVE_CONDITIONS")
        kind.set_conditions_kind("EQUALITIES")
        kind.set_multi_agent("AGENT_SPECIFIC_PUBLIC_GOAL")
        kind.set_multi_agent("AGENT_SPECIFIC_PRIVATE_GOAL")
        return kind

    @staticmethod
    def supports(problem_kind: ProblemKind) -> bool:
        return bool(problem_kind <= TacitEngine.supported_kind())

    @staticmethod
    def satisfies(optimality_guarantee: OptimalityGuarantee) -> bool:
        return bool(optimality_guarantee == OptimalityGuarantee.SATISFICING)

    @staticmethod
    def get_credits(**kwargs: Any) -> Credits | None:
        return Credits(
            "Tacit",
            "The Tacit developers",
            "",
            "",
            "MIT",
            "Plans for several agents that disclose few of their private dependencies.",
            "Plans for several agents that disclose few of their private dependencies, after "
            "Lev Lehman, Shani and Stern, Partial Disclosure of Private Dependencies in Privacy "
            "Preserving Planning, IJCAI 2021.",
        )

    def _solve(
        self,
        problem: Any,
        heuristic: Any = None,
        timeout: float | None = None,
        output_stream: IO[str] | None = None,
    ) -> PlanGenerationResult:
        if heuristic is not None:
            warn("tacit does not use the heuristic that was given", stacklevel=2)
        try:
            written = write_problem(problem)
            names = (Source("domain", written.domain), Source("problem", written.problem))
            with limited(math.inf if timeout is None else timeout):
                result = _solved(names, self._options)
        except TacitError as error:
            raise UPUsageError(f"tacit cannot solve this problem: {error}") from error
        message = _summary(result)
        if output_stream is not None:
            output_stream.write(f"{message}\n")
        unknown = PlanGenerationResultStatus.UNSOLVABLE_INCOMPLETELY
        return PlanGenerationResult(
            _status(result, unknown),
            None if result.plan is None else to_plan(result.plan, written, problem),
            self.name,
            _metrics(result),
            [LogMessage(LogLevel.INFO, message)],
        )


class TacitOptimalEngine(TacitEngine):
    """The same for cheapest plans: by default all edges are disclosed to a search that is optimal,
    so that no plan is lost.
    """

    def __init__(self, **options: Any):
        TacitEngine.__init__(self, **options)
        self._options = {"solver": "mad-astar", "percent": 100, **options}

    @property
    def name(self) -> str:
        return "tacit-opt"

    @staticmethod
    def satisfies(optimality_guarantee: OptimalityGuarantee) -> bool:
        return True


def _status(result: Result, unknown: PlanGenerationResultStatus) -> PlanGenerationResultStatus:
    """Optimal is said of the problem: no plan at all is cheaper, whatever is disclosed."""
    if result.is_cheapest_of_all and result.cost_counted == "total":
        return PlanGenerationResultStatus.SOLVED_OPTIMALLY
    return _STATUS.get(result.outcome.value, unknown)


def _solved(texts: tuple[Source, Source], options: dict[str, Any]) -> Result:
    """Read and solve a problem; a limit may stop either."""
    try:
        return solve(Instance(read_texts(*texts), {}), **options)
    except LimitReached as limit:
        asked = {name: value for name, value in options.items() if name in _ASKED}
        return ended(limit, Asked(**asked).mode)


def to_plan(plan: Plan, written: Written, problem: Any) -> SequentialPlan:
    """A plan with MA-PDDL names as one of the problem, each action with its agent."""
    steps = []
    for step in plan.steps:
        agent, action = written.actions[step.agent or step.args[0], step.name]
        arguments = tuple(written.objects[name] for name in step.args[1:])
        steps.append(ActionInstance(action, arguments, agent))
    return SequentialPlan(steps, problem.environment)


def _summary(result: Result) -> str:
    ledger = result.ledger
    disclosed = f"an agent disclosed at most {ledger.largest}, all together {ledger.sum}"
    return f"{result.outcome.value} {result.mode} with k = {result.k}; {disclosed}"


def _metrics(result: Result) -> dict[str, str]:
    ledger = result.ledger
    found = {"mode": result.mode, "k": str(result.k)}
    found |= {"largest": str(ledger.largest), "sum": str(ledger.sum)}
    found |= {f"disclosed {agent}": str(n) for agent, n in result.disclosed.items()}
    found |= {f"repairs {agent}": str(n) for agent, n in result.repairs.items()}
    found |= {f"seconds {name}": f"{n:.3f}" for name, n in result.seconds.items()}
    return found

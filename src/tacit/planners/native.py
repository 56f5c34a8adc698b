"""The embedded planner: `tacit.native.Search` behind the planners' seam."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from tacit import native
from tacit.errors import InputError, nearest
from tacit.planners import PLANNERS, ClassicalTask, PlannerLimits, PlannerOutcome, PlannerResult
from tacit.policy import POLICY

NO_LIMIT = 2**62
PORTFOLIO = POLICY.planner.portfolio


class NativeSearch:
    """A search that can stop and go on, and whose task may change in between.

    An action may gain effects, and plan prefixes may be forbidden; the next `run` then starts again
    from the initial state, with everything that was made from the task still in place.
    `without_dead_actions` removes dead actions, which no plan contains. That is worth it where
    steps cannot be undone; actions may then lose facts, but not gain any.
    """

    def __init__(
        self,
        task: ClassicalTask | native.StripsTask,
        seed: int = 0,
        engines: Sequence[str] = PORTFOLIO,
        heuristics: Sequence[str] = ("ff",),
        use_costs: bool = False,
        without_dead_actions: bool = False,
    ):
        _check_names("engine", engines, native.ENGINES)
        _check_names("heuristic", heuristics, native.heuristics())
        made = strips(task) if isinstance(task, ClassicalTask) else task
        if without_dead_actions:
            made = made.without_dead_actions()
        self._search = native.Search(made, seed % 2**64, list(engines), list(heuristics), use_costs)

    def run(self, limits: PlannerLimits = PlannerLimits()) -> PlannerResult:  # noqa: B008
        """Go on until solved, proved unsolvable, or out of limits, which count for this run."""
        search = self._search
        start = time.process_time()
        number = search.run(
            NO_LIMIT if limits.evaluations is None else limits.evaluations,
            limits.seconds,
            NO_LIMIT if limits.memory is None else limits.memory,
        )
        return PlannerResult(
            PlannerOutcome(native.OUTCOMES[number]),
            tuple(search.plan),
            search.expanded,
            search.evaluated,
            search.generated,
            time.process_time() - start,
        )

    def bound(self, cost: int) -> None:
        """Engines that look at costs find plans that cost less from now on; where there is none,
        the task is `UNSOLVABLE`.
        """
        self._search.bound(cost)

    def cancel(self) -> None:
        """Make a run in another thread stop soon."""
        self._search.cancel()

    def add_delete(self, action: int, fact: int) -> None:
        """From now on the action deletes the fact as well, unless it adds it."""
        self._search.add_delete(action, fact)

    def forbid(self, actions: Iterable[int], group: int | None = None) -> None:
        """No plan may begin with these actions: as those of one group, or as those of all."""
        self._search.forbid(native.ALL_GROUPS if group is None else group, list(actions))


@PLANNERS.add("native")
class Native:
    """The embedded portfolio: hill climbing, width search, lazy greedy search, landmarks."""

    def __init__(
        self,
        seed: int = 0,
        engines: Sequence[str] = PORTFOLIO,
        heuristics: Sequence[str] = ("ff",),
        use_costs: bool = False,
    ):
        self._options = (seed, tuple(engines), tuple(heuristics), use_costs)

    def solve(
        self,
        task: ClassicalTask,
        limits: PlannerLimits = PlannerLimits(),  # noqa: B008
    ) -> PlannerResult:
        return NativeSearch(task, *self._options).run(limits)

    @staticmethod
    def begin(task: ClassicalTask, seed: int, way: int, pessimistic: bool) -> NativeSearch:
        """Another `way` lets another engine of the portfolio begin, so that it finds another plan.

        In a pessimistic projection few steps can be undone, so dead actions are worth leaving out.
        """
        first = way % len(PORTFOLIO)
        engines = (*PORTFOLIO[first:], *PORTFOLIO[:first])
        return NativeSearch(task, seed + way, engines, without_dead_actions=pessimistic)


def strips(task: ClassicalTask) -> native.StripsTask:
    """The task in the core's own arrays."""
    try:
        return native.StripsTask(
            task.facts, task.init, task.goal, task.pre, task.add, task.delete, task.cost, task.group
        )
    except ValueError as error:
        raise InputError(f"not a classical task: {error}") from None


def _check_names(kind: str, given: Iterable[str], known: Iterable[str]) -> None:
    names = list(known)
    for name in given:
        if name not in names:
            hint = nearest(name, names) or f"there are: {', '.join(names)}"
            raise InputError(f"there is no {kind} called '{name}'", hint)

"""The exact trade-off between disclosure and cost: what plans cost at least, edge by edge.

This sees every agent's secrets, as `minimum` does, and is for evaluation. A point (k, cost) says
that no plan in which each agent discloses at most k edges costs less, and that none with fewer
edges costs as little. It is proved by A* over the joint task, in which every choice of edges is
tried where an action needs one (`src/core/minimum/cheapest_within.hpp`).

The first search has room for everything. Its plan needs some number of edges, and the next search
has room for one less, until there is no plan. So each search gives a point, or shows that the point
before it needs fewer edges.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from tacit import native
from tacit.central.analysis.minimum import check_settings
from tacit.central.analysis.minimum.choices import Choices
from tacit.central.analysis.minimum.trials import Trials
from tacit.central.analysis.trade import Point
from tacit.central.instance import Instance
from tacit.central.session import InvalidResult
from tacit.central.validate.judge import validate
from tacit.planners.native import strips
from tacit.public.settings import Settings

SLICE = 1000
"""States that a search expands before the clock is looked at."""
MOST_BYTES = 2 << 30
"""What a search may store before it gives up."""


@dataclass
class ExactFront:
    """What is proved so far: each point is the cheapest plan for which nobody discloses more than
    its k, the one with the fewest edges first.

    Where it is not complete, `open_k` is the largest k about which nothing is proved but that a
    plan costs `open_cost` at least; the first point may then have a rival with fewer edges.
    """

    points: list[Point] = field(default_factory=list)
    solvable: bool | None = None
    is_complete: bool = False
    open_k: int | None = None
    open_cost: int | None = None
    expanded: int = 0
    seconds: float = 0.0

    def table(self) -> tuple[list[str], list[list[str]]]:
        """The points for a reader: names of columns, and rows."""
        header = ["k (max)", "all edges", "cost", "steps", "makespan"]
        rows = [
            [
                *(str(point.k), str(sum(point.edges.values())), str(point.cost)),
                *(str(point.verdict.length), str(point.verdict.makespan)),
            ]
            for point in self.points
        ]
        return header, rows

    def proved(self) -> str:
        """What is proved, in a sentence."""
        if self.is_complete and not self.points:
            return "Proved: there is no plan, whatever is disclosed."
        if self.is_complete:
            least = self.points[0].k
            return f"Proved: no plan with as few edges costs less, and none has k below {least}."
        rest = f"Not proved: anything about plans with k {self.open_k} or less"
        if self.open_cost is not None:
            rest += f", except that they cost {self.open_cost} at least"
        if not self.points:
            return f"{rest}."
        return f"Each point's cost is proved to be the least for its k. {rest}."

    def note(self, point: Point) -> None:
        """A point with fewer edges than all others."""
        if self.points and self.points[0].cost == point.cost:
            del self.points[0]
        self.points.insert(0, point)


class ExactSearch:
    """The search for the front. `result` can be read at any time, also after Ctrl-C."""

    def __init__(
        self,
        instance: Instance,
        settings: Settings = Settings(),  # noqa: B008
        watch: Callable[[ExactFront], None] = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
    ):
        check_settings(settings)
        self._source = instance.source
        trials = Trials(instance, settings, 0, lambda agent, edge: 1)
        self._joint = trials.joint
        self._choices: Choices = trials.choices
        self._watch = watch
        self._clock = clock
        self.result = ExactFront()

    @property
    def largest(self) -> int:
        """How many edges the agent has that has most."""
        return max(self._choices.loads(self._choices.all).values(), default=0)

    def run(self, seconds: float = math.inf) -> ExactFront:
        """Search until the front is complete, or the time is up."""
        start, found = self._clock(), self.result
        deadline = start + seconds
        most = self.largest
        try:
            while most >= 0 and not found.is_complete:
                found.open_k = most
                if not self._search(most, deadline):
                    return found
                if not found.is_complete:
                    most = found.points[0].k - 1
            found.is_complete, found.open_k, found.open_cost = True, None, None
        finally:
            found.seconds += self._clock() - start
        return found

    def _search(self, most: int, deadline: float) -> bool:
        """The point of the cheapest plan with so many edges; false if limits end it."""
        choices, joint, found = self._choices, self._joint, self.result
        owners = (choices.names[group] for group in choices.group)
        owned = list(zip(owners, choices.edges, strict=True))
        search = native.CheapestWithin(
            strips(joint.task({})),
            native.flat(joint.achievers(name, edge) for name, edge in owned),
            [joint.token(name, edge) for name, edge in owned],
            choices.group,
            len(choices.names),
            most,
        )
        before = found.expanded
        is_over = False
        while not is_over:
            found.open_cost = search.cost
            if self._clock() >= deadline or search.bytes > MOST_BYTES:
                return False
            is_over = search.step(SLICE)
            found.expanded = before + search.expanded
        if search.has_plan:
            self._note(search)
        else:
            found.is_complete = True
            found.solvable = bool(found.points)
        return True

    def _note(self, search: native.CheapestWithin) -> None:
        plan = self._joint.named(search.plan)
        verdict = validate(self._source, plan)
        if not verdict.valid or verdict.cost != search.cost:
            raise InvalidResult(f"the cheapest plan is not what was searched: {verdict.message}")
        loads = self._choices.loads(search.disclosed)
        self.result.solvable = True
        self.result.note(Point(loads, plan, verdict))
        self._watch(self.result)

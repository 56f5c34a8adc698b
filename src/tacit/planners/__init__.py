"""Classical planners on a ground task, behind one seam.

A planner is a class that registers itself under a name, takes plain keyword parameters and has one
method, `solve(task, limits)`. It sees a `ClassicalTask` of numbers and nothing of agents, names or
secrets. One that can go on where it stopped also has `begin(task, seed, way, pessimistic)`, which
returns a `PlannerSearch`; the others are run again from the beginning whenever the projection has
changed.

>>> from tacit.planners import PLANNERS
>>> "native" in PLANNERS
True
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from tacit.registry import Registry

Integers = Sequence[int] | memoryview
FlatRows = tuple[Integers, Integers]


class PlannerOutcome(enum.Enum):
    """How a planner ended."""

    SOLVED = "solved"
    UNSOLVABLE = "unsolvable"
    LIMIT = "limit"
    TIME = "time"
    MEMORY = "memory"
    CANCELLED = "cancelled"
    GAVE_UP = "gave up"  # an incomplete planner ended without an answer
    CRASH = "crash"


@dataclass(frozen=True, slots=True)
class ClassicalTask:
    """Facts are numbers below `facts`; row a of `pre`, `add` and `delete` belongs to action a.

    Rows are two flat arrays, starts and items (`tacit.native.Rows`). An action with a fact in both
    `add` and `delete` adds it. `group` says whose action it is.
    """

    facts: int
    init: Integers
    goal: Integers
    pre: FlatRows
    add: FlatRows
    delete: FlatRows
    cost: Integers
    group: Integers

    def __len__(self) -> int:
        return len(self.cost)


@dataclass(frozen=True, slots=True)
class PlannerLimits:
    """What a planner may use: evaluated states, seconds, bytes. None is no limit."""

    evaluations: int | None = None
    seconds: float = math.inf
    memory: int | None = None


@dataclass(frozen=True, slots=True)
class PlannerResult:
    """The outcome and, if solved, the plan as numbers of actions."""

    outcome: PlannerOutcome
    plan: tuple[int, ...] = ()
    expanded: int = 0
    evaluated: int = 0
    generated: int = 0
    seconds: float = 0.0
    message: str = ""

    @property
    def solved(self) -> bool:
        return self.outcome is PlannerOutcome.SOLVED


class Planner(Protocol):
    """Anything that can solve a classical task."""

    def solve(self, task: ClassicalTask, limits: PlannerLimits = ...) -> PlannerResult: ...


class PlannerSearch(Protocol):
    """A search that can stop and go on, and whose task may change in between."""

    def run(self, limits: PlannerLimits = ...) -> PlannerResult: ...

    def add_delete(self, action: int, fact: int) -> None:
        """From now on the action deletes the fact as well, unless it adds it."""

    def forbid(self, actions: Iterable[int], group: int | None = None) -> None:
        """No plan may begin with these actions: as those of one group, or as those of all."""


def rows(flat: FlatRows) -> Iterator[Sequence[int]]:
    """The rows of two flat arrays, one after the other."""
    start, items = flat
    return (items[start[n] : start[n + 1]] for n in range(len(start) - 1))


PLANNERS: Registry[Callable[..., Planner]] = Registry("planner", "tacit.planners")

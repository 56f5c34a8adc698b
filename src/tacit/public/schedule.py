"""How long a plan takes when agents work side by side (docs/experiments.md).

A sequential plan has more order than it needs. A schedule keeps what it needs and starts
every step as early as that allows. Call *achiever* of a fact the first step that adds it after the
last one that deleted it, and of its absence the other way round. Of two steps, the earlier one ends
before the later one starts if one of these holds:

1. **agent**: both are done by the same agent, which does one thing at a time;
2. **causal link**: the later needs a fact of which the earlier is the achiever, or forbids a fact
   of whose absence it is;
3. **threat**: the later deletes what the earlier needs, or adds what the earlier forbids;
4. **overwriting**: one adds what the other deletes.

No other pair is ordered. With 4, a step that would break a link from before its achiever stays
before it, and with 3 one that would break it from behind its consumer stays behind it; so every
order of the steps by start time, ties broken at will, can be executed and ends in the same state. A
delete counts even where the same step adds the fact back: while it runs, the fact is in use (two
rovers do not use one radio channel at once).

`makespan` keeps all four. `makespan_paper` keeps 1 and 2 and lets every step last one unit: it is
what the paper reports, and never longer than `makespan` of steps that last one unit or more.

A step lasts one unit unless its `duration` differs. Costs are not durations.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field

Fact = Hashable
_NONE: frozenset[Fact] = frozenset()


@dataclass(frozen=True, slots=True)
class Task:
    """One step of a plan: its agent, and what it needs, forbids, adds and deletes."""

    agent: Hashable
    needs: frozenset[Fact] = _NONE
    adds: frozenset[Fact] = _NONE
    deletes: frozenset[Fact] = _NONE
    forbids: frozenset[Fact] = _NONE
    duration: int = 1

    def __post_init__(self) -> None:
        if self.duration < 1:
            raise ValueError(f"a step lasts {self.duration}; expected 1 or more")

    def clashes(self, other: Task) -> frozenset[Fact]:
        """The facts over which the two interfere; with none, they may run at the same time."""
        return (
            self.deletes & (other.needs | other.adds)
            | other.deletes & (self.needs | self.adds)
            | self.adds & other.forbids
            | other.adds & self.forbids
        )


def start_times(tasks: Sequence[Task]) -> tuple[int, ...]:
    """The earliest start of every task, from 0, with all four kinds of order kept."""
    return _starts(tasks, _Clock(), [task.duration for task in tasks])


def makespan(tasks: Sequence[Task]) -> int:
    """When the last task of the earliest-start schedule ends."""
    starts = start_times(tasks)
    return max((s + t.duration for s, t in zip(starts, tasks, strict=True)), default=0)


def makespan_paper(tasks: Sequence[Task]) -> int:
    """The makespan with causal links and the agents' own order alone, every task one unit long."""
    starts = _starts(tasks, _Clock(threats=False), [1] * len(tasks))
    return max((start + 1 for start in starts), default=0)


def _starts(tasks: Sequence[Task], clock: _Clock, durations: Sequence[int]) -> tuple[int, ...]:
    starts: list[int] = []
    for task, duration in zip(tasks, durations, strict=True):
        start = clock.earliest(task)
        clock.record(task, start + duration)
        starts.append(start)
    return tuple(starts)


Times = defaultdict[Hashable, int]


def _times() -> Times:
    return defaultdict(int)


@dataclass(slots=True)
class _Clock:
    """When things were last done, over the tasks placed so far; 0 is the initial state.

    `true_since` and `false_since` are the ends of the achievers of a fact and of its absence. The
    others are the latest end of any task that added, deleted, needed or forbade the fact.
    """

    threats: bool = True
    free: Times = field(default_factory=_times)
    true_since: dict[Fact, int] = field(default_factory=dict)
    false_since: dict[Fact, int] = field(default_factory=dict)
    added: Times = field(default_factory=_times)
    deleted: Times = field(default_factory=_times)
    needed: Times = field(default_factory=_times)
    forbidden: Times = field(default_factory=_times)

    def earliest(self, task: Task) -> int:
        bounds = [self.free[task.agent]]
        bounds += (self.true_since.get(f, 0) for f in task.needs)
        bounds += (self.false_since.get(f, 0) for f in task.forbids)
        if self.threats:
            bounds += _latest(task.adds, self.deleted, self.forbidden)
            bounds += _latest(task.deletes, self.added, self.needed)
        return max(bounds)

    def record(self, task: Task, end: int) -> None:
        self.free[task.agent] = end
        for seen, facts in (
            (self.needed, task.needs),
            (self.forbidden, task.forbids),
            (self.added, task.adds),
            (self.deleted, task.deletes),
        ):
            for fact in facts:
                seen[fact] = max(seen[fact], end)
        for fact in task.deletes:
            self.true_since.pop(fact, None)
            self.false_since.setdefault(fact, end)
        for fact in task.adds:
            self.true_since.setdefault(fact, end)
            self.false_since.pop(fact, None)


def _latest(facts: Iterable[Fact], *seen: Times) -> Iterable[int]:
    return (times[fact] for fact in facts for times in seen)

"""The makespan: what a schedule keeps, and that it keeps no more (docs/semantics.md)."""

from __future__ import annotations

import itertools
import random
from collections.abc import Hashable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.public.schedule import Task, makespan, makespan_paper, start_times

State = frozenset[Hashable]
FACTS = "pqrs"
facts = st.frozensets(st.sampled_from(FACTS), max_size=2)


@st.composite
def executable(draw: st.DrawFn, unit: bool = True) -> tuple[State, list[Task]]:
    """An initial state and a plan that runs from it."""
    initial: State = draw(st.frozensets(st.sampled_from(FACTS)))
    state = initial
    tasks: list[Task] = []
    for _ in range(draw(st.integers(0, 9))):
        needs = draw(facts) & state
        forbids = draw(facts) - state
        duration = 1 if unit else draw(st.integers(1, 4))
        agent = draw(st.sampled_from("abc"))
        task = Task(agent, needs, draw(facts), draw(facts), forbids, duration)
        tasks.append(task)
        state = (state - task.deletes) | task.adds
    return initial, tasks


def run(state: State, tasks: Sequence[Task]) -> State | None:
    """The final state, or None where a step cannot be executed."""
    for task in tasks:
        if not task.needs <= state or task.forbids & state:
            return None
        state = (state - task.deletes) | task.adds
    return state


def ordered(tasks: Sequence[Task], first: int, second: int, threats: bool) -> bool:
    """The four rules of the module, each as it is written there."""
    a, b = tasks[first], tasks[second]
    if a.agent == b.agent:
        return True
    if any(achiever(tasks, second, f, present=True) == first for f in b.needs):
        return True
    if any(achiever(tasks, second, f, present=False) == first for f in b.forbids):
        return True
    if not threats:
        return False
    return bool(
        b.deletes & a.needs or b.adds & a.forbids or a.adds & b.deletes or a.deletes & b.adds
    )


def achiever(tasks: Sequence[Task], before: int, fact: object, present: bool) -> int | None:
    found = None
    for index, task in enumerate(tasks[:before]):
        makes = fact in (task.adds if present else task.deletes - task.adds)
        breaks = fact in (task.deletes if present else task.adds)
        if breaks:
            found = None
        if makes and found is None:
            found = index
    return found


def naive(tasks: Sequence[Task], threats: bool = True, unit: bool = False) -> list[int]:
    starts: list[int] = []
    for second in range(len(tasks)):
        ends = [
            starts[first] + (1 if unit else tasks[first].duration)
            for first in range(second)
            if ordered(tasks, first, second, threats)
        ]
        starts.append(max(ends, default=0))
    return starts


@given(executable(unit=False))
def test_agrees_with_the_rules_written_out(case: tuple[State, list[Task]]) -> None:
    _, tasks = case
    assert list(start_times(tasks)) == naive(tasks)
    paper = naive(tasks, threats=False, unit=True)
    assert makespan_paper(tasks) == max((s + 1 for s in paper), default=0)


@given(executable(unit=False), st.randoms(use_true_random=False))
def test_every_order_by_start_time_runs(case: tuple[State, list[Task]], rng: random.Random) -> None:
    initial, tasks = case
    starts = start_times(tasks)
    by_time = sorted(range(len(tasks)), key=lambda i: (starts[i], rng.random()))
    expected = run(initial, tasks)
    assert expected is not None
    assert run(initial, [tasks[i] for i in by_time]) == expected


@given(executable())
def test_bounds_for_unit_durations(case: tuple[State, list[Task]]) -> None:
    _, tasks = case
    busiest = max((sum(t.agent == a for t in tasks) for a in "abc"), default=0)
    assert busiest <= makespan_paper(tasks) <= makespan(tasks) <= len(tasks)


@given(executable(unit=False))
def test_an_agent_does_one_thing_at_a_time(case: tuple[State, list[Task]]) -> None:
    _, tasks = case
    starts = start_times(tasks)
    for agent in "abc":
        own = [(s, s + t.duration) for s, t in zip(starts, tasks, strict=True) if t.agent == agent]
        assert all(end <= start for (_, end), (start, _) in itertools.pairwise(own))


@given(executable())
def test_what_starts_together_does_not_clash(case: tuple[State, list[Task]]) -> None:
    _, tasks = case
    starts = start_times(tasks)
    for second in range(len(tasks)):
        for first in range(second):
            if starts[first] == starts[second]:
                assert not tasks[first].clashes(tasks[second])


def test_independent_agents_work_side_by_side() -> None:
    tasks = [Task("a", adds=frozenset("p")), Task("b", adds=frozenset("q"))]
    assert start_times(tasks) == (0, 0)
    assert makespan(tasks) == makespan_paper(tasks) == 1


def test_a_threat_counts_in_ours_and_not_in_the_papers() -> None:
    tasks = [Task("a", needs=frozenset("p")), Task("b", deletes=frozenset("p"))]
    assert (makespan(tasks), makespan_paper(tasks)) == (2, 1)


def test_a_fact_deleted_and_added_back_is_in_use() -> None:
    channel = frozenset({"channel"})
    tasks = [Task(agent, channel, channel, channel) for agent in "abc"]
    assert start_times(tasks) == (0, 1, 2)


def test_a_second_adder_does_not_hold_up_a_consumer() -> None:
    p = frozenset("p")
    tasks = [Task("a", adds=p), Task("b", adds=p, duration=5), Task("c", needs=p)]
    assert start_times(tasks) == (0, 0, 1)


def test_durations_are_kept() -> None:
    p = frozenset("p")
    tasks = [Task("a", adds=p, duration=3), Task("b", needs=p, duration=2)]
    assert start_times(tasks) == (0, 3)
    assert (makespan(tasks), makespan_paper(tasks)) == (5, 2)


def test_nothing_takes_no_time() -> None:
    assert start_times([]) == ()
    assert makespan([]) == makespan_paper([]) == 0


def test_a_step_lasts_something() -> None:
    with pytest.raises(ValueError, match="expected 1 or more"):
        Task("a", duration=0)

"""The classical planners: against brute force on small random tasks, and through their one seam."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.centralised import Centralised
from support.places import TESTS
from support.small_tasks import check, small_tasks
from support.tasks import flat, hard
from support.waiting import until, until_at_work

import tacit
from tacit import native
from tacit.errors import InputError
from tacit.planners import PLANNERS, ClassicalTask, PlannerLimits, PlannerOutcome
from tacit.planners.fast_downward import FastDownward, find_driver
from tacit.planners.native import PORTFOLIO, Native, NativeSearch, strips

EXAMPLES = min(int(os.environ.get("TACIT_FUZZ", "150")), 1000)
HEURISTICS = tuple(native.heuristics())
RELAXED = {"ff", "add"}


# Alone, hill climbing proves nothing unless the goal is out of reach at once.
COMPLETE = [[engine] for engine in native.ENGINES if engine != "climb"] + [list(PORTFOLIO)]


@pytest.mark.parametrize("engines", COMPLETE, ids="+".join)
@settings(max_examples=EXAMPLES, deadline=None)
@given(task=small_tasks())
def test_engines_agree_with_brute_force(engines, task):
    check(NativeSearch(task.classical(), engines=engines), task)


@pytest.mark.parametrize("heuristic", HEURISTICS)
@settings(max_examples=EXAMPLES, deadline=None)
@given(task=small_tasks())
def test_heuristics_agree_with_brute_force(heuristic, task):
    check(NativeSearch(task.classical(), engines=["lazy"], heuristics=[heuristic]), task)


@pytest.mark.parametrize("engines", COMPLETE, ids="+".join)
@settings(max_examples=EXAMPLES, deadline=None)
@given(task=small_tasks(forbidding=True))
def test_forbidden_prefixes_agree_with_brute_force(engines, task):
    search = NativeSearch(task.classical(), engines=engines)
    for group, prefix in task.forbidden:
        search.forbid(prefix, group)
    check(search, task)


@settings(max_examples=EXAMPLES, deadline=None)
@given(task=small_tasks(), data=st.data())
def test_gained_deletes_agree_with_brute_force(task, data):
    search = NativeSearch(task.classical())
    check(search, task)
    for _ in range(3):
        number = data.draw(st.integers(0, len(task.actions) - 1))
        fact = data.draw(st.integers(0, task.facts - 1))
        pre, add, delete, group = task.actions[number]
        search.add_delete(number, fact)
        task.actions[number] = (pre, add, delete | {fact} - add, group)
        check(search, task)


@settings(max_examples=EXAMPLES, deadline=None)
@given(task=small_tasks(forbidding=True), data=st.data())
def test_useless_actions_are_not_missed(task, data):
    """Also where beginnings are forbidden and actions delete more later on."""
    search = NativeSearch(task.classical(), without_dead_actions=True)
    for group, prefix in task.forbidden:
        search.forbid(prefix, group)
    check(search, task)
    number = data.draw(st.integers(0, len(task.actions) - 1))
    fact = data.draw(st.integers(0, task.facts - 1))
    pre, add, delete, group = task.actions[number]
    search.add_delete(number, fact)
    task.actions[number] = (pre, add, delete | {fact} - add, group)
    check(search, task)


@pytest.mark.parametrize("heuristic", HEURISTICS)
@settings(max_examples=EXAMPLES, deadline=None)
@given(task=small_tasks(), use_costs=st.booleans())
def test_heuristics_are_sane(heuristic, task, use_costs):
    value, preferred = native.evaluate(
        strips(task.classical()), heuristic, sorted(task.init), use_costs
    )
    assert (value == 0) == (task.goal <= task.init)
    if value is None:
        assert not task.solvable()
    if heuristic in RELAXED:
        assert (value is None) == (not task.relaxed_solvable(task.init))
    assert all(task.after(task.init, action) is not None for action in preferred)


@settings(max_examples=EXAMPLES, deadline=None)
@given(task=small_tasks())
def test_additive_costs_are_exact(task):
    value, _ = native.evaluate(strips(task.classical()), "add", sorted(task.init), False)
    assert value == task.additive(task.init)


def test_heuristics_have_documentation():
    assert {"ff", "add", "goalcount"} <= set(HEURISTICS)
    assert all(native.heuristics().values())


def chain(length: int, width: int = 1) -> ClassicalTask:
    """Walks of `length` steps by `width` agents; all must arrive."""
    facts = (length + 1) * width
    pre, add, delete, group = [], [], [], []
    for agent in range(width):
        first = agent * (length + 1)
        for place in range(length):
            for start, end in ((place, place + 1), (place + 1, place)):
                pre.append([first + start])
                add.append([first + end])
                delete.append([first + start])
                group.append(agent)
    starts = [agent * (length + 1) for agent in range(width)]
    goals = [start + length for start in starts]
    cost = [1] * len(pre)
    return ClassicalTask(facts, starts, goals, flat(pre), flat(add), flat(delete), cost, group)


@pytest.mark.parametrize("engine", native.ENGINES)
def test_limits(engine):
    search = NativeSearch(hard(), engines=[engine])
    result = search.run(PlannerLimits(evaluations=1000))
    assert result.outcome is PlannerOutcome.LIMIT
    assert 1000 <= result.evaluated < 1100
    assert search.run(PlannerLimits(seconds=0.05)).outcome is PlannerOutcome.TIME
    if engine != "climb":  # climbing again and again needs no memory
        assert search.run(PlannerLimits(memory=2_000_000)).outcome is PlannerOutcome.MEMORY


def test_cancel_from_another_thread():
    search = NativeSearch(hard())
    timer = threading.Timer(0.1, search.cancel)
    timer.start()
    assert search.run(PlannerLimits(seconds=30)).outcome is PlannerOutcome.CANCELLED
    assert search.run(PlannerLimits(evaluations=100)).outcome is PlannerOutcome.LIMIT


def test_a_search_at_work_refuses_a_second_thread():
    search = NativeSearch(hard())
    worker = threading.Thread(target=search.run, args=(PlannerLimits(seconds=30),))
    worker.start()

    def is_refused() -> bool:
        try:
            search.add_delete(0, 0)
        except RuntimeError as error:
            return "another thread" in str(error)
        return False  # it was not at work yet

    until(is_refused)
    search.cancel()
    worker.join()


def test_ctrl_c_stops_a_search():
    code = (
        "from support.tasks import hard\n"
        "from tacit.planners.native import NativeSearch\n"
        "print('go', flush=True)\n"
        "try:\n    NativeSearch(hard()).run()\n"
        "except KeyboardInterrupt:\n    print('stopped')\n"
    )
    folder = TESTS
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=folder, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout.readline() == "go\n"
        until_at_work(child.pid, 0.2)
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=20)
    assert out == "stopped\n"


@pytest.mark.parametrize("engines", [*([e] for e in native.ENGINES), PORTFOLIO], ids="+".join)
def test_slices_leave_no_trace(engines):
    task = Centralised(tacit.load("depot/small")).task
    whole = NativeSearch(task, 7, engines).run(PlannerLimits(evaluations=50_000))
    again = NativeSearch(task, 7, engines).run(PlannerLimits(evaluations=50_000))
    search = NativeSearch(task, 7, engines)
    result = search.run(PlannerLimits(evaluations=13))
    while result.outcome is PlannerOutcome.LIMIT and result.evaluated < 50_000:
        result = search.run(PlannerLimits(evaluations=13))
    assert whole.plan == again.plan == result.plan
    assert whole.evaluated == again.evaluated
    assert whole.solved
    assert whole.evaluated == result.evaluated


def test_a_result_stays_until_the_task_changes():
    search = NativeSearch(chain(3))
    first = search.run()
    assert len(first.plan) == 3
    assert search.run() == first or search.run().plan == first.plan
    search.add_delete(0, 1)  # moving on from the start now loses the way: an add wins
    assert search.run().plan == first.plan
    search.forbid(first.plan)
    assert search.run().plan != first.plan


def test_nothing_may_begin_at_all():
    search = NativeSearch(chain(3))
    search.forbid([])
    assert search.run().outcome is PlannerOutcome.UNSOLVABLE


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"goal": [99]}, "no fact 99"),
        ({"cost": [1]}, "row per action"),
        ({"group": [-1, 0, 0, 0]}, "negative"),
        ({"pre": ([0, 5], [1])}, "row per action"),
    ],
)
def test_bad_tasks_are_refused(change, message):
    import dataclasses

    with pytest.raises(InputError, match=message):
        NativeSearch(dataclasses.replace(chain(2), **change))


def test_unknown_names_are_refused():
    with pytest.raises(InputError, match="did you mean 'lazy'"):
        NativeSearch(chain(1), engines=["lasy"])
    with pytest.raises(InputError, match="no heuristic called 'x'"):
        NativeSearch(chain(1), heuristics=["x"])
    with pytest.raises(InputError, match="no planner"):
        PLANNERS.get("nonesuch")
    with pytest.raises(ValueError, match="another group"):
        NativeSearch(chain(1, 2)).forbid([0], 1)


def installed() -> bool:
    try:
        find_driver()
    except InputError:
        return False
    return True


needs_fd = pytest.mark.skipif(not installed(), reason="the extra 'fd' is not installed")


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=needs_fd) if n == "fd" else n for n in PLANNERS]
)
class TestEveryPlanner:
    def test_solves_an_embedded_problem(self, name):
        instance = tacit.load("logistics/small")
        whole = Centralised(instance)
        result = PLANNERS.get(name)().solve(whole.task, PlannerLimits(seconds=60))
        assert result.solved
        assert tacit.validate(instance, whole.plan(result.plan)).valid

    def test_empty_plan(self, name):
        result = PLANNERS.get(name)().solve(chain(0, 1))
        assert result.solved
        assert result.plan == ()

    def test_no_plan(self, name):
        task = chain(2)
        blocked = ClassicalTask(
            task.facts, [], task.goal, task.pre, task.add, task.delete, task.cost, task.group
        )
        assert PLANNERS.get(name)().solve(blocked).outcome is PlannerOutcome.UNSOLVABLE

    def test_time(self, name):
        result = PLANNERS.get(name)().solve(hard(), PlannerLimits(seconds=1))
        assert result.outcome in {PlannerOutcome.TIME, PlannerOutcome.UNSOLVABLE}


@needs_fd
def test_fast_downward_takes_a_search_string():
    result = FastDownward(search="lazy_greedy([ff()],preferred=[ff()])").solve(chain(5, 2))
    assert result.solved
    assert len(result.plan) == 10
    assert result.evaluated > 0


def test_fast_downward_says_what_is_missing(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"pip install '\.\[fd\]'"):
        FastDownward().solve(chain(2))


@pytest.mark.parametrize("domain", ["blocksworld", "depot", "driverlog", "elevators", "logistics"])
def test_embedded_problems_are_solved(domain):
    instance = tacit.load(f"{domain}/medium")
    whole = Centralised(instance)
    result = Native().solve(whole.task, PlannerLimits(evaluations=200_000))
    assert result.solved
    assert tacit.validate(instance, whole.plan(result.plan)).valid


def test_both_forms_give_the_same_centralised_task(codmap):
    parts = ("depot/pfile3", "rovers/p10", "elevators08/p02")
    for part in parts:
        tasks = [
            Centralised(tacit.load(codmap / form / part)).task
            for form in ("unfactored", "factored")
        ]
        assert tasks[0].facts == tasks[1].facts
        assert len(tasks[0]) == len(tasks[1])
        assert list(tasks[0].init) == list(tasks[1].init)

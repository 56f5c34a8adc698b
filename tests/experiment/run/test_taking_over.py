"""Within one sweep, a larger budget is never without the plan of a smaller one."""

from __future__ import annotations

import itertools

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.notes import quick
from support.places import MOODS
from support.sweeps import small, swept

import tacit
from tacit.central.validate.judge import validate
from tacit.central.validate.plan import plan_of
from tacit.experiment.run import levels
from tacit.experiment.run.row import SMALLEST, Run, RunOutcome, Unit
from tacit.experiment.run.store import Store
from tacit.experiment.run.sweep import keep
from tacit.experiment.run.taking_over import OPEN, changes
from tacit.profile import profile
from tacit.public.settings import Extension, Settings, Threats

PROBLEM = "driverlog/small"


def weary(**options):
    """A solver that gives up at every third budget."""
    every = {"levels": levels.parse_levels("0:100:5"), "rankings": ("m3",), "plugins": (MOODS,)}
    return small(PROBLEM, solvers=("weary",), proofs=False, **{**every, **options})


def test_a_sweep_is_monotone_and_says_what_it_took_over(tmp_path):
    rows = swept(tmp_path / "runs.db", weary())
    runs = sorted(rows.values(), key=lambda run: run.k)
    by_itself = {run.k for run in runs if run.own_outcome is RunOutcome.SOLVED}
    first = min(by_itself)
    assert all(run.solved for run in runs if run.k >= first)
    taken = [run for run in runs if run.taken_over is not None]
    assert taken, "every budget was solved by itself: this shows nothing"
    source = tacit.load(PROBLEM).source
    for run in taken:
        assert run.taken_over == max(k for k in by_itself if k < run.k)
        assert run.own_outcome is RunOutcome.UNDECIDED
        assert run.detail == "by itself: undecided"
        assert max(run.disclosed.values()) == run.k
        assert all(run.used[agent] <= count for agent, count in run.disclosed.items())
        assert validate(source, plan_of(run.plan.splitlines())).valid
    assert not any(run.taken_over is not None for run in runs if run.k in by_itself)


def test_a_sweep_that_goes_on_with_more_budgets_ends_as_one_of_all_of_them(tmp_path):
    whole = swept(tmp_path / "whole.db", weary())
    for some in ("100", "25,70,100", "0:100:5"):
        parts = swept(tmp_path / "parts.db", weary(levels=levels.parse_levels(some)))
    assert parts == whole


# ------------------------------------------------------------------ any runs, in any order


def unit(settings: Settings = profile("tacit"), name: str = "tacit") -> Unit:  # noqa: B008
    text = msgspec.json.encode(settings).decode()
    start = ("p", "d", "unfactored", "0", "projection")
    return Unit(*start, name, text, "m3", 0, None, None, "", "0.1.0")


def made(k: int, outcome: RunOutcome, asked: str | None = None, of: Unit | None = None) -> Run:
    plan = f"(step{k})\n" if outcome is RunOutcome.SOLVED else ""
    return Run(
        unit=of or unit(),
        asked=asked or str(k),
        outcome=outcome,
        k=k,
        dependencies={"a": 9},
        disclosed={"a": k},
        plan=plan,
        cost=k if plan else None,
    )


OUTCOMES = st.sampled_from([RunOutcome.SOLVED, RunOutcome.NO_PLAN, RunOutcome.CRASH, *OPEN])


@st.composite
def orders(draw) -> list[Run]:
    outcomes = draw(st.lists(OUTCOMES, min_size=1, max_size=6))
    runs = [made(k, outcome) for k, outcome in enumerate(outcomes)]
    runs += [made(len(runs), draw(OUTCOMES), SMALLEST)] * draw(st.booleans())
    return draw(st.permutations(runs))


@quick(60)
@given(orders())
def test_whatever_the_order_and_wherever_it_stops(tmp_path_factory, runs):
    folder = tmp_path_factory.mktemp("runs")
    with Store.open(folder / "runs.db", write=True) as store:
        for count, run in enumerate(runs, 1):
            keep(store, run)
            keep(store, run)  # once more changes nothing
            assert_right(store.rows(), runs[:count])


def assert_right(stored: list[Run], raw: list[Run]) -> None:
    plans = {run.k: run for run in raw if run.solved and run.asked != SMALLEST}
    assert len(stored) == len(raw)
    for run in stored:
        (before,) = (old for old in raw if old.asked == run.asked)
        assert run.own_outcome is before.outcome
        below = [k for k in plans if run.asked == SMALLEST or k < int(run.asked)]
        if before.outcome not in OPEN or not below:
            assert run == before
            continue
        k = min(below) if run.asked == SMALLEST else max(below)
        assert (run.taken_over, run.plan, run.cost) == (k, plans[k].plan, k)
        assert run.solved
        assert run.k == (k if run.asked == SMALLEST else before.k)


REPLAN = msgspec.structs.replace(profile("tacit"), extension=Extension.REPLAN)
OTHERS = [
    *(
        msgspec.structs.replace(profile("tacit"), threats=t)
        for t in (Threats.RANKED, Threats.KNOWN)
    ),
    REPLAN,
]


@pytest.mark.parametrize(
    "never", [unit(profile("paper"), "paper"), unit(name="paper"), *map(unit, OTHERS)]
)
def test_nothing_is_taken_over_where_more_edges_may_hurt_or_the_paper_is_followed(never):
    for small_k, large in itertools.product((RunOutcome.SOLVED,), OPEN):
        runs = [made(1, small_k, of=never), made(2, large, of=never)]
        assert not changes({run.asked: run for run in runs})
        usual = [made(1, small_k), made(2, large)]
        assert len(changes({run.asked: run for run in usual})) == 1


def test_a_run_that_proves_that_there_is_no_plan_is_left_as_it_is():
    runs = [made(1, RunOutcome.SOLVED), made(2, RunOutcome.NO_PLAN)]
    assert not changes({run.asked: run for run in runs})

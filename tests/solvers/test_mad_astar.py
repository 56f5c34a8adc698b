"""Solver `mad-astar` finds the cheapest supported plan, or that there is none, as brute force does:
by all drives, heuristics and orders of agents, and however messages are delayed.
"""

from __future__ import annotations

import dataclasses
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from support.inside import drive_by, transcript_of
from support.notes import quick, say
from support.optimal import Late, cheapest, cheapest_of_all, public_cost

import tacit
from tacit import native
from tacit.central.result import Result
from tacit.central.session import Session
from tacit.errors import InputError
from tacit.profile import profile
from tacit.public.outcome import Outcome
from tacit.public.run_options import RunOptions
from tacit.public.settings import (
    Chain,
    Cost,
    Harden,
    Objective,
    Recipients,
    Rule,
    Settings,
    Threats,
)
from tacit.solvers.limits import Limits
from tacit.testing import GroundAction, GroundProblem, problems

TURNS = RunOptions("mad-astar", ranking="m3", drive="roundrobin")
ENOUGH = Limits(60)
HEURISTICS = sorted(native.admissible_heuristics())


def check(session: Session, share: float, seen: Counter[str]) -> None:
    """What a session finds is what brute force does."""
    result = session.at(round(share * session.largest), ENOUGH)
    expected = cheapest(session, session.settings.cost)
    say(f"expected {expected}")
    seen["no plan" if expected is None else "plan"] += 1
    if expected is None:
        assert result.outcome is Outcome.NO_PLAN
        return
    assert result.outcome is Outcome.SOLVED
    assert result.is_optimal
    assert result.counted_cost == expected == found_cost(session, result)


def found_cost(session: Session, result: Result) -> int | None:
    """What the plan itself costs: what crossed may say anything."""
    assert result.verdict is not None
    return result.verdict.cost if session.settings.cost is Cost.TOTAL else public_cost(session)


def with_cost(cost: Cost, **changes: object) -> Settings:
    return replace(profile("tacit"), cost=cost, **changes)


SHARES = st.sampled_from([1.0, 0.6, 0.3])


@pytest.mark.parametrize("heuristic", HEURISTICS)
def test_it_finds_the_cheapest_supported_plan(heuristic):
    seen: Counter[str] = Counter()

    @quick(60)
    @given(problems(most_cost=3), SHARES, st.sampled_from(Cost))
    def every(tiny: GroundProblem, share: float, cost: Cost) -> None:
        options = replace(TURNS, heuristic=heuristic)
        check(Session(tiny.load(), with_cost(cost), options), share, seen)

    every()
    assert min(seen["plan"], seen["no plan"]) > 8


@pytest.mark.parametrize("cost", Cost)
def test_private_goals_public_preconditions_and_free_actions_change_nothing(cost):
    seen: Counter[str] = Counter()
    kinds = problems(agents=3, public_preconditions=True, private_facts=2, most_cost=1)

    @quick(50)
    @given(kinds, SHARES)
    def every(tiny: GroundProblem, share: float) -> None:
        check(Session(tiny.load(), with_cost(cost), TURNS), share, seen)

    every()
    assert min(seen["plan"], seen["no plan"]) > 8


def test_neither_turns_nor_delays_of_frames_change_what_is_found():
    seen: Counter[str] = Counter()

    @quick(120)
    @given(problems(agents=3, most_cost=2), SHARES, st.sampled_from(Cost), st.integers(0, 999))
    def every(tiny: GroundProblem, share: float, cost: Cost, seed: int) -> None:
        session = Session(tiny.load(), with_cost(cost), TURNS)
        drive_by(session, Late(list(session.agents.values()), seed))
        check(session, share, seen)

    every()
    assert min(seen["plan"], seen["no plan"]) > 15


@pytest.mark.parametrize(
    "changes",
    [
        {"harden": (Harden.FRESH, Harden.PAD)},
        {"recipients": Recipients.ALL},
        {"threats": Threats.NONE},
        {"threats": Threats.RANKED},
        {"threats": Threats.KNOWN},
        {"chain": Chain.ANY},
        {"merge": False},
    ],
    ids=str,
)
def test_it_is_the_cheapest_under_other_settings(changes):
    seen: Counter[str] = Counter()

    @quick(25)
    @given(problems(most_cost=2), SHARES, st.sampled_from(Cost))
    def every(tiny: GroundProblem, share: float, cost: Cost) -> None:
        check(Session(tiny.load(), with_cost(cost, **changes), TURNS), share, seen)

    every()
    assert seen["plan"] > 5


@pytest.mark.parametrize("drive", ["threads", "processes"])
def test_every_drive_finds_as_cheap_a_plan(drive):
    seen: Counter[str] = Counter()

    @quick(25 if drive == "threads" else 4)
    @given(problems(agents=3, most_cost=2), st.sampled_from(Cost))
    def every(tiny: GroundProblem, cost: Cost) -> None:
        turns = Session(tiny.load(), with_cost(cost), TURNS)
        session = Session(tiny.load(), with_cost(cost), replace(TURNS, drive=drive))
        try:
            mine, other = (s.at(s.largest, ENOUGH) for s in (turns, session))
        finally:
            session.close()
        assert mine.outcome is other.outcome
        assert mine.counted_cost == other.counted_cost
        assert other.is_optimal == other.solved
        seen[mine.outcome.value] += 1

    every()
    assert seen["solved"] > 0


def test_with_everything_disclosed_it_is_the_cheapest_of_all_plans():
    @quick(60)
    @given(problems(most_cost=3))
    def every(tiny: GroundProblem) -> None:
        session = Session(tiny.load(), with_cost(Cost.TOTAL), TURNS)
        result = session.at(session.largest, ENOUGH)
        expected = cheapest_of_all(session.instance)
        assert (result.verdict.cost if result.verdict else None) == expected

    every()


def test_online_it_is_the_cheapest_on_the_ledger_that_came_about():
    @quick(40)
    @given(problems(most_cost=2), st.sampled_from(Cost))
    def every(tiny: GroundProblem, cost: Cost) -> None:
        options = replace(TURNS, ranking="goal")
        session = Session(tiny.load(), with_cost(cost), options, online=True)
        result = session.online(ENOUGH)
        expected = cheapest(session, cost)
        assert (result.counted_cost if result.solved else None) == expected
        assert result.is_optimal == result.solved

    every()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"heuristic": "ff"}, "would prove nothing"),
        ({"rule": Rule.AUTHORS}, "supported plans only"),
        ({"harden": (Harden.ONCE,)}, "cannot send states once"),
        ({"harden": (Harden.SECURE,)}, "cannot send states once"),
        ({"objective": Objective.MAKESPAN}, "least cost only"),
    ],
)
def test_what_would_prove_nothing_is_refused(changes, said):
    options = replace(TURNS, **{n: v for n, v in changes.items() if n == "heuristic"})
    settings = replace(Settings(), **{n: v for n, v in changes.items() if n != "heuristic"})
    with pytest.raises(InputError, match=said):
        Session(tacit.load("logistics/small"), settings, options)


def test_a_limit_ends_it_with_what_is_known():
    session = Session(tacit.load("depot/small"), Settings(), TURNS)
    result = session.at(session.largest, Limits(60, evaluations=1))
    assert result.outcome is Outcome.UNDECIDED
    assert not result.is_optimal
    whole = session.at(session.largest, ENOUGH)
    assert result.bound is not None
    assert whole.bound is not None
    assert result.bound <= whole.bound == whole.counted_cost


def crossed(tiny: GroundProblem, cost: Cost) -> list[tuple[str, str, bytes]]:
    session = Session(tiny.load(), with_cost(cost), replace(TURNS, record=True))
    session.at(session.largest, ENOUGH)
    return [(f.sender, f.receiver, f.payload) for f in transcript_of(session).frames]


def with_dear_private_actions(tiny: GroundProblem) -> GroundProblem:
    def dearer(agent: int) -> tuple[int, ...]:
        sides = zip(tiny.actions[agent], tiny.costs[agent], strict=True)
        return tuple(cost if is_public(action) else cost + 7 for action, cost in sides)

    return dataclasses.replace(tiny, costs=tuple(map(dearer, range(len(tiny.costs)))))


def is_public(action: GroundAction) -> bool:
    return any(kind == "p" for kind, _ in (*action.adds, *action.deletes))


def test_no_private_cost_crosses_where_public_ones_count():
    told: Counter[str] = Counter()

    @quick(100)
    @given(problems(most_cost=2, private_goals=False))
    def every(tiny: GroundProblem) -> None:
        other = with_dear_private_actions(tiny)
        assert crossed(tiny, Cost.PUBLIC) == crossed(other, Cost.PUBLIC)
        told["differ"] += crossed(tiny, Cost.TOTAL) != crossed(other, Cost.TOTAL)

    every()
    assert told["differ"] > 1, "with all costs it shows, so the test can fail"

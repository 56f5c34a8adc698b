"""Forward search gives the answers of the projection and of brute force."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.agreement import budgets, check
from support.forward import LIMITS, searching
from support.notes import quick, say
from support.problems import CONSUMED, RESTORED, SMALL, generated

from tacit.central.session import Session
from tacit.profile import PROFILES
from tacit.public.outcome import Outcome
from tacit.public.run_options import RunOptions
from tacit.public.settings import Rule, Settings, Threats
from tacit.solvers.attempt import Attempt
from tacit.solvers.effort import EffortSearch
from tacit.solvers.limits import Limits
from tacit.solvers.mafs import MafsSolver
from tacit.testing import problems

NO_THREATS = msgspec.structs.replace(Settings(), threats=Threats.NONE)


@pytest.mark.parametrize("domain", list(SMALL))
def test_families_agree_with_brute_force(domain):
    for size in SMALL[domain]:
        for seed in range(2):
            session = searching(generated(domain, size, seed), seed=seed)
            for k in budgets(session.largest):
                check(session, k)


@pytest.mark.parametrize("has_public_preconditions", [False, True], ids=["blind", "looking"])
def test_forward_search_finds_just_the_supported_plans(has_public_preconditions):
    solved = []

    @quick(120)
    @given(problems(public_preconditions=has_public_preconditions), st.integers(0, 3))
    @example(RESTORED, 0)
    @example(CONSUMED, 0)
    def run(tiny, seed):
        say("\n".join(tiny.texts))
        session = searching(tiny.load(), seed=seed)
        for k in range(session.largest + 1):
            solved.append(check(session, k).solved)

    run()
    assert set(solved) == {True, False}


@pytest.mark.parametrize("domain", list(SMALL))
@pytest.mark.parametrize("chosen", [Settings(), NO_THREATS], ids=["on-demand", "none"])
def test_the_two_solvers_never_contradict_each_other(domain, chosen):
    """On generated problems; how often the projection stays undecided is counted."""
    undecided, decided = 0, 0

    @quick(8)
    @given(st.sampled_from(list(SMALL[domain])), st.integers(0, 99))
    def run(size, seed):
        nonlocal undecided, decided
        instance = generated(domain, size, seed)
        forward, other = (
            searching(instance, chosen),
            Session(instance, chosen, RunOptions(ranking="m3")),
        )
        for k in budgets(other.largest):
            found, theirs = forward.at(k, LIMITS), other.at(k, Limits(20, 30))
            say(f"k={k}: mafs {found.outcome}, projection {theirs.outcome}")
            assert found.outcome in (Outcome.SOLVED, Outcome.NO_PLAN)
            if theirs.outcome in (Outcome.SOLVED, Outcome.NO_PLAN):
                assert theirs.outcome is found.outcome
                decided += 1
            else:
                assert theirs.outcome in (Outcome.UNDECIDED, Outcome.NOT_EXTENDED)
                undecided += 1

    run()
    print(f"{domain}: the projection decided {decided} times, not {undecided} times")
    assert decided > 0


# ------------------------------------------------------------------ the smallest k


@pytest.mark.parametrize("is_largest_hard", [False, True], ids=["largest", "grown"])
@pytest.mark.parametrize("domain", ["logistics", "driverlog", "secrets"])
def test_where_no_small_budget_is_found_large_ones_are_tried(domain, is_largest_hard, monkeypatch):
    """The largest first, and if that is too hard, growing inside one search from half of it on."""
    session = searching(generated(domain, "small", 0))
    expected, largest = session.first(LIMITS).k, session.largest
    monkeypatch.setattr(EffortSearch, "look", lambda *_: session.at(0, LIMITS))
    attempt, tried = MafsSolver.attempt, []

    def observed(solver, k, limits):
        tried.append(k)
        if k == largest and is_largest_hard:
            return Attempt(k, Outcome.UNDECIDED)
        return attempt(solver, k, limits)

    monkeypatch.setattr(MafsSolver, "attempt", observed)
    found = session.first(LIMITS)
    assert found.solved
    assert tried[1] == largest
    assert found.k == (max(expected, largest // 2) if is_largest_hard else expected)


@pytest.mark.parametrize("domain", ["logistics", "rovers", "elevators", "blocksworld", "secrets"])
def test_the_smallest_k_is_that_of_the_projection(domain):
    """`first` of the projection looks at repairs, too, and may take a larger one."""
    instance = generated(domain, "small", 0)
    found = searching(instance).first(LIMITS)
    projection = Session(instance, Settings(), RunOptions(ranking="m3"))
    limits = Limits(LIMITS.seconds, repairs=200)
    assert found.solved
    assert projection.at(found.k, limits).solved
    assert projection.at(found.k - 1, limits).outcome is Outcome.NO_PLAN


# ------------------------------------------------------------------ every rule and profile


@pytest.mark.parametrize("rule", list(Rule))
@pytest.mark.parametrize("domain", list(SMALL))
def test_every_rule_and_profile_finds_valid_plans(domain, rule):
    instance = generated(domain, "small", 0)
    for base in PROFILES.values():
        session = searching(instance, msgspec.structs.replace(base, rule=rule))
        result = session.at(session.largest, LIMITS)
        assert result.solved
        assert result.verdict is not None
        assert result.verdict.valid

"""Hardened forward search gives the answers of plain search and of brute force, and its options."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.agreement import budgets, check
from support.forward import LIMITS
from support.hardened import ALL, EACH, crossed, repeats, searching
from support.inside import ask_all, messages_of, solver_of
from support.notes import quick, say
from support.policies import in_slices
from support.problems import CONSUMED, RESTORED, SMALL, generated, short_cut

import tacit
from tacit.central.session import Session
from tacit.cli.main import run as tacit_command
from tacit.errors import InputError, ProtocolError
from tacit.public.protocol.messages import Resend
from tacit.public.run_options import RunOptions
from tacit.public.settings import Harden, Rule, Settings, hardening
from tacit.solvers.coordinator import Outcome
from tacit.solvers.forward_search import ForwardSearch
from tacit.testing import problems

# ------------------------------------------------------------------ the same answers


@pytest.mark.parametrize("has_public_preconditions", [False, True], ids=["blind", "looking"])
@pytest.mark.parametrize("names", ["fresh", "once", ALL])
def test_hardened_search_agrees_with_brute_force(names, has_public_preconditions):
    solved = []

    @quick(15)
    @given(problems(public_preconditions=has_public_preconditions), st.integers(0, 3))
    @example(RESTORED, 0)
    @example(CONSUMED, 0)
    def run(tiny, seed):
        say("\n".join(tiny.texts))
        session = searching(tiny.load(), names, seed, policy=in_slices(2))
        for k in range(session.largest + 1):
            solved.append(check(session, k).solved)
        assert "once" not in names or repeats(session) == 0

    run()
    assert set(solved) == {True, False}


@pytest.mark.parametrize("domain", list(SMALL))
def test_families_have_the_same_answers(domain):
    instance = generated(domain, SMALL[domain][-1], 1)
    plain = searching(instance, "")
    tried = list(budgets(plain.largest))
    expected = [plain.at(k, LIMITS).outcome for k in tried]
    for names in (*EACH, ALL):
        session = searching(instance, names)
        found = [session.at(k, LIMITS) for k in tried]
        assert [result.outcome for result in found] == expected
        assert all(result.verdict.valid for result in found if result.solved)


@pytest.mark.parametrize("names", ["once", ALL])
@quick(15)
@given(tiny=problems(), seed=st.integers(0, 3), rule=st.sampled_from(list(Rule)))
def test_growing_inside_one_hardened_search(names, tiny, seed, rule):
    say("\n".join(tiny.texts))
    instance = tiny.load()
    grown = solver_of(searching(instance, names, seed, rule)).grow(0, LIMITS, one_by_one=True)
    plain = searching(instance, "", seed, rule)
    outcomes = [plain.at(k, LIMITS).outcome for k in range(grown.k + 1)]
    say(f"grown: {grown.k} {grown.outcome}; plain: {outcomes}")
    assert outcomes[-1] is grown.outcome
    assert all(outcome is Outcome.NO_PLAN for outcome in outcomes[:-1])


def test_growing_in_families():
    for domain in ("logistics", "blocksworld", "sensors"):
        instance = generated(domain, "small", 0)
        first = searching(instance, "").first(LIMITS)
        found = searching(instance, ALL).first(LIMITS)
        assert found.solved
        assert found.k == first.k


@pytest.mark.parametrize("drive", ["threads", "processes"])
def test_other_drivers(drive):
    instance, options = tacit.load("logistics/small"), {"drive": drive, "harden": ALL}
    result = tacit.solve(instance, "mafs", "m3", smallest=True, time_limit=60, **options)
    assert result.solved
    assert result.k == 2
    assert tacit.solve(instance, "mafs", "m3", time_limit=60, **options).solved


@pytest.mark.parametrize("names", ["once", ALL])
def test_what_was_kept_back_is_sent_when_nobody_can_go_on(names, monkeypatch):
    """In small slices the short way is told before the long way is known."""
    session = searching(short_cut(), names, policy=in_slices(1))
    result = session.at(session.largest, LIMITS)
    assert result.solved
    assert {calls for _, calls, *_ in crossed(session)} == {0, 1}
    assert repeats(session) == 0
    monkeypatch.setattr(ForwardSearch, "_withholds", False)
    lost = searching(short_cut(), names, policy=in_slices(1))
    assert lost.at(lost.largest, LIMITS).outcome is Outcome.NO_PLAN


def test_one_index_stands_for_both_ways():
    """In a large slice both are known before anything is told; the plan is traced through one."""
    session = searching(short_cut(), "once")
    result = session.at(session.largest, LIMITS)
    assert result.solved
    assert [step.name for step in result.plan.steps] == ["prepare", "walk", "assist", "end"]
    assert not any(isinstance(m, Resend) for m in messages_of(session))


# ------------------------------------------------------------------ options


def test_hardening_is_spelled_one_way():
    assert hardening("") == hardening("none") == ()
    assert hardening("pad, Fresh,pad") == (Harden.FRESH, Harden.PAD)
    with pytest.raises(InputError, match="'fersh'") as told:
        hardening("fersh")
    assert "fresh" in str(told.value)


def test_there_is_nothing_to_harden_but_forward_search(capsys):
    instance = tacit.load("logistics/small")
    with pytest.raises(InputError, match="nothing to harden"):
        tacit.solve(instance, "projection", harden="fresh")
    words = "solve logistics/small --solver projection --harden fresh"
    assert tacit_command(words.split()) != 0
    assert "nothing to harden" in capsys.readouterr().err


def test_nothing_is_sent_again_that_was_not_agreed_on():
    session = Session(tacit.load("logistics/small"), Settings(), RunOptions("mafs"))
    session.at(session.largest)
    with pytest.raises(ProtocolError):
        ask_all(session, Resend("solver"))

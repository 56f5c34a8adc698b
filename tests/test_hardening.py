"""Hardened forward search gives the answers of plain search and of brute force, and its options."""

from __future__ import annotations

import brute
import pytest
from brute import generated, quick, say, tinies
from forward import LIMITS
from hardened import ALL, EACH, crossed, repeats, searching
from hypothesis import given
from hypothesis import strategies as st
from test_mafs import check
from test_projection import budgets

import tacit
from tacit.central.instance import Instance
from tacit.central.solve import Means, Session
from tacit.cli.main import run as tacit_command
from tacit.errors import InputError, ProtocolError
from tacit.public.protocol.messages import Again
from tacit.public.settings import Harden, Rule, Settings, hardening
from tacit.solvers.asking import Outcome
from tacit.solvers.mafs import MafsSolver
from tacit.transport import drive

# ------------------------------------------------------------------ the same answers


@pytest.mark.parametrize("looks", [False, True], ids=["blind", "looking"])
@pytest.mark.parametrize("names", ["fresh", "once", ALL])
def test_hardened_search_agrees_with_brute_force(names, looks, monkeypatch):
    solved = []

    monkeypatch.setattr(drive, "SLICE", 2)

    @quick(15)
    @given(tinies(looks=looks), st.integers(0, 3))
    def run(tiny, seed):
        say("\n".join(tiny.texts))
        session = searching(tiny.load(), names, seed)
        for k in range(session.largest + 1):
            solved.append(check(session, k).solved)
        assert "once" not in names or repeats(session) == 0

    run()
    assert 0.1 < sum(solved) / len(solved) < 0.9


@pytest.mark.parametrize("domain", list(brute.SMALL))
def test_families_have_the_same_answers(domain):
    instance = generated(domain, brute.SMALL[domain][-1], 1)
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
@given(tiny=tinies(), seed=st.integers(0, 3), rule=st.sampled_from(list(Rule)))
def test_growing_inside_one_hardened_search(names, tiny, seed, rule):
    say("\n".join(tiny.texts))
    instance = tiny.load()
    grown = searching(instance, names, seed, rule)._solver.grow(0, LIMITS, patience=None)
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
    result = tacit.solve(
        tacit.load("logistics/small"), "mafs", "m3", drive=drive, harden=ALL, time_limit=60
    )
    assert result.solved
    assert result.k == 2


def short_cut() -> Instance:
    """The short way to (p) breaks what `a` needs after `b`; the long way does not.

    That it cannot be mended is hidden from the heuristic: (up) and (down) never hold together.
    """
    domain = """(define (domain d) (:types ta tb)
      (:predicates (n) (p) (q) (r) (g)
        (:private ?a - ta (whole ?a - ta) (up ?a - ta) (down ?a - ta))
        (:private ?b - tb (fit ?b - tb)))
      (:action rush :agent ?a - ta :parameters ()
        :precondition (and (n) (whole ?a)) :effect (and (p) (not (n)) (not (whole ?a))))
      (:action prepare :agent ?a - ta :parameters ()
        :precondition (and (n)) :effect (and (r) (not (n))))
      (:action walk :agent ?a - ta :parameters ()
        :precondition (and (r)) :effect (and (p) (not (r))))
      (:action lower :agent ?a - ta :parameters ()
        :precondition (and (up ?a)) :effect (and (down ?a) (not (up ?a))))
      (:action mend :agent ?a - ta :parameters ()
        :precondition (and (up ?a) (down ?a)) :effect (and (whole ?a)))
      (:action assist :agent ?b - tb :parameters ()
        :precondition (and (p) (fit ?b)) :effect (and (q)))
      (:action end :agent ?a - ta :parameters ()
        :precondition (and (q) (whole ?a)) :effect (and (g))))"""
    problem = """(define (problem d) (:domain d)
      (:objects (:private a a - ta) (:private b b - tb))
      (:init (n) (whole a) (up a) (fit b)) (:goal (and (g))))"""
    return brute.instance_of(domain, problem)


@pytest.mark.parametrize("names", ["once", ALL])
def test_what_was_kept_back_is_sent_when_nobody_can_go_on(names, monkeypatch):
    """In small slices the short way is told before the long way is known."""
    monkeypatch.setattr(drive, "SLICE", 1)
    session = searching(short_cut(), names)
    result = session.at(session.largest, LIMITS)
    assert result.solved
    assert {calls for _, calls, *_ in crossed(session)} == {0, 1}
    assert repeats(session) == 0
    monkeypatch.setattr(MafsSolver, "_keeps_back", False)
    lost = searching(short_cut(), names)
    assert lost.at(lost.largest, LIMITS).outcome is Outcome.NO_PLAN


def test_one_index_stands_for_both_ways():
    """In a large slice both are known before anything is told; the plan is traced through one."""
    session = searching(short_cut(), "once")
    result = session.at(session.largest, LIMITS)
    assert result.solved
    assert [step.name for step in result.plan.steps] == ["prepare", "walk", "assist", "end"]
    assert not any(isinstance(m, Again) for m in session._party.transcript.messages())


# ------------------------------------------------------------------ options


def test_hardening_is_spelled_one_way():
    assert hardening("") == hardening("none") == ()
    assert hardening("pad, Fresh,pad") == (Harden.FRESH, Harden.PAD)
    with pytest.raises(InputError, match="'fersh'") as told:
        hardening("fersh")
    assert "fresh" in str(told.value)


def test_there_is_nothing_to_harden_but_forward_search(capsys):
    instance = tacit.load("logistics/small")
    with pytest.raises(InputError, match="forward search"):
        tacit.solve(instance, harden="fresh")
    assert tacit_command(["solve", "logistics/small", "--harden", "fresh"]) != 0
    assert "nothing to harden" in capsys.readouterr().err


def test_nothing_is_sent_again_that_was_not_agreed_on():
    session = Session(tacit.load("logistics/small"), Settings(), means=Means("mafs"))
    session.at(session.largest)
    with pytest.raises(ProtocolError):
        session._solver._ask_all(Again("solver"))

"""Proofs that there is no plan at a budget: against brute force, and against what solvers find."""

from __future__ import annotations

import brute
import msgspec
import pytest
from brute import joint_of, quick, say, tinies
from forward import with_rule
from hypothesis import given
from hypothesis import strategies as st
from test_mafs_rules import answers
from test_projection import budgets, generated

from tacit.central.analysis.proof import Prover, can_be_proved
from tacit.central.solve import Session
from tacit.profile import profile
from tacit.public.settings import Extension, Rule, Settings


@pytest.mark.parametrize("thorough", [False, True])
def test_what_is_refuted_has_no_plan(thorough):
    seen = {True: 0, False: 0}

    @quick(150)
    @given(tinies(), st.integers(0, 3))
    def run(tiny, seed):
        say("\n".join(tiny.texts))
        session = Session(tiny.load(), Settings(), seed=seed)
        prover = Prover(session, Settings())
        for k in budgets(session.largest):
            why = prover.refutation(k, thorough)
            try:
                plan = joint_of(session).plan()
            except brute.TooLarge:
                continue
            say(f"k={k} '{why}' {plan}")
            assert plan is None or not why
            if plan is None:
                seen[bool(why)] += 1

    run()
    assert seen[True] > 5 * seen[False]


def test_by_the_rule_of_the_authors_the_start_is_free():
    refuted = 0

    @quick(60)
    @given(tinies(most_acts=4, private_goals=False), st.integers(0, 3))
    def run(tiny, seed):
        nonlocal refuted
        session = Session(tiny.load(), with_rule(Rule.AUTHORS), seed=seed)
        prover = Prover(session, with_rule(Rule.AUTHORS))
        for k in budgets(session.largest):
            if prover.refutation(k, thorough=True):
                refuted += 1
                try:
                    assert not answers(session, Rule.AUTHORS)
                except brute.TooLarge:
                    continue

    run()
    assert refuted > 20


@pytest.mark.parametrize("domain", list(brute.SMALL))
@pytest.mark.parametrize("ranking", ["m1", "goal"])
def test_families_are_refuted_just_below_what_solves(domain, ranking):
    """In these small problems the proof is as good as a search of everything."""
    for size in brute.SMALL[domain]:
        session = Session(generated(domain, size, 0), Settings(), ranking)
        every = range(session.largest + 1)
        found = Prover(session, Settings()).largest_refuted(every)
        refuted = found[0] if found else -1
        for k in every:
            session.disclose(k)
            try:
                has_plan = joint_of(session).plan() is not None
            except brute.TooLarge:
                continue
            assert not (has_plan and k <= refuted)


def test_the_largest_of_some_budgets_is_the_largest_of_all_below_it():
    session = Session(generated("depot", next(iter(brute.SMALL["depot"])), 0), Settings(), "m2")
    prover = Prover(session, Settings())
    everywhere = prover.largest_refuted(range(session.largest + 1))
    assert everywhere is not None
    last, why = everywhere
    assert why
    assert prover.largest_refuted([0, last, last + 1, session.largest])[0] == last
    assert prover.largest_refuted([last + 1, session.largest]) is None
    assert prover.largest_refuted([]) is None


def test_only_solvers_that_keep_to_what_is_disclosed_are_refuted():
    paper, ours = profile("paper"), profile("tacit")
    pairwise = msgspec.structs.replace(ours, rule=Rule.PAIRWISE)
    assert paper.extension is Extension.REPLAN
    assert can_be_proved("projection", ours)
    assert can_be_proved("mafs", ours)
    assert can_be_proved("mafs", paper)
    assert not can_be_proved("projection", paper)
    assert can_be_proved("projection", pairwise)
    assert not can_be_proved("mafs", pairwise)
    assert not can_be_proved("of a plugin", ours)

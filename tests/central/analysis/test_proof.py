"""Proofs that there is no plan at a budget: against brute force, and against what solvers find."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support import brute
from support.agreement import budgets
from support.brute import joint_of
from support.forward import with_rule
from support.notes import quick, say
from support.problems import CONSUMED, SMALL, generated
from support.rules import answers

from tacit.central.analysis.proof import Prover
from tacit.central.session import Session
from tacit.profile import profile
from tacit.public.run_options import RunOptions
from tacit.public.settings import Extension, Rule, Settings
from tacit.solvers.mafs import MafsSolver
from tacit.solvers.projection import ProjectionSolver
from tacit.solvers.solver import Solver
from tacit.testing import problems


@pytest.mark.parametrize("thorough", [False, True])
def test_what_is_refuted_has_no_plan(thorough):
    seen = {True: 0, False: 0}

    @quick(150)
    @given(problems(), st.integers(0, 3))
    def run(tiny, seed):
        say("\n".join(tiny.texts))
        session = Session(tiny.load(), Settings(), RunOptions(seed=seed))
        prover = Prover(session, Settings())
        for k in budgets(session.largest):
            why = prover.why_unsolvable(k, thorough)
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


def test_by_the_rule_of_the_authors_the_initial_state_is_free():
    refuted = 0

    @quick(60)
    @given(problems(most_actions=4, private_goals=False), st.integers(0, 3))
    @example(CONSUMED, 0)
    def run(tiny, seed):
        nonlocal refuted
        session = Session(tiny.load(), with_rule(Rule.AUTHORS), RunOptions(seed=seed))
        prover = Prover(session, with_rule(Rule.AUTHORS))
        for k in budgets(session.largest):
            if prover.why_unsolvable(k, thorough=True):
                refuted += 1
                try:
                    assert not answers(session, Rule.AUTHORS)
                except brute.TooLarge:
                    continue

    run()
    assert refuted


@pytest.mark.parametrize("domain", list(SMALL))
@pytest.mark.parametrize("ranking", ["m1", "goal"])
def test_families_are_refuted_just_below_what_solves(domain, ranking):
    """In these small problems the proof is as good as a search of everything."""
    for size in SMALL[domain]:
        session = Session(generated(domain, size, 0), Settings(), RunOptions(ranking=ranking))
        every = range(session.largest + 1)
        found = Prover(session, Settings()).largest_unsolvable(every)
        refuted = found[0] if found else -1
        for k in every:
            session.disclose(k)
            try:
                has_plan = joint_of(session).plan() is not None
            except brute.TooLarge:
                continue
            assert not (has_plan and k <= refuted)


def test_the_largest_of_some_budgets_is_the_largest_of_all_below_it():
    session = Session(
        generated("depot", next(iter(SMALL["depot"])), 0), Settings(), RunOptions(ranking="m2")
    )
    prover = Prover(session, Settings())
    everywhere = prover.largest_unsolvable(range(session.largest + 1))
    assert everywhere is not None
    last, why = everywhere
    assert why
    assert prover.largest_unsolvable([0, last, last + 1, session.largest])[0] == last
    assert prover.largest_unsolvable([last + 1, session.largest]) is None
    assert prover.largest_unsolvable([]) is None


def test_only_solvers_that_keep_to_what_is_disclosed_are_refuted():
    paper, ours = profile("paper"), profile("tacit")
    pairwise = msgspec.structs.replace(ours, rule=Rule.PAIRWISE)
    assert paper.extension is Extension.REPLAN
    projection, mafs = ProjectionSolver.keeps_to_supported, MafsSolver.keeps_to_supported
    assert projection(ours)
    assert mafs(ours)
    assert mafs(paper)
    assert not projection(paper)
    assert projection(pairwise)
    assert not mafs(pairwise)
    assert not Solver.keeps_to_supported(ours), "nothing is known of another solver"

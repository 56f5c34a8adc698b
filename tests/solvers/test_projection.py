"""The joint projection against brute force, its monotony, and problems that once went wrong."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace
from support.agreement import budgets, one_agent
from support.brute import is_supported, joint_of
from support.forward import TURNS
from support.notes import quick, say
from support.problems import CONSUMED, RESTORED, SMALL, generated

import tacit
from tacit.central.session import Session
from tacit.party.disclosure.graph import INIT
from tacit.public.protocol.messages import (
    ExtendAnswer,
    Failure,
    PrefixFails,
    RepairWithheld,
    Scope,
    Undecided,
)
from tacit.public.run_options import RunOptions
from tacit.public.settings import Chain, Settings, Threats
from tacit.solvers.projection import Limits, Outcome, ProjectionSolver
from tacit.testing import problems

NO_THREATS = msgspec.structs.replace(Settings(), threats=Threats.NONE)
KNOWN = msgspec.structs.replace(Settings(), threats=Threats.KNOWN)


# ------------------------------------------------------------------ the solver and brute force


def check(session: Session, k: int, repairs: int = 60) -> Outcome:
    """One budget: the solver and brute force do not contradict each other."""
    result = session.at(k, Limits(20, repairs))
    expected = joint_of(session).plan()
    say(f"k={k} {result.outcome} repairs {result.repairs}")
    say(f"brute force: {expected and [(op.agent, op.local) for op in expected]}")
    if result.solved:
        assert expected is not None, "the solver returned a plan where none is supported"
        assert result.verdict is not None
        assert result.verdict.valid
        for agent in session.agents.values():
            assert agent.local_plan is not None
            actions = [action for action, _ in agent.local_plan.actions]
            assert is_supported(agent.dependencies, agent.disclosed, actions)
    elif result.outcome is not Outcome.UNDECIDED:
        assert result.outcome is Outcome.NO_PLAN
        assert expected is None, "the solver denied a supported executable plan"
    return result.outcome


@pytest.mark.parametrize("domain", [domain for domain in SMALL if domain != "secrets"])
def test_families_agree_with_brute_force(domain):
    for size in SMALL[domain]:
        for seed in range(3):
            session = Session(generated(domain, size, seed), Settings(), RunOptions(seed=seed))
            for k in budgets(session.largest):
                assert check(session, k) is not Outcome.UNDECIDED


@pytest.mark.parametrize("seed", range(2))
def test_private_actions_with_public_preconditions(seed):
    """Secrets is repaired by joint prefixes alone, so that forward search has to decide it."""
    for size in SMALL["secrets"]:
        session = Session(generated("secrets", size, seed), Settings(), RunOptions(seed=seed))
        for k in (0, 1, 2, session.largest):
            assert check(session, k, repairs=30) is not Outcome.UNDECIDED


@pytest.mark.parametrize("seed", [1, 2, 7])
def test_a_larger_budget_solves_what_a_smaller_one_does_with_public_preconditions(seed):
    session = Session(generated("secrets", {}, seed), Settings(), RunOptions(ranking="m3"))
    found = [session.at(k, Limits(evaluations=20_000)) for k in range(session.largest + 1)]
    first = next(result.k for result in found if result.solved)
    assert [result.k for result in found if not result.solved] == list(range(first))
    assert {result.outcome for result in found[:first]} <= {Outcome.NO_PLAN}


@pytest.mark.parametrize("has_public_preconditions", [False, True], ids=["blind", "looking"])
def test_the_solver_finds_just_the_supported_plans(has_public_preconditions):
    """Random problems. Giving up is no contradiction, but must be rare."""
    outcomes: list[Outcome] = []

    @quick(170)
    @given(problems(public_preconditions=has_public_preconditions), st.integers(0, 3))
    @example(RESTORED, 0)
    @example(CONSUMED, 0)
    def run(tiny, seed):
        say("\n".join(tiny.texts))
        session = Session(tiny.load(), Settings(), RunOptions(seed=seed))
        for k in range(session.largest + 1):
            outcomes.append(check(session, k))

    run()
    assert {Outcome.SOLVED, Outcome.NO_PLAN} <= set(outcomes)
    assert outcomes.count(Outcome.UNDECIDED) < 0.1 * len(outcomes)


@pytest.mark.parametrize("ranking", ["m1", "m2", "m4", "random"])
def test_other_rankings_agree_too(ranking):
    outcomes: list[Outcome] = []

    @quick(25)
    @given(problems(), st.integers(0, 3))
    @example(RESTORED, 0)
    @example(CONSUMED, 0)
    def run(tiny, seed):
        say("\n".join(tiny.texts))
        session = Session(tiny.load(), Settings(), RunOptions(ranking=ranking, seed=seed))
        for k in budgets(session.largest):
            outcomes.append(check(session, k))

    run()
    assert {Outcome.SOLVED, Outcome.NO_PLAN} <= set(outcomes)
    assert outcomes.count(Outcome.UNDECIDED) < 0.1 * len(outcomes)


# ------------------------------------------------------------------ problems that went wrong


def names(result) -> list[str]:
    return [step.name for step in result.plan.steps]


@pytest.fixture
def charger():
    """`use1` empties the battery and a private action fills it; `other` comes too late."""
    return one_agent(
        "(charged ?a - agent)",
        [
            ("use1", "(charged ?a)", "(p) (not (charged ?a))"),
            ("refill", "", "(charged ?a)"),
            ("use2", "(charged ?a) (p)", "(g)"),
            ("other", "(g)", "(q) (charged ?a)"),
        ],
        "(charged a)",
        "(g)",
    )


@pytest.mark.parametrize("choice", [NO_THREATS, Settings()], ids=["none", "on-demand"])
def test_a_private_action_undoes_a_direct_threat(charger, choice):
    session = Session(charger, choice)
    result = session.at(session.largest)
    assert result.solved
    assert names(result) == ["use1", "refill", "use2"]


def test_known_threats_may_exclude_executable_plans(charger):
    session = Session(charger, KNOWN)
    assert session.at(session.largest).outcome is Outcome.NO_PLAN


@pytest.mark.parametrize(
    "run_options", [RunOptions("projection"), TURNS], ids=["projection", "mafs"]
)
def test_a_plan_that_executes_but_is_not_supported_is_none(run_options):
    """After x only b brings f back; with the edge of the start alone, `x b c` is not supported."""
    instance = one_agent(
        "(f ?a - agent)",
        [
            ("x", "", "(p) (not (f ?a))"),
            ("d", "(p)", "(q)"),
            ("b", "(p)", "(f ?a) (q)"),
            ("c", "(f ?a) (p) (q)", "(g)"),
        ],
        "(f a)",
        "(g)",
    )
    session = Session(instance, Settings(), run_options)
    assert session.largest == 2
    result = session.at(1)
    assert [edge.achiever for edge in session.agents["a"].disclosed] == [INIT]
    assert result.outcome is Outcome.NO_PLAN
    result = session.at(2)
    assert result.solved
    assert names(result)[-1] == "c"
    assert {"x", "b"} <= set(names(result))


def test_a_private_action_with_public_preconditions_takes_a_joint_prefix():
    instance = one_agent(
        "(f ?a - agent)",
        [
            ("switch", "", "(p)"),
            ("switch-off", "(p)", "(not (p))"),
            ("prepare", "(p)", "(f ?a)"),
            ("use", "(f ?a)", "(g)"),
        ],
        "",
        "(g)",
    )
    result = Session(instance, Settings()).at(0)
    answers = [m for m in result.transcript.messages() if isinstance(m, ExtendAnswer)]
    assert answers[0] == PrefixFails("a", 1, Scope.JOINT, for_good=True)
    assert not any(isinstance(a, PrefixFails) and a.scope is Scope.OWN for a in answers)
    assert result.solved
    assert names(result)[0] == "switch"
    assert names(result)[-1] == "use"


def test_a_static_token_may_be_restored_over_another_object():
    """No edge under `object`, so `held` is left out; but `bring` and a private action give it.

    A threat on it would exclude this plan, which is supported: it needs no token at all.
    """
    instance = one_agent(
        "(near ?x - thing ?a - agent) (held ?a - agent)",
        [
            ("collect", "(held ?a)", "(p) (not (held ?a)) (not (near x ?a))"),
            ("bring", "(p)", "(q) (near x ?a)"),
            ("grab", "(near x ?a)", "(held ?a)"),
            ("use", "(held ?a) (p)", "(g)"),
        ],
        "(held a)",
        "(g)",
    )
    session = Session(instance, Settings(chain=Chain.OBJECT))
    assert session.largest == 0
    result = session.at(0)
    assert result.solved
    assert names(result) == ["collect", "bring", "grab", "use"]


def test_a_private_goal_that_only_the_initial_state_achieves_is_lost_once():
    """`x` ends the private goal for good: one answer must settle it, not ever longer prefixes."""
    instance = one_agent("(f ?a - agent)", [("x", "", "(g) (not (f ?a))")], "(f a)", "(g) (f a)")
    assert Session(instance, Settings()).at(0, Limits(repairs=20)).outcome is Outcome.NO_PLAN


def test_a_private_goal_out_of_reach_is_no_plan():
    instance = one_agent("(f ?a - agent)", [("x", "", "(g)")], "", "(g) (f a)")
    assert Session(instance, Settings()).at(0, Limits(repairs=20)).outcome is Outcome.NO_PLAN


# ------------------------------------------------------------------ answers of several agents


@pytest.fixture
def told(monkeypatch, _never_pessimistic) -> list[Failure]:
    """Whatever is in it is answered besides, whenever somebody cannot do its part."""
    more: list[Failure] = []
    ask = ProjectionSolver._failed

    def failed(self, steps):
        found = ask(self, steps)
        return [*more, *found] if found else []

    monkeypatch.setattr(ProjectionSolver, "_failed", failed)
    return more


def test_an_undecided_agent_does_not_matter_where_another_rules_the_plan_out(told):
    def result(run_options=RunOptions("projection")):  # noqa: B008
        session = Session(
            tacit.load("blocksworld/small"), Settings(), replace(run_options, ranking="m3")
        )
        return session.at(99, Limits(60))

    alone = result()
    assert alone.solved
    assert sum(alone.repairs.values()) > 0
    told.append(Undecided("nobody"))
    together = result()
    assert (together.plan, together.repairs) == (alone.plan, alone.repairs)
    told[0] = RepairWithheld("nobody")
    assert result().changed_over
    assert result(RunOptions("projection", change_over=False)).outcome is Outcome.UNDECIDED

"""The joint projection against brute force, its monotony, and problems that once went wrong."""

from __future__ import annotations

import brute
import msgspec
import pytest
from brute import generated, is_supported, joint_of, tinies
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from tacit.public.settings import Settings, Threats
from tacit.solvers.projection import Limits, Outcome
from tacit.whole.solve import Session

QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
NO_THREATS = msgspec.structs.replace(Settings(), threats=Threats.NONE)


def check(session: Session, k: int, repairs: int = 150) -> Outcome:
    """One budget: the solver and brute force do not contradict each other."""
    result = session.at(k, Limits(20, repairs))
    expected = joint_of(session).plan()
    note(f"k={k} {result.outcome} repairs {result.repairs}")
    note(f"brute force: {[(op.agent, op.local) for op in expected or ()]} {expected is not None}")
    if result.solved:
        assert expected is not None, "the solver returned what is not supported"
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


def budgets(largest: int) -> list[int]:
    """All of them, or a sample that has the small ones and the largest."""
    return sorted({*range(min(largest, 3) + 1), largest // 2, largest - 1, largest} - {-1})


# Office 1 and courier meet only in prefixes of all steps: too many to be decided in a few seconds.
FAMILIES = [(d, n) for d, sizes in brute.SMALL.items() for n in range(len(sizes))]


@pytest.mark.parametrize(("domain", "size"), [x for x in FAMILIES if x[0] != "secrets"])
def test_families_agree_with_brute_force(domain, size):
    for seed in range(3):
        session = Session(generated(domain, brute.SMALL[domain][size], seed), Settings(), seed=seed)
        for k in budgets(session.largest):
            assert check(session, k) is not Outcome.UNDECIDED


def test_the_solver_finds_just_the_supported_plans():
    """Random problems; giving up is no contradiction, but must be rare."""
    outcomes: list[Outcome] = []

    @settings(max_examples=400, deadline=None, suppress_health_check=QUIET, database=None)
    @given(tinies(), st.integers(0, 3))
    def run(tiny, seed):
        note("\n".join(tiny.texts))
        session = Session(tiny.load(), Settings(), seed=seed)
        for k in range(session.largest + 1):
            outcomes.append(check(session, k))

    run()
    assert outcomes.count(Outcome.SOLVED) > 100
    assert outcomes.count(Outcome.NO_PLAN) > 100
    assert outcomes.count(Outcome.UNDECIDED) < 0.05 * len(outcomes)

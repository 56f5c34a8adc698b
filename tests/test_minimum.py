"""The fewest dependencies to disclose: bounds and plans against brute force."""

from __future__ import annotations

import brute
import pytest
from brute import TooLarge, generated, is_supported, say, tinies
from cheapest import (
    NO_THREATS,
    ON_DEMAND,
    Tried,
    cheapest,
    choices_of,
    has_plan,
    has_public_plan,
    quick,
)
from hypothesis import assume, given
from hypothesis import strategies as st

from tacit.central.analysis.minimum import OBJECTIVES, Hunt, Minimum
from tacit.public.settings import Threats


def check(hunt: Hunt, objectives: tuple[str, ...] = OBJECTIVES) -> Minimum:
    """Lower bound ≤ optimum ≤ best found, for plans in public and for plans carried out."""
    result, choices = hunt.run(), choices_of(hunt)
    say(f"{result.lower} {result.best} {[w.value for w in result.witness.values()]}")
    carries = Tried(choices, has_plan)
    is_public = result.threats is Threats.NONE
    decisive = Tried(choices, has_public_plan) if is_public else carries
    for objective in objectives:
        optimum = cheapest(choices, objective, decisive)
        say(f"{objective}: {optimum}")
        if optimum is None:
            assert objective not in result.best
            assert result.solvable is not True
            continue
        assert result.solvable is not False
        assert result.lower[objective] <= optimum
        if objective in result.best:
            assert optimum <= result.best[objective]
        witness = result.witness.get(objective)
        if witness is not None:
            carried = cheapest(choices, objective, carries)
            assert carried is not None
            assert carried <= witness.value
            check_witness(hunt, witness)
    return result


def check_witness(hunt: Hunt, witness) -> None:
    """The plan is valid, and supported by what the witness discloses and nothing else."""
    assert witness.verdict.valid
    for name, agent in choices_of(hunt).agents.items():
        own = agent.dependencies
        names = {own.task.action_name(n).lower(): n for n in range(len(own.task.arrays.schema))}
        steps = [names[str(step)] for step in witness.plan.steps if step.agent == name]
        assert is_supported(own, witness.edges[name], steps)


@pytest.mark.parametrize("chosen", [NO_THREATS, ON_DEMAND], ids=["none", "on-demand"])
def test_random_problems_against_brute_force(chosen):
    results: list[Minimum] = []

    @quick(30)
    @given(tinies(most_acts=5), st.integers(0, 3))
    def run(tiny, seed):
        say("\n".join(tiny.texts))
        hunt = Hunt(tiny.load(), chosen, seed=seed)
        assume(1 <= len(choices_of(hunt)) <= 7)
        results.append(check(hunt))

    run()
    assert sum(result.is_proven for result in results) > 0.9 * len(results)
    assert sum(result.best.get("sum", 0) > 0 for result in results) > 3
    assert any(result.solvable is False for result in results)


@pytest.mark.parametrize("chosen", [NO_THREATS, ON_DEMAND], ids=["none", "on-demand"])
def test_prices_against_brute_force(chosen):
    """Edges that cost nothing are told anyway, and those without a price never."""
    never = 0

    @quick(20)
    @given(tinies(most_acts=5), st.lists(st.sampled_from([0, 1, 1, 2, 5, None]), min_size=12))
    def run(tiny, prices):
        nonlocal never
        say("\n".join(tiny.texts))
        say(str(prices))
        number = {}

        def price(agent, edge):
            return prices[number.setdefault((agent, edge), len(number)) % len(prices)]

        hunt = Hunt(tiny.load(), chosen, price=price)
        assume(len(choices_of(hunt)) <= 6)
        result = check(hunt)
        for witness in result.witness.values():
            for agent, edges in witness.edges.items():
                assert all(price(agent, edge) is not None for edge in edges)
                assert witness.paid[agent] == sum(price(agent, edge) or 0 for edge in edges)
            never += None in prices

    run()
    assert never


@pytest.mark.parametrize("domain", list(brute.SMALL))
@pytest.mark.parametrize("chosen", [NO_THREATS, ON_DEMAND], ids=["none", "on-demand"])
def test_families_against_brute_force(domain, chosen):
    hunt = Hunt(generated(domain, brute.SMALL[domain][0], 1), chosen)
    result = hunt.run()
    assert result.is_proven
    compared = 0
    for objective in OBJECTIVES:
        try:
            check(hunt, (objective,))
            compared += 1
        except TooLarge:
            continue
    assert compared or len(choices_of(hunt)) > 12

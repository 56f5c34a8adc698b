"""The fewest dependencies to disclose: bounds and plans against brute force."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from support.brute import TooLarge, is_supported
from support.cheapest import (
    NO_THREATS,
    ON_DEMAND,
    Tried,
    cheapest,
    has_plan,
    has_public_plan,
)
from support.inside import choices_of
from support.notes import quick, say
from support.problems import SMALL, generated

from tacit.central.analysis.minimum import OBJECTIVES, Minimum, MinimumSearch
from tacit.public.settings import Threats
from tacit.testing import GroundAction, GroundProblem, problems


def check(search: MinimumSearch, objectives: tuple[str, ...] = OBJECTIVES) -> Minimum:
    """Lower bound ≤ optimum ≤ best found, for plans in public and for plans carried out."""
    result, choices = search.run(), choices_of(search)
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
            check_witness(search, witness)
    return result


def check_witness(search: MinimumSearch, witness) -> None:
    """The plan is valid, and supported by what the witness discloses and nothing else."""
    assert witness.verdict.valid
    for name, agent in choices_of(search).agents.items():
        own = agent.dependencies
        names = {own.task.action_name(n).lower(): n for n in range(len(own.task.arrays.schema))}
        steps = [names[str(step)] for step in witness.plan.steps if step.agent == name]
        assert is_supported(own, witness.edges[name], steps)


MAKE = GroundAction((("p", 2),), (("p", 0), ("f", 0)), (("p", 2),))
USE = GroundAction((("f", 0),), (("p", 1),), (("p", 0),))


def workshop(*goal: int) -> GroundProblem:
    """`MAKE` achieves what `USE` needs, once, and `USE` undoes its public effect."""
    wanted = tuple(("p", n, 0) for n in goal)
    return GroundProblem(3, 1, (0,), ((MAKE, USE), ()), (("p", 2, 0),), wanted)


@pytest.mark.parametrize("chosen", [NO_THREATS, ON_DEMAND], ids=["none", "on-demand"])
def test_random_problems_against_brute_force(chosen):
    results: list[Minimum] = []

    @quick(30)
    @given(problems(most_actions=5), st.integers(0, 3))
    @example(workshop(1), 0)
    @example(workshop(0, 1), 0)
    def run(tiny, seed):
        say("\n".join(tiny.texts))
        search = MinimumSearch(tiny.load(), chosen, seed=seed)
        assume(1 <= len(choices_of(search)) <= 7)
        results.append(check(search))

    run()
    assert sum(result.is_proven for result in results) > 0.9 * len(results)
    assert results[0].best["sum"] == 1
    assert results[1].solvable is False


@pytest.mark.parametrize("chosen", [NO_THREATS, ON_DEMAND], ids=["none", "on-demand"])
def test_prices_against_brute_force(chosen):
    """Edges that cost nothing are told anyway, and those without a price never."""
    never = 0

    @quick(20)
    @given(problems(most_actions=5), st.lists(st.sampled_from([0, 1, 1, 2, 5, None]), min_size=12))
    @example(workshop(1), [1, None])
    def run(tiny, prices):
        nonlocal never
        say("\n".join(tiny.texts))
        say(str(prices))
        number = {}

        def price(agent, edge):
            return prices[number.setdefault((agent, edge), len(number)) % len(prices)]

        search = MinimumSearch(tiny.load(), chosen, price=price)
        assume(len(choices_of(search)) <= 6)
        result = check(search)
        for witness in result.witness.values():
            for agent, edges in witness.edges.items():
                assert all(price(agent, edge) is not None for edge in edges)
                assert witness.paid[agent] == sum(price(agent, edge) or 0 for edge in edges)
            never += None in prices

    run()
    assert never


@pytest.mark.parametrize("domain", list(SMALL))
@pytest.mark.parametrize("chosen", [NO_THREATS, ON_DEMAND], ids=["none", "on-demand"])
def test_families_against_brute_force(domain, chosen):
    search = MinimumSearch(generated(domain, SMALL[domain][0], 1), chosen)
    result = search.run()
    assert result.is_proven
    compared = 0
    for objective in OBJECTIVES:
        try:
            check(search, (objective,))
            compared += 1
        except TooLarge:
            continue
    assert compared or len(choices_of(search)) > 12

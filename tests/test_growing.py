"""Growing k inside one search gives the answers of fresh searches: each k fails or solves as alone.

Every budget from which a search may start is tried, up to the smallest that solves. All answers are
proofs or plans: a search that gives up fails the test.
"""

from __future__ import annotations

import brute
import msgspec
import pytest
from brute import generated, quick, say, tinies
from forward import grow_one_by_one, searching
from hypothesis import given
from hypothesis import strategies as st

from tacit.profile import PROFILES
from tacit.public.outcome import Outcome
from tacit.public.settings import Rule, Settings, hardening
from tacit.solvers.limits import Limits
from tacit.whole.instance import Instance

RANKINGS = ("m1", "m2", "m3", "m4", "goal", "random")
DECIDING = Limits(evaluations=50_000)


def check_growing(
    instance: Instance, ranking: str, seed: int = 0, chosen: Settings = Settings()  # noqa: B008
) -> int:
    """Compare all budgets; returns the smallest that solves, or the largest if none does."""
    fresh = searching(instance, chosen, seed, ranking)
    outcomes: list[Outcome] = []
    for k in range(fresh.largest + 1):
        outcomes.append(fresh.at(k, DECIDING).outcome)
        if outcomes[-1] is Outcome.SOLVED:
            break
    say(f"{ranking}, fresh: {outcomes}")
    assert all(outcome is Outcome.NO_PLAN for outcome in outcomes[:-1])
    assert outcomes[-1] in (Outcome.SOLVED, Outcome.NO_PLAN)
    growing = searching(instance, chosen, seed, ranking)
    for low in range(len(outcomes)):
        grown = grow_one_by_one(growing, low, DECIDING)
        say(f"grown from {low}: {grown.outcome} at {grown.k}")
        assert (grown.k, grown.outcome) == (len(outcomes) - 1, outcomes[-1])
    return len(outcomes) - 1


# ------------------------------------------------------------------ families


@pytest.mark.parametrize("ranking", RANKINGS)
@pytest.mark.parametrize("domain", list(brute.SMALL))
def test_families(domain, ranking):
    check_growing(generated(domain, brute.SMALL[domain][-1], 2), ranking, 2)


@pytest.mark.parametrize("domain", ["elevators", "logistics", "sensors"])
def test_where_others_hold_the_tokens_of_the_start(domain):
    """What an edge of the start gives is told by its owner, after others have begun to search on."""
    found = [check_growing(generated(domain, "small", 1), ranking) for ranking in ("m1", "m3")]
    assert min(found) > 0


@pytest.mark.slow
@pytest.mark.parametrize("ranking", RANKINGS)
@pytest.mark.parametrize("domain", list(brute.SMALL))
def test_many_of_each_family(domain, ranking):
    sizes: list[object] = [*brute.SMALL[domain]]
    if domain != "blocksworld":  # to prove that there is no plan takes too long there
        sizes.append("small")
    for size in sizes:
        for seed in range(10):
            check_growing(generated(domain, size, seed), ranking, seed)


# ------------------------------------------------------------------ random problems

CHOSEN = st.builds(
    lambda base, rule, names: msgspec.structs.replace(base, rule=rule, harden=hardening(names)),
    st.sampled_from(list(PROFILES.values())),
    st.sampled_from(list(Rule)),
    st.sampled_from(["", "", "once", "fresh,once,pad"]),
)


@quick(40)
@given(tinies(looks=True), st.sampled_from(RANKINGS), st.integers(0, 3))
def test_random_problems(tiny, ranking, seed):
    say("\n".join(tiny.texts))
    check_growing(tiny.load(), ranking, seed)

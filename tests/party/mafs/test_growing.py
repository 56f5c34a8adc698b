"""Growing k inside one search gives the answers of fresh searches: each k fails or solves as alone.

Every budget from which a search may start is tried, up to the smallest that solves. All answers are
proofs or plans: a search that gives up fails the test.
"""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.draws import some, up_to
from support.forward import grow_one_by_one, searching
from support.hardened import ALL, hardened
from support.notes import quick, say
from support.policies import in_slices
from support.problems import SMALL, generated

from tacit.central.instance import Instance
from tacit.policy import POLICY, Policy
from tacit.profile import profile
from tacit.public.outcome import Outcome
from tacit.public.settings import Rule, Settings
from tacit.solvers.limits import Limits
from tacit.testing import Fact, GroundAction, GroundProblem, problems

RANKINGS = ("m1", "m2", "m3", "m4", "goal", "random")
DECIDING = Limits(evaluations=50_000)


def check_growing(
    instance: Instance,
    ranking: str,
    seed: int = 0,
    chosen: Settings = Settings(),  # noqa: B008
    policy: Policy = POLICY,
) -> int:
    """Compare all budgets; returns the smallest that solves, or the largest if none does."""
    fresh = searching(instance, chosen, seed, ranking, policy)
    outcomes: list[Outcome] = []
    for k in range(fresh.largest + 1):
        outcomes.append(fresh.at(k, DECIDING).outcome)
        if outcomes[-1] is Outcome.SOLVED:
            break
    say(f"{ranking}, fresh: {outcomes}")
    assert all(outcome is Outcome.NO_PLAN for outcome in outcomes[:-1])
    assert outcomes[-1] in (Outcome.SOLVED, Outcome.NO_PLAN)
    growing = searching(instance, chosen, seed, ranking, policy)
    for low in range(len(outcomes)):
        grown = grow_one_by_one(growing, low, DECIDING)
        say(f"grown from {low}: {grown.outcome} at {grown.k}")
        assert (grown.k, grown.outcome) == (len(outcomes) - 1, outcomes[-1])
    return len(outcomes) - 1


# ------------------------------------------------------------------ families


@pytest.mark.parametrize("ranking", RANKINGS)
@pytest.mark.parametrize("domain", list(SMALL))
def test_families(domain, ranking):
    check_growing(generated(domain, SMALL[domain][-1], 2), ranking, 2)


def test_dead_ends_live_again_when_others_tell_that_they_gained_tokens():
    """Agent 0 must go first. It hears of agent 1's edge of the start before agent 1 tells that it
    has the token there, and takes its own start for a dead end once more in between.
    """
    opened, done, aside = (("p", n) for n in range(3))
    fit = ("f", 0)
    first = (GroundAction((), (opened,), ()),)
    second = (GroundAction((opened, fit), (done,), ()), GroundAction((done,), (aside, fit), ()))
    tiny = GroundProblem(3, 1, (0,), (first, second), (("f", 0, 1),), (("p", 1, 0),))
    assert check_growing(tiny.load(), "m3") > 0


def test_an_agent_with_nothing_to_do_sends_what_it_gained():
    """Agent 0 takes its start for a dead end until agent 1 tells that it has a token for a step.

    Agent 1 does not know what agent 0 lacks, so it has evaluated its start before, and cannot go on
    from there: all it has to do is to tell.
    """
    opened, mended, done, aside = (("p", n) for n in range(4))
    whole, part = ("f", 0), ("f", 1)
    first = (
        GroundAction((), (opened, part), ()),
        GroundAction((mended, part), (whole,), ()),
        GroundAction((whole,), (done,), ()),
        GroundAction((done,), (aside, whole), ()),
    )
    second = (
        GroundAction((opened, whole), (mended,), ()),
        *(GroundAction((done, part), (aside,), cut) for cut in ((), (opened,), (mended,))),
        GroundAction((done,), (aside, whole), (done,)),
        GroundAction((done,), (aside, part), (done,)),
    )
    init = (("f", 0, 1), ("f", 1, 1))
    tiny = GroundProblem(4, 2, (0, 0), (first, second), init, (("p", 2, 0),))
    assert check_growing(tiny.load(), "m1") > 1


@pytest.mark.slow
@pytest.mark.parametrize("ranking", RANKINGS)
@pytest.mark.parametrize("domain", list(SMALL))
def test_many_of_each_family(domain, ranking):
    sizes: list[object] = [*SMALL[domain]]
    if domain != "blocksworld":  # to prove that there is no plan takes too long there
        sizes.append("small")
    for size in sizes:
        for seed in range(10):
            check_growing(generated(domain, size, seed), ranking, seed)


# ------------------------------------------------------------------ random problems


@st.composite
def relays(draw: st.DrawFn) -> GroundProblem:
    """Public facts in a row, each made by some agent who needs the one before and private facts.

    Private facts hold at the start as a rule, and have other achievers. So most small budgets fail,
    and before an agent makes a step it must have heard that the others have tokens for theirs.
    """
    agents, length, privates = draw(up_to(3, 2)), draw(up_to(5, 3)), 3
    row = tuple(("p", n) for n in range(length))
    private = tuple(("f", n) for n in range(privates))
    sides: list[list[GroundAction]] = [[] for _ in range(agents)]
    for n, made in enumerate(row):
        own, before = draw(some(private, 1, 2)), row[n - 1 : n]
        used = draw(some(own, 0, 1))
        sides[draw(up_to(agents - 1))].append(GroundAction(before + own, (made,), used))
    for side in sides:
        side += [draw_achiever(draw, row, private, fact) for fact in private]
    every = tuple(("f", n, agent) for agent in range(agents) for n in range(privates))
    init = draw(some(every, len(every) - 2, len(every)))
    goal = (("p", length - 1, 0), *draw(some(every, 0, 1)))
    things = tuple(draw(up_to(1)) for _ in range(privates))
    return GroundProblem(length + 1, privates, things, tuple(map(tuple, sides)), init, goal)


def draw_achiever(
    draw: st.DrawFn, row: tuple[Fact, ...], private: tuple[Fact, ...], made: tuple[str, int]
) -> GroundAction:
    """An action that makes a private fact true, in one of five cases a private one."""
    needs = draw(some(row, 0, 1))
    used = tuple(fact for fact in draw(some(private, 0, 1)) if fact != made)
    if draw(up_to(4)) == 0:
        return GroundAction(needs + used, (made,), ())
    return GroundAction(needs, (("p", len(row)), made), used)


@quick(80)
@given(relays(), st.sampled_from(RANKINGS), st.integers(0, 3))
def test_random_relays(tiny, ranking, seed):
    say("\n".join(tiny.texts))
    check_growing(tiny.load(), ranking, seed)


CHOSEN = [msgspec.structs.replace(Settings(), rule=rule) for rule in Rule]
CHOSEN += [msgspec.structs.replace(profile("paper"), rule=r) for r in (Rule.AUTHORS, Rule.PAIRWISE)]


@quick(100)
@given(problems(), st.sampled_from(RANKINGS), st.integers(0, 3), st.sampled_from(CHOSEN))
def test_random_problems_under_every_rule(tiny, ranking, seed, chosen):
    say("\n".join(tiny.texts))
    check_growing(tiny.load(), ranking, seed, chosen)


@pytest.mark.slow
@pytest.mark.parametrize("slice_of_work", [1, 3, 64])
@pytest.mark.parametrize("names", ["", "once", ALL])
def test_many_random_problems_in_every_way_to_search(names, slice_of_work):
    policy = in_slices(slice_of_work)
    smallest = []

    @quick(150)
    @given(
        st.one_of(relays(), problems(public_preconditions=True)),
        st.sampled_from(RANKINGS),
        st.integers(0, 9),
        st.sampled_from(CHOSEN),
    )
    def run(tiny, ranking, seed, chosen):
        say("\n".join(tiny.texts))
        smallest.append(check_growing(tiny.load(), ranking, seed, hardened(names, chosen), policy))

    run()
    assert sum(k > 0 for k in smallest) > 50

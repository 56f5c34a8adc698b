"""A leader that fishes with chosen plans gets no more than its members' owners allow."""

from __future__ import annotations

import random
from functools import partial

import pytest
from support.hostile import Company, company, disclose_all, is_plan, refusal

from tacit.party.bounds import Bounds
from tacit.policy import POLICY
from tacit.public.disclosure import PublicStep
from tacit.public.outcome import Outcome
from tacit.public.projection import Projection
from tacit.public.protocol.link import Terms
from tacit.safety import SAFETY
from tacit.searchers import Clock, make_search
from tacit.solvers.attempt import Counters

UNNEEDED = "asks about a public plan that no run needs: "


def with_detours(projection: Projection, plan: tuple[PublicStep, ...], rng: random.Random):
    """The plan with steps put in that change nothing of its being a plan of the projection."""
    for _ in range(20):
        found = list(plan)
        for _ in range(rng.randint(1, 4)):
            found.insert(rng.randrange(len(found) + 1), rng.choice(projection.steps))
        if is_plan(projection, tuple(found)):
            return tuple(found)
    return plan


def fish(one: Company, tries: int, seed: int = 0) -> tuple[int, str]:
    """Ask about so many chosen plans: plans that no run needs, and plans of the projection with
    detours; how many were answered, and the fault that ended it.
    """
    rng, answered = random.Random(seed), 0
    projection, plan, mark = one.projection(), (), None
    for number in range(tries):
        if mark != one.mark:
            mark, projection = one.mark, one.projection()
            search = make_search(projection, rng.randrange(6), "native", number, None, Clock())
            outcome, found = search.run(20.0, 20_000, Counters())
            if outcome is not Outcome.SOLVED:
                return answered, ""
            plan = projection.named(found)
        steps = with_detours(projection, plan, rng)
        said = refusal(partial(one.extend_all, steps))
        if said:
            return answered, said
        answered += 1
    return answered, ""


def repairs_of(one: Company) -> dict[str, int]:
    """Repairs of each agent, by the ledgers of all, which are the same."""
    for name in one.names:
        one.members[name].agent.close_ledger()
    ledgers = [one.members[name].agent.ledger for name in one.names]
    found = [{name: ledger.counts(name).repairs for name in one.names} for ledger in ledgers]
    assert all(each == found[0] for each in found)
    return found[0]


@pytest.mark.parametrize("domain", ["depot", "blocksworld"])
def test_a_leader_that_fishes_gets_no_more_than_the_terms_allow(domain):
    agreed = Terms("projection", repairs=5)
    made = company(domain, terms=agreed, bounds=Bounds().within(None, agreed.repairs))
    made.begin()
    disclose_all(made)
    _, said = fish(made, 300)
    repairs = repairs_of(made)
    assert max(repairs.values()) == 5
    if domain == "blocksworld":  # in the other one there is no plan left to ask about
        assert f"'{made.leader}' asks for more repairs than" in said


@pytest.mark.slow
@pytest.mark.parametrize("domain", ["depot", "blocksworld", "elevators"])
def test_ten_thousand_chosen_plans(domain):
    """By default an owner's failed extensions are bounded, and all that they show is on the
    ledger.
    """
    made = company(domain, bounds=Bounds(repairs=POLICY.repair.single_answers))
    made.begin()
    disclose_all(made)
    answered, said = fish(made, 10_000)
    repairs = repairs_of(made)
    print(f"{domain}: answered {answered} of 10,000 plans, repairs {repairs}; in the end: {said}")
    assert max(repairs.values()) <= POLICY.repair.single_answers
    assert not said or "more repairs than was agreed" in said
    assert answered <= SAFETY.leader.failures * len(made.names) + 10_000


@pytest.mark.parametrize("domain", ["logistics", "depot", "blocksworld"])
def test_without_edges_chosen_steps_of_a_victim_show_nothing(domain):
    """Pairs of the victim's own steps after steps of anybody, at k = 0: nothing is answered."""
    one = company(domain, terms=Terms(k=0), bounds=Bounds(edges=0))
    one.begin()
    victim = one.victims[0]
    rng, every = random.Random(1), one.projection().steps
    own = [step for step in every if step.agent == victim]
    for _ in range(300):
        before = [rng.choice(every) for _ in range(rng.randrange(4))]
        steps = (*before, rng.choice(own), rng.choice(own))
        said = refusal(partial(one.extend, victim, steps))
        assert UNNEEDED in said
    assert not any(repairs_of(one).values())

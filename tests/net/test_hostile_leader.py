"""A leader that asks what no run needs: honest members refuse, say what it was, and show nothing."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from functools import partial

import pytest
from support.hostile import Company, company, refusal

from tacit.party.bounds import Bounds
from tacit.public.disclosure import FINISH, PublicStep
from tacit.public.outcome import Outcome
from tacit.public.projection import Projection
from tacit.public.protocol.link import Terms
from tacit.public.protocol.messages import (
    Begin,
    EdgeDisclosed,
    Extended,
    JointReach,
    NextLayer,
    PrefixFails,
    Repair,
    RepairWithheld,
)
from tacit.public.settings import Rule, Settings
from tacit.searchers import Clock, make_search
from tacit.solvers.attempt import Counters

DOMAINS = ("logistics", "blocksworld", "depot")
UNNEEDED = "asks about a public plan that no run needs: "


def disclose_all(one: Company) -> None:
    """Everybody discloses every edge, so that there are plans to ask about."""
    is_open = set(one.names)
    while is_open:
        for name in sorted(is_open):
            if not isinstance(one.turn(name), EdgeDisclosed):
                is_open.discard(name)


def plan_of(projection: Projection, way: int = 0) -> tuple[PublicStep, ...]:
    search = make_search(projection, way, "native", 0, None, Clock())
    outcome, plan = search.run(60.0, 200_000, Counters())
    assert outcome is Outcome.SOLVED
    return projection.named(plan)


def is_plan(projection: Projection, steps: tuple[PublicStep, ...]) -> bool:
    """The same as members check, on the projection itself."""
    holds = set(projection.init)
    for step in steps:
        action = projection.number.get(step)
        if action is None or not holds.issuperset(projection.needs[action]):
            return False
        holds = holds.difference(projection.deletes[action]).union(projection.adds[action])
    return holds.issuperset(projection.goal)


def mutated(steps: tuple[PublicStep, ...], every: list[PublicStep], rng: random.Random):
    """A plan with a step left out, put in, doubled or exchanged, or cut short."""
    found, at = list(steps), rng.randrange(len(steps))
    kind = rng.randrange(5)
    if kind == 0:
        del found[at]
    elif kind == 1:
        found.insert(at, rng.choice(every))
    elif kind == 2:
        other = rng.randrange(len(found))
        found[at], found[other] = found[other], found[at]
    elif kind == 3:
        found = found[:at]
    else:
        found[at] = rng.choice(every)
    return tuple(found)


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_member_answers_about_plans_of_the_projection_alone(domain):
    """Chosen plans are answered just if they are plans of the projection of the common ledger."""
    one = company(domain)
    one.begin()
    disclose_all(one)
    rng = random.Random(domain)
    asked = refused = 0
    for way in range(3):
        projection = one.projection()
        plan = plan_of(projection, way)
        for _ in range(60):
            steps = mutated(plan, projection.steps, rng)
            if not is_plan(projection, steps):
                victim = rng.choice(one.victims)
                before = one.mark
                said = refusal(partial(one.extend, victim, steps))
                assert said is not None and UNNEEDED in said, steps
                assert f"'{one.leader}'" in said
                assert one.mark == before, "nothing was disclosed"
                refused += 1
        answers = one.extend_all(plan)
        asked += len(answers)
        if all(isinstance(answer, Extended) for answer in answers):
            break
    assert asked and refused > 40


def test_a_refusal_names_what_was_asked():
    one = company("logistics")
    one.begin()
    disclose_all(one)
    plan = plan_of(one.projection())
    victim = one.victims[0]
    cases = {
        (): "it does not reach all public goals",
        plan[:-1]: "it does not reach all public goals|leaves out the last action",
        plan[::-1]: r"step \d+, of '\w+', needs a (token|public fact) that does not hold",
        (PublicStep(victim, FINISH), *plan): f"step 1, of '{victim}', was never published",
    }
    for steps, text in cases.items():
        said = refusal(partial(one.extend, victim, steps))
        assert said is not None and re.search(UNNEEDED + f".*({text})", said), (steps, said)


def test_nothing_is_answered_about_tokens_that_nobody_disclosed():
    """With an empty ledger every plan needs tokens, one's own or others', that do not hold."""
    one = company("logistics")
    one.begin()
    bare = one.projection()
    free = replace(bare, init=[*bare.init, *bare.tokens.values()])
    plan = plan_of(free)
    for victim in one.victims:
        said = refusal(partial(one.extend, victim, plan))
        assert said is not None and "needs a token that does not hold by the ledger" in said
    assert one.mark == (0,) * len(one.names)


def failing(domain: str, seed: int = 0) -> tuple[Company, tuple[PublicStep, ...], list]:
    """A run in which some agent answers a plan with a repair; the plan, and the answers."""
    one = company(domain, seed=seed)
    one.begin()
    disclose_all(one)
    for way in range(6):
        plan = plan_of(one.projection(), way)
        answers = one.extend_all(plan)
        if any(isinstance(answer, Repair) for answer in answers):
            return one, plan, answers
    pytest.fail("this problem takes repairs")


def test_what_was_answered_is_not_asked_again():
    """A threat or a prefix on the ledger rules the same plan out, for all members."""
    for domain, seed in (("blocksworld", 1), ("depot", 0)):
        one, plan, answers = failing(domain, seed)
        for name in one.names:
            before = one.mark
            said = refusal(partial(one.extend, name, plan))
            assert said is not None and UNNEEDED in said
            assert one.mark == before
        if any(isinstance(answer, PrefixFails) for answer in answers):
            assert "cannot execute it" in said


def test_all_must_be_asked_about_the_same_plans():
    """One member alone is asked about a plan that fails: the others hear of it by the digest."""
    one = company("depot", leader=-1)
    one.begin()
    disclose_all(one)
    plan = plan_of(one.projection())
    answers = {name: one.extend(name, plan) for name in one.victims[:1]}
    (victim,) = answers
    assert isinstance(answers[victim], Repair)
    others = one.victims[1:]
    assert others
    for name in others:
        said = refusal(partial(one.turn, name))
        assert said is not None and f"'{name}' and '{victim}' were asked about different" in said


def layers_of(one: Company) -> list[tuple[int, ...]]:
    """The rounds of relaxed layers as a run needs them, by asking."""
    rounds, known, news = [], set(one.public.init), ()
    while True:
        answers = one.ask_all(NextLayer(one.leader, news))
        news = tuple(sorted({fact for answer in answers for fact in answer.facts} - known))
        if not news:
            return rounds
        known.update(news)
        rounds.append(news)

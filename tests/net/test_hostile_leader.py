"""A leader that asks what no run needs: honest members refuse, say what it was, show nothing."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from functools import partial

import pytest
from support.hostile import Company, company, disclose_all, is_plan, plan_of, refusal
from support.hosts import play, small

from tacit.net.leading import Leading
from tacit.public.disclosure import FINISH, PublicStep
from tacit.public.protocol.link import Concluded, Terms
from tacit.public.protocol.messages import (
    Ack,
    Begin,
    Disclose,
    Extended,
    Follow,
    JointReach,
    PrefixFails,
    Repair,
    decode,
    is_disclosure,
)
from tacit.public.protocol.recording import read_recording
from tacit.public.settings import Rule, Settings

DOMAINS = ("logistics", "blocksworld", "depot")
UNNEEDED = "asks about a public plan that no run needs: "


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
                assert UNNEEDED in said, steps
                assert f"'{one.leader}'" in said
                assert one.mark == before, "nothing was disclosed"
                refused += 1
        answers = one.extend_all(plan)
        asked += len(answers)
        if all(isinstance(answer, Extended) for answer in answers):
            break
    assert asked
    assert refused > 40


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
        assert re.search(UNNEEDED + f".*({text})", said), (steps, said)


def test_nothing_is_answered_about_tokens_that_nobody_disclosed():
    """With an empty ledger every plan needs tokens, one's own or others', that do not hold."""
    one = company("logistics")
    one.begin()
    bare = one.projection()
    free = replace(bare, init=[*bare.init, *bare.tokens.values()])
    plan = plan_of(free)
    for victim in one.victims:
        said = refusal(partial(one.extend, victim, plan))
        assert "needs a token that does not hold by the ledger" in said
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
            assert UNNEEDED in said
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
        assert f"'{name}' and '{victim}' were asked about different" in said


def searching(rule: Rule = Rule.PAIRWISE) -> Company:
    """A company that searches under a rule for which it asks what is jointly in reach."""
    terms = Terms("mafs", settings=Settings(rule=rule))
    one = company("depot", terms=terms)
    one.begin()
    one.ask_all(Begin(one.leader, 1, one.mark, terms.heuristic, grows=True))
    return one


def test_joint_reachability_has_no_facts_out_of_nowhere():
    """Facts one by one, to see what each of them makes possible: what nobody can have reached, or
    only later, is not answered.
    """
    refused = 0
    for at in range(3):
        one = searching()
        victim = one.victims[0]
        rounds = rounds_of(one, up_to=at)
        reached = {*one.public.init, *(fact for news in rounds for fact in news)}
        later = [fact for fact in range(len(one.public.facts)) if fact not in reached]
        assert later
        possible = possible_for(one, victim, reached)
        for fact in later[:: 1 + len(later) // 8]:
            fresh = searching()
            rounds_of(fresh, up_to=at)
            said = refusal(partial(fresh.ask, victim, JointReach(fresh.leader, (fact,))))
            if at == 0:
                assert "news belong to every round but the first" in said
            elif fact not in possible:
                assert "nobody can have reached 1 of 1" in said
                refused += 1
    assert refused


def possible_for(one: Company, victim: str, reached: set[int]) -> set[int]:
    """What others than the victim can reach by themselves from these facts, each alone."""
    found = set(reached)
    for name, part in one.publications.items():
        own, is_new = set(reached), name != victim
        while is_new:
            now = own.union(*(a.adds for a in part.actions if own.issuperset(a.needs)))
            own, is_new = now, now != own
        found |= own
    return found


def rounds_of(one: Company, up_to: int) -> list[tuple[int, ...]]:
    """The first rounds of joint reachability as a run has them; what was new in each."""
    known, news, rounds = set(one.public.init), (), []
    for _ in range(up_to):
        answers = one.ask_all(JointReach(one.leader, news))
        news = tuple(sorted({fact for answer in answers for fact in answer.facts} - known))
        known.update(news)
        rounds.append(news)
    return rounds


def test_no_round_of_reachability_is_asked_twice():
    two = searching()
    victim = two.victims[0]
    (news, *_) = rounds_of(two, up_to=2)
    for facts, text in ((news, "repeats"), ((), "news belong to every round")):
        said = refusal(partial(two.ask, victim, JointReach(two.leader, facts)))
        assert text in said


def test_joint_reachability_is_for_rules_that_need_it():
    terms = Terms("mafs")
    one = company("depot", terms=terms)
    one.begin()
    one.ask_all(Begin(one.leader, 1, one.mark, terms.heuristic, grows=True))
    said = refusal(partial(one.ask, one.victims[0], JointReach(one.leader, ())))
    assert "the rule 'supported' does not need" in said
    terms = Terms("mafs", settings=Settings(rule=Rule.PAIRWISE))
    two = company("depot", terms=terms)
    two.begin()
    two.ask_all(Begin(two.leader, 1, two.mark, terms.heuristic, grows=True))
    two.ask_all(JointReach(two.leader, ()))
    victim = two.victims[0]
    possible = possible_for(two, victim, set(two.public.init))
    later = (min(set(range(len(two.public.facts))) - possible),)
    said = refusal(partial(two.ask, victim, JointReach(two.leader, later)))
    assert "nobody can have reached 1 of 1" in said


def test_guidance_is_a_plan_of_the_projection_too():
    """The states that follow would show how far any steps can be executed."""
    terms = Terms("mafs")
    one = company("logistics", terms=terms)
    one.begin()
    disclose_all(one)
    one.ask_all(Begin(one.leader, 1, one.mark, terms.heuristic, grows=True))
    plan = plan_of(one.projection())
    assert isinstance(one.ask(one.victims[0], Follow(one.leader, plan, one.mark)), Ack)
    for steps in (plan[:-1], plan[::-1], ()):
        said = refusal(partial(one.ask, one.victims[0], Follow(one.leader, steps, one.mark)))
        assert UNNEEDED in said


class Greedy(Leading):
    """A leader that is introduced as it should be, and then asks for everything."""

    def run(self) -> Concluded:
        coordinator = self._solver().coordinator
        for question in (Disclose(self._talk.own, None), Disclose(self._talk.own, 2**31 - 1)):
            for agent in self._public.agents:
                if agent != self._talk.own:
                    coordinator.ask(agent, question)
        raise AssertionError("somebody answered")


def test_who_asks_for_everything_learns_nothing(tmp_path, monkeypatch):
    """Between hosts: all honest agents name the leader and what it asked, and disclose no edge."""
    monkeypatch.setattr("tacit.net.host.Leading", Greedy)
    made = small("logistics", tmp_path, secret="fuzz")
    found = play({agent: made.host(agent) for agent in made.names})
    recordings = [read_recording(made.configs[agent].outputs.transcript) for agent in made.names]
    sent = [decode(e.payload) for one in recordings for e in one.entries if e.is_sent]
    (leader,) = {message.sender for message in sent if isinstance(message, Disclose)}
    assert not [message for message in sent if is_disclosure(message)]
    honest = [str(end) for agent, end in found.items() if agent != leader]
    text = f"agent '{leader}' asks for something that was not agreed on ('disclose')"
    assert text in honest, "who was asked names what was asked"
    assert all(leader in end or "left" in end for end in honest)

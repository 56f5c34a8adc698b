"""Replanning: only where the strict extension fails, always a plan, and never in silence."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.forms import read
from support.notes import quick, say
from support.policies import ONE_PLAN
from support.problems import CONSUMED, SMALL, generated, instance_of
from support.renaming import check_renaming

from tacit.central.instance import Instance
from tacit.central.result import Result
from tacit.central.session import Session
from tacit.domains import DOMAINS
from tacit.errors import ProtocolError
from tacit.policy import POLICY
from tacit.profile import PROFILES
from tacit.public.disclosure import PublicStep
from tacit.public.protocol.messages import Replan, Replanned, encode
from tacit.public.run_options import RunOptions
from tacit.public.settings import Extension, Settings, Threats
from tacit.solvers import replanning
from tacit.solvers.projection import Limits, Outcome
from tacit.testing import GroundAction, GroundProblem, problems

PAPER = PROFILES["paper"]
BLIND = Settings(threats=Threats.NONE, extension=Extension.REPLAN)


def strictly(choice: Settings) -> Settings:
    return msgspec.structs.replace(choice, extension=Extension.STRICT, repair=False)


GIVE, TAKE = GroundAction((), (("p", 0), ("f", 0)), ()), GroundAction((), (("p", 1),), (("f", 0),))
REPLANNED = GroundProblem(
    2, 1, (0,), ((GIVE, TAKE), ()), (), (("p", 0, 0), ("p", 1, 0), ("f", 0, 0))
)
"""The order that is found first leaves the agent without the fact that it wants to have."""


def compare(replans: Session, strict: Session, k: int) -> str:
    """One budget with and without replanning; how the plan was made, or why there is none."""
    result, before = replans.at(k), strict.at(k)
    say(f"k={k}: strict {before.outcome}, replan {result.outcome} {result.replanned}")
    if before.outcome is not Outcome.NOT_EXTENDED:
        assert (result.outcome, result.plan) == (before.outcome, before.plan)
        assert result.replanned is None
        return result.extension or result.outcome.value
    if result.solved:
        assert result.extension == "replanned"
        assert result.verdict is not None
        assert result.verdict.valid
        check_counts(result, replans)
    else:
        assert result.outcome is Outcome.NOT_EXTENDED
    return result.extension or result.outcome.value


def check_counts(result: Result, session: Session) -> None:
    """The counts of changed steps fit what was asked first and what was agreed to last."""
    asked = [m for m in result.transcript.messages() if isinstance(m, Replan)]
    told = [m for m in result.transcript.messages() if isinstance(m, Replanned)]
    assert asked
    assert told[-1].succeeded
    assert result.replanned is not None
    assert set(result.replanned) == set(session.agents)


@pytest.mark.parametrize("choice", [BLIND, PAPER], ids=["none", "paper"])
@pytest.mark.parametrize("has_public_preconditions", [False, True], ids=["blind", "looking"])
def test_random_problems(has_public_preconditions, choice):
    ways: Counter[str] = Counter()

    @quick(70)
    @given(problems(public_preconditions=has_public_preconditions), st.integers(0, 3))
    @example(REPLANNED, 0)
    @example(CONSUMED, 0)
    def run(tiny, seed):
        say("\n".join(tiny.texts))
        instance = tiny.load()
        replans = Session(instance, choice, RunOptions(seed=seed), policy=ONE_PLAN)
        strict = Session(instance, strictly(choice), RunOptions(seed=seed), policy=ONE_PLAN)
        for k in sorted({0, 1, 2, replans.largest // 2, replans.largest}):
            ways[compare(replans, strict, k)] += 1

    run()
    assert ways["strict"]
    assert ways["not extended"]
    assert ways["replanned"]


@pytest.mark.parametrize("choice", [BLIND, PAPER], ids=["none", "paper"])
@pytest.mark.parametrize("domain", list(SMALL))
def test_families(domain, choice):
    for seed in range(2):
        instance = generated(domain, SMALL[domain][-1], seed)
        replans = Session(instance, choice, RunOptions(seed=seed), policy=ONE_PLAN)
        strict = Session(instance, strictly(choice), RunOptions(seed=seed), policy=ONE_PLAN)
        for k in sorted({1, replans.largest // 2, replans.largest}):
            compare(replans, strict, k)


# ------------------------------------------------------------------ problems by hand

HANDS = """(define (domain hands) (:types one two - agent)
  (:predicates (p) (q) (g) (lit) (:private ?a - agent (free ?a - agent) (warm ?a - agent)))
  (:action take-p :agent ?a - one :parameters () :precondition (free ?a)
    :effect (and (p) (not (free ?a))))
  (:action take-q :agent ?a - one :parameters () :precondition (free ?a)
    :effect (and (q) (not (free ?a))))
  (:action rest :agent ?a - one :parameters () :effect (and (free ?a) (not (lit))))
  (:action warm-up :agent ?a - two :parameters () :precondition (lit) :effect (warm ?a))
  (:action shine :agent ?a - two :parameters () :precondition (and (warm ?a) (p)) :effect (g)))"""


def hands(goal: str = "(p) (q) (g)", domain: str = HANDS) -> Instance:
    """`a` has one hand and puts the light out when it rests; `b` warms up while it is lit."""
    objects = "(:private a a - one) (:private b b - two)"
    problem = f"""(define (problem hands) (:domain hands) (:objects {objects})
      (:init (free a) (lit)) (:goal (and {goal})))"""
    return instance_of(domain, problem)


def names(result: Result) -> list[str]:
    assert result.plan is not None
    return [step.name for step in result.plan.steps]


def test_a_public_step_is_put_in():
    strict = Session(hands(), strictly(BLIND), policy=ONE_PLAN)
    assert strict.at(strict.largest).outcome is Outcome.NOT_EXTENDED
    result = Session(hands(), BLIND, policy=ONE_PLAN).at(strict.largest)
    assert result.extension == "replanned"
    assert result.replanned == {"a": 1, "b": 0}
    own = [name for name in names(result) if name in ("take-p", "take-q", "rest")]
    assert own in (["take-p", "rest", "take-q"], ["take-q", "rest", "take-p"])


def test_a_pessimistic_plan_is_not_replanned():
    """That a hand is full after taking something nobody was told, but it is a good guess."""
    result = Session(hands(), BLIND).at(2)
    assert result.extension == "strict"
    assert names(result).count("rest") == 1


def test_what_another_does_in_private_moves_along():
    """`rest` puts the light out, so `b` has to warm up before it, wherever that was planned."""
    for seed in range(6):
        session = Session(hands(), BLIND, RunOptions(seed=seed), policy=ONE_PLAN)
        done = names(session.at(session.largest))
        assert done.index("warm-up") < done.index("rest")


def test_where_strict_extension_works_nothing_is_replanned():
    session = Session(hands("(p) (g)"), BLIND)
    result = session.at(session.largest)
    assert result.extension == "strict"
    assert result.replanned is None
    assert not any(isinstance(m, Replan) for m in result.transcript.messages())


def test_what_nobody_can_do_is_not_extended():
    rest = "(:action rest :agent ?a - one :parameters () :effect (and (free ?a) (not (lit))))"
    assert rest in HANDS
    session = Session(hands(domain=HANDS.replace(rest, "")), BLIND)
    result = session.at(session.largest)
    assert result.outcome is Outcome.NOT_EXTENDED
    assert result.extension is None


# ------------------------------------------------------------------ the protocol


ROUNDS = POLICY.extension.replanning_rounds
STEPS = (PublicStep("a", 0), PublicStep("b", 0))


def test_nobody_changes_the_steps_of_others():
    def ask(agent, steps, seconds):
        return Replanned(agent, True, (*steps, STEPS[1]) if agent == "a" else steps)

    with pytest.raises(ProtocolError, match="steps of others"):
        replanning.replan(["a", "b"], STEPS, [], ask, Limits().begin(), ROUNDS)


def test_agents_that_undo_each_other_come_to_an_end():
    asked = []

    def ask(agent, steps, seconds):
        asked.append(agent)
        others = tuple(step for step in steps if step.agent != agent)
        return Replanned(agent, True, (*others, PublicStep(agent, len(asked))))

    assert replanning.replan(["a", "b"], STEPS, [], ask, Limits().begin(), ROUNDS) is None
    assert len(asked) == 2 * ROUNDS


def test_an_agent_that_agreed_to_these_steps_is_not_asked():
    asked = []

    def ask(agent, steps, seconds):
        asked.append(agent)
        return Replanned(agent, True, steps)

    assert replanning.replan(["a", "b"], STEPS, ["a"], ask, Limits().begin(), ROUNDS) == STEPS
    assert asked == ["b"]
    assert replanning.replan(["a", "b"], STEPS, ["a"], ask, Limits(0.0).begin(), ROUNDS) is None
    assert asked == ["b"]


def test_changes_are_counted_per_agent():
    after = (PublicStep("a", 1), PublicStep("a", 0), PublicStep("a", 1))
    assert replanning.changed(["a", "b"], STEPS, after) == {"a": 2, "b": 1}


def test_a_strict_agent_is_not_asked_to_replan():
    session = Session(hands(), Settings())
    with pytest.raises(ProtocolError, match="strict"):
        session.agents["a"].answer("solver", encode(Replan("solver", ())))


def test_steps_that_nobody_published_are_refused():
    session = Session(hands(), BLIND)
    for step in (PublicStep("a", 99), PublicStep("c", 0), PublicStep("b", -2)):
        with pytest.raises(ProtocolError, match="nobody published"):
            session.agents["a"].answer("solver", encode(Replan("solver", (step,))))


def test_replanning_takes_the_place_of_repair():
    choice = Settings(extension=Extension.REPLAN)
    session = Session(hands(), choice)
    result = session.at(session.largest, Limits(repairs=3))
    assert not any(result.repairs.values())


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_private_names_change_no_byte(domain):
    made = DOMAINS.get(domain).generate("small", 1)
    texts = {None: (made.domain, made.problem)}
    check_renaming(texts, lambda t: read(*t[None]), 1, choice=BLIND)

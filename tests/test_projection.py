"""The joint projection against brute force, its monotony, and problems that once went wrong."""

from __future__ import annotations

import copy
import heapq

import brute
import msgspec
import pytest
from brute import (
    TooLarge,
    generated,
    instance_of,
    is_supported,
    joint_of,
    quick,
    say,
    tinies,
    with_finish,
)
from forward import TURNS
from hypothesis import given
from hypothesis import strategies as st

import tacit
from tacit.central.solve import Means, Session
from tacit.party.disclosure.graph import INIT
from tacit.party.extension import repair
from tacit.public.projection import Projection
from tacit.public.protocol.messages import Carried, Carry, decode, encode
from tacit.public.settings import Chain, Settings, Threats
from tacit.solvers.projection import Limits, Outcome, ProjectionSolver, _forbidden, _put_in

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


def budgets(largest: int) -> list[int]:
    """All of them, or a sample that has the small ones and the largest."""
    return sorted({*range(min(largest, 4) + 1), largest // 2, max(largest - 1, 0), largest})


@pytest.mark.parametrize("domain", [domain for domain in brute.SMALL if domain != "secrets"])
def test_families_agree_with_brute_force(domain):
    for size in brute.SMALL[domain]:
        for seed in range(3):
            session = Session(generated(domain, size, seed), Settings(), seed=seed)
            for k in budgets(session.largest):
                assert check(session, k) is not Outcome.UNDECIDED


@pytest.mark.parametrize("seed", range(2))
def test_private_actions_that_look_at_the_public_state(seed):
    """Secrets is repaired by joint prefixes alone, so that forward search has to decide it."""
    for size in brute.SMALL["secrets"]:
        session = Session(generated("secrets", size, seed), Settings(), seed=seed)
        for k in (0, 1, 2, session.largest):
            assert check(session, k, repairs=30) is not Outcome.UNDECIDED


@pytest.mark.parametrize("seed", [1, 2, 7])
def test_a_larger_budget_solves_what_a_smaller_one_does_though_private_actions_look(seed):
    session = Session(generated("secrets", {}, seed), Settings(), "m3")
    found = [session.at(k, Limits(evaluations=20_000)) for k in range(session.largest + 1)]
    first = next(result.k for result in found if result.solved)
    assert [result.k for result in found if not result.solved] == list(range(first))
    assert {result.outcome for result in found[:first]} <= {Outcome.NO_PLAN}


@pytest.mark.parametrize("looks", [False, True], ids=["blind", "looking"])
def test_the_solver_finds_just_the_supported_plans(looks):
    """Random problems. Giving up is no contradiction, but must be rare."""
    outcomes: list[Outcome] = []

    @quick(170)
    @given(tinies(looks=looks), st.integers(0, 3))
    def run(tiny, seed):
        say("\n".join(tiny.texts))
        session = Session(tiny.load(), Settings(), seed=seed)
        for k in range(session.largest + 1):
            outcomes.append(check(session, k))

    run()
    assert outcomes.count(Outcome.SOLVED) > 0.1 * len(outcomes)
    assert outcomes.count(Outcome.NO_PLAN) > 0.1 * len(outcomes)
    assert outcomes.count(Outcome.UNDECIDED) < 0.05 * len(outcomes)


@pytest.mark.parametrize("ranking", ["m1", "m2", "m4", "random"])
def test_other_rankings_agree_too(ranking):
    @quick(25)
    @given(tinies(), st.integers(0, 3))
    def run(tiny, seed):
        say("\n".join(tiny.texts))
        session = Session(tiny.load(), Settings(), ranking, seed)
        for k in budgets(session.largest):
            check(session, k)

    run()


# ------------------------------------------------------------------ corollary 1


def masks(projection: Projection) -> list[tuple[int, int, int, int]]:
    rows = zip(projection.needs, projection.adds, projection.deletes, projection.cost, strict=True)
    return [
        (brute.mask(set(needs)), brute.mask(set(adds)), ~brute.mask(set(deletes)), cost)
        for needs, adds, deletes, cost in rows
    ]


def reachable(projection: Projection) -> set[int]:
    ops = masks(projection)
    seen = {brute.mask(set(projection.init))}
    stack = list(seen)
    while stack:
        state = stack.pop()
        for needs, adds, keeps, _ in ops:
            if state & needs == needs and (then := state & keeps | adds) not in seen:
                seen.add(then)
                stack.append(then)
                if len(seen) > brute.MOST_STATES:
                    raise TooLarge
    return seen


def optimal_cost(projection: Projection) -> float:
    ops, goal = masks(projection), brute.mask(projection.goal)
    queue = [(0, brute.mask(set(projection.init)))]
    best = {queue[0][1]: 0}
    while queue:
        cost, state = heapq.heappop(queue)
        if state & goal == goal:
            return cost
        if cost > best[state]:
            continue
        for needs, adds, keeps, price in ops:
            if state & needs == needs:
                then = state & keeps | adds
                if cost + price < best.get(then, float("inf")):
                    best[then] = cost + price
                    heapq.heappush(queue, (cost + price, then))
    return float("inf")


def check_more_disclosure(session: Session, less: int, more: int) -> None:
    """Plans stay plans, the optimal cost does not rise, reachable public states stay reachable."""
    small, large = session._solver.projection(less), session._solver.projection(more)
    assert small.steps == large.steps
    assert small.facts == large.facts
    goal, wanted = brute.mask(small.goal), brute.mask(large.goal)
    public = brute.mask(range(len(session.instance.public.facts)))
    start = (brute.mask(set(small.init)), brute.mask(set(large.init)))
    seen, stack = {start}, [start]
    while stack:  # every plan of the first, followed in both
        a, b = stack.pop()
        assert a & b == a
        assert a & public == b & public
        assert a & goal != goal or b & wanted == wanted
        pairs = zip(masks(small), masks(large), strict=True)
        for (needs, adds, keeps, _), (needs_b, adds_b, keeps_b, _) in pairs:
            if a & needs != needs:
                continue
            assert b & needs_b == needs_b
            then = (a & keeps | adds, b & keeps_b | adds_b)
            if then not in seen:
                seen.add(then)
                stack.append(then)
    assert optimal_cost(large) <= optimal_cost(small)
    before, after = reachable(small), reachable(large)
    assert {state & public for state in before} <= {state & public for state in after}
    assert {a for a, _ in seen} == before
    assert {b for _, b in seen} <= after


@quick(60)
@given(tinies(most_acts=5), st.integers(0, 3), st.data())
def test_more_disclosure_loses_no_plan_and_no_public_state(tiny, seed, data):
    session = Session(tiny.load(), NO_THREATS, seed=seed)
    less = data.draw(st.integers(0, session.largest))
    check_more_disclosure(session, less, data.draw(st.integers(less, session.largest)))


@pytest.mark.parametrize("domain", ["logistics", "secrets", "sensors", "zenotravel", "driverlog"])
def test_more_disclosure_loses_no_plan_and_no_public_state_in_families(domain):
    session = Session(generated(domain, brute.SMALL[domain][0], 0), NO_THREATS)
    for less, more in [(0, 1), (1, 2), (0, session.largest), (2, session.largest)]:
        check_more_disclosure(session, min(less, session.largest), min(more, session.largest))


def test_states_of_the_projection_may_become_fewer_but_not_public_ones():
    """The paper's Corollary 1 (3) says that states do not become fewer: not if tokens count."""
    instance = tacit.load("driverlog/small")
    session = Session(instance, NO_THREATS, "random")
    small, large = (reachable(session._solver.projection(k)) for k in (19, 27))
    assert (len(small), len(large)) == (19_459, 8_677)
    facts = brute.mask(range(len(instance.public.facts)))
    assert {state & facts for state in small} == {state & facts for state in large}
    assert len({state & facts for state in small}) == 900


# ------------------------------------------------------------------ repair


def plans_of(projection: Projection, length: int, most: int) -> list[tuple[int, ...]]:
    """Plans of the projection with up to so many actions, shortest first."""
    ops, goal = masks(projection), brute.mask(projection.goal)
    level = [((), brute.mask(set(projection.init)))]
    found: list[tuple[int, ...]] = []
    for _ in range(length + 1):
        following = []
        for plan, state in level:
            if state & goal == goal:
                found.append(plan)
                continue
            for number, (needs, adds, keeps, _) in enumerate(ops):
                then = state & keeps | adds
                if state & needs == needs and then != state:
                    following.append(((*plan, number), then))
        level = following[:3000]
    return found[:most]


def executes(projection: Projection, plan: list[int]) -> bool:
    ops, state = masks(projection), brute.mask(set(projection.init))
    for number in plan:
        needs, adds, keeps, _ = ops[number]
        if state & needs != needs:
            return False
        state = state & keeps | adds
    goal = brute.mask(projection.goal)
    return state & goal == goal


def is_forbidden(projection: Projection, plan: list[int], forbidden) -> bool:
    for group, beginning in forbidden:
        steps = plan if group is None else [n for n in plan if projection.group[n] == group]
        if steps[: len(beginning)] == list(beginning):
            return True
    return False


@pytest.mark.parametrize("eager", [False, True], ids=["as is", "all threats at once"])
@pytest.mark.parametrize("looks", [False, True], ids=["blind", "looking"])
def test_no_answer_excludes_a_supported_plan(looks, eager):
    """Plans of the projection that cannot be carried out, one by one; the answers add up."""
    told = {"threats": 0, "returned": 0, "own_prefix": 0, "joint_prefix": 0}

    @quick(100)
    @given(tinies(looks=looks, most_acts=5), st.data())
    def run(tiny, data):
        say("\n".join(tiny.texts))
        session = Session(tiny.load(), Settings())
        k = data.draw(st.integers(0, session.largest))
        projection = session._solver.projection(k)
        try:
            kept = joint_of(session).public_plans(4)
        except TooLarge:
            return
        kept_steps = [with_finish(session, plan) for plan in kept]
        forbidden: list = []
        for plan in plans_of(copy.deepcopy(projection), 5, 12):
            steps = tuple(projection.steps[number] for number in plan)
            for name, agent in session.agents.items():
                question = Carry("solver", steps, urgent=eager)
                answer = decode(agent.answer("solver", encode(question)))
                assert isinstance(answer, Carried)
                assert answer.decided
                if answer.succeeded:
                    continue
                for field in told:
                    told[field] += bool(getattr(answer, field))
                say(f"k={k} {steps} → {answer}")
                assert answer.threats or answer.own_prefix or answer.joint_prefix, name
                _put_in(projection, answer)
                forbidden += _forbidden(projection, plan, answer)
        for good in kept_steps:
            numbers = [projection.number[step] for step in good]
            say(f"supported: {good}")
            assert executes(projection, numbers)
            assert not is_forbidden(projection, numbers, forbidden)

    with pytest.MonkeyPatch.context() as patch:
        if eager:
            patch.setattr(repair, "DIRECT_ANSWERS", 0)
        run()
    assert told["threats"]
    assert looks or told["own_prefix"]


# ------------------------------------------------------------------ problems that went wrong


def one_agent(predicates: str, actions: list[tuple[str, str, str]], init: str, goal: str):
    """Agent `a` with private facts; actions as name, precondition, effect."""
    text = "\n".join(
        f"(:action {name} :agent ?a - agent :parameters ()"
        f" :precondition (and {needs}) :effect (and {effect}))"
        for name, needs, effect in actions
    )
    domain = f"""(define (domain d) (:types agent thing) (:constants x - thing)
      (:predicates (g) (p) (q) (:private ?a - agent {predicates}))
      {text})"""
    problem = f"""(define (problem d) (:domain d) (:objects (:private a a - agent))
      (:init {init}) (:goal (and {goal})))"""
    return instance_of(domain, problem)


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


@pytest.mark.parametrize("means", [Means(), TURNS], ids=["projection", "mafs"])
def test_a_plan_that_executes_but_is_not_supported_is_none(means):
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
    session = Session(instance, Settings(), means=means)
    assert session.largest == 2
    result = session.at(1)
    assert [edge.giver for edge in session.agents["a"].disclosed] == [INIT]
    assert result.outcome is Outcome.NO_PLAN
    result = session.at(2)
    assert result.solved
    assert names(result)[-1] == "c"
    assert {"x", "b"} <= set(names(result))


def test_a_private_action_that_looks_at_the_public_state_takes_a_joint_prefix():
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
    answers = [m for m in result.transcript.messages() if isinstance(m, Carried)]
    assert answers[0].joint_prefix == 1
    assert not any(answer.own_prefix for answer in answers)
    assert result.solved
    assert names(result)[0] == "switch"
    assert names(result)[-1] == "use"


def test_a_fact_left_out_may_come_back_over_another_object():
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


def test_a_private_goal_that_only_the_start_gives_is_lost_once():
    """`x` ends the private goal for good: one answer must settle it, not ever longer prefixes."""
    instance = one_agent("(f ?a - agent)", [("x", "", "(g) (not (f ?a))")], "(f a)", "(g) (f a)")
    assert Session(instance, Settings()).at(0, Limits(repairs=20)).outcome is Outcome.NO_PLAN


def test_a_private_goal_out_of_reach_is_no_plan():
    instance = one_agent("(f ?a - agent)", [("x", "", "(g)")], "", "(g) (f a)")
    assert Session(instance, Settings()).at(0, Limits(repairs=20)).outcome is Outcome.NO_PLAN


# ------------------------------------------------------------------ answers of several agents


@pytest.fixture
def told(monkeypatch, _no_guess) -> list[Carried]:
    """Whatever is in it is answered besides, whenever somebody cannot do its part."""
    more: list[Carried] = []
    ask = ProjectionSolver._failed

    def failed(self, steps, is_hard=False):
        found = ask(self, steps, is_hard)
        return [*more, *found] if found else []

    monkeypatch.setattr(ProjectionSolver, "_failed", failed)
    return more


def test_who_cannot_decide_does_not_matter_where_another_rules_the_plan_out(told):
    def result(means=Means()):  # noqa: B008
        session = Session(tacit.load("blocksworld/small"), Settings(), "m3", 0, means)
        return session.at(99, Limits(60))

    alone = result()
    assert alone.solved
    assert sum(alone.repairs.values()) > 0
    told.append(Carried("nobody", succeeded=False, decided=False))
    together = result()
    assert (together.plan, together.repairs) == (alone.plan, alone.repairs)
    told[0] = Carried("nobody", succeeded=False, decided=False, bounded=True)
    assert result().changed_over
    assert result(Means(change_over=False)).outcome is Outcome.UNDECIDED

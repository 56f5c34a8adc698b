"""With everything disclosed, profile `tacit` finds a plan wherever there is one at all.

The judge is plain reachability over the joint space of all agents, which knows nothing of tokens,
edges or support.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable

import msgspec
import pytest
from hypothesis import given
from msgspec.structs import replace
from support.brute import MOST_STATES, TooLarge, mask
from support.notes import quick
from support.problems import instance_of

from tacit.central.instance import Instance
from tacit.central.session import Session
from tacit.cli.main import run
from tacit.errors import ExitCode
from tacit.profile import profile
from tacit.public.outcome import Outcome
from tacit.public.run_options import RunOptions
from tacit.public.settings import Settings, Tokens, hardening
from tacit.solvers.limits import Limits
from tacit.testing import GroundProblem, problems

SOLVERS = {"projection": RunOptions("projection"), "mafs": RunOptions("mafs", drive="roundrobin")}
ENOUGH = Limits(60)


def has_plan(instance: Instance) -> bool:
    """Can the agents reach all goals, public and private, if nobody keeps anything to itself?"""
    init = goal = 0
    ops: list[tuple[int, int, int]] = []
    shift = instance.local(instance.agents[0]).public_count
    for agent in instance.agents:
        task = instance.local(agent)

        def bits(row: Iterable[int], first: int = task.public_count, shift: int = shift) -> int:
            return mask(fact if fact < first else fact - first + shift for fact in row)

        init |= bits(task.arrays.init)
        goal |= bits(task.arrays.goal)
        rows = zip(task.pre, task.delete, task.add, strict=True)
        ops += [(bits(needs), ~bits(deletes), bits(adds)) for needs, deletes, adds in rows]
        shift += task.private_count
    seen, queue = {init}, deque([init])
    while queue:
        state = queue.popleft()
        if state & goal == goal:
            return True
        for needs, keeps, adds in ops:
            if state & needs == needs and (then := state & keeps | adds) not in seen:
                seen.add(then)
                queue.append(then)
                if len(seen) > MOST_STATES:
                    raise TooLarge
    return False


SETTINGS = [profile("tacit"), replace(profile("tacit"), tokens=Tokens.PER_USE)]


def decide(instance: Instance, solver: str, settings: Settings = SETTINGS[0]) -> Outcome:
    session = Session(instance, settings, replace(SOLVERS[solver], ranking="m3"))
    return session.at(session.largest, ENOUGH).outcome


def decide_securely(instance: Instance) -> Outcome:
    """Secure-MAFS finds a plan if there is one; otherwise it may go on for ever."""
    settings = msgspec.structs.replace(profile("tacit"), harden=hardening("secure"))
    session = Session(instance, settings, replace(SOLVERS["mafs"], ranking="m3"))
    return session.at(session.largest, Limits(60, evaluations=2_000)).outcome


def check(tiny: GroundProblem, seen: Counter[bool]) -> None:
    instance = tiny.load()
    expected = has_plan(instance)
    seen[expected] += 1
    for settings in SETTINGS:
        for solver in SOLVERS:
            found = decide(instance, solver, settings)
            assert found is (Outcome.SOLVED if expected else Outcome.NO_PLAN), (solver, settings)
        online = Session(instance, settings, online=True).online(ENOUGH)
        assert online.solved is expected
    assert decide_securely(instance) is (Outcome.SOLVED if expected else Outcome.UNDECIDED)


def test_both_solvers_decide_as_brute_force_does():
    seen: Counter[bool] = Counter()

    @quick(120)
    @given(problems(public_facts=2, dense=False))
    def every(tiny: GroundProblem) -> None:
        check(tiny, seen)

    every()
    assert min(seen[True], seen[False]) > 20


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("has_public_preconditions", [True, False])
@pytest.mark.parametrize(
    "facts", [{"public_facts": 2, "dense": False}, {"private_facts": 4}], ids=str
)
def test_both_solvers_decide_as_brute_force_does_10000_times(facts, has_public_preconditions):
    seen: Counter[bool] = Counter()

    @quick(2500)
    @given(problems(public_preconditions=has_public_preconditions, **facts))
    def every(tiny: GroundProblem) -> None:
        check(tiny, seen)

    every()
    assert min(seen[True], seen[False]) > 250


# ---------------------------------------------------------------- problems with a story

BAKERY = """(define (domain bakery) (:types baker supplier loaf)
  (:predicates (baked ?l - loaf) (sold ?l - loaf) (flour)
    (:private ?b - baker (dough ?b - baker ?l - loaf)))
  (:action bring-flour :agent ?s - supplier :effect (flour))
  (:action mix :agent ?b - baker :parameters (?l - loaf) {mixing} :effect (dough ?b ?l))
  (:action bake :agent ?b - baker :parameters (?l - loaf)
    :precondition (dough ?b ?l) :effect (and (baked ?l) (not (dough ?b ?l))))
  (:action crumble :agent ?b - baker :parameters (?l - loaf)
    :precondition (baked ?l) :effect (and (sold ?l) (dough ?b ?l) (not (baked ?l)))))"""
MORNING = """(define (problem morning) (:domain bakery)
  (:objects oat - loaf bea - baker sam - supplier) (:init) (:goal (baked oat)))"""


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("mixing", ["", ":precondition (flour)"])
def test_the_initial_state_achieves_what_private_actions_reach_without_private_needs(
    solver, mixing
):
    instance = instance_of(BAKERY.format(mixing=mixing), MORNING)
    assert decide(instance, solver) is Outcome.SOLVED


SAFE = """(define (domain safe) (:types guard chest)
  (:predicates (seen ?c - chest) (moved ?c - chest) (shift)
    (:private ?g - guard (alert ?g - guard) (ajar ?c - chest ?g - guard)))
  (:action begin-shift :agent ?g - guard :effect (and (shift) (alert ?g)))
  (:action pry :agent ?g - guard :parameters (?c - chest)
    :precondition (alert ?g) :effect (and (ajar ?c ?g) (not (alert ?g))))
  (:action present :agent ?g - guard :parameters (?c - chest)
    :precondition (ajar ?c ?g) :effect (and (seen ?c) (not (ajar ?c ?g))))
  (:action move :agent ?g - guard :parameters (?c - chest)
    :precondition (seen ?c) :effect (and (moved ?c) (ajar ?c ?g) (not (seen ?c)))))"""
NIGHT = """(define (problem night) (:domain safe)
  (:objects box - chest gil - guard) (:init) (:goal (seen box)))"""


@pytest.fixture
def night(tmp_path):
    (tmp_path / "domain.pddl").write_text(SAFE)
    (tmp_path / "problem.pddl").write_text(NIGHT)
    return str(tmp_path)


@pytest.mark.parametrize("command", [["solve", "--percent", "100"], ["minimum"], ["pareto"]])
@pytest.mark.parametrize("chain", ["object", "tight"])
def test_that_there_is_no_plan_at_all_is_said_only_where_it_is_proved(
    night, capsys, command, chain
):
    code = run([*command, night, "--chain", chain])
    shown = " ".join(capsys.readouterr().out.split())
    assert "even if everything is disclosed" not in shown
    if chain == "object":
        assert code == ExitCode.NO_PLAN
        assert "they may miss plans. Try --chain tight." in shown
    else:
        assert code == 0


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_private_action_may_link_facts_with_different_first_arguments(solver):
    assert decide(instance_of(SAFE, NIGHT), solver) is Outcome.SOLVED

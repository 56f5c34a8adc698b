"""The validator on problems small enough to judge by hand, in both forms."""

from __future__ import annotations

import ast
import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.kitchen import DINNER, EVENING, KITCHEN, factored, judge, read

import tacit.errors
from tacit.central.validate.judge import Verdict, timetable, validate
from tacit.central.validate.plan import Plan, Step, merge, plan_of, read_plan_text
from tacit.domains import DOMAINS
from tacit.errors import InputError
from tacit.pddl.agents import natural_order
from tacit.pddl.factor_writer import factor
from tacit.pddl.source import Source
from tacit.pddl.syntax import Description

EXAMPLES = min(int(os.environ.get("TACIT_FUZZ", "60")), 1000)


def test_a_valid_plan(kitchen: Description) -> None:
    verdict = judge(kitchen, *DINNER)
    assert verdict == Verdict(
        True,
        "The plan is valid: 6 steps, cost 9, makespan 3.",
        step=None,
        missing=(),
        length=6,
        cost=9,
        makespan=3,
        makespan_paper=3,
    )
    assert json.loads(json.dumps(verdict.as_dict()))["missing"] == []


def test_a_wrong_declared_cost_is_mentioned(kitchen: Description) -> None:
    verdict = validate(kitchen, Plan(plan_of(DINNER).steps, cost=4))
    assert verdict.valid
    assert verdict.message.endswith("It declares another cost, 4.")


@pytest.mark.parametrize(
    ("line", "reason", "missing"),
    [
        ("(prepaer c1 soup pan)", "no action 'prepaer'. Did you mean 'prepare'?", ()),
        ("(prepare c1 soup)", "'prepare' takes 3 arguments, found 2.", ()),
        ("(prepare)", "'prepare' takes 3 arguments, found 0.", ()),
        ("(prepare c1 soap pan)", "no object 'soap'. Did you mean 'soup'?", ()),
        ("(prepare c1 pan soup)", "'pan' is of type 'tool', but 'prepare' expects 'dish'", ()),
        ("(take c1 knife)", "agent 'c1' may not use 'knife'", ()),
        ("(prepare c1 soup pan)", "(holds c1 pan) does not hold.", ("(holds c1 pan)",)),
        ("(pause c1)", "(busy c1) does not hold.", ("(busy c1)",)),
        ("(swap c1 pan pan)", "(not (= pan pan)) does not hold.", ("(not (= pan pan))",)),
    ],
)
def test_the_first_step_that_fails_is_named(
    kitchen: Description, line: str, reason: str, missing: tuple[str, ...]
) -> None:
    verdict = judge(kitchen, "(take c2 knife)", line, "(nonsense)")
    assert not verdict.valid
    assert verdict.message.startswith(f"In step 2, {line},")
    assert reason in verdict.message
    assert (verdict.step, verdict.missing) == (2, missing)
    assert verdict.cost is verdict.makespan is verdict.makespan_paper is None


def test_an_undefined_cost_is_no_cost(kitchen: Description) -> None:
    verdict = judge(kitchen, "(take c1 pan)", "(prepare c1 cake pan)")
    assert "its cost is undefined: (effort cake) has no value" in verdict.message
    assert verdict.missing == ("(effort cake)",)


def test_negative_preconditions(kitchen: Description) -> None:
    steps = ["(take c1 pan)", "(prepare c1 soup pan)", "(take c1 pan)", "(prepare c1 pie pan)"]
    verdict = judge(kitchen, *steps)
    assert (verdict.step, verdict.missing) == (4, ("(not (busy c1))",))


def test_goals_that_fail_are_all_named(kitchen: Description) -> None:
    verdict = judge(kitchen, "(take c1 pan)", "(prepare c1 pie pan)")
    assert verdict.step is None
    assert verdict.missing == ("(served soup)", "(not (busy c1))")
    assert "at its end (served soup) and (not (busy c1)) do not hold" in verdict.message


def test_nobody_touches_anothers_private_facts() -> None:
    description = read(KITCHEN, EVENING)
    verdict = judge(description, "(spy w1 c1)")
    assert "(busy c1) is private to agent 'c1'" in verdict.message
    parts = factored(factor(description))
    assert not judge(parts, "(spy w1 c1)").valid


def test_the_file_must_agree_with_the_first_argument() -> None:
    description = read(KITCHEN, EVENING)
    verdict = judge(description, Step("c2", "take", ("c1", "pan")))
    assert "an action of 'c1', but the plan assigns it to 'c2'" in verdict.message
    verdict = judge(factored(factor(description)), Step("c2", "take", ("c1", "pan")))
    assert "its first argument must be agent 'c2'" in verdict.message


def test_names_are_not_case_sensitive(kitchen: Description) -> None:
    assert judge(kitchen, *(line.upper() for line in DINNER)).valid


def test_deletes_come_before_adds() -> None:
    domain = """(define (domain d) (:types a) (:predicates (p) (q))
     (:action flip :agent ?x - a :precondition (p) :effect (and (p) (not (p)) (q))))"""
    problem = "(define (problem x) (:domain d) (:objects a1 - a) (:init (p)) (:goal (and (p) (q))))"
    verdict = judge(read(domain, problem), "(flip a1)", "(flip a1)")
    assert verdict.valid
    assert verdict.cost == 2, "without a metric every step costs one"


def test_the_empty_plan() -> None:
    domain = "(define (domain d) (:types a) (:predicates (p)))"
    problem = "(define (problem x) (:domain d) (:objects) (:init (p)) (:goal (p)))"
    verdict = validate(read(domain, problem), Plan(()))
    assert (verdict.valid, verdict.length, verdict.makespan) == (True, 0, 0)


def test_facts_of_nobody_never_hold() -> None:
    domain = """(define (domain d) (:types a o) (:predicates (near ?x - o ?y - o) (done ?x - o))
     (:action act :agent ?x - a :parameters (?o - o) :effect (done ?o)))"""
    problem = """(define (problem x) (:domain d)
     (:objects (:private a1 a1 - a o1 - o) (:private a2 a2 - a o2 - o))
     (:init (near o1 o2)) (:goal (and {goal} (done o1) (done o2))))"""
    plan = ("(act a1 o1)", "(act a2 o2)")
    assert judge(read(domain, problem.format(goal="")), *plan).valid
    verdict = judge(read(domain, problem.format(goal="(near o1 o2)")), *plan)
    assert verdict.missing == ("(near o1 o2)",)


# Factored files whose agents are not named by an argument

WORK = """(define (domain work) (:requirements :factored-privacy :typing)
 (:types agent - object)
 (:predicates (done) (:private (busy) (rested)))
 (:action begin :parameters () :precondition (rested) :effect (busy))
 (:action {end} :parameters () :precondition (busy) :effect (and (not (busy)) (done))))"""
TASK = """(define (problem task) (:domain work) (:objects (:private {agent} - agent))
 (:init {init}) (:goal (and (done) {goal})))"""


@pytest.fixture
def work() -> Description:
    return factored(
        {
            "a": (WORK.format(end="end-a"), TASK.format(agent="a", init="(rested)", goal="")),
            "b": (WORK.format(end="end-b"), TASK.format(agent="b", init="", goal="(not (busy))")),
        }
    )


def test_private_facts_of_two_agents_are_not_confused(work: Description) -> None:
    assert judge(work, Step("a", "begin"), "(end-a)").valid
    verdict = judge(work, Step("a", "begin"), "(end-b)")
    assert (verdict.step, verdict.missing) == (2, ("(busy)",))
    verdict = judge(work, Step("b", "begin"))
    assert verdict.missing == ("(rested)",)


def test_a_step_of_any_agent_must_say_whose_it_is(work: Description) -> None:
    verdict = judge(work, "(begin)", "(end-a)")
    assert "may be an action of any of a, b; the plan must name the agent" in verdict.message
    assert "there is no agent 'c'" in judge(work, Step("c", "begin")).message
    assert "agent 'b' has no action 'end-a'" in judge(work, Step("b", "end-a")).message
    assert validate(work, read_plan_text(Source("p", "(begin) ; agent: A\n(end-a)\n"))).valid


def test_goals_of_every_agent_count(work: Description) -> None:
    rested = TASK.format(agent="b", init="(rested)", goal="(not (busy))")
    parts = factored(
        {
            "a": (WORK.format(end="end"), TASK.format(agent="a", init="(rested)", goal="")),
            "b": (WORK.format(end="end"), rested),
        }
    )
    plan = [Step("a", "begin"), Step("a", "end"), Step("b", "begin")]
    assert judge(parts, *plan).missing == ("(not (busy))",)
    assert judge(parts, *plan, Step("b", "end")).valid


def test_initial_facts_about_others_are_ignored() -> None:
    domain = """(define (domain d) (:requirements :factored-privacy :typing) (:types place)
     (:predicates (open) (:private (key ?agent - place)))
     (:action unlock :parameters (?p - place) :precondition (key ?p) :effect (open)))"""
    problem = """(define (problem x) (:domain d) (:objects p1 p2 - place)
     (:init (key p2)) (:goal (open)))"""
    parts = factored({"p1": (domain, problem), "p2": (domain, problem.replace("(key p2)", ""))})
    verdict = judge(parts, "(unlock p2)")
    assert verdict.missing == ("(key p2)",)
    verdict = judge(parts, "(unlock p3)")
    assert "its first argument must be an agent that has this action" in verdict.message


# The timetable, and everything at once on the embedded problems


def embedded(name: str) -> tuple[Description, Description, Plan]:
    made = DOMAINS.get(name).generate("small", seed=3)
    description = read(made.domain, made.problem)
    return description, factored(factor(description)), plan_of(made.plan)


@pytest.mark.parametrize("name", list(DOMAINS))
def test_witnesses_are_valid_in_both_forms_and_side_by_side(name: str) -> None:
    description, parts, plan = embedded(name)
    verdict = validate(description, plan)
    assert verdict.valid, verdict.message
    assert validate(parts, plan) == verdict
    concurrent = merge(timetable(description, plan))
    assert validate(description, concurrent) == validate(parts, concurrent) == verdict
    assert concurrent.times is not None
    assert len(set(concurrent.times)) == verdict.makespan


steps = st.builds(
    Step,
    st.none() | st.sampled_from(["c1", "c2", "w1", "x"]),
    st.sampled_from(["take", "prepare", "pause", "serve", "swap", "spy", "none"]),
    st.lists(
        st.sampled_from(["c1", "c2", "w1", "soup", "pie", "cake", "pan", "knife", "?", ""]),
        max_size=4,
    ).map(tuple),
)


@settings(max_examples=EXAMPLES, deadline=None)
@given(
    st.lists(steps | st.sampled_from(plan_of(DINNER).steps), max_size=8),
    st.lists(st.integers(0, 3), min_size=8, max_size=8),
)
def test_any_plan_gets_a_verdict(found: list[Step], numbers: list[int]) -> None:
    whole, parts = read(KITCHEN, EVENING), factored(factor(read(KITCHEN, EVENING)))
    times = sorted(numbers[: len(found)])
    for plan in (Plan(tuple(found)), Plan(tuple(found), None, tuple(times))):
        first, second = validate(whole, plan), validate(parts, plan)
        assert (first.valid, first.step) == (second.valid, second.step)


def test_agents_of_both_forms_come_in_one_order() -> None:
    assert natural_order(["a10", "a2", "a" + "9" * 5000, "a02"])[:3] == ("a02", "a2", "a10")


def test_a_factored_problem_is_not_factored_again() -> None:
    with pytest.raises(InputError, match="is in the factored form"):
        factor(factored(factor(read(KITCHEN, EVENING))))


def test_the_validator_needs_no_grounder_solver_or_native_code() -> None:
    root = Path(tacit.errors.__file__).parent
    seen, waiting = set[str](), ["tacit.central.validate.judge"]
    while waiting:
        name = waiting.pop()
        if name in seen or name.split(".")[0] != "tacit":
            continue
        seen.add(name)
        tree = ast.parse((root / "/".join(name.split(".")[1:])).with_suffix(".py").read_text())
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module == "tacit":
                waiting += (f"tacit.{alias.name}" for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                waiting.append(str(node.module))
            elif isinstance(node, ast.Import):
                waiting += (alias.name for alias in node.names)
    outside = {name for name in seen if not name.startswith("tacit.pddl.")}
    assert outside == {
        *("tacit.errors", "tacit.watch", "tacit.spelling", "tacit.natural"),
        "tacit.public.schedule",
        *("tacit.words", "tacit.draw.lanes", "tacit.draw.page"),  # what a plan looks like
        "tacit.central.validate.plan",
        *("tacit.central.validate.steps", "tacit.central.validate.judge"),
    }

"""unified-planning: what is kept, what is refused, and what is said of it."""

from __future__ import annotations

import re

import pytest
from support.places import ROOT
from support.shapes import loaded, shape
from support.simulation import Simulation
from unified_planning.engines import PlanGenerationResultStatus
from unified_planning.exceptions import UPUsageError
from unified_planning.model.multi_agent import Agent, MultiAgentProblem
from unified_planning.shortcuts import (
    BoolType,
    Dot,
    Equals,
    Fluent,
    InstantaneousAction,
    IntType,
    Not,
    Object,
    OneshotPlanner,
    Or,
    Problem,
    UserType,
    get_environment,
)

import tacit
import tacit.unified_planning
from tacit.unified_planning.engine import PARAMETERS


@pytest.fixture(autouse=True)
def _engine():
    get_environment().credits_stream = None
    tacit.unified_planning.register()


def two_agents() -> tuple[MultiAgentProblem, Agent, Agent, Fluent, Fluent, Object]:
    problem = MultiAgentProblem("two")
    place = UserType("place")
    home = problem.add_object("home", place)
    lit = Fluent("lit", BoolType(), place=place)
    problem.ma_environment.add_fluent(lit, default_initial_value=False)
    awake = Fluent("awake")
    agents = []
    for name in ("ann", "Bob B"):
        agent = Agent(name, problem)
        agent.add_private_fluent(awake, default_initial_value=False)
        problem.add_agent(agent)
        agents.append(agent)
    wake = InstantaneousAction("wake")
    wake.add_effect(awake, True)
    light = InstantaneousAction("light", where=place)
    light.add_precondition(awake)
    light.add_effect(lit(light.parameter("where")), True)
    for agent in agents:
        agent.add_actions([wake, light])
    problem.add_goal(lit(home))
    return problem, *agents, lit, awake, home


def refusal(problem) -> str:
    with OneshotPlanner(name="tacit") as planner, pytest.raises(UPUsageError) as error:
        planner.solve(problem)
    return str(error.value)


def test_private_goals_are_kept_and_names_are_made_legal():
    problem, _, bob, *_ = two_agents()
    bob.add_private_goal(bob.fluent("awake"))
    with OneshotPlanner(name="tacit") as planner:
        result = planner.solve(problem)
    Simulation(problem).check(result.plan)
    assert {step.agent for step in result.plan.actions} >= {bob}
    files = tacit.unified_planning.texts(problem, factored=True)
    assert sorted(files) == [
        *("domain-ann.pddl", "domain-bob-b.pddl", "problem-ann.pddl", "problem-bob-b.pddl")
    ]
    assert "(goal" not in files["problem-ann.pddl"].replace("(:goal (and (lit home)))", "")
    assert "awake bob-b" in files["problem-bob-b.pddl"]


def test_what_was_written_can_be_loaded(tmp_path):
    problem, *_ = two_agents()
    for factored_ in (False, True):
        tacit.unified_planning.write(problem, tmp_path / str(factored_), factored_)
        instance = tacit.load(tmp_path / str(factored_))
        assert instance.agents == ("ann", "bob-b")
        assert tacit.solve(instance).solved
    with pytest.raises(tacit.InputError, match="not empty"):
        tacit.unified_planning.write(problem, tmp_path / "True")
    (tmp_path / "file").write_text("")
    with pytest.raises(tacit.InputError, match="cannot write"):
        tacit.unified_planning.write(problem, tmp_path / "file")


def test_nobody_may_use_what_is_private_to_another():
    problem, ann, bob, lit, awake, home = two_agents()
    peek = InstantaneousAction("peek")
    peek.add_precondition(Dot(ann, awake()))
    peek.add_effect(lit(home), True)
    bob.add_action(peek)
    assert "action 'peek' of 'Bob B': ann.awake is private to 'ann'" in refusal(problem)


def test_a_private_goal_about_a_public_fact_is_refused():
    problem, ann, _, lit, _, home = two_agents()
    ann.add_private_goal(lit(home))
    assert "is public, so the goal would be public too" in refusal(problem)


def test_all_that_is_not_supported_is_reported_at_once():
    problem, ann, _, lit, awake, home = two_agents()
    either = InstantaneousAction("either")
    either.add_precondition(Or(awake(), lit(home)))
    either.add_effect(lit(home), Not(lit(home)))
    ann.add_action(either)
    ann.add_private_fluent(Fluent("whereabouts", UserType("place")))
    text = refusal(problem)
    assert "fluent 'whereabouts' is neither Boolean nor a number" in text
    assert "action 'either' of 'ann': a disjunction is not supported" in text
    assert "an effect must make a fluent true or false" in text


def test_classical_problems_and_wrong_options_are_refused():
    assert "only a MultiAgentProblem" in refusal(Problem("classical"))
    assert "no agents" in refusal(MultiAgentProblem("empty"))
    for wrong, hint in (("rank", "ranking"), ("time_limit", "use timeout")):
        with pytest.raises(UPUsageError, match=f"no parameter '{wrong}'; .*{hint}"):
            OneshotPlanner(name="tacit", params={wrong: 1})
    planner = OneshotPlanner(name="tacit", params={"ranking": "m9"})
    with pytest.raises(UPUsageError, match="m9"):
        planner.solve(two_agents()[0])


def test_the_page_names_all_parameters():
    text = (ROOT / "docs" / "unified-planning.md").read_text(encoding="utf-8")
    listed = (
        text.partition("`params` are those of")[2].partition(". The\ntime")[0].partition(":")[2]
    )
    assert tuple(re.findall(r"`(\w+)`", listed)) == PARAMETERS


def test_costs_count_though_kinds_cannot_say_so():
    problem, ann, *_ = two_agents()
    total = Fluent("total-cost", IntType())
    problem.ma_environment.add_fluent(total, default_initial_value=0)
    ann.action("light").add_increase_effect(total, 7)
    written = tacit.unified_planning.texts(problem)
    assert "(increase (total-cost) 7)" in written["domain.pddl"]
    assert {action.cost for action in loaded(written).local("ann").actions} == {0, 7}
    with OneshotPlanner(name="tacit") as planner:
        assert not planner.supports(problem.kind)
        Simulation(problem).check(planner.solve(problem).plan)
    ann.action("light").add_increase_effect(total, -3)
    assert "a whole number from 0 up" in refusal(problem)


def test_a_budget_that_does_not_suffice_is_no_proof():
    problem = tacit.unified_planning.read("logistics/small")
    with OneshotPlanner(name="tacit", params={"k": 0}) as planner:
        result = planner.solve(problem)
    assert result.status is PlanGenerationResultStatus.UNSOLVABLE_INCOMPLETELY
    assert result.plan is None


def test_equalities_come_through():
    problem, ann, _, lit, _, home = two_agents()
    away = problem.add_object("away", home.type)
    swap = InstantaneousAction("swap", one=home.type, other=home.type)
    one, other = swap.parameters
    swap.add_precondition(Not(Equals(one, other)))
    swap.add_effect(lit(one), True)
    ann.add_action(swap)
    assert "(not (= ?one ?other))" in tacit.unified_planning.texts(problem)["domain.pddl"]
    names = {a.name for a in loaded(tacit.unified_planning.texts(problem)).local("ann").actions}
    assert "(swap ann home away)" in names
    assert "(swap ann home home)" not in names
    assert away.name == "away"


def test_agents_that_disagree_are_an_error(tmp_path):
    tacit.unified_planning.write(
        tacit.unified_planning.read("secrets/small"), tmp_path, factored=True
    )
    file = tmp_path / "problem-office1.pddl"
    text = file.read_text()
    line = next(line for line in text.split("\n") if "(lies " in line)
    file.write_text(text.replace(line + "\n", "", 1))
    with pytest.raises(tacit.InputError, match="disagree"):
        tacit.unified_planning.read(tmp_path)


def test_a_task_that_differs_has_another_shape():
    one, two = (tacit.load(f"logistics/{size}") for size in ("small", "medium"))
    assert shape(one) != shape(two)

"""unified-planning: problems there and back, plans that carry their agents, honest refusals."""

from __future__ import annotations

import importlib
import sys
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, settings

pytest.importorskip("unified_planning", reason="needs the extra 'up' (unified-planning)")

import unified_planning as up
from support.conversion import network, nodes, together
from support.converter import Converter
from support.forms import factored
from support.shapes import loaded, shape
from support.simulation import Simulation
from unified_planning.engines import PlanGenerationResultStatus
from unified_planning.engines.mixins.oneshot_planner import OptimalityGuarantee
from unified_planning.exceptions import UPUsageError
from unified_planning.shortcuts import (
    CompilationKind,
    Compiler,
    OneshotPlanner,
    get_environment,
)
from unified_planning.test.examples.multi_agent import get_example_problems

import tacit
import tacit.unified_planning
from tacit.central.instance import Instance, describe
from tacit.domains import DOMAINS
from tacit.pddl.factor_writer import factor
from tacit.testing import lifted_problems
from tacit.unified_planning.reading import to_problem

CODMAP_DOMAINS = [
    *("blocksworld", "depot", "driverlog", "elevators08"),
    *("logistics00", "rovers", "zenotravel"),
]


@pytest.fixture(autouse=True)
def _engine():
    get_environment().credits_stream = None
    tacit.unified_planning.register()


def comes_back(description) -> None:
    before = shape(Instance(description, {}))
    problem = to_problem(description, up.environment.Environment())
    assert shape(loaded(tacit.unified_planning.texts(problem))) == before
    assert shape(loaded(tacit.unified_planning.texts(problem, factored=True))) == before


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_embedded_problems_come_back_in_both_forms(domain):
    description = describe(f"{domain}/small")
    comes_back(description)
    comes_back(factored(factor(description)))


@pytest.mark.parametrize("way", ["first", "named", "written"])
def test_actions_written_for_one_agent_come_back(way):
    converter = Converter(network(*nodes("n1", "n2", "n3")), Random(0), way)
    comes_back(together(converter.texts()))


@pytest.mark.parametrize("form", ["unfactored", "factored"])
@pytest.mark.parametrize("domain", CODMAP_DOMAINS)
def test_codmap_problems_come_back(codmap, domain, form):
    folder = min((codmap / form / domain).iterdir(), key=lambda path: (len(path.name), path.name))
    comes_back(describe(folder))


@settings(
    max_examples=25,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(lifted_problems())
def test_random_problems_come_back(problem):
    comes_back(problem.describe())


def more_examples():
    """The multi-agent problems that come with unified-planning as test cases for engines."""
    package = pytest.importorskip("up_test_cases")
    sys.path.append(next(iter(package.__path__)))  # its modules import each other from there
    try:
        found = {}
        for name in ("depot", "logistic", "ma_basic", "procter_and_gamble", "taxi"):
            module = importlib.import_module(f"up_test_cases.builtin.multiagent.{name}")
            found |= module.get_test_cases()
        return found
    finally:
        sys.path.pop()


EXAMPLES = {name: case.problem for name, case in get_example_problems().items()}
REFUSED = {"ma_buttons": "conditional effect", "procter_and_gamble": "disjunction"}


@pytest.mark.parametrize("solver", ["projection", "mafs"])
def test_examples_of_unified_planning_are_solved(solver):
    cases = {**EXAMPLES, **{name: case.problem for name, case in more_examples().items()}}
    assert len(cases) == 8
    for name, problem in cases.items():
        with OneshotPlanner(name="tacit", params={"solver": solver}) as planner:
            assert planner.supports(problem.kind) == (name not in REFUSED)
            if name in REFUSED:
                with pytest.raises(UPUsageError, match=REFUSED[name]):
                    planner.solve(problem)
                continue
            result = planner.solve(problem, timeout=60)
        assert result.status is PlanGenerationResultStatus.SOLVED_SATISFICING, name
        assert result.engine_name == "tacit"
        assert int(result.metrics["k"]) >= 0
        Simulation(problem).check(result.plan)


def test_a_compiler_of_unified_planning_opens_the_way():
    problem = EXAMPLES["ma_buttons"]
    kind = CompilationKind.CONDITIONAL_EFFECTS_REMOVING
    with Compiler(name="up_ma_conditional_effects_remover") as compiler:
        compiled = compiler.compile(problem, kind)
    with OneshotPlanner(name="tacit") as planner:
        result = planner.solve(compiled.problem)
    assert result.plan is not None
    Simulation(compiled.problem).check(result.plan)


@pytest.mark.parametrize("domain", ["logistics", "secrets", "elevators", "sensors"])
def test_what_was_read_is_solved(domain):
    problem = tacit.unified_planning.read(f"{domain}/small")
    with OneshotPlanner(name="tacit") as planner:
        result = planner.solve(problem)
    Simulation(problem).check(result.plan)
    assert {step.agent.name for step in result.plan.actions} <= {a.name for a in problem.agents}


@pytest.mark.parametrize(
    ("params", "mode"),
    [
        ({}, "online"),
        ({"smallest": True}, "offline"),
        ({"k": 2}, "offline"),
        ({"percent": 50}, "offline"),
    ],
)
def test_what_was_disclosed_is_in_the_metrics(params, mode):
    """Online by default; a budget, or the smallest one, is an offline search."""
    problem = tacit.unified_planning.read("logistics/small")
    with OneshotPlanner(name="tacit", params=params) as planner:
        found = planner.solve(problem).metrics
        ended = planner.solve(problem, timeout=0)
    assert (found["mode"], found["k"]) == (mode, "2")
    counts = [
        int(found[f"disclosed {agent.name}"]) + int(found[f"repairs {agent.name}"])
        for agent in problem.agents
    ]
    assert (int(found["largest"]), int(found["sum"])) == (max(counts), sum(counts))
    assert ended.metrics["mode"] == mode


@pytest.mark.parametrize("domain", ["logistics", "depot"])
def test_the_optimal_engine_proves_that_its_plan_is_the_cheapest(domain):
    problem = tacit.unified_planning.read(f"{domain}/small")
    optimal = OptimalityGuarantee.SOLVED_OPTIMALLY
    with OneshotPlanner(name="tacit-opt") as planner:
        result = planner.solve(problem)
        assert planner.satisfies(optimal)
    assert result.status is PlanGenerationResultStatus.SOLVED_OPTIMALLY
    cheapest = tacit.solve(tacit.load(f"{domain}/small"), solver="mad-astar", percent=100)
    assert len(result.plan.actions) == cheapest.verdict.cost
    with OneshotPlanner(name="tacit") as planner:
        assert not planner.satisfies(optimal)
        plain = planner.solve(problem)
    assert plain.status is PlanGenerationResultStatus.SOLVED_SATISFICING
    with OneshotPlanner(name="tacit-opt", params={"cost": "public"}) as planner:
        part = planner.solve(problem)
    assert part.status is PlanGenerationResultStatus.SOLVED_SATISFICING


def test_the_simulation_notices_a_wrong_plan():
    case = get_example_problems()["ma-loader"]
    Simulation(case.problem).check(case.valid_plans[0])
    short = up.plans.SequentialPlan(case.valid_plans[0].actions[:-1])
    with pytest.raises(AssertionError):
        Simulation(case.problem).check(short)

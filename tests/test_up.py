"""unified-planning: problems there and back, plans that carry their agents, honest refusals."""

from __future__ import annotations

import importlib
import re
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, settings

pytest.importorskip("unified_planning", reason="needs the extra 'up' (unified-planning)")

import unified_planning as up
from conversion import Converter, together
from naive import canonical
from test_conversion import network, nodes
from test_factored import factored
from test_ground import problems, texts
from unified_planning.engines import PlanGenerationResultStatus
from unified_planning.exceptions import UPUsageError
from unified_planning.model.multi_agent import Agent, MultiAgentProblem
from unified_planning.shortcuts import (
    BoolType,
    CompilationKind,
    Compiler,
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
from unified_planning.test.examples.multi_agent import get_example_problems

import tacit
import tacit.unified_planning
from tacit.central.instance import Instance, describe
from tacit.domains import DOMAINS
from tacit.pddl.factor_writer import factor
from tacit.pddl.reader import read_texts
from tacit.pddl.source import Source
from tacit.unified_planning.engine import PARAMETERS
from tacit.unified_planning.reading import to_problem

CODMAP_DOMAINS = [
    *("blocksworld", "depot", "driverlog", "elevators08"),
    *("logistics00", "rovers", "zenotravel"),
]


@pytest.fixture(autouse=True)
def _engine():
    get_environment().credits_stream = None
    tacit.unified_planning.register()


def loaded(files: dict[str, str]) -> Instance:
    if "domain.pddl" in files:
        names = ("domain.pddl", "problem.pddl")
        return Instance(read_texts(*(Source(name, files[name]) for name in names)), {})
    agents = sorted(n.removeprefix("domain-").removesuffix(".pddl") for n in files if n[0] == "d")
    pairs = {a: (files[f"domain-{a}.pddl"], files[f"problem-{a}.pddl"]) for a in agents}
    return Instance(factored(pairs), {})


def shape(instance: Instance) -> Counter:
    """A ground task without names: how often there is a fact or action that looks like this.

    Facts are told apart by the actions that use them and actions by their facts, again and again.
    What holds for good is left out: how much of it is compiled away depends on predicates.
    """
    picture = canonical(instance)
    facts: dict[object, object] = {}
    actions: dict[object, object] = {}
    links: list[tuple[object, object, str]] = []
    for fact in picture["facts"]:
        facts[None, fact] = ("public", fact in picture["init"], fact in picture["goal"])
    for number, agent in enumerate(instance.agents):
        rows, own, init, goal = picture[agent]
        for fact in own:
            facts[agent, fact] = (number, fact in init, fact in goal)
        for name, is_public, cost, *relations in rows:
            actions[agent, name] = (number, is_public, cost)
            for kind, named in zip(("needs", "adds", "deletes"), relations, strict=True):
                for fact in named:
                    owner = agent if fact in own else None
                    links.append(((owner, fact), (agent, name), kind))
    changed = {fact for fact, _, kind in links if kind != "needs"}
    facts = {f: seen for f, seen in facts.items() if f in changed or seen[2] or not seen[1]}
    links = [link for link in links if link[0] in facts]
    for _ in range(8):
        seen = {node: [] for node in (*facts, *actions)}
        for fact, action, kind in links:
            seen[fact].append((kind, hash(actions[action])))
            seen[action].append((kind, hash(facts[fact])))
        for colours in (facts, actions):
            for node, colour in colours.items():
                colours[node] = (hash(colour), tuple(sorted(seen[node])))
    return Counter(map(hash, (*facts.values(), *actions.values())))


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
@given(problems())
def test_random_problems_come_back(problem):
    comes_back(texts(*problem))


class Simulation:
    """Carries out a plan on a `MultiAgentProblem` as unified-planning defines it."""

    def __init__(self, problem: MultiAgentProblem):
        self.problem = problem
        self.state = {}
        self.simplify = problem.environment.simplifier.simplify

    def value(self, node, agent, bound):
        substitute = problem_substituter(self.problem)
        node = substitute(node, bound)
        if node.is_fluent_exp() or node.is_dot():
            return self.look_up(node, agent)
        if node.is_and():
            return all(self.value(n, agent, {}) for n in node.args)
        if node.is_not():
            return not self.value(node.arg(0), agent, {})
        if node.is_equals():
            return node.arg(0) == node.arg(1)
        return self.simplify(node).is_true()

    def place(self, node, agent):
        """The ground fluent that an expression means when this agent says it."""
        if node.is_fluent_exp() and agent is not None and node.fluent() in agent.fluents:
            return Dot(agent, node)
        return node

    def look_up(self, node, agent):
        place = self.place(node, agent)
        if place not in self.state:
            self.state[place] = self.problem.initial_value(place).is_true()
        return self.state[place]

    def check(self, plan):
        for step in plan.actions:
            assert step.agent in self.problem.agents
            assert step.action in step.agent.actions
            names = [
                self.problem.environment.expression_manager.ParameterExp(p)
                for p in step.action.parameters
            ]
            bound = dict(zip(names, step.actual_parameters, strict=True))
            for condition in step.action.preconditions:
                assert self.value(condition, step.agent, bound), f"{step} needs {condition}"
            changes = {False: set(), True: set()}
            for effect in step.action.effects:
                if effect.is_increase():
                    continue
                if self.value(effect.condition, step.agent, bound):
                    node = problem_substituter(self.problem)(effect.fluent, bound)
                    changes[effect.value.is_true()].add(self.place(node, step.agent))
            self.state |= dict.fromkeys(changes[False], False)
            self.state |= dict.fromkeys(changes[True], True)
        for goal in self.problem.goals:
            assert self.value(goal, None, {}), goal
        for agent in self.problem.agents:
            for goal in (*agent.public_goals, *agent.private_goals):
                assert self.value(goal, agent, {}), goal


def problem_substituter(problem):
    return problem.environment.substituter.substitute


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


def test_the_simulation_notices_a_wrong_plan():
    case = get_example_problems()["ma-loader"]
    Simulation(case.problem).check(case.valid_plans[0])
    short = up.plans.SequentialPlan(case.valid_plans[0].actions[:-1])
    with pytest.raises(AssertionError):
        Simulation(case.problem).check(short)


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
    assert "is public, so the goal would be, too" in refusal(problem)


def test_all_that_is_not_supported_is_told_at_once():
    problem, ann, _, lit, awake, home = two_agents()
    either = InstantaneousAction("either")
    either.add_precondition(Or(awake(), lit(home)))
    either.add_effect(lit(home), Not(lit(home)))
    ann.add_action(either)
    ann.add_private_fluent(Fluent("whereabouts", UserType("place")))
    text = refusal(problem)
    assert "fluent 'whereabouts' is neither true or false nor a number" in text
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
    text = (Path(__file__).parents[1] / "docs" / "unified-planning.md").read_text(encoding="utf-8")
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


def test_agents_that_disagree_are_told_apart(tmp_path):
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

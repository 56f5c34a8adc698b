"""Both forms are one task, however a converter writes the factored one."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.conversion import (
    REST,
    SEND,
    Agent,
    Problem,
    Schema,
    described,
    draw_problem,
    network,
    nodes,
    together,
    unfactored,
)
from support.converter import Converter, in_terms_of_schemas
from support.naive import canonical, ground_all
from support.notes import quick, say

import tacit
from tacit.central.instance import Instance
from tacit.central.validate.judge import validate
from tacit.central.validate.plan import read_plan_text, write_plan
from tacit.pddl.agents import has_agent_parameter, is_written_for
from tacit.pddl.factor_writer import factor
from tacit.pddl.source import Source
from tacit.pddl.syntax import Action, Typed


def check(problem: Problem, rng: Random, way: str | None = None) -> Instance:
    """All three: the unfactored form, a converter's files, and those that Tacit writes."""
    whole = described(unfactored(problem))
    converter = Converter(problem, rng, way)
    texts = converter.texts()
    say("\n".join((*unfactored(problem), *(t for pair in texts.values() for t in pair))))
    ours = Instance(whole, {})
    expected = canonical(ours)
    if not problem.uses_empty_types:  # else it knows better than we do what never changes
        assert expected == ground_all(whole)
    theirs = Instance(together(texts), {})
    assert in_terms_of_schemas(canonical(theirs), converter.meanings) == expected
    assert theirs.public.facts == ours.public.facts
    for agent in ours.agents:
        assert theirs.local(agent).counts == ours.local(agent).counts
    again = Instance(together(factor(whole)), {})
    assert canonical(again) == expected
    return theirs


@given(st.integers(0, 2**32))
@quick(60)
def test_both_forms_of_what_a_converter_may_write(seed: int) -> None:
    rng = Random(seed)
    check(draw_problem(rng), rng)


@pytest.mark.slow
def test_both_forms_of_very_much_that_a_converter_may_write() -> None:
    for seed in range(5000):
        rng = Random(seed)
        check(draw_problem(rng), rng)


@pytest.mark.parametrize("way", ["first", "named", "written"])
@pytest.mark.parametrize("is_constant", [True, False])
@pytest.mark.parametrize("names", [("node1", "subnode1", "node12", "2"), ("1", "a_1", "b_a_1")])
def test_a_parameter_of_the_agents_type_may_be_anybody(
    names: tuple[str, ...], is_constant: bool, way: str
) -> None:
    """Everybody can send to everybody else, whoever an action is written for."""
    found = check(network(*nodes(*names, is_constant=is_constant)), Random(0), way)
    for name in names:
        assert found.local(name).counts["public_actions"] == len(names) - 1
        assert found.local(name).counts["private_actions"] == 1


@pytest.mark.parametrize("way", ["first", "named"])
def test_an_action_may_not_mention_its_agent_at_all(way: str) -> None:
    wake = Schema(
        *("wake", "node", (("?n", "node"), ("?m", "note"))),
        needs=(),
        lacks=(),
        adds=(("told", "?n", "?m"),),
        deletes=(),
    )
    found = check(network(*nodes("n1", "n2", "n3"), schemas=(wake,)), Random(0), way)
    assert found.local("n2").counts["public_actions"] == 3


@pytest.mark.parametrize("way", ["first", "named", "written"])
def test_agents_that_are_secret_see_each_other_nowhere(way: str) -> None:
    agents = (*nodes("n1", is_private=True), *nodes("n2", "n3"))
    found = check(network(*agents), Random(0), way)
    assert {name: found.local(name).counts["public_actions"] for name in found.agents} == {
        "n1": 2,
        "n2": 1,
        "n3": 1,
    }


@pytest.mark.parametrize("way", ["first", "named", "written"])
def test_agents_of_several_types_and_without_actions(way: str) -> None:
    agents = (
        *nodes("n1", "n2"),
        Agent("b1", "base", False, False),
        Agent("i", "idle", True, False),
    )
    silent = replace(REST, actor="base")
    found = check(network(*agents, schemas=(SEND, silent)), Random(0), way)
    counts = {name: found.local(name).counts for name in found.agents}
    assert [counts[n]["public_actions"] for n in ("b1", "i", "n1", "n2")] == [0, 0, 1, 1]
    assert [counts[n]["private_actions"] for n in ("b1", "i", "n1", "n2")] == [1, 0, 0, 0]


def test_the_agent_may_be_a_parameter_behind_others() -> None:
    read = Schema(
        *("read", "node", (("?m", "note"),)),
        needs=(("holds", "?m", "?me"),),
        lacks=(),
        adds=(("told", "?me", "?m"),),
        deletes=(),
    )
    agents = nodes("n1", "n2")
    problem = network(*agents, schemas=(read,))
    problem = replace(problem, init=(*problem.init, ("holds", "m1", "n1"), ("holds", "m1", "n2")))
    found = check(problem, Random(0), "last")
    assert [str(a.name) for a in found.local("n1").actions] == ["(read m1 n1)"]


@pytest.mark.parametrize(
    ("name", "agent", "is_written"),
    [
        ("send_node1", "node1", True),
        ("send-node1", "node1", True),
        ("node1", "node1", True),
        ("send_subnode1", "node1", False),
        ("sendnode1", "node1", False),
        ("send_node12", "node1", False),
        ("send_node12", "2", False),
        ("send_a_1", "a_1", True),
        ("send_a_1", "1", True),
        ("send_1", "a_1", False),
        ("node1_send", "node1", False),
    ],
)
def test_the_agents_name_is_a_word_at_the_end(name: str, agent: str, is_written: bool) -> None:
    action = Action(name, None, (Typed("?n", ("node",), 0),), (), (), (), 0)
    assert is_written_for(action, agent) is is_written
    assert has_agent_parameter(action, agent, frozenset({"node"})) is not is_written
    assert not has_agent_parameter(action, agent, frozenset({"base"}))


@pytest.mark.parametrize("way", ["first", "named", "written"])
def test_plans_of_converted_problems_are_valid(way: str) -> None:
    """Also where the first argument is another agent, and all agents have an action of the name."""
    problem = network(*nodes("n1", "n2", "n3"))
    for seed in range(2):
        description = together(Converter(problem, Random(seed), way).texts())
        plan = tacit.solve(Instance(description, {})).plan
        assert plan is not None
        text = Source("plan", write_plan(plan))
        assert validate(description, read_plan_text(text)).valid

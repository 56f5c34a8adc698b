"""Plan files: both conventions, what is said about mistakes, and that nothing else escapes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tacit.central.validate.plan import (
    Plan,
    Step,
    merge,
    plan_of,
    read_agent_plans,
    read_plan,
    read_plan_text,
    write_agent_plans,
    write_plan,
)
from tacit.errors import Diagnostic, InputError
from tacit.pddl.source import Source

EXAMPLES = int(os.environ.get("TACIT_FUZZ", "100"))


def read(text: str) -> Plan:
    return read_plan_text(Source("plan.txt", text))


def mistakes(text: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        read(text)
    return [str(d) for d in caught.value.diagnostics]


def test_an_ipc_plan() -> None:
    plan = read(
        "; found by hand\n(Drive T1 A B)\n\n  ( load t1 )  ; why not\n; cost = 7 (unit cost)\n"
    )
    assert plan.steps == (Step(None, "drive", ("t1", "a", "b")), Step(None, "load", ("t1",)))
    assert plan.cost == 7
    assert plan.times is None


def test_an_empty_plan_is_a_plan() -> None:
    assert read("") == read("; nothing to do\n") == Plan(())


@pytest.mark.parametrize(
    ("line", "cost"),
    [
        ("; cost = 12 (general cost)", 12),
        (";Cost=3", 3),
        ("; cost = 5.0", 5),
        ("; cost = 5.5", None),
        ("; cost = many", None),
        ("; cost = " + "9" * 5000, None),
        ("(a) ; cost = 3", None),
    ],
)
def test_declared_costs(line: str, cost: int | None) -> None:
    assert read(line).cost == cost


def test_time_steps_in_one_file() -> None:
    plan = read("1: (b)\n0: (a x)\n1 : (c)\n")
    assert [str(step) for step in plan.steps] == ["(a x)", "(b)", "(c)"]
    assert plan.times == (0, 1, 1)
    assert list(plan.together()) == [range(0, 1), range(1, 3)]


def test_every_mistake_is_reported_with_its_place() -> None:
    found = mistakes("(a b)\ndrive t1\n  (a (b))\n(a ?x)\n()\n(a b\n(a) (b)\n")
    assert [text.split(": ")[0] for text in found] == [
        *("plan.txt:2:1", "plan.txt:3:6", "plan.txt:4:4", "plan.txt:5:1"),
        *("plan.txt:6:1", "plan.txt:7:5"),
    ]
    assert "expected '(action …)', found 'drive t1'" in found[0]
    assert "unexpected '(' inside an action" in found[1]
    assert "expected a name, found '?x'" in found[2]
    assert "expected the name of an action" in found[3]
    assert "never closed" in found[4]
    assert "unexpected text after an action" in found[5]


def test_time_steps_are_for_all_or_none() -> None:
    (found,) = mistakes("0: (a)\n(b)\n")
    assert "plan.txt:2:1: this action has no time step" in found


def test_a_plan_from_strings_and_steps() -> None:
    plan = plan_of(["(Go A)", Step("A2", "Stop")])
    assert plan.steps == (Step(None, "go", ("a",)), Step("a2", "stop"))
    with pytest.raises(InputError, match=r"plan:2:1: expected an action, found ''"):
        plan_of(["(go a)", "", "(go b)"])
    with pytest.raises(InputError, match=r"plan:1:1.*\n.*hint.*\nplan:3:2: expected a name"):
        plan_of(["go", "(go a)", "(?go b)"])


@pytest.mark.parametrize(
    "names", [("plan-A1.txt", "plan-a10.txt"), ("a1.plan", "a10.plan"), ("a1.txt", "A10.txt")]
)
def test_a_codmap_plan(names: tuple[str, str], tmp_path: Path) -> None:
    (tmp_path / names[0]).write_text("0: (go a1 x)\n2: (stop a1)\n; cost = 2\n")
    (tmp_path / names[1]).write_text("0: (go a10 y)\n; cost = 1\n")
    (tmp_path / "domain-a1.pddl").write_text("(define …)")
    plan = read_plan(tmp_path)
    assert [str(step) for step in plan.steps] == ["(go a1 x)", "(go a10 y)", "(stop a1)"]
    assert [step.agent for step in plan.steps] == ["a1", "a10", "a1"]
    assert plan.times == (0, 0, 2)
    assert plan.cost == 3


def test_agents_come_in_natural_order(tmp_path: Path) -> None:
    for agent in ("a10", "a2", "b"):
        (tmp_path / f"plan-{agent}.txt").write_text(f"5: (wait {agent})\n")
    assert [step.agent for step in read_plan(tmp_path).steps] == ["a2", "a10", "b"]


def test_mistakes_of_several_files_are_reported_together(tmp_path: Path) -> None:
    (tmp_path / "a1.plan").write_text("(go a1 x)\n")
    (tmp_path / "a2.plan").write_text("0: go\n")
    with pytest.raises(InputError) as caught:
        read_plan(tmp_path)
    first, second = caught.value.diagnostics
    assert (first.line, first.message) == (1, "expected the time step of this action")
    assert (second.line, second.column) == (1, 4)


def test_an_agent_has_one_file(tmp_path: Path) -> None:
    paths = [tmp_path / "plan-a1.txt", tmp_path / "A1.plan"]
    for path in paths:
        path.write_text("0: (go a1)\n")
    with pytest.raises(InputError, match="agent 'a1' has a second plan file"):
        read_agent_plans(paths)


def test_no_plan_here(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no plan here\n  hint: expected 'plan-AGENT.txt'"):
        read_plan(tmp_path)
    with pytest.raises(InputError, match="No such file"):
        read_plan(tmp_path / "none.txt")


def test_times_of_a_plan_are_checked() -> None:
    with pytest.raises(InputError, match="do not go down"):
        Plan((Step(None, "a"), Step(None, "b")), None, (1, 0))
    with pytest.raises(InputError, match="1 steps, but 2"):
        Plan((Step(None, "a"),), None, (1, 1))


def test_an_agent_without_a_plan_gets_an_empty_file() -> None:
    plan = merge([(1, Step("a2", "go", ("a2",))), (0, Step(None, "go", ("a1",)))])
    texts = write_agent_plans(plan, ["a3", "a2", "a1"])
    assert texts == {"a1": "0: (go a1)\n", "a2": "1: (go a2)\n", "a3": ""}
    with pytest.raises(InputError, match="no agent of the problem has"):
        write_agent_plans(plan, ["a1"])


names = st.from_regex(r"[a-z][a-z0-9_-]{0,5}", fullmatch=True)
steps = st.builds(
    lambda agent, name, args: Step(agent if agent not in args[:1] else None, name, tuple(args)),
    st.none() | names,
    names,
    st.lists(names, max_size=3),
)


@given(st.lists(steps, max_size=6), st.none() | st.integers(0, 10**9), st.booleans())
def test_what_is_written_is_read_again(found: list[Step], cost: int | None, unit: bool) -> None:
    plan = Plan(tuple(found), cost)
    assert read(write_plan(plan, unit)) == plan


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), steps.filter(lambda s: s.agent)), max_size=8))
def test_agent_files_are_read_again(
    tmp_path_factory: pytest.TempPathFactory, found: list[tuple[int, Step]]
) -> None:
    plan = merge(found)
    agents = {str(step.agent) for step in plan.steps}
    folder = tmp_path_factory.mktemp("plans")
    for agent, text in write_agent_plans(plan, agents).items():
        (folder / f"plan-{agent}.txt").write_text(text)
    again = read_plan(folder) if agents else merge([])
    assert again == plan


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.text(st.characters() | st.sampled_from("();:?-= \n\tabAB019"), max_size=80))
@example("9" * 5000 + ": (a)")
@example("(a) ; agent: " + "9" * 5000)
@example("0: (İ)\r\n\x85\u2028(ß)")
@example("(\x00)")
def test_any_text_is_a_plan_or_an_input_error(text: str) -> None:
    found: tuple[Diagnostic, ...] = ()
    plan = Plan(())
    try:
        plan = read(text)
    except InputError as error:
        found = error.diagnostics
    assert all(d.line and d.column for d in found if "more mistakes" not in d.message)
    assert read(write_plan(plan)) == plan
    merge((number, step) for number, step in enumerate(plan.steps))

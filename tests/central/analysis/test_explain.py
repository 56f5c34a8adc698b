"""Why there is no plan: the missing fact, the bound, or that the search gave up."""

from __future__ import annotations

import json
from dataclasses import replace

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.ferries import FERRIES, ferries
from support.notes import quick, say
from support.problems import instance_of

import tacit
from tacit.central.analysis.explain import Explanation, Reason, explain, why_no_plan
from tacit.central.analysis.missing import Reached, out_of_reach
from tacit.central.instance import Instance
from tacit.central.price_policy import PricePolicy
from tacit.central.session import Limits, Session
from tacit.cli.main import run as tacit_run
from tacit.errors import ExitCode
from tacit.party.disclosure.weights import parse_weights
from tacit.pddl.factor_writer import factor
from tacit.pddl.syntax import Atom, Description
from tacit.public.outcome import Outcome
from tacit.public.settings import Settings
from tacit.testing import lifted_problems, problems


@quick(25)
@given(st.integers(1, 3), st.integers(1, 3), st.data())
def test_a_missing_route_is_named(lines, ports, data):
    line, port = data.draw(st.integers(0, lines - 1)), data.draw(st.integers(0, ports - 1))
    first = line * ports + port
    route = f"(route l{line} p{first} p{first + 1})"
    instance = instance_of(FERRIES, ferries(lines, ports, frozenset([route])))
    found = explain(instance)
    assert found.reason is Reason.OUT_OF_REACH
    assert found.goals == tuple(f"(at c{n} p{lines * ports})" for n in (1, 2))
    (missing,) = found.missing
    assert (missing.fact, missing.agent, missing.goals) == (route, f"l{line}", found.goals)
    assert missing.way[0][0] == f"(sail l{line} p{first} p{first + 1})"
    assert missing.way[-1][1] == found.goals[0]
    said = "\n".join(found.lines())
    assert f"{route}, private to l{line}; it does not hold initially, and no action" in said
    assert explain(instance_of(FERRIES, ferries(lines, ports))).reason is Reason.SOLVABLE


def test_nothing_is_disclosed_for_it():
    instance = instance_of(FERRIES, ferries(2, 2, frozenset(["(route l1 p2 p3)"])))
    result = Session(instance, online=True).online()
    assert (result.outcome, len(result.ledger)) == (Outcome.NO_PLAN, 0)


def test_with_both_ways_gone_any_route_across_would_do():
    gone = frozenset(["(route l1 p1 p2)", "(route l1 p2 p1)"])
    found = explain(instance_of(FERRIES, ferries(2, 1, gone)))
    (missing,) = found.missing
    routes = ("(route l0 p0 p2)", "(route l0 p1 p2)", "(route l1 p1 p2)")
    assert {missing.fact, *missing.instead} == set(routes)


def test_a_ship_that_is_nowhere_could_be_anywhere():
    """Actions add where it is, but each needs that it is somewhere."""
    found = explain(instance_of(FERRIES, ferries(2, 2, ships=1)))
    (missing,) = found.missing
    assert missing.is_addable
    assert missing.fact.startswith("(ship-in l1 ")
    assert missing.agent == "l1"
    assert "no action that would make it hold is ever possible" in "\n".join(found.lines())


def test_each_goal_has_its_own_where_none_cures_all():
    text = ferries(2, 1).replace("(at c2 p0)", "").replace("(ship-in l1 p1)", "")
    found = explain(instance_of(FERRIES, text))
    assert {goal for one in found.missing for goal in one.goals} == set(found.goals)


def test_both_forms_are_explained_alike():
    text = ferries(2, 2, frozenset(["(route l1 p3 p4)"]))
    whole = instance_of(FERRIES, text)
    parts = factored(whole.source)
    assert explain(whole).missing[0].fact == explain(parts).missing[0].fact == "(route l1 p3 p4)"


def factored(description: Description) -> Instance:
    from support.forms import factored as read

    return Instance(read(factor(description)), {})


def parts(text: str) -> tuple[list[str], bool]:
    return text.removeprefix("(not ").strip("()").split(), not text.startswith("(not ")


def is_needed_otherwise(description: Description, text: str) -> bool:
    """Does any action need the opposite of such a fact? Then it may do harm if it holds."""
    (name, *_), is_positive = parts(text)
    actions = description.pairs[0].domain.actions
    needs = {(one.atom.name, one.positive) for action in actions for one in action.precondition}
    return (name, not is_positive) in needs


def with_fact(description: Description, text: str) -> Description:
    """The same unfactored problem, in which this fact holds initially, or does not."""
    (pair,) = description.pairs
    (name, *args), is_positive = parts(text)
    init = [atom for atom in pair.problem.init if (atom.name, *atom.args) != (name, *args)]
    init += [] if not is_positive else [Atom(name, tuple(args), 0)]
    return replace(
        description, pairs=(replace(pair, problem=replace(pair.problem, init=tuple(init))),)
    )


@pytest.mark.parametrize("strategy", [problems(), lifted_problems()], ids=["ground", "lifted"])
def test_what_is_named_is_a_cure(strategy):
    """If the fact held, its goals would be in reach; and goals in reach are never named."""
    seen = {True: 0, False: 0}

    @quick(150)
    @given(strategy)
    def run(tiny):
        say("\n".join(tiny.texts) if hasattr(tiny, "texts") else str(tiny))
        instance = tiny.load()
        session = Session(instance, online=True)
        out = session.coordinator.out_of_reach
        goals, missing = out_of_reach(instance)
        facts = instance.public.facts
        assert {str(facts[goal]) for goal in out.goals} <= set(goals)
        assert bool(goals) == bool(out)
        assert {goal for one in missing for goal in one.goals} == set(goals)
        for one in missing:
            seen[one.is_addable] += 1
            for fact in (one.fact, *one.instead):
                if is_needed_otherwise(instance.source, fact):
                    continue
                cured = Instance(with_fact(instance.source, fact), {})
                reached = Reached(cured)
                left = {str(goal) for goal in reached.goal if goal not in reached}
                assert left.isdisjoint(one.goals)

    run()
    assert sum(seen.values()) > 3


SECRETIVE = '[[truck0.rules]]\nfact = "*"\nprice = "never"\n'
DEAR = "[truck0]\ndefault = 5\n"


def test_what_is_never_disclosed_stands_in_the_way():
    found = explain(tacit.load("logistics/small"), prices=PricePolicy(parse_weights(SECRETIVE)))
    assert found.reason is Reason.BOUND
    assert found.release is not None
    assert (found.release.count, found.release.is_smallest) == (1, True)
    assert any("truck0 1" in line for line in found.lines())
    assert any("(the initial state) achieves" in line for line in found.lines(by_name=True))


@pytest.mark.parametrize(
    ("budget", "reason"), [(0, Reason.BOUND), (4, Reason.BOUND), (5, Reason.SOLVABLE)]
)
def test_a_budget_stands_in_the_way(budget, reason):
    prices = PricePolicy(parse_weights(DEAR), budget)
    found = explain(tacit.load("logistics/small"), prices=prices)
    assert found.reason is reason
    if reason is Reason.BOUND:
        assert found.price is not None
        assert (found.price.lower, found.price.best) == (5, 5)
        assert f"A budget of {budget} stands in the way" in found.lines()[0]


def test_a_budget_and_what_is_never_disclosed():
    prices = PricePolicy(parse_weights(SECRETIVE), 100)
    found = explain(tacit.load("logistics/small"), prices=prices)
    assert found.reason is Reason.BOUND
    assert found.release is not None
    assert found.release.count == 1


def test_after_a_run_nothing_is_run_again():
    instance = tacit.load("logistics/small")
    solved = tacit.solve(instance, k=2)
    small_k = tacit.solve(instance, k=1)
    plain = (instance, Settings(), PricePolicy())
    assert why_no_plan(*plain, solved, Limits()) is None
    found = why_no_plan(*plain, small_k, Limits())
    assert found is not None
    assert (found.reason, found.k) == (Reason.BOUND, 1)


def test_a_search_that_gave_up_says_with_what_effort():
    instance = tacit.load("depot/small")
    result = tacit.solve(instance, time_limit=0)
    found = why_no_plan(instance, Settings(), PricePolicy(), result, Limits())
    assert found is not None
    assert found.reason is Reason.GAVE_UP
    assert found.effort is not None
    assert found.effort.limit == "time"
    assert "--time-limit" in found.lines()[-1]


def test_explanations_are_plain_data():
    instance = instance_of(FERRIES, ferries(1, 2, frozenset(["(route l0 p0 p1)"])))
    for found in (
        explain(instance),
        explain(tacit.load("logistics/small")),
        Explanation(Reason.NO_PLAN),
    ):
        shown = msgspec.json.decode(msgspec.json.encode(found.as_json()))
        assert shown["reason"] == found.reason.value
        assert all(isinstance(line, str) for line in found.lines())


def test_the_command(tmp_path, capsys):
    route = "(route l0 p0 p1)"
    (tmp_path / "domain.pddl").write_text(FERRIES)
    (tmp_path / "problem.pddl").write_text(ferries(1, 2, frozenset([route])))
    assert tacit_run(["explain", str(tmp_path), "--json"]) == ExitCode.SOLVED
    shown = json.loads(capsys.readouterr().out)
    assert shown["schema"].startswith("tacit.explain/")
    assert [one["fact"] for one in shown["missing"]] == [route]
    assert tacit_run(["explain", str(tmp_path)]) == ExitCode.SOLVED
    said = capsys.readouterr().out
    assert "goals are out of reach" in said
    assert route in said
    assert tacit_run(["explain", "logistics/small"]) == ExitCode.SOLVED
    assert "nothing to explain" in capsys.readouterr().out
    assert tacit_run(["explain", "logistics/small", "--budget", "3"]) == 2
    assert tacit_run(["explain", "nothing"]) == ExitCode.BAD_INPUT

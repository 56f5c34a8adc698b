"""Exact points of disclosure and cost, against every choice of edges on small random problems."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from xml.etree import ElementTree

import pytest
from hypothesis import assume, given
from support.brute import Joint
from support.notes import quick
from support.optimal import cheapest_from

from tacit.central.analysis.exact_front import ExactSearch
from tacit.central.analysis.minimum.trials import Trials
from tacit.central.instance import Instance, load
from tacit.cli.main import run as run_command
from tacit.profile import profile
from tacit.public.settings import Cost
from tacit.testing import GroundProblem, problems

MOST_EDGES = 9
SETTINGS = profile("tacit")


def by_brute_force(instance: Instance) -> list[tuple[int, int]] | None:
    """The front by trying every choice; None if there are too many."""
    trials = Trials(instance, SETTINGS, 0)
    choices = trials.choices
    if len(choices) > MOST_EDGES:
        return None
    own = {name: agent.dependencies for name, agent in trials.agents.items()}
    best: dict[int, int] = {}
    for size in range(len(choices) + 1):
        for choice in combinations(range(len(choices)), size):
            joint = Joint(own, choices.by_agent(frozenset(choice)))
            cost = cheapest_from(joint, own, Cost.TOTAL, joint.init)
            if cost is not None:
                k = max(choices.loads(choice).values(), default=0)
                best[k] = min(cost, best.get(k, cost))
    found: list[tuple[int, int]] = []
    for k, cost in sorted(best.items()):
        if not found or cost < found[-1][1]:
            found.append((k, cost))
    return found


@pytest.mark.parametrize("public_preconditions", [False, True])
def test_the_front_is_that_of_all_choices(public_preconditions):
    seen: Counter[int] = Counter()
    kinds = problems(agents=2, most_cost=3, public_preconditions=public_preconditions)

    @quick(60)
    @given(kinds)
    def every(tiny: GroundProblem) -> None:
        instance = tiny.load()
        expected = by_brute_force(instance)
        assume(expected is not None)
        found = ExactSearch(instance, SETTINGS).run()
        assert found.is_complete
        assert [(point.k, point.cost) for point in found.points] == expected
        assert found.solvable is bool(expected)
        seen[len(expected)] += 1

    every()
    assert seen[0] > 3
    assert seen[1] > 3


def test_more_edges_buy_cheaper_plans():
    found = ExactSearch(load(["depot/small"]), SETTINGS).run()
    values = [(point.k, point.cost) for point in found.points]
    assert values == sorted(values)
    costs = [cost for _, cost in values]
    assert costs == sorted(set(costs), reverse=True)


def test_it_is_printed_drawn_and_says_what_is_proved(tmp_path, capsys):
    path = tmp_path / "front.svg"
    command = ["pareto", "logistics/small", "--exact"]
    assert run_command([*command, "-o", str(path)]) == 0
    assert "Proved: no plan with as few edges costs less" in capsys.readouterr().out
    assert "cost" in "".join(ElementTree.parse(path).getroot().itertext())
    assert run_command([*command, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["complete"]
    assert all(point["optimal"] for point in told["points"])
    assert run_command([*command, "--time-limit", "0"]) == 23
    assert "Not proved" in capsys.readouterr().out


def test_prices_are_refused(tmp_path, capsys):
    path = tmp_path / "prices.toml"
    path.write_text("[truck0]\ndefault = 5\n")
    assert run_command(["pareto", "logistics/small", "--exact", "--weights", str(path)]) == 31
    assert "leave out --weights" in capsys.readouterr().err

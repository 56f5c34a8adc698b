"""cost: edges of a cheaper plan that is hoped for, private costs included."""

from __future__ import annotations

import pytest
from support.brute import is_supported
from support.problems import generated

from tacit.central.session import Limits, Session
from tacit.choices import chosen
from tacit.party.disclosure.hoping import Hoping
from tacit.party.disclosure.ranking import RANKINGS
from tacit.policy import POLICY

SIZES = {
    "blocksworld": {"arms": 2, "blocks": 4},
    "elevators": {"areas": 2, "floors": 2, "slow": 1, "fast": 1, "passengers": 3, "seats": 2},
    "logistics": {"cities": 2, "places": 2, "planes": 1, "packages": 2},
    "zenotravel": {"planes": 2, "people": 3, "cities": 4},
}


def session(domain: str, seed: int, ranking: str = "cost", **extra) -> Session:
    settings, options = chosen("tacit", ranking=ranking, drive="roundrobin", **extra)
    return Session(generated(domain, SIZES[domain], seed), settings, options)


def hopes(made: Session):
    """Each agent with its hopeful plan."""
    made.disclose(0)
    for agent in made.agents.values():
        order = agent._disclosing.order
        graph, view = order._with_deletes(True), order._view
        hoping = Hoping(graph, graph.work, view, 0, POLICY.hoping)
        hoping.saw(*RANKINGS.get("goal")(graph, view, 0)._order.supposed)
        yield agent, hoping


@pytest.mark.parametrize("domain", SIZES)
def test_the_edges_of_a_hopeful_plan_support_the_own_part_of_it(domain):
    found = 0
    for seed in (1, 2):
        for agent, hoping in hopes(session(domain, seed)):
            if not hoping.finds_cheaper():
                continue
            own = [n for n in hoping._plan if n < len(hoping._work.price)]
            edges = hoping.edges(())
            assert is_supported(agent.dependencies, edges, own)
            assert hoping.edges(set(edges)) == []
            if edges:
                assert not is_supported(agent.dependencies, edges[:-1], own)
            found += bool(edges)
    assert found


@pytest.mark.parametrize("domain", SIZES)
def test_plans_that_are_hoped_for_only_become_cheaper(domain):
    """At what each step of others is supposed to cost, which doubles when nothing is found."""
    for _, hoping in hopes(session(domain, 1)):
        looks, before, doubled = 0, hoping._plan, 0
        while hoping.finds_cheaper():
            assert hoping._doubled >= doubled
            doubled, looks = hoping._doubled, looks + 1
            task = hoping._task(hoping._extra * 2**doubled)

            def worth(plan, task=task):
                return sum(task.cost[n] for n in plan), len(plan)

            assert not before or worth(hoping._plan) < worth(before)
            before = hoping._plan
        assert looks <= POLICY.hoping.looks


def test_an_agent_that_can_do_all_discloses_what_that_takes():
    """However little it supposes of the others: it may be wrong."""
    made = session("zenotravel", 1)
    found = {agent.name: hoping for agent, hoping in hopes(made)}
    for hoping in found.values():
        edges = 0
        while hoping.finds_cheaper():
            edges = max(edges, len(hoping.edges(())))
        assert edges


def test_a_budget_is_spent_on_a_cheaper_plan():
    """The same budget, less disclosed or as much, and a cheaper plan."""
    costs = {}
    for ranking in ("goal", "cost"):
        made = session("zenotravel", 3, ranking, improve=0.5)
        result = made.at(made.largest // 4, Limits())
        assert result.solved
        costs[ranking] = result.verdict.cost
    assert costs["cost"] <= costs["goal"]

"""Hindsight: the edges that a plan uses are enough to support it, and were disclosed."""

from __future__ import annotations

import pytest

from tacit.central.instance import load
from tacit.central.session import Session
from tacit.central.used import used_edges
from tacit.party.disclosure.graph import INIT
from tacit.profile import profile
from tacit.public.run_options import RunOptions

PROBLEMS = ["driverlog/medium", "elevators/small", "logistics/medium", "rovers/small"]


def unmet(agent, actions, edges):
    """The needs, as (position, token), that some edges do not meet: a plain simulation."""
    own = agent.dependencies
    given = {(edge.achiever, edge.token) for edge in edges if edge.positive}
    tokens = range(len(own.token_facts))
    holds = {token for token in tokens if (INIT, token) in given}
    missing = set()
    for position, action in enumerate(actions):
        number = own.number[action]
        missing |= {(position, t) for t in own.graph.needs[number] if t not in holds}
        holds -= set(own.certain_deletes[action])
        holds |= {token for token in tokens if (number, token) in given}
    missing |= {("goal", t) for t in own.goal if t not in holds}
    return missing


@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("ranking", ["m1", "random"])
def test_the_used_edges_support_the_plan(problem, ranking):
    session = Session(load(problem), profile("tacit"), RunOptions(ranking=ranking, seed=3))
    for k in (session.largest, session.first().k):
        result = session.at(k)
        assert result.plan is not None
        used = used_edges(session.agents, result.plan)
        assert set(used) == set(session.agents)
        for name, agent in session.agents.items():
            assert agent.local_plan is not None
            own = [a for a, _ in agent.local_plan.actions if agent.task.arrays.is_public[a]]
            assert used[name] <= set(agent.disclosed)
            assert unmet(agent, own, agent.disclosed) == set()
            assert unmet(agent, own, used[name]) == set()


def test_what_is_not_needed_is_not_used():
    session = Session(load("logistics/small"), profile("tacit"), RunOptions(ranking="m1"))
    result = session.at(session.largest)
    assert result.plan is not None
    counts = {name: len(edges) for name, edges in used_edges(session.agents, result.plan).items()}
    assert max(counts.values()) == session.first().k == 2  # fewer would not do
    assert all(count < session.totals[name] for name, count in counts.items())

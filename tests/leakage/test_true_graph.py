"""The owner's own graph is among those that are left, and certain edges are true."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.forms import factored
from support.notes import quick
from support.problems import SMALL
from support.views import session_view, true_edges

import tacit
from tacit.central.instance import Instance
from tacit.central.session import Session
from tacit.leakage.certain import Conclusions
from tacit.pddl.factor_writer import factor
from tacit.profile import profile
from tacit.public.disclosure import INIT, PublicEdge
from tacit.public.run_options import RunOptions
from tacit.public.settings import Chain, Extension, Rule, Settings, Threats, Tokens
from tacit.solvers.limits import Limits
from tacit.testing import problems

WAYS = {
    "tacit": Settings(),
    "last": Settings(chain=Chain.LAST),
    "any": Settings(chain=Chain.ANY),
    "known threats": Settings(threats=Threats.KNOWN),
    "ranked threats": Settings(threats=Threats.RANKED),
    "replanning": Settings(extension=Extension.REPLAN),
    "authors": Settings(rule=Rule.AUTHORS),
    "tokens per use": Settings(tokens=Tokens.PER_USE),
    "paper": profile("paper"),
}


def by_agent(instance: Instance) -> Instance:
    """The same from the files of each agent, so that what crosses while grounding is seen."""
    return Instance(factored(factor(instance.source)), {})


def check(session: Session, agent: str) -> frozenset[PublicEdge]:
    """The certain edges of an agent that it did not disclose, which are true."""
    view = session_view(session, agent)
    found = Conclusions(view.agents[agent], view.settings, view.ranking)
    true = true_edges(session, agent)
    assert found.undisclosed <= true
    assert found.admits(sorted(true))
    assert found.bits.learned > -1e-9
    return found.undisclosed


def run(instance: Instance, settings: Settings, options: RunOptions) -> int:
    session = Session(instance, settings, options, online=True)
    session.online(Limits(20))
    return sum(len(check(session, agent)) for agent in instance.agents)


@pytest.mark.parametrize("way", WAYS)
@quick(25)
@given(problems(), st.sampled_from(["goal", "m1", "m2", "random"]))
def test_random_problems(way, problem, ranking):
    settings = WAYS[way]
    solver = "mafs" if settings.rule is not Rule.SUPPORTED else "projection"
    run(
        by_agent(problem.load()),
        settings,
        RunOptions(solver=solver, ranking=ranking, drive="roundrobin"),
    )


@pytest.mark.parametrize("domain", SMALL)
@pytest.mark.parametrize("ranking", ["goal", "m1", "m2"])
def test_families(domain, ranking):
    run(by_agent(tacit.load(f"{domain}/small")), Settings(), RunOptions(ranking=ranking))


def test_rounds_name_edges_of_trucks_though_nothing_is_disclosed():
    """A package that a truck could not bring before it was somewhere has been loaded there."""
    instance = by_agent(tacit.load("logistics/small"))
    session = Session(instance, Settings())
    result = session.at(0, Limits(20))
    assert not result.ledger.sum
    found = {agent: check(session, agent) for agent in instance.agents}
    trucks = {agent: edges for agent, edges in found.items() if agent.startswith("truck")}
    assert trucks
    assert all(edges for edges in trucks.values())
    assert any(edge.achiever != INIT for edges in trucks.values() for edge in edges)

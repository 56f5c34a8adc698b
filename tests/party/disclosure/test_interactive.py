"""Rankings that listen: turns, what they hear and can reach, and what the protocol forbids."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.forms import factored, generated, read
from support.inside import (
    lower_bound_of,
    messages_of,
    offline_of,
    projection_of,
    publications_of,
    published_of,
)
from support.interactive import check_prefixes, of, reachable, send_all, told
from support.renaming import check_renaming, private_words

import tacit
from tacit.central.instance import Instance
from tacit.central.session import Session
from tacit.central.solve import dependencies
from tacit.domains import DOMAINS
from tacit.party.agent import Agent
from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.disclosure.public_view import PublicView
from tacit.party.disclosure.ranking import RANKINGS, full_order
from tacit.party.local.compiled import Compiled
from tacit.party.local.task import LocalTask, PrivateFact
from tacit.pddl.factor_writer import factor
from tacit.public.projection import Reach
from tacit.public.protocol.messages import (
    NextEdge,
)
from tacit.public.run_options import RunOptions
from tacit.public.settings import Settings, Threats
from tacit.testing import problems

# ------------------------------------------------------------------ what is heard, and what follows


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_every_agent_hears_all_others_in_order_before_it_chooses(echo, domain):
    session = Session(Instance(generated(domain, 1), {}), Settings(), RunOptions(ranking="echo"))
    send_all(session)
    everything = told(session)
    assert len(everything) == sum(session.totals.values())
    rankings = {made.public.agent: made for made in echo.made[-len(session.agents) :]}
    assert list(rankings) == list(session.agents)
    for agent, ranking in rankings.items():
        others = [entry for entry in everything if entry[0] != agent]
        assert ranking.seen == others[: len(ranking.seen)]
        own_places = [n for n, entry in enumerate(everything) if entry[0] == agent]
        heard = [place - own for own, place in enumerate(own_places)]
        assert [before for before, _ in ranking.steps] == heard
        assert [ranking.public.show(edge) for _, edge in ranking.steps] == of(session, agent)


def test_agents_take_turns_and_those_done_are_not_asked_again(echo):
    session = Session(tacit.load("logistics/small"), Settings(), RunOptions(ranking="echo"))
    totals = session.totals
    assert len(set(totals.values())) > 1, "somebody runs out first"
    send_all(session)
    agents = list(session.agents)
    rounds = range(session.largest)
    assert [a for a, _ in told(session)] == [a for r in rounds for a in agents if r < totals[a]]
    turns = [m for m in messages_of(session) if isinstance(m, NextEdge)]
    assert len(turns) == sum(totals.values()) + len(agents)


def test_the_order_depends_on_what_was_heard(echo):
    session = Session(tacit.load("logistics/medium"), Settings(), RunOptions(ranking="echo"))
    send_all(session)
    last = list(session.agents)[-1]
    heard = echo.made[-1]
    alone = full_order(echo(heard.graph, heard.public, published_of(session.agents[last]).seed))
    assert sorted(alone) == sorted(edge for _, edge in heard.steps)
    assert list(alone) != [edge for _, edge in heard.steps]


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_every_k_is_a_prefix_however_it_was_asked_for(echo, domain):
    check_prefixes(Instance(generated(domain, 1), {}), "echo", 12)


def test_others_are_not_asked_to_take_turns(echo):
    options = RunOptions(ranking="echo")
    assert offline_of(Session(tacit.load("logistics/small"), Settings(), options)).takes_turns
    for name in RANKINGS:
        session = Session(tacit.load("logistics/small"), Settings(), RunOptions(ranking=name))
        session.at(3)
        takes_turns = offline_of(session).takes_turns
        assert takes_turns == getattr(RANKINGS.get(name), "is_interactive", False)
        assert any(isinstance(m, NextEdge) for m in messages_of(session)) == takes_turns


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_the_lower_bound_asks_for_no_round_too_many(echo, domain):
    session = Session(Instance(generated(domain, 1), {}), Settings(), RunOptions(ranking="echo"))
    low = lower_bound_of(session)
    assert max(len(of(session, agent)) for agent in session.agents) == low
    assert projection_of(session, low).is_relaxed_reachable()
    assert low == 0 or not projection_of(session, low - 1).is_relaxed_reachable()


def test_the_first_k_overshoots_by_no_more_than_it_climbed(echo):
    for domain in ("driverlog", "logistics", "zenotravel", "rovers"):
        session = Session(tacit.load(f"{domain}/small"), Settings(), RunOptions(ranking="echo"))
        low = lower_bound_of(session)
        result = session.first()
        assert result.solved
        assert max(result.disclosed.values()) <= result.k
        asked = max(len(of(session, agent)) for agent in session.agents)
        assert result.k <= asked <= low + 2 * (result.k - low)
        for agent in session.agents.values():
            assert len(agent.disclosed) <= result.k


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(problems(), st.sampled_from([Threats.ON_DEMAND, Threats.RANKED]))
def test_reach_grows_as_if_it_were_made_anew(tiny, threats):
    chosen = msgspec.structs.replace(Settings(), threats=threats)
    session = Session(tiny.load(), chosen, RunOptions(ranking="random"))
    reach = Reach(projection_of(session, 0))
    for k in range(session.largest + 1):
        anew = projection_of(session, k)
        assert reach.has_goal == anew.is_relaxed_reachable()
        assert reach._relaxed.reached == Reach(anew)._relaxed.reached
        for agent in session.agents:
            before, after = (offline_of(session).disclose_all(n).edges(agent) for n in (k, k + 1))
            for edge in set(after) - set(before):
                reach.disclose(agent, edge)


# ------------------------------------------------------------------ privacy


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_private_names_change_no_byte_of_turns(echo, domain):
    made = DOMAINS.get(domain).generate("small", 1)
    check_renaming({None: (made.domain, made.problem)}, lambda t: read(*t[None]), 1, "echo")
    check_renaming(factor(generated(domain, 1)), factored, 1, "echo")


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_the_view_is_the_public_task_in_published_numbers(echo, domain):
    instance = Instance(generated(domain, 1), {})
    session = Session(instance, Settings(), RunOptions(ranking="echo"))
    offline_of(session).take_all_turns()
    views = {made.public.agent: made for made in echo.made[-len(session.agents) :]}
    for agent, ranking in views.items():
        view, graph = ranking.public, ranking.graph
        task = view.task
        assert (task.agents, task.facts) == (instance.agents, instance.public.facts)
        assert (task.init, task.goal) == (instance.public.init, instance.public.goal)
        assert view.published == publications_of(session)
        assert task.agents == tuple(view.published)
        shown = {action.id: action for action in view.published[agent].actions}
        for number, name in enumerate(view.actions.shown):
            assert view.actions.own[name] == number
            assert shown[name].adds == tuple(graph.achieves[number])
            needs = sorted(view.tokens.shown[token] for token in graph.needs[number])
            assert list(shown[name].tokens) == needs
        if len(graph.needs) > len(shown):
            goal = [view.tokens.shown[token] for token in graph.needs[len(shown)]]
            assert sorted(goal) == list(view.published[agent].goal)


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_a_ranking_cannot_reach_what_is_private(echo, domain):
    description = generated(domain, 1)
    secret = private_words(description)
    assert secret
    session = Session(Instance(description, {}), Settings(), RunOptions(ranking="echo"))
    offline_of(session).take_all_turns()
    for ranking in echo.made[-len(session.agents) :]:
        ranking.graph.edges, ranking.graph.needed_by, ranking.public.published  # noqa: B018
        found = reachable(ranking.graph, ranking.public)
        kinds = (LocalTask, PrivateFact, Compiled, Dependencies, Agent, Session, Instance)
        assert not [thing for thing in found if isinstance(thing, kinds)]
        words = {thing for thing in found if isinstance(thing, str)}
        assert not words & secret
    agent = session.agents[ranking.public.agent]
    assert any(thing is agent for thing in reachable(session)), "the search finds things"


def test_the_view_of_nobody_else():
    for domain in DOMAINS:
        for own in dependencies(tacit.load(f"{domain}/small"), Settings()).values():
            view = PublicView.alone(own.graph)
            part = view.published[view.agent]
            assert [list(action.tokens) for action in part.actions] == [
                list(row) for row in own.graph.needs[: len(own.members)]
            ]
            assert (part.tokens, part.goal) == (own.graph.tokens, own.goal)
            assert all(view.show(edge).token == edge.token for edge in own.graph.edges)


# ------------------------------------------------------------------ ties


def test_ties_shuffle_every_agents_order_in_a_way_of_its_own():
    instance = tacit.load("logistics/medium")

    def orders(ties):
        session = Session(instance, Settings(), RunOptions(ranking="m3", ties=ties))
        projection_of(session)
        return {name: tuple(agent.disclosed) for name, agent in session.agents.items()}

    fixed, one, again, other = orders(None), orders(1), orders(1), orders(2)
    assert one == again
    assert fixed != one != other != fixed
    assert all(sorted(fixed[name]) == sorted(one[name]) for name in fixed)
    assert tacit.solve(instance, ties=3).solved


def test_choosing_what_to_tell_is_timed_apart():
    listening = Session(tacit.load("depot/small"), Settings(), RunOptions(ranking="goal"))
    assert listening.seconds_of_turns == 0
    listening.disclose(3)
    assert listening.seconds_of_turns > 0
    made_before = Session(tacit.load("depot/small"), Settings(), RunOptions(ranking="m3"))
    made_before.disclose(3)
    assert made_before.seconds_of_turns == 0

"""The ranking `goal`: it reads nothing beyond its interface, is repeatable, and is of use."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.forms import factored, generated, read
from support.inside import lower_bound_of, made_so_far, order_of, shown_edge, view_of
from support.interactive import check_prefixes, of, reachable, send_all, told
from support.naive_peer_model import PeerModel
from support.renaming import LIMITS, check_renaming, private_words

import tacit
from tacit.central.instance import Instance
from tacit.central.session import Session
from tacit.domains import DOMAINS
from tacit.native import Rows
from tacit.party.agent import Agent
from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.disclosure.graph import INIT, Edge, EdgeColumns, Graph
from tacit.party.disclosure.public_view import PublicView
from tacit.party.disclosure.ranking import (
    PASS,
    RANKINGS,
    full_order,
    is_interactive,
    next_anyway,
)
from tacit.party.disclosure.ranking.goal import own_graph
from tacit.party.local.compiled import Compiled
from tacit.party.local.task import LocalTask, PrivateFact
from tacit.pddl.factor_writer import factor
from tacit.policy import POLICY
from tacit.public.disclosure import FINISH, PublicEdge
from tacit.public.projection import Projection
from tacit.public.run_options import RunOptions
from tacit.public.settings import Settings, Threats
from tacit.testing import problems

GOAL = RANKINGS.get("goal")
World = dict[str, tuple[Graph, PublicView]]


def world(session: Session) -> World:
    """What the ranking of every agent is given."""
    orders = {name: order_of(agent) for name, agent in session.agents.items()}
    return {
        name: (session.agents[name].dependencies.graph_with_deletes, view_of(order))
        for name, order in orders.items()
    }


Inference = tuple[dict[int, tuple[list[int], bool]], set[tuple[int, int]]]
"""Per token of the others its achievers, and whether it holds initially; and who deletes what."""
Turns = Mapping[str, list[PublicEdge | None]]
"""Per agent what it discloses in each round, None if that is nothing."""


def disclosed_in_turns(given: World, rounds: int, scripts: Turns | None = None) -> Turns:
    """Everybody's edges, disclosed in turns; after a round in which nobody discloses anything, all
    must. An agent with a script discloses that, whatever its ranking says.
    """
    rankings = {name: GOAL(graph, view, 0) for name, (graph, view) in given.items()}
    done: dict[str, list[PublicEdge | None]] = {name: [] for name in given}
    must = False
    for number in range(rounds):
        for name, ranking in rankings.items():
            edge = next_anyway(ranking) if must else ranking.next()
            shown = None if edge is None or edge is PASS else given[name][1].show(edge)
            if scripts and name in scripts:
                script = scripts[name]
                shown = script[number] if number < len(script) else None
            done[name].append(shown)
            for other, listener in rankings.items():
                if other != name and shown is not None:
                    listener.saw(name, shown)
        must = not any(turns[-1] for turns in done.values())
    return done


def with_other_edges(graph: Graph, kept: set[Edge], rng: random.Random) -> Graph:
    """The same public part, with the edges that were told and others that are made up."""
    actions = sum(1 for row in graph.achieves if -1 not in row)
    places = [Edge(g, t) for g in range(INIT, actions) for t in range(graph.tokens)]
    made_up = rng.sample(places, rng.randint(0, min(len(places), 40)))
    edges = [*kept, *(edge for edge in made_up if edge not in kept)]
    rng.shuffle(edges)
    ends = [
        rng.sample(range(graph.tokens), rng.randint(0, min(3, graph.tokens))) for _ in graph.deletes
    ]
    return Graph(graph.tokens, graph.needs, graph.achieves, EdgeColumns.of(edges), ends)


# ------------------------------------------------------------------ the interface


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_what_others_did_not_tell_makes_no_difference(domain):
    given = world(
        Session(Instance(generated(domain, 1), {}), Settings(), RunOptions(ranking="goal"))
    )
    most = 12
    before = disclosed_in_turns(given, most)
    rng = random.Random(domain)
    own = {name: {view.show(edge): edge for edge in g.edges} for name, (g, view) in given.items()}
    for agent in given:
        changed = {
            name: (
                graph
                if name == agent
                else with_other_edges(graph, {own[name][e] for e in before[name] if e}, rng),
                view,
            )
            for name, (graph, view) in given.items()
        }
        others = {name: edges for name, edges in before.items() if name != agent}
        assert disclosed_in_turns(changed, most, others)[agent] == before[agent]


def test_that_test_would_notice():
    """What others did tell does make a difference, and so do the own edges."""
    given = world(Session(tacit.load("logistics/medium"), Settings(), RunOptions(ranking="goal")))
    before = disclosed_in_turns(given, 12)
    *others, last = given
    silent: Turns = {name: [] for name in others}
    assert disclosed_in_turns(given, 12, silent)[last] != before[last]
    other = with_other_edges(given[last][0], set(), random.Random(1))
    assert disclosed_in_turns(given | {last: (other, given[last][1])}, 12)[last] != before[last]


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_it_holds_nothing_private(domain):
    description = generated(domain, 1)
    session = Session(Instance(description, {}), Settings(), RunOptions(ranking="goal"))
    secret = private_words(description)
    kinds = (LocalTask, PrivateFact, Compiled, Dependencies, Agent, Session, Instance)
    for graph, view in world(session).values():
        ranking = GOAL(graph, view, 0)
        ranking.next()
        found = reachable(ranking)
        assert not [thing for thing in found if isinstance(thing, kinds)]
        assert not {thing for thing in found if isinstance(thing, str)} & secret


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_private_names_change_no_byte(domain):
    made = DOMAINS.get(domain).generate("small", 1)
    check_renaming({None: (made.domain, made.problem)}, lambda t: read(*t[None]), 1, "goal")
    check_renaming(factor(generated(domain, 1)), factored, 1, "goal")


# ------------------------------------------------------------------ the order


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_every_k_is_a_prefix_however_it_was_asked_for(domain):
    check_prefixes(Instance(generated(domain, 1), {}), "goal", 10)


@pytest.mark.parametrize("threats", [Threats.ON_DEMAND, Threats.RANKED])
@pytest.mark.parametrize("domain", list(DOMAINS))
def test_the_order_is_whole_and_repeatable(domain, threats):
    instance = Instance(generated(domain, 1), {})
    chosen = Settings(threats=threats)
    sessions = [Session(instance, chosen, RunOptions(ranking="goal")) for _ in range(2)]
    for session in sessions:
        send_all(session)
    assert told(sessions[0]) == told(sessions[1])
    for name, agent in sessions[0].agents.items():
        order = made_so_far(order_of(agent))
        assert sorted(order) == sorted(agent.dependencies.graph.edges)
        positive = [edge.positive for edge in order]
        assert positive == sorted(positive, reverse=True), f"threats of {name} come last"


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(problems(), st.sampled_from([Threats.NONE, Threats.ON_DEMAND, Threats.RANKED]))
def test_random_problems_private_goals_and_lonely_agents_included(tiny, threats):
    chosen = Settings(threats=threats)
    session = Session(tiny.load(), chosen, RunOptions(ranking="goal"))
    send_all(session)
    for agent in session.agents.values():
        assert sorted(made_so_far(order_of(agent))) == sorted(agent.dependencies.graph.edges)
    if threats is not Threats.RANKED:  # with everything told, no order makes a difference
        other = Session(tiny.load(), chosen, RunOptions(ranking="m3"))
        largest = session.largest
        assert session.at(largest, LIMITS).outcome == other.at(largest, LIMITS).outcome


def test_a_goal_that_nobody_reaches_and_an_agent_without_tokens():
    # Action 0 gives token 0 to action 1, whose fact is no goal; nothing gives token 1 of action 2.
    edges = [Edge(INIT, 0), Edge(0, 0)]
    graph = Graph(2, [(), (0,), (1,)], [(), (0,), (1,)], EdgeColumns.of(edges))
    order = full_order(GOAL(graph, PublicView.alone(graph), 0))
    assert sorted(order) == sorted(edges)
    bare = Graph(0, [(), ()], [(0,), (1,)], EdgeColumns.of([]))
    assert list(full_order(GOAL(bare, PublicView.alone(bare), 0))) == []


def test_an_owner_sees_the_order_in_which_edges_are_disclosed():
    """Also where nobody took turns yet, because everything was disclosed at once."""
    session = Session(tacit.load("driverlog/small"), Settings(), RunOptions(ranking="goal"))
    session.at(session.largest, LIMITS)
    for name, agent in session.agents.items():
        shown = [shown_edge(agent, edge) for edge in session.order(name)]
        disclosed = of(session, name)  # who passed has not disclosed everything in so many turns
        assert disclosed
        assert shown[: len(disclosed)] == disclosed


# ------------------------------------------------------------------ what it is good for


def test_it_is_interactive():
    assert is_interactive(GOAL)


def smallest(instance: Instance, ranking: str) -> int:
    """The first k at which the goal can be reached if nothing is ever deleted."""
    return lower_bound_of(
        Session(instance, Settings(threats=Threats.NONE), RunOptions(ranking=ranking))
    )


def test_it_needs_fewer_edges_than_the_rankings_of_the_paper():
    ours = best = 0
    for domain in DOMAINS:
        instance = tacit.load(f"{domain}/medium")
        ours += smallest(instance, "goal")
        best += min(smallest(instance, name) for name in ("m1", "m2", "m3", "m4"))
    assert ours < 0.7 * best


def test_plans_are_found_with_it():
    for domain in ("driverlog", "logistics", "rovers", "zenotravel"):
        assert tacit.solve(tacit.load(f"{domain}/small"), ranking="goal").solved


def inferred(graph: Graph, view: PublicView) -> Inference:
    """Achievers and deletes of the others' tokens as the core infers them, in its numbers."""
    numbers, policy = view.world, POLICY.ranking
    tokens, after, initially, deletes = numbers.projection.infer(
        numbers.number[view.agent],
        own_graph(graph, view),
        policy.alike,
    )
    return dict(zip(tokens, zip(Rows(after), map(bool, initially), strict=True), strict=True)), (
        set(deletes)
    )


def by_comparing(graph: Graph, view: PublicView) -> Inference:
    """The same, pair by pair."""
    naive, numbers = PeerModel(graph, view), view.world
    achievers: dict[int, tuple[list[int], bool]] = {}
    deletes = {
        (
            numbers.action(view.agent, view.actions.shown[action]),
            numbers.fact(view.agent, view.tokens.shown[token]),
        )
        for action, tokens in enumerate(graph.deletes)
        for token in tokens
    }
    for other in view.published:
        if other == view.agent:
            continue
        for token, found in enumerate(naive.inferred(other)):
            after = [numbers.action(other, action) for action in found.after]
            achievers[numbers.fact(other, token)] = after, found.initial
        for token, actions in enumerate(naive.deletes(other)):
            fact = numbers.fact(other, token)
            deletes |= {(numbers.action(other, action), fact) for action in actions}
    return achievers, deletes


def check_inference(session: Session) -> int:
    guessed = 0
    for graph, view in world(session).values():
        found = inferred(graph, view)
        assert found == by_comparing(graph, view)
        guessed += sum(len(after) for after, _ in found[0].values())
    return guessed


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_the_model_of_the_others_is_that_of_comparing(domain):
    """On four generated problems per domain."""
    guessed = 0
    for size, seeds in (("small", (1, 2, 3)), ("medium", (1,))):
        for seed in seeds:
            made = DOMAINS.get(domain).generate(size, seed)
            instance = Instance(read(made.domain, made.problem), {})
            guessed += check_inference(Session(instance, Settings(), RunOptions(ranking="goal")))
    assert guessed > 0


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(problems(), st.sampled_from([Threats.NONE, Threats.ON_DEMAND]))
def test_the_model_of_the_others_is_that_of_comparing_at_random(tiny, threats):
    check_inference(Session(tiny.load(), Settings(threats=threats), RunOptions(ranking="goal")))


def test_the_projection_of_the_core_is_that_of_solvers():
    """Numbered alike, and with the same actions."""
    for name in ("driverlog/small", "sensors/small"):
        session = Session(tacit.load(name), Settings(), RunOptions(ranking="goal"))
        for _, view in world(session).values():
            expected = Projection.of(view.task, view.published)
            shared = view.world
            assert {
                (agent, token): shared.fact(agent, token) for agent, token in expected.tokens
            } == expected.tokens
            numbers = {
                step: shared.action(step.agent, step.action)
                for step in expected.number
                if step.action != FINISH
            }
            assert numbers.items() <= expected.number.items()


def test_agents_of_one_process_share_the_public_world():
    session = Session(tacit.load("logistics/small"), Settings(), RunOptions(ranking="goal"))
    views = [view for _, view in world(session).values()]
    assert len({id(view.world) for view in views}) == 1
    assert len({id(view.world.projection) for view in views}) == 1
    other = Session(tacit.load("logistics/small"), Settings(), RunOptions(ranking="goal", seed=1))
    assert all(view.world is not views[0].world for _, view in world(other).values())


def test_agents_that_are_alike_model_each_other():
    """Trucks learn of trucks: a token comes after loading the very parcel, and only that."""
    session = Session(tacit.load("logistics/medium"), Settings(), RunOptions(ranking="goal"))
    guessed = right = 0
    given = world(session)
    for name, (graph, view) in given.items():
        peer_model = PeerModel(graph, view)
        for other, (theirs, seen) in given.items():
            if other == name:
                continue
            truth = {seen.show(edge) for edge in theirs.edges}
            for token, hope in enumerate(peer_model.inferred(other)):
                guessed += len(hope.after)
                right += sum(PublicEdge(action, token) in truth for action in hope.after)
    assert guessed > 0
    assert right > 0.8 * guessed

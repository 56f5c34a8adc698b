"""Rankings that listen: turns, what they hear and can reach, and what the protocol forbids."""

from __future__ import annotations

import gc
from pathlib import Path

import msgspec
import pytest
from brute import tinies
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_factored import factored, generated
from test_solve_privacy import LIMITS, check_renaming, private_words, read

import tacit
from tacit.central.instance import Instance
from tacit.central.pipeline import dependencies
from tacit.central.solve import Session
from tacit.domains import DOMAINS
from tacit.errors import InputError, ProtocolError
from tacit.party.agent import Agent
from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.disclosure.public_view import PublicView
from tacit.party.disclosure.ranking import RANKINGS, full_order
from tacit.party.local.compiled import Compiled
from tacit.party.local.task import LocalTask, PrivateFact
from tacit.pddl.factor_writer import factor
from tacit.public.disclosure import FINISH, PublicEdge
from tacit.public.projection import Reach
from tacit.public.protocol.messages import Disclose, Meet, Publish, Told, Turn, decode, encode
from tacit.public.settings import Settings, Threats
from tacit.registry import load_plugin

ECHO = """
from tacit.party.disclosure.ranking import RANKINGS


@RANKINGS.add("echo")
class Echo:
    '''Which edge comes next hangs on all that was heard, and on its order.'''

    listens = True
    made = []

    def __init__(self, graph, public, seed):
        self.graph, self.public = graph, public
        self.left = list(graph.edges)
        self.seen = []
        self.sum = seed
        self.steps = []  # (how much was heard before, what was told)
        Echo.made.append(self)

    def next(self):
        if not self.left:
            return None
        edge = self.left.pop(self.sum % len(self.left))
        self.steps.append((len(self.seen), edge))
        return edge

    def saw(self, agent, edge):
        self.seen.append((agent, edge))
        self.sum = (self.sum * 31 + edge.giver * 7 + edge.token * 3 + len(agent)) % 1_000_003
"""


@pytest.fixture
def echo(tmp_path: Path):
    file = tmp_path / "echo.py"
    file.write_text(ECHO)
    load_plugin(file)
    yield RANKINGS.get("echo")
    del RANKINGS._items["echo"]


def told(session: Session) -> list[tuple[str, PublicEdge]]:
    """All edges in the order in which they were told in turns."""
    messages = session._party.transcript.messages()
    return [(m.sender, m.edge) for m in messages if isinstance(m, Told) and m.edge is not None]


def tell_all(session: Session, more: int = 0) -> None:
    """Take turns to the end, which nobody needs: all edges at once do not take turns."""
    session._solver._rounds.until(session.largest + more)


def of(session: Session, agent: str) -> list[PublicEdge]:
    return [edge for name, edge in told(session) if name == agent]


# ------------------------------------------------------------------ what is heard, and what follows


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_every_agent_hears_all_others_in_order_before_it_chooses(echo, domain):
    session = Session(Instance(generated(domain, 1), {}), Settings(), "echo")
    tell_all(session)
    everything = told(session)
    assert len(everything) == sum(session._solver.totals.values())
    rankings = {made.public.agent: made for made in echo.made[-len(session.agents) :]}
    assert list(rankings) == list(session.agents)
    for agent, ranking in rankings.items():
        others = [entry for entry in everything if entry[0] != agent]
        assert ranking.seen == others[: len(ranking.seen)]
        own_places = [n for n, entry in enumerate(everything) if entry[0] == agent]
        heard = [place - own for own, place in enumerate(own_places)]
        assert [before for before, _ in ranking.steps] == heard
        assert [ranking.public.show(edge) for _, edge in ranking.steps] == of(session, agent)


def test_rounds_go_round_and_who_is_done_is_not_asked_again(echo):
    session = Session(tacit.load("logistics/small"), Settings(), "echo")
    totals = session._solver.totals
    assert len(set(totals.values())) > 1, "somebody runs out first"
    tell_all(session, 3)
    agents = list(session.agents)
    rounds = range(session.largest)
    assert [a for a, _ in told(session)] == [a for r in rounds for a in agents if r < totals[a]]
    turns = [m for m in session._party.transcript.messages() if isinstance(m, Turn)]
    assert len(turns) == sum(totals.values()) + len(agents)


def test_the_order_depends_on_what_was_heard(echo):
    session = Session(tacit.load("logistics/medium"), Settings(), "echo")
    tell_all(session)
    last = list(session.agents)[-1]
    heard = echo.made[-1]
    alone = full_order(echo(heard.graph, heard.public, session.agents[last]._ready().seed))
    assert sorted(alone) == sorted(edge for _, edge in heard.steps)
    assert list(alone) != [edge for _, edge in heard.steps]


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_every_k_is_a_prefix_however_it_was_asked_for(echo, domain):
    check_prefixes(Instance(generated(domain, 1), {}), "echo", 12)


def check_prefixes(instance: Instance, ranking: str, most: int) -> None:
    """What is told at each k begins what is told at a larger one, in whatever order k changes."""
    most = min(Session(instance, Settings(), ranking).largest - 1, most)
    at_once = Session(instance, Settings(), ranking)
    at_once._solver.projection(most)
    one_by_one = Session(instance, Settings(), ranking)
    for k in (*range(most + 1), *reversed(range(most + 1))):
        one_by_one.at(k, LIMITS)
        for name, agent in one_by_one.agents.items():
            shown = [agent._ready().show(edge) for edge in agent.disclosed]
            assert shown == of(at_once, name)[:k]
    assert told(one_by_one) == told(at_once)


def test_others_are_not_asked_to_take_turns(echo):
    assert Session(tacit.load("logistics/small"), Settings(), "echo")._solver.takes_turns
    for name in RANKINGS:
        session = Session(tacit.load("logistics/small"), Settings(), name)
        session.at(3)
        assert session._solver.takes_turns == getattr(RANKINGS.get(name), "listens", False)
        messages = list(session._party.transcript.messages())
        assert any(isinstance(m, Turn) for m in messages) == session._solver.takes_turns


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_the_lower_bound_asks_for_no_round_too_many(echo, domain):
    session = Session(Instance(generated(domain, 1), {}), Settings(), "echo")
    low = session._lower_bound()
    assert max(len(of(session, agent)) for agent in session.agents) == low
    assert session._solver.projection(low).is_relaxed_reachable()
    assert low == 0 or not session._solver.projection(low - 1).is_relaxed_reachable()


def test_the_first_k_overshoots_by_no_more_than_it_climbed(echo):
    for domain in ("driverlog", "logistics", "zenotravel", "rovers"):
        session = Session(tacit.load(f"{domain}/small"), Settings(), "echo")
        low = session._lower_bound()
        result = session.first()
        assert result.solved
        assert max(result.disclosed.values()) <= result.k
        asked = max(len(of(session, agent)) for agent in session.agents)
        assert result.k <= asked <= low + 2 * (result.k - low)
        for agent in session.agents.values():
            assert len(agent.disclosed) <= result.k


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(tinies(), st.sampled_from([Threats.ON_DEMAND, Threats.RANKED]))
def test_reach_grows_as_if_it_were_made_anew(tiny, threats):
    chosen = msgspec.structs.replace(Settings(), threats=threats)
    session = Session(tiny.load(), chosen, "random")
    reach = Reach(session._solver.projection(0))
    for k in range(session.largest + 1):
        anew = session._solver.projection(k)
        assert reach.has_goal == anew.is_relaxed_reachable()
        assert reach._relaxed.reached == Reach(anew)._relaxed.reached
        for agent in session.agents:
            before, after = (session._solver.disclose(agent, n).edges for n in (k, k + 1))
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
    session = Session(instance, Settings(), "echo")
    session._solver.take_all_turns()
    views = {made.public.agent: made for made in echo.made[-len(session.agents) :]}
    for agent, ranking in views.items():
        view, graph = ranking.public, ranking.graph
        task = view.task
        assert (task.agents, task.facts) == (instance.agents, instance.public.facts)
        assert (task.init, task.goal) == (instance.public.init, instance.public.goal)
        assert view.published == session._solver._published
        assert task.actions == {name: part.actions for name, part in view.published.items()}
        shown = {action.id: action for action in task.actions[agent]}
        for number, name in enumerate(view.actions.shown):
            assert view.actions.own[name] == number
            assert shown[name].adds == tuple(graph.achieves[number])
            needs = sorted(view.tokens.shown[token] for token in graph.needs[number])
            assert list(shown[name].tokens) == needs
        if len(graph.needs) > len(shown):
            goal = [view.tokens.shown[token] for token in graph.needs[len(shown)]]
            assert sorted(goal) == list(view.published[agent].goal)


def reachable(*roots: object) -> list[object]:
    """Everything that one gets to by attributes and items, but through no class or module."""
    seen = {id(root): root for root in roots}
    stack = list(roots)
    while stack:
        for thing in gc.get_referents(stack.pop()):
            if id(thing) not in seen and not isinstance(thing, type | type(gc)):
                seen[id(thing)] = thing
                stack.append(thing)
    return list(seen.values())


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_a_ranking_cannot_reach_what_is_private(echo, domain):
    description = generated(domain, 1)
    secret = private_words(description)
    assert secret
    session = Session(Instance(description, {}), Settings(), "echo")
    session._solver.take_all_turns()
    for ranking in echo.made[-len(session.agents) :]:
        ranking.graph.edges, ranking.graph.needed_by, ranking.public.task.actions  # noqa: B018
        found = reachable(ranking.graph, ranking.public)
        kinds = (LocalTask, PrivateFact, Compiled, Dependencies, Agent, Session, Instance)
        assert not [thing for thing in found if isinstance(thing, kinds)]
        words = {thing for thing in found if isinstance(thing, str)}
        assert not words & secret
    assert session.agents[ranking.public.agent] in reachable(session), "the search finds things"


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


# ------------------------------------------------------------------ the protocol


def met(agents: int = 2) -> tuple[list[Agent], Session]:
    """Agents that have met, and nothing more."""
    instance = tacit.load("logistics/small")
    session = Session(instance, Settings(), "echo")
    return list(session.agents.values())[:agents], session


def ask(agent: Agent, question) -> object:
    return decode(agent.answer("asker", encode(question)))


def test_a_turn_before_the_others_are_known_is_refused(echo):
    agent = Agent(tacit.load("logistics/small").local("truck1"))
    with pytest.raises(ProtocolError, match="not asked to publish"):
        ask(agent, Turn("asker"))
    published = ask(agent, Publish("asker", Settings(), "echo"))
    assert published.listens
    with pytest.raises(ProtocolError, match="before the others are known"):
        ask(agent, Turn("asker"))
    ask(agent, Meet("asker", (published,)))
    assert ask(agent, Turn("asker")).edge is not None


def test_a_listener_discloses_only_what_it_told(echo):
    (agent, _), _ = met()
    with pytest.raises(ProtocolError, match="in its turns"):
        ask(agent, Disclose("asker", 1))
    first = ask(agent, Turn("asker")).edge
    assert ask(agent, Disclose("asker", 1)).edges == (first,)
    with pytest.raises(ProtocolError, match="in its turns"):
        ask(agent, Disclose("asker", 2))
    told = [first]
    while (edge := ask(agent, Turn("asker")).edge) is not None:
        told.append(edge)
    disclosed = ask(agent, Disclose("asker", 10_000))
    assert list(disclosed.edges) == sorted(told)
    assert len(disclosed.edges) == disclosed.total
    with pytest.raises(ProtocolError, match="has no more"):
        ask(agent, Turn("asker"))


WRONG = [
    ("two edges in one round", lambda me, you: [(you, PublicEdge(-1, 0)), (you, PublicEdge(0, 0))]),
    ("none of the others", lambda me, you: [(me, PublicEdge(0, 0))]),
    ("none of the others", lambda me, you: [("nobody", PublicEdge(0, 0))]),
    ("cannot have", lambda me, you: [(you, PublicEdge(10_000, 0))]),
    ("cannot have", lambda me, you: [(you, PublicEdge(FINISH, 0))]),
    ("cannot have", lambda me, you: [(you, PublicEdge(0, 10_000))]),
    ("cannot have", lambda me, you: [(you, PublicEdge(0, -1))]),
]


@pytest.mark.parametrize(("said", "heard"), WRONG)
def test_what_cannot_have_been_told_is_refused(echo, said, heard):
    (one, other), _ = met()
    with pytest.raises(ProtocolError, match=said):
        ask(one, Turn("asker", tuple(heard(one.name, other.name))))
    assert not any(made.seen for made in echo.made), "no ranking hears anything of it"


def test_an_edge_is_not_told_twice(echo):
    (one, other), _ = met()
    news = ((other.name, PublicEdge(-1, 0)),)
    ask(one, Turn("asker", news))
    with pytest.raises(ProtocolError, match="told twice"):
        ask(one, Turn("asker", news))


def test_turns_are_decoded_strictly():
    good = msgspec.msgpack.decode(encode(Turn("asker", (("a", PublicEdge(0, 1)),))))
    assert decode(msgspec.msgpack.encode(good)) == Turn("asker", (("a", PublicEdge(0, 1)),))
    for change in ({"more": 1}, {"heard": [["a", [0]]]}, {"heard": [["a", [0, 1], 2]]}):
        with pytest.raises(ProtocolError):
            decode(msgspec.msgpack.encode({**good, **change}))
    with pytest.raises(ProtocolError):
        decode(msgspec.msgpack.encode({"type": "told", "sender": "a"}))


@pytest.mark.parametrize("edge", ["graph.edges[0]", "type(graph.edges[0])(-1, 99)"])
def test_a_ranking_that_gives_nonsense_is_named(tmp_path, edge):
    file = tmp_path / "bad.py"
    text = ECHO.replace('"echo"', '"bad"').replace("self.left.pop(self.sum % len(self.left))", edge)
    file.write_text(text.replace("graph.", "self.graph."))
    load_plugin(file)
    try:
        with pytest.raises(InputError, match="'bad' gives an edge twice"):
            Session(tacit.load("logistics/small"), Settings(), "bad").at(3)
    finally:
        del RANKINGS._items["bad"]


# ------------------------------------------------------------------ ties


def test_ties_shuffle_every_agents_order_in_a_way_of_its_own():
    instance = tacit.load("logistics/medium")

    def orders(ties):
        session = Session(instance, Settings(), "m3", ties=ties)
        session._solver.projection(session.largest)
        return {name: tuple(agent.disclosed) for name, agent in session.agents.items()}

    fixed, one, again, other = orders(None), orders(1), orders(1), orders(2)
    assert one == again
    assert fixed != one != other != fixed
    assert all(sorted(fixed[name]) == sorted(one[name]) for name in fixed)
    assert tacit.solve(instance, ties=3).solved


def test_choosing_what_to_tell_is_timed_apart():
    listening = Session(tacit.load("depot/small"), Settings(), "goal")
    assert listening.seconds_of_turns == 0
    listening.disclose(3)
    assert listening.seconds_of_turns > 0
    made_before = Session(tacit.load("depot/small"), Settings(), "m3")
    made_before.disclose(3)
    assert made_before.seconds_of_turns == 0

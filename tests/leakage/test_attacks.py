"""Attacks: by their own shapes and by naive ones, on all that is registered, and how strong."""

from __future__ import annotations

from collections import defaultdict

import pytest
from support.naive_peer_model import Looks, Vocabulary
from support.problems import generated
from support.views import session_view, true_edges

import tacit
from tacit.central.session import Session
from tacit.leakage.attacks import ATTACKS, Evidence
from tacit.leakage.certain import Conclusions
from tacit.leakage.guessable import Guessing, Score
from tacit.public.disclosure import INIT, PublicEdge
from tacit.public.settings import Settings
from tacit.solvers.limits import Limits

DOMAINS = ("blocksworld", "depot", "driverlog", "elevators", "logistics", "rovers", "zenotravel")


def solved(domain: str, seed: int = 0) -> Session:
    session = Session(generated(domain, {}, seed), Settings(), online=True)
    session.online(Limits(20))
    return session


def evidence(session: Session, agent: str) -> Evidence:
    view = session_view(session, agent)
    own = {name: frozenset(true_edges(session, name)) for name in view.agents if name != agent}
    return Evidence(view, own)


@pytest.mark.parametrize("domain", DOMAINS)
def test_edges_that_look_alike(domain):
    """The same pairs as if every pair were compared with every disclosed edge."""
    session = solved(domain)
    agent = session.instance.agents[0]
    seen = evidence(session, agent)
    assert seen.view.names is not None
    vocabulary = Vocabulary(seen.view.names.facts)
    looks = {name: Looks(own.part, vocabulary) for name, own in seen.view.agents.items()}

    def signature(name: str, action: int, token: int) -> object:
        own = looks[name]
        is_user = token in seen.view.agents[name].part.actions[action].tokens
        look = own.user_kinds[token], len(own.subjects[token])
        return look, own.pattern(action, token), is_user

    place = {
        name: {action.id: n for n, action in enumerate(own.part.actions)}
        for name, own in seen.view.agents.items()
    }
    known = {
        signature(name, place[name][edge.achiever], edge.token)
        for name, own in seen.view.agents.items()
        for edge in own.edges
        if edge.achiever != INIT
    }
    found = ATTACKS.get("signature")(seen)
    for name, own in seen.view.agents.items():
        expected = {
            (action.id, token)
            for n, action in enumerate(own.part.actions)
            for token in range(own.part.tokens)
            if signature(name, n, token) in known
        }
        assert found[name] == expected
        own_classes = {
            signature(name, place[name][e.achiever], e.token)
            for e in own.edges
            if e.achiever != INIT
        }
        initial = {
            (looks[name].user_kinds[e.token], len(looks[name].subjects[e.token]))
            for e in own.edges
            if e.achiever == INIT
        }
        assert seen.classes(name) == len(own_classes) + len(initial)


@pytest.mark.parametrize("attack", list(ATTACKS))
@pytest.mark.parametrize("domain", ["depot", "logistics"])
def test_an_attack_names_actions_and_tokens_that_exist(attack, domain):
    session = solved(domain)
    agent = session.instance.agents[0]
    seen = evidence(session, agent)
    guessed = ATTACKS.get(attack)(seen)[agent]
    part = seen.view.agents[agent].part
    ids = {action.id for action in part.actions}
    assert all(action in ids and 0 <= token < part.tokens for action, token in guessed)


def test_without_names_of_facts_nothing_is_guessed_but_what_is_certain():
    session = solved("logistics")
    agent = session.instance.agents[0]
    view = session_view(session, agent)
    nameless = type(view)(
        view.observers, view.settings, view.ranking, None, view.agents, view.traffic
    )
    certain = Conclusions(view.agents[agent], view.settings)
    assert Guessing(nameless).about(agent, certain).pairs == {
        (edge.achiever, edge.token) for edge in certain.undisclosed if edge.achiever != INIT
    }


@pytest.mark.parametrize(
    ("domain", "least"), [("logistics", 1.0), ("rovers", 1.0), ("zenotravel", 1.0), ("depot", 0.85)]
)
def test_undisclosed_edges_are_recovered(domain, least):
    """From frames alone, at precision 1 where all are; in problems that nobody tuned it on."""
    counts: dict[str, int] = defaultdict(int)
    for seed in range(3):
        session = solved(domain, seed)
        for agent in session.instance.agents:
            view = session_view(session, agent)
            true = true_edges(session, agent)
            certain = Conclusions(view.agents[agent], view.settings)
            found = Guessing(view).about(agent, certain, true)
            assert found.score is not None
            counts["hidden"] += found.score.undisclosed
            counts["right"] += found.score.right
            counts["guessed"] += found.score.guessed
    assert counts["right"] >= least * counts["hidden"] > 0
    assert least < 1 or counts["guessed"] == counts["right"]


def test_scores():
    score = Score(guessed=10, right=5, undisclosed=20, pairs=200)
    assert (score.precision, score.recall, score.base_rate, score.lift) == (0.5, 0.25, 0.1, 5.0)
    assert Score(0, 0, 0, 0).strength == 0


def test_certain_edges_are_among_guesses():
    session = Session(tacit.load("logistics/small"), Settings())
    result = session.at(0, Limits(20))
    for agent in session.instance.agents:
        view = session_view(session, agent, result.ledger)
        certain = Conclusions(view.agents[agent], view.settings)
        sure = {edge for edge in certain.undisclosed if edge.achiever != INIT}
        guessed = Guessing(view).about(agent, certain).pairs
        assert sure <= {PublicEdge(*pair) for pair in guessed}

"""Frames that come late: honest states are accepted in whatever order they arrive, and while more
is disclosed. Between two agents frames keep their order; nothing else is certain.
"""

from __future__ import annotations

import random
from collections import deque

import pytest
from support.forward import with_rule
from support.hardened import hardened
from support.inside import forward_of, solver_of

import tacit
from tacit.central.session import Session
from tacit.domains import DOMAINS
from tacit.public.run_options import RunOptions
from tacit.public.settings import Rule

TURNS = RunOptions("mafs", "m3", drive="roundrobin")


def search_with_late_frames(domain: str, names: str, rule: Rule, seed: int, moves: int) -> int:
    """Let agents search in a random order; how many states were accepted."""
    rng = random.Random(f"{domain} {names} {rule} {seed}")
    settings = hardened(names, with_rule(rule))
    session = Session(tacit.load(f"{domain}/small"), settings, TURNS)
    k = rng.randrange(session.largest // 2 + 1)
    session.disclose(k)
    search = solver_of(session).search
    search.begin(grows=True)
    agents = session.agents
    mail: dict[tuple[str, str], deque[bytes]] = {}
    for move in range(moves):
        waiting = [pair for pair, frames in mail.items() if frames]
        if waiting and rng.random() < 0.5:
            sender, receiver = rng.choice(waiting)
            agents[receiver].receive(sender, mail[sender, receiver].popleft())
        else:
            name = rng.choice(list(agents))
            for receiver, frame in agents[name].work(rng.randrange(1, 20)):
                mail.setdefault((name, receiver), deque()).append(frame)
        if move % 20 == 19 and k < session.largest:
            k += 1
            session.disclose(k)
            search.learn()
        if names and move % 50 == 49 and "once" in names:
            for agent in agents.values():
                forward_of(agent).send_again()
        if any(agent.has_found for agent in agents.values()):
            break
    return sum(forward_of(agent).counters()["received"] for agent in agents.values())


@pytest.mark.parametrize("rule", list(Rule))
@pytest.mark.parametrize("names", ["", "fresh", "fresh,once,pad"])
def test_honest_states_are_accepted_however_late(names: str, rule: Rule) -> None:
    counts = [
        search_with_late_frames(domain, names, rule, 0, 120)
        for domain in ("depot", "logistics", "sensors")
    ]
    assert sum(counts) > 50


@pytest.mark.slow
@pytest.mark.parametrize("rule", list(Rule))
@pytest.mark.parametrize("names", ["", "fresh", "once", "fresh,once,pad"])
@pytest.mark.parametrize("domain", list(DOMAINS))
def test_many_honest_states_are_accepted_however_late(domain: str, names: str, rule: Rule) -> None:
    assert sum(search_with_late_frames(domain, names, rule, seed, 400) for seed in range(10))

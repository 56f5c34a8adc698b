"""Which rounds of relaxed reachability an agent goes along with, against going through everybody's
actions; and how often what all published is made ready.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

import tacit
from tacit.central.session import Session
from tacit.domains import DOMAINS
from tacit.errors import ProtocolError
from tacit.party.asked_layers import AskedLayers
from tacit.party.disclosure.public_world import PublicWorld
from tacit.party.mafs.forward import Joint
from tacit.pddl.reader import read_texts
from tacit.pddl.source import Source
from tacit.public.protocol.messages import Publication
from tacit.public.run_options import RunOptions
from tacit.public.task import PublicAction, PublicFact, PublicTask

FACTS = 8
AGENTS = ("a", "b", "c")


def made(rng: random.Random) -> PublicWorld:
    """Agents whose actions need and add a few random facts, and tokens that nobody checks."""

    def action(agent: str, number: int) -> PublicAction:
        needs, adds = (tuple(sorted(rng.sample(range(FACTS), rng.randrange(3)))) for _ in range(2))
        return PublicAction(agent, number, 1, needs, adds, (), (0,) if rng.random() < 0.3 else ())

    published = {
        agent: Publication(
            agent, tuple(action(agent, n) for n in range(rng.randrange(6))), 1, (), False
        )
        for agent in AGENTS
    }
    facts = tuple(PublicFact("fact", (str(n),)) for n in range(FACTS))
    return PublicWorld(PublicTask(AGENTS, facts, (), ()), published)


def possible(actions: Iterable[PublicAction], known: set[int], wanted: set[int]) -> set[int]:
    """Which wanted facts one agent can reach by itself within a round."""
    found: set[int] = set()
    while True:
        news = {
            fact
            for action in actions
            if (known | found).issuperset(action.needs)
            for fact in wanted.intersection(action.adds)
        } - found
        if not news:
            return found
        found |= news


def test_a_round_is_refused_if_nobody_else_can_have_reached_it() -> None:
    accepted = refused = 0
    for seed in range(3000):
        rng = random.Random(seed)
        world = made(rng)
        init = set(rng.sample(range(FACTS), 2))
        asked, reached = AskedLayers("a", lambda world=world: world, FACTS, init), set(init)
        asked.check("solver", ())
        left = sorted(set(range(FACTS)) - init)
        for _ in range(2):
            facts = tuple(sorted(rng.sample(left, min(len(left), rng.randrange(1, 4)))))
            others = (part.actions for name, part in world.published.items() if name != "a")
            found = reached.union(*(possible(own, reached, set(facts)) for own in others))
            if not facts:
                break
            if found.issuperset(facts):
                asked.check("solver", facts)
                accepted += 1
            else:
                count = len(set(facts) - found)
                with pytest.raises(ProtocolError, match=f"reached {count} of {len(facts)} public"):
                    asked.check("solver", facts)
                refused += 1
                break
            reached |= set(facts)
            left = [fact for fact in left if fact not in facts]
    assert min(accepted, refused) > 300


def test_a_fact_is_not_sent_twice() -> None:
    world = next(
        world
        for world in map(made, map(random.Random, range(100)))
        if any(not action.needs and action.adds for action in world.published["b"].actions)
    )
    free = next(a for a in world.published["b"].actions if not a.needs and a.adds)
    asked = AskedLayers("a", lambda: world, FACTS, ())
    asked.check("solver", ())
    asked.check("solver", free.adds)
    with pytest.raises(ProtocolError, match="repeats"):
        asked.check("solver", free.adds)


@pytest.mark.parametrize("cities", [2, 6])
def test_what_all_published_is_made_ready_once_however_many_agents(
    cities: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = {"worlds": 0, "joints": 0}

    def count(cls: type, name: str) -> None:
        before = cls.__init__

        def init(self: object, *args: object) -> None:
            counted[name] += 1
            before(self, *args)

        monkeypatch.setattr(cls, "__init__", init)

    count(PublicWorld, "worlds")
    count(Joint, "joints")
    parameters = {"cities": cities, "places": 2, "planes": 1, "packages": cities}
    text = DOMAINS.get("logistics").generate(parameters)
    description = read_texts(
        Source("domain.pddl", text.domain), Source("problem.pddl", text.problem)
    )
    instance = tacit.Instance(description, {})
    session = Session(instance, options=RunOptions("mafs", drive="roundrobin"), online=True)
    assert session.online().solved
    assert counted == {"worlds": 1, "joints": 1}

"""Tasks that change from day to day: domain and objects stay, places of things and goals do not.

`day` has flows: packages go from the private depots of one city to the places of another, by one of
two trucks, one of two planes and one of two trucks. In `roaming` they go from anywhere to anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random

from tacit.domains.logistics import DOMAIN
from tacit.net.lasting import LastingLedger
from tacit.net.lasting_files import Place, read_peer
from tacit.net.task_digest import digest_of
from tacit.party.bounds import Bounds
from tacit.pddl.factor_writer import factor
from tacit.pddl.reader import read_agent, read_texts
from tacit.pddl.source import Source
from tacit.pddl.syntax import Description
from tacit.public.ledger import Kind

PLACES, TRUCKS, PLANES = range(3), range(2), range(2)


def day(rng: Random, packages: int = 5) -> Description:
    """One day's problem."""
    names = [f"package{n}" for n in range(packages)]
    objects = [
        f"{' '.join(names)} - package airport0 airport1 - airport",
        f"{' '.join(f'place{n}' for n in PLACES)} - location",
    ]
    facts: list[str] = []
    for n in TRUCKS:
        depots = [f"depot{n}-{place}" for place in PLACES]
        objects.append(
            f"(:private from{n} from{n} - truck home{n} - city {' '.join(depots)} - location)"
        )
        objects.append(f"(:private to{n} to{n} - truck away{n} - city)")
        _truck(facts, rng, f"from{n}", f"home{n}", ["airport0", *depots])
        _truck(facts, rng, f"to{n}", f"away{n}", ["airport1", *(f"place{p}" for p in PLACES)])
    for n in PLANES:
        objects.append(f"(:private plane{n} plane{n} - airplane)")
        facts.append(f"(at plane{n} airport{rng.randrange(2)})")
    goals = []
    for n, name in enumerate(names):
        depot = f"depot{rng.choice(TRUCKS)}-{rng.choice(PLACES)}"
        facts.append(f"(at {name} {'airport0' if rng.random() < 0.5 else depot})")
        if n == 0 or rng.random() < 0.85:
            goals.append(f"(at {name} place{rng.choice(PLACES)})")
    return _problem(objects, facts, goals)


def _truck(facts: list[str], rng: Random, truck: str, city: str, places: list[str]) -> None:
    facts += (f"(in-city {truck} {place} {city})" for place in places)
    facts.append(f"(at {truck} {rng.choice(places)})")


def roaming(
    rng: Random, cities: int = 3, planes: int = 1, packages: int = 8, others: int = 1
) -> Description:
    """One day on which each package is anywhere and must go anywhere else; a city has an airport
    and `others`.
    """
    names = [f"package{n}" for n in range(packages)]
    more = [""] if others == 1 else [f"-{n}" for n in range(others)]
    places = [[f"airport{city}", *(f"place{city}{n}" for n in more)] for city in range(cities)]
    objects = [
        f"{' '.join(names)} - package {' '.join(airport for airport, *_ in places)} - airport",
        f"{' '.join(place for _, *there in places for place in there)} - location",
    ]
    facts: list[str] = []
    for city, there in enumerate(places):
        objects.append(f"(:private truck{city} truck{city} - truck city{city} - city)")
        _truck(facts, rng, f"truck{city}", f"city{city}", there)
    for n in range(planes):
        objects.append(f"(:private plane{n} plane{n} - airplane)")
        facts.append(f"(at plane{n} airport{rng.randrange(cities)})")
    goals = []
    for name in names:
        start, goal = rng.sample([place for there in places for place in there], 2)
        facts.append(f"(at {name} {start})")
        goals.append(f"(at {name} {goal})")
    return _problem(objects, facts, goals)


def _problem(objects: list[str], facts: list[str], goals: list[str]) -> Description:
    text = (
        f"(define (problem day) (:domain logistics) (:objects {' '.join(objects)}) "
        f"(:init {' '.join(facts)}) (:goal (and {' '.join(goals)})))"
    )
    return read_texts(Source("domain.pddl", DOMAIN), Source("problem.pddl", text))


def ledgers_of(
    today: Description,
    folder: Path,
    bounds: Bounds = Bounds(),  # noqa: B008
) -> Mapping[str, LastingLedger]:
    """The lasting ledger of each agent, opened for a run of this problem."""
    texts = factor(today)
    found = {}
    for agent, (domain, problem) in texts.items():
        pair = read_agent(agent, Source("d", domain), Source("p", problem)).pairs[0]
        peers = {other: bounds for other in texts if other != agent}
        found[agent] = LastingLedger(Place(folder, agent), digest_of(pair), peers)
    return found


def known(folder: Path, owner: str, of_states: bool = False) -> set[tuple[tuple[str, ...], str]]:
    """The edges that any peer of an owner knows: those of actions, or of initial states."""
    place = Place(folder, owner)
    return {
        (line.actions, f"{line.fact} {line.state or ''}".strip())
        for peer in (folder / owner).iterdir()
        if peer.is_dir()
        for task in read_peer(place, peer.name)
        for line in task.disclosed
        if line.kind is Kind.EDGE and (line.state is not None) == of_states
    }

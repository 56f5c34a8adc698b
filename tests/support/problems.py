"""Small problems: of every family, and from texts."""

from __future__ import annotations

from collections.abc import Mapping

from tacit.central.instance import Instance
from tacit.domains import DOMAINS
from tacit.pddl.reader import read_texts
from tacit.pddl.source import Source
from tacit.testing import GroundAction, GroundProblem

SMALL = {
    "blocksworld": [{"arms": 2, "blocks": 2}, {"arms": 2, "blocks": 3}],
    "depot": [{"depots": 1, "distributors": 1, "drivers": 1, "trucks": 1, "crates": 1}],
    "driverlog": [{"drivers": 2, "trucks": 1, "packages": 1, "junctions": 2}],
    "elevators": [
        {"areas": 2, "floors": 1, "slow": 1, "fast": 1, "passengers": 1, "seats": 1},
        {"areas": 2, "floors": 2, "slow": 1, "fast": 1, "passengers": 1, "seats": 2},
    ],
    "logistics": [{"cities": 2, "places": 1, "planes": 1, "packages": 1}, {"packages": 2}],
    "rovers": [{"rovers": 2, "waypoints": 3, "objectives": 1, "cameras": 1, "goals": 1}],
    "secrets": [
        {"couriers": 1, "offices": 1, "letters": 1, "parcels": 1},
        {"couriers": 1, "offices": 2, "letters": 1, "parcels": 1},
        {"couriers": 2, "offices": 1, "letters": 1, "parcels": 1},
    ],
    "sensors": [{"rovers": 2, "stations": 2, "sites": 1, "sensors": 1, "goals": 1}],
    "zenotravel": [{"planes": 2, "people": 1, "cities": 2, "levels": 2}],
}


def instance_of(domain: str, problem: str) -> Instance:
    return Instance(read_texts(Source("domain", domain), Source("problem", problem)), {})


def generated(domain: str, size: Mapping[str, int], seed: int) -> Instance:
    made = DOMAINS.get(domain).generate(size, seed)
    return instance_of(made.domain, made.problem)


FIRST, SECOND = (GroundAction((("f", 0),), (("p", n),), (("f", 0),)) for n in range(2))
CONSUMED = GroundProblem(
    2, 1, (0,), ((FIRST, SECOND), ()), (("f", 0, 0),), (("p", 0, 0), ("p", 1, 0))
)
"""Two actions consume the one private fact of the initial state, and both are needed: no plan."""

MAKE = GroundAction((), (("p", 0), ("f", 0)), ())
RESTORED = GroundProblem(
    2, 1, (0,), ((MAKE, SECOND), ()), (("f", 0, 0),), (("p", 0, 0), ("p", 1, 0))
)
"""A private fact holds in the initial state, is consumed, and an action achieves it again."""

TO_AND_FRO = (
    GroundAction((), (("p", 0), ("f", 0)), (("p", 1),)),
    GroundAction((("p", 1), ("f", 0)), (("p", 2),), (("f", 0),)),
)
BACK = (GroundAction((("p", 0),), (("p", 1),), (("p", 0),)),)
RELAY = GroundProblem(3, 1, (0,), (TO_AND_FRO, BACK), (), (("p", 2, 0),))
"""Two agents take turns, so that each must send its states to the other."""


def depot(seed: int = 1):
    return generated("depot", SMALL["depot"][-1], seed)

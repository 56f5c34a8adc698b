"""Logistics: trucks carry packages within cities, airplanes between their airports.

Public: where packages are, airports, and places where some package must go. Private: where a truck
or an airplane is, the layout of a city (known to its truck alone), and all other places, as in the
benchmark. Driving and flying are private, so loading reveals nothing until a dependency does.
"""

from __future__ import annotations

from random import Random

from tacit.domains import Generated, generator
from tacit.domains._text import Draft, named, need

DOMAIN = """\
; One truck per city. Only airports, and places that packages must reach, are public.
(define (domain logistics)
  (:requirements :typing :multi-agent :unfactored-privacy)
  (:types
    package vehicle location city - object
    truck airplane - vehicle
    airport - location)
  (:predicates
    (at ?thing - object ?where - location)
    (in ?package - package ?vehicle - vehicle)
    (:private ?truck - truck
      (in-city ?truck - truck ?where - location ?city - city)))

  (:action load-truck
    :agent ?truck - truck
    :parameters (?package - package ?where - location)
    :precondition (and (at ?package ?where) (at ?truck ?where))
    :effect (and (in ?package ?truck) (not (at ?package ?where))))

  (:action unload-truck
    :agent ?truck - truck
    :parameters (?package - package ?where - location)
    :precondition (and (in ?package ?truck) (at ?truck ?where))
    :effect (and (at ?package ?where) (not (in ?package ?truck))))

  (:action drive-truck
    :agent ?truck - truck
    :parameters (?from - location ?to - location ?city - city)
    :precondition (and (at ?truck ?from)
      (in-city ?truck ?from ?city) (in-city ?truck ?to ?city))
    :effect (and (at ?truck ?to) (not (at ?truck ?from))))

  (:action load-airplane
    :agent ?plane - airplane
    :parameters (?package - package ?where - airport)
    :precondition (and (at ?package ?where) (at ?plane ?where))
    :effect (and (in ?package ?plane) (not (at ?package ?where))))

  (:action unload-airplane
    :agent ?plane - airplane
    :parameters (?package - package ?where - airport)
    :precondition (and (in ?package ?plane) (at ?plane ?where))
    :effect (and (at ?package ?where) (not (in ?package ?plane))))

  (:action fly-airplane
    :agent ?plane - airplane
    :parameters (?from - airport ?to - airport)
    :precondition (at ?plane ?from)
    :effect (and (at ?plane ?to) (not (at ?plane ?from)))))
"""

Place = tuple[int, int]
"""A city and a place in it; place 0 is the airport."""


@generator(
    "logistics",
    small={"cities": 2, "places": 1, "planes": 1, "packages": 2},
    medium={"cities": 3, "places": 1, "planes": 1, "packages": 8},
    large={"cities": 5, "places": 1, "planes": 2, "packages": 15},
)
def logistics(
    *, cities: int = 2, places: int = 1, planes: int = 1, packages: int = 2, seed: int = 0
) -> Generated:
    """Packages between cities of `places` places and an airport each."""
    need(1, cities=cities, places=places, planes=planes, packages=packages)
    rng, draft = Random(seed), Draft(DOMAIN, seed)
    trips = [_trip(rng, i, cities, places) for i in range(packages)]
    goals = dict.fromkeys(goal for _, goal in trips)
    draft.has("package", *named("package", packages))
    draft.has("airport", *[_name((city, 0)) for city in range(cities)])
    draft.has("location", *[_name(goal) for goal in goals if goal[1]])
    at: dict[str, str] = {}
    for city in range(cities):
        inner = [(city, i) for i in range(1, places + 1)]
        _truck(draft, city, inner, [_name(p) for p in inner if p not in goals])
        at[f"truck{city}"] = _name((city, rng.randint(0, places)))
    for plane in named("plane", planes):
        draft.has("airplane", plane, owner=plane)
        at[plane] = _name((rng.randrange(cities), 0))
    for vehicle, place in at.items():
        draft.given("at", vehicle, place)
    solver = _Solver(draft, at)
    for i, (start, goal) in enumerate(trips):
        draft.given("at", f"package{i + 1}", _name(start))
        draft.wants("at", f"package{i + 1}", _name(goal))
        solver.deliver(f"package{i + 1}", f"plane{i % planes + 1}", start, goal)
    return draft.finish()


def _name(place: Place) -> str:
    city, number = place
    return f"place{city}-{number}" if number else f"airport{city}"


def _trip(rng: Random, i: int, cities: int, places: int) -> tuple[Place, Place]:
    """Where package i starts and must go. Most change the city; the first needs three vehicles."""
    inside = int(i == 0)
    start = (i % cities, rng.randint(inside, places))
    if cities > 1 and (inside or rng.random() < 0.75):
        city = (start[0] + rng.randint(1, cities - 1)) % cities
        return start, (city, rng.randint(inside, places))
    return start, (start[0], (start[1] + rng.randint(1, places)) % (places + 1))


def _truck(draft: Draft, city: int, inner: list[Place], own: list[str]) -> None:
    truck = f"truck{city}"
    draft.has("truck", truck, owner=truck)
    draft.has("city", f"city{city}", owner=truck)
    draft.has("location", *own, owner=truck)
    for place in [(city, 0), *inner]:
        draft.given("in-city", truck, _name(place), f"city{city}")


class _Solver:
    """One package after the other: truck, airplane, truck."""

    def __init__(self, draft: Draft, at: dict[str, str]):
        self.draft, self.at = draft, dict(at)

    def deliver(self, package: str, plane: str, start: Place, goal: Place) -> None:
        here, there = (start[0], 0), (goal[0], 0)
        if here == there:
            self.transport(package, f"truck{here[0]}", start, goal)
        else:
            self.transport(package, f"truck{here[0]}", start, here)
            self.transport(package, plane, here, there)
            self.transport(package, f"truck{there[0]}", there, goal)

    def transport(self, package: str, vehicle: str, start: Place, goal: Place) -> None:
        kind = "truck" if vehicle.startswith("truck") else "airplane"
        if start != goal:
            self.move(vehicle, start)
            self.draft.does(f"load-{kind}", vehicle, package, _name(start))
            self.move(vehicle, goal)
            self.draft.does(f"unload-{kind}", vehicle, package, _name(goal))

    def move(self, vehicle: str, place: Place) -> None:
        here, there = self.at[vehicle], _name(place)
        if here == there:
            return
        if vehicle.startswith("truck"):
            self.draft.does("drive-truck", vehicle, here, there, f"city{place[0]}")
        else:
            self.draft.does("fly-airplane", vehicle, here, there)
        self.at[vehicle] = there

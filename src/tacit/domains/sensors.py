"""Sensors: the scenario that introduces private dependencies in Lev Lehman, Shani and Stern (2021).

Rovers take sensors from base stations, measure at sites and bring the sensors back, where other
rovers may take them. Public: which sensor is at which station, and which measurements are known.
Private: where a rover is, where it can go, what it carries and has measured. "I took this sensor,
so I can return it there" is a private dependency, and no site is within reach of two rovers.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tacit.domains import Generated, generator
from tacit.domains._graph import Graph, connected, hops, neighbours
from tacit.domains._text import Draft, named, need

DOMAIN = """\
; A rover carries one sensor at a time and reports at any station.
(define (domain sensors)
  (:requirements :typing :multi-agent :unfactored-privacy)
  (:types
    rover sensor quantity place - object
    station site - place)
  (:predicates
    (stored ?sensor - sensor ?station - station)
    (measures ?sensor - sensor ?quantity - quantity)
    (known ?quantity - quantity ?site - site)
    (:private ?rover - rover
      (at ?rover - rover ?place - place)
      (way ?rover - rover ?from - place ?to - place)
      (carrying ?rover - rover ?sensor - sensor)
      (unladen ?rover - rover)
      (measured ?rover - rover ?quantity - quantity ?site - site)))

  (:action move
    :agent ?rover - rover
    :parameters (?from - place ?to - place)
    :precondition (and (at ?rover ?from) (way ?rover ?from ?to))
    :effect (and (at ?rover ?to) (not (at ?rover ?from))))

  (:action take
    :agent ?rover - rover
    :parameters (?sensor - sensor ?station - station)
    :precondition (and (at ?rover ?station) (unladen ?rover) (stored ?sensor ?station))
    :effect (and (carrying ?rover ?sensor)
      (not (unladen ?rover)) (not (stored ?sensor ?station))))

  (:action return
    :agent ?rover - rover
    :parameters (?sensor - sensor ?station - station)
    :precondition (and (at ?rover ?station) (carrying ?rover ?sensor))
    :effect (and (stored ?sensor ?station) (unladen ?rover)
      (not (carrying ?rover ?sensor))))

  (:action measure
    :agent ?rover - rover
    :parameters (?sensor - sensor ?quantity - quantity ?site - site)
    :precondition (and (at ?rover ?site) (carrying ?rover ?sensor)
      (measures ?sensor ?quantity))
    :effect (measured ?rover ?quantity ?site))

  (:action report
    :agent ?rover - rover
    :parameters (?quantity - quantity ?site - site ?station - station)
    :precondition (and (at ?rover ?station) (measured ?rover ?quantity ?site))
    :effect (known ?quantity ?site)))
"""

QUANTITIES = ["heat", "light", "dust"]


@dataclass
class Rover:
    name: str
    stations: list[str]
    ways: Graph
    at: str


@generator(
    "sensors",
    small={"rovers": 2, "stations": 3, "sites": 2, "sensors": 2, "goals": 2},
    medium={"rovers": 4, "stations": 6, "sites": 8, "sensors": 5, "goals": 8},
    large={"rovers": 8, "stations": 16, "sites": 24, "sensors": 12, "goals": 24},
)
def sensors(
    *,
    rovers: int = 2,
    stations: int = 3,
    sites: int = 2,
    sensors: int = 2,
    goals: int = 2,
    seed: int = 0,
) -> Generated:
    """Rovers share sensors; up to `goals` quantities must be known at sites."""
    need(1, rovers=rovers, stations=stations, sites=sites, sensors=sensors, goals=goals)
    rng, draft = Random(seed), Draft(DOMAIN, seed)
    bases, spots, tools = named("base", stations), named("site", sites), named("sensor", sensors)
    quantities = QUANTITIES[:sensors]
    draft.has("station", *bases)
    draft.has("site", *spots)
    draft.has("sensor", *tools)
    draft.has("quantity", *quantities)
    team = [
        _rover(draft, rng, name, _row(bases, i, rovers), spots[i::rovers])
        for i, name in enumerate(named("rover", rovers))
    ]
    pairs = [(quantity, i) for i in range(sites) for quantity in quantities]
    wanted = rng.sample(pairs, min(goals, len(pairs)))
    stored = _store(rng, tools, bases, team[wanted[0][1] % rovers], wanted[0][0])
    for i, tool in enumerate(tools):
        draft.given("stored", tool, stored[tool])
        draft.given("measures", tool, QUANTITIES[i % 3])
    solver = _Solver(draft, team, stored)
    for quantity, i in wanted:
        draft.wants("known", quantity, spots[i])
        fitting = tools[QUANTITIES.index(quantity) :: 3]
        solver.learn(team[i % rovers], rng.choice(fitting), quantity, spots[i])
    return draft.finish()


def _row(bases: list[str], i: int, rovers: int) -> list[str]:
    """The stations of rover i: a part of the row, and the first of the next rover's part."""
    low, high = i * len(bases) // rovers, (i + 1) * len(bases) // rovers
    return bases[low : high + 1]


def _rover(draft: Draft, rng: Random, name: str, stations: list[str], sites: list[str]) -> Rover:
    """A rover with a random map of its stations and its own sites."""
    places = [*stations, *sites]
    edges = connected(rng, places, len(places) // 3)
    rover = Rover(name, stations, neighbours(edges), rng.choice(stations))
    draft.has("rover", name, owner=name)
    draft.given("at", name, rover.at)
    draft.given("unladen", name)
    for x, y in edges:
        draft.given("way", name, x, y)
        draft.given("way", name, y, x)
    return rover


def _store(
    rng: Random, tools: list[str], bases: list[str], rover: Rover, quantity: str
) -> dict[str, str]:
    """Put sensors into stations; those for the rover's quantity where it cannot fetch them."""
    far = [base for base in bases if base not in rover.stations] or bases
    needed = tools[QUANTITIES.index(quantity) :: 3]
    return {tool: rng.choice(far if tool in needed else bases) for tool in tools}


class _Solver:
    """Rovers pass a sensor on from station to station, to the rover of the site."""

    def __init__(self, draft: Draft, team: list[Rover], stored: dict[str, str]):
        self.draft, self.team, self.stored = draft, team, dict(stored)

    def learn(self, rover: Rover, sensor: str, quantity: str, site: str) -> None:
        while self.stored[sensor] not in rover.stations:
            self.pass_on(rover, sensor)
        self.take(rover, sensor)
        self.go(rover, site)
        self.draft.does("measure", rover.name, sensor, quantity, site)
        self.put(rover, sensor, self.stored[sensor])
        self.draft.does("report", rover.name, quantity, site, rover.at)

    def pass_on(self, rover: Rover, sensor: str) -> None:
        """Another rover brings the sensor to whichever of its end stations is closer to `rover`."""
        here, goal = self.stored[sensor], self.team.index(rover)
        near = [i for i, other in enumerate(self.team) if here in other.stations]
        i = near[-1] if near[-1] < goal else near[0]
        helper = self.team[i]
        self.take(helper, sensor)
        self.put(helper, sensor, helper.stations[-1 if i < goal else 0])

    def take(self, rover: Rover, sensor: str) -> None:
        self.go(rover, self.stored[sensor])
        self.draft.does("take", rover.name, sensor, self.stored[sensor])

    def put(self, rover: Rover, sensor: str, station: str) -> None:
        self.go(rover, station)
        self.draft.does("return", rover.name, sensor, station)
        self.stored[sensor] = station

    def go(self, rover: Rover, place: str) -> None:
        for here, there in hops(rover.ways, rover.at, place):
            self.draft.does("move", rover.name, here, there)
        rover.at = place

"""ZenoTravel: airplanes that burn and refill fuel bring people to cities.

Public: where people are, the order of fuel levels. Private: who is in an airplane, its fuel, and
where it is (airplanes are private objects). Flying and refuelling are private: long private chains
lie between boarding and debarking, and every airplane could do all the work.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random

from tacit.domains import Generated, generator
from tacit.domains._text import Draft, named, need

DOMAIN = """\
; Flying burns one level of fuel, zooming two.
(define (domain zenotravel)
  (:requirements :typing :multi-agent :unfactored-privacy)
  (:types
    city level locatable - object
    person aircraft - locatable)
  (:predicates
    (at ?thing - locatable ?city - city)
    (next ?less - level ?more - level)
    (:private ?plane - aircraft
      (in ?who - person ?plane - aircraft)
      (fuel-level ?plane - aircraft ?level - level)))

  (:action board
    :agent ?plane - aircraft
    :parameters (?who - person ?city - city)
    :precondition (and (at ?plane ?city) (at ?who ?city))
    :effect (and (in ?who ?plane) (not (at ?who ?city))))

  (:action debark
    :agent ?plane - aircraft
    :parameters (?who - person ?city - city)
    :precondition (and (at ?plane ?city) (in ?who ?plane))
    :effect (and (at ?who ?city) (not (in ?who ?plane))))

  (:action fly
    :agent ?plane - aircraft
    :parameters (?from - city ?to - city ?more - level ?less - level)
    :precondition (and (at ?plane ?from) (fuel-level ?plane ?more) (next ?less ?more))
    :effect (and (at ?plane ?to) (fuel-level ?plane ?less)
      (not (at ?plane ?from)) (not (fuel-level ?plane ?more))))

  (:action zoom
    :agent ?plane - aircraft
    :parameters (?from - city ?to - city ?most - level ?more - level ?less - level)
    :precondition (and (at ?plane ?from) (fuel-level ?plane ?most)
      (next ?more ?most) (next ?less ?more))
    :effect (and (at ?plane ?to) (fuel-level ?plane ?less)
      (not (at ?plane ?from)) (not (fuel-level ?plane ?most))))

  (:action refuel
    :agent ?plane - aircraft
    :parameters (?city - city ?less - level ?more - level)
    :precondition (and (at ?plane ?city) (fuel-level ?plane ?less) (next ?less ?more))
    :effect (and (fuel-level ?plane ?more) (not (fuel-level ?plane ?less)))))
"""


@generator(
    "zenotravel",
    small={"planes": 2, "people": 2, "cities": 3, "levels": 3},
    medium={"planes": 3, "people": 8, "cities": 8, "levels": 7},
    large={"planes": 6, "people": 30, "cities": 26, "levels": 7},
)
def zenotravel(
    *, planes: int = 2, people: int = 2, cities: int = 3, levels: int = 3, seed: int = 0
) -> Generated:
    """People fly from city to city; airplanes refuel one of `levels` - 1 units at a time."""
    need(1, planes=planes, people=people)
    need(2, cities=cities, levels=levels)
    rng, draft = Random(seed), Draft(DOMAIN, seed)
    towns = named("city", cities)
    draft.has("person", *named("person", people))
    draft.has("city", *towns)
    draft.has("level", *[f"fuel{i}" for i in range(levels)])
    for i in range(1, levels):
        draft.given("next", f"fuel{i - 1}", f"fuel{i}")
    fleet = [
        _Plane(draft, name, rng.choice(towns), rng.randrange(levels))
        for name in named("plane", planes)
    ]
    for i, who in enumerate(named("person", people)):
        stops = rng.sample(towns, 3 if people == 1 and cities > 2 else 2)
        draft.given("at", who, stops[0])
        draft.wants("at", who, stops[-1])
        for leg, (start, goal) in enumerate(pairwise(stops)):
            fleet[(i + leg) % planes].bring(who, start, goal)
    return draft.finish()


class _Plane:
    """An airplane of the witness: it flies, and refuels when empty."""

    def __init__(self, draft: Draft, name: str, at: str, fuel: int):
        self.draft, self.name, self.at, self.fuel = draft, name, at, fuel
        draft.has("aircraft", name, owner=name)
        draft.given("at", name, at)
        draft.given("fuel-level", name, f"fuel{fuel}")

    def bring(self, who: str, start: str, goal: str) -> None:
        self.fly(start)
        self.draft.does("board", self.name, who, start)
        self.fly(goal)
        self.draft.does("debark", self.name, who, goal)

    def fly(self, city: str) -> None:
        if city == self.at:
            return
        if self.fuel == 0:
            self.draft.does("refuel", self.name, self.at, "fuel0", "fuel1")
            self.fuel = 1
        levels = (f"fuel{self.fuel}", f"fuel{self.fuel - 1}")
        self.draft.does("fly", self.name, self.at, city, *levels)
        self.at, self.fuel = city, self.fuel - 1

"""Elevators: passengers change between slow lifts of one area and fast lifts of the building.

No predicate is private, but every lift is a private object: where it is, who is in it and how full
it is are its own, and so are the floors that only one lift serves and that are no goal.
Actions have costs. Numbers of passengers and floors are objects of one type, as in the benchmark.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from random import Random

from tacit.domains import Generated, generator
from tacit.domains._text import Draft, need

DOMAIN = """\
; A slow lift serves one area of the house, a fast lift some floors of all areas.
(define (domain elevators)
  (:requirements :typing :action-costs :multi-agent :unfactored-privacy)
  (:types
    lift passenger count - object
    slow-lift fast-lift - lift)
  (:predicates
    (above ?low - count ?high - count)
    (next ?fewer - count ?more - count)
    (passenger-at ?who - passenger ?floor - count)
    (boarded ?who - passenger ?lift - lift)
    (lift-at ?lift - lift ?floor - count)
    (reachable-floor ?lift - lift ?floor - count)
    (passengers ?lift - lift ?number - count)
    (can-hold ?lift - lift ?number - count))
  (:functions
    (total-cost) - number
    (travel-slow ?low - count ?high - count) - number
    (travel-fast ?low - count ?high - count) - number)

  (:action move-up-slow
    :agent ?lift - slow-lift
    :parameters (?low - count ?high - count)
    :precondition (and (lift-at ?lift ?low) (above ?low ?high) (reachable-floor ?lift ?high))
    :effect (and (lift-at ?lift ?high) (not (lift-at ?lift ?low))
      (increase (total-cost) (travel-slow ?low ?high))))

  (:action move-down-slow
    :agent ?lift - slow-lift
    :parameters (?high - count ?low - count)
    :precondition (and (lift-at ?lift ?high) (above ?low ?high) (reachable-floor ?lift ?low))
    :effect (and (lift-at ?lift ?low) (not (lift-at ?lift ?high))
      (increase (total-cost) (travel-slow ?low ?high))))

  (:action move-up-fast
    :agent ?lift - fast-lift
    :parameters (?low - count ?high - count)
    :precondition (and (lift-at ?lift ?low) (above ?low ?high) (reachable-floor ?lift ?high))
    :effect (and (lift-at ?lift ?high) (not (lift-at ?lift ?low))
      (increase (total-cost) (travel-fast ?low ?high))))

  (:action move-down-fast
    :agent ?lift - fast-lift
    :parameters (?high - count ?low - count)
    :precondition (and (lift-at ?lift ?high) (above ?low ?high) (reachable-floor ?lift ?low))
    :effect (and (lift-at ?lift ?low) (not (lift-at ?lift ?high))
      (increase (total-cost) (travel-fast ?low ?high))))

  (:action board
    :agent ?lift - lift
    :parameters (?who - passenger ?floor - count ?fewer - count ?more - count)
    :precondition (and (lift-at ?lift ?floor) (passenger-at ?who ?floor)
      (passengers ?lift ?fewer) (next ?fewer ?more) (can-hold ?lift ?more))
    :effect (and (boarded ?who ?lift) (passengers ?lift ?more)
      (not (passenger-at ?who ?floor)) (not (passengers ?lift ?fewer))))

  (:action leave
    :agent ?lift - lift
    :parameters (?who - passenger ?floor - count ?more - count ?fewer - count)
    :precondition (and (lift-at ?lift ?floor) (boarded ?who ?lift)
      (passengers ?lift ?more) (next ?fewer ?more))
    :effect (and (passenger-at ?who ?floor) (passengers ?lift ?fewer)
      (not (boarded ?who ?lift)) (not (passengers ?lift ?more)))))
"""


@dataclass
class Lift:
    name: str
    speed: str
    floors: list[int]
    at: int


@generator(
    "elevators",
    small={"areas": 2, "floors": 2, "slow": 1, "fast": 1, "passengers": 2, "seats": 2},
    medium={"areas": 2, "floors": 4, "slow": 1, "fast": 2, "passengers": 6, "seats": 2},
    large={"areas": 2, "floors": 8, "slow": 1, "fast": 2, "passengers": 26, "seats": 3},
)
def elevators(
    *,
    areas: int = 2,
    floors: int = 2,
    slow: int = 1,
    fast: int = 1,
    passengers: int = 2,
    seats: int = 2,
    seed: int = 0,
) -> Generated:
    """A house of `areas` x `floors` floors; `slow` lifts per area, `fast` ones for all of it."""
    need(1, areas=areas, floors=floors, slow=slow, fast=fast, passengers=passengers, seats=seats)
    rng, draft = Random(seed), Draft(DOMAIN, seed)
    house = _House(rng, areas, floors, slow, fast)
    trips = [_trip(rng, house, first=i == 0) for i in range(passengers)]
    public = {goal for _, goal in trips}
    own = {lift.name: house.only(lift, above=seats + 1, besides=public) for lift in house.lifts}
    hidden = {floor for private in own.values() for floor in private}
    top = max(house.top, seats + 1)
    draft.has("count", *[f"n{n}" for n in range(top + 1) if n not in hidden])
    draft.has("passenger", *[f"p{i}" for i in range(passengers)])
    for lift in house.lifts:
        _describe(draft, lift, own[lift.name], seats)
    for n in range(top):
        draft.given("next", f"n{n}", f"n{n + 1}")
    _travel(draft, house)
    for i, (start, goal) in enumerate(trips):
        draft.given("passenger-at", f"p{i}", f"n{start}")
        draft.wants("passenger-at", f"p{i}", f"n{goal}")
        for speed, area, x, y in house.legs(start, goal):
            choice = house.of(speed, area)
            _ride(draft, choice[i % len(choice)], f"p{i}", x, y)
    return draft.finish()


class _House:
    """The floors, the lifts that serve them, and how to get from one to another."""

    def __init__(self, rng: Random, areas: int, floors: int, slow: int, fast: int):
        self.size, self.top, self.areas = floors, areas * floors, areas
        halves = [0, floors // 2] if floors > 3 else [0]
        stops = [a * floors + half for a in range(areas) for half in halves] + [self.top]
        self.stops = dict.fromkeys(stops)
        self.lifts = [Lift(f"fast{i}", "fast", stops, rng.choice(stops)) for i in range(fast)]
        for area in range(areas):
            served = list(range(area * floors, (area + 1) * floors + 1))
            for i in range(slow):
                self.lifts.append(Lift(f"slow{area}-{i}", "slow", served, rng.choice(served)))

    def of(self, speed: str, area: int) -> list[Lift]:
        """The lifts of a kind, slow ones of one area only."""
        low = area * self.size if speed == "slow" else 0
        return [lift for lift in self.lifts if lift.speed == speed and lift.floors[0] == low]

    def only(self, lift: Lift, above: int, besides: set[int]) -> list[int]:
        """The floors that may be private to a lift: served by no other, high enough, no goal."""
        if lift.speed == "fast" or len(self.of("slow", lift.floors[0] // self.size)) > 1:
            return []
        shared = {*besides, *self.stops}
        return [floor for floor in lift.floors if floor > above and floor not in shared]

    def legs(self, start: int, goal: int) -> list[tuple[str, int, int, int]]:
        """The rides from start to goal: (speed, area, from, to) each."""
        size = self.size
        low, high = min(start, goal), max(start, goal)
        if high <= (low // size + 1) * size:
            return [("slow", low // size, start, goal)]
        up = goal > start
        enter = start if start in self.stops else (start // size + up) * size
        leave = goal if goal in self.stops else (goal // size + (not up)) * size
        legs = [
            ("slow", start // size, start, enter),
            ("fast", 0, enter, leave),
            ("slow", goal // size, leave, goal),
        ]
        return [leg for leg in legs if leg[2] != leg[3]]


def _trip(rng: Random, house: _House, first: bool) -> tuple[int, int]:
    """Start and goal of a passenger; the first one must change lifts if the house is large enough."""
    if first and house.areas > 1 and house.size > 1:
        return 1, house.top - 1
    start = rng.randint(0, house.top)
    return start, (start + rng.randint(1, house.top)) % (house.top + 1)


def _describe(draft: Draft, lift: Lift, own: list[int], seats: int) -> None:
    draft.has(f"{lift.speed}-lift", lift.name, owner=lift.name)
    draft.has("count", *[f"n{floor}" for floor in own], owner=lift.name)
    draft.given("lift-at", lift.name, f"n{lift.at}")
    draft.given("passengers", lift.name, "n0")
    for floor in lift.floors:
        draft.given("reachable-floor", lift.name, f"n{floor}")
    for n in range(1, seats + 1 + (lift.speed == "fast")):
        draft.given("can-hold", lift.name, f"n{n}")


def _travel(draft: Draft, house: _House) -> None:
    """Which floor is above which, and the costs, for floors that one lift serves."""
    above: dict[tuple[int, int], None] = {}
    served = [("slow", house.of("slow", area)[0].floors) for area in range(house.areas)]
    for speed, floors in [*served, ("fast", house.of("fast", 0)[0].floors)]:
        for low, high in combinations(floors, 2):
            above[low, high] = None
            cost = 5 + high - low if speed == "slow" else 1 + 3 * (high - low)
            draft.costs(cost, f"travel-{speed}", f"n{low}", f"n{high}")
    for low, high in above:
        draft.given("above", f"n{low}", f"n{high}")


def _ride(draft: Draft, lift: Lift, passenger: str, start: int, goal: int) -> None:
    _move(draft, lift, start)
    draft.does("board", lift.name, passenger, f"n{start}", "n0", "n1")
    _move(draft, lift, goal)
    draft.does("leave", lift.name, passenger, f"n{goal}", "n1", "n0")


def _move(draft: Draft, lift: Lift, floor: int) -> None:
    if lift.at != floor:
        way = "up" if floor > lift.at else "down"
        draft.does(f"move-{way}-{lift.speed}", lift.name, f"n{lift.at}", f"n{floor}")
        lift.at = floor

"""Depot: places with hoists stack crates on pallets, drivers bring crates from place to place.

Public: where crates and trucks are and what lies on what. Private: what a hoist lifts and whether
it is free (to its place, and the hoist itself is an object of that place), and who drives which
truck. The places are agents *and* public objects, since trucks go there; drivers are private.
Stacking and driving depend on each other: no agent can move a crate to another place alone.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random

from tacit.domains import Generated, generator
from tacit.domains._text import Draft, named, need

DOMAIN = """\
; Each place is an agent with a hoist; each driver is an agent with trucks.
(define (domain depot)
  (:requirements :typing :multi-agent :unfactored-privacy)
  (:types
    place driver locatable - object
    depot distributor - place
    truck hoist surface - locatable
    crate pallet - surface)
  (:predicates
    (at ?thing - locatable ?where - place)
    (on ?crate - crate ?under - surface)
    (in ?crate - crate ?truck - truck)
    (clear ?top - surface)
    (:private ?place - place
      (lifting ?place - place ?hoist - hoist ?crate - crate)
      (available ?place - place ?hoist - hoist))
    (:private ?driver - driver
      (driving ?driver - driver ?truck - truck)))

  (:action drive
    :agent ?driver - driver
    :parameters (?truck - truck ?from - place ?to - place)
    :precondition (and (driving ?driver ?truck) (at ?truck ?from))
    :effect (and (at ?truck ?to) (not (at ?truck ?from))))

  (:action lift
    :agent ?place - place
    :parameters (?hoist - hoist ?crate - crate ?under - surface)
    :precondition (and (at ?hoist ?place) (available ?place ?hoist)
      (at ?crate ?place) (on ?crate ?under) (clear ?crate))
    :effect (and (lifting ?place ?hoist ?crate) (clear ?under)
      (not (available ?place ?hoist)) (not (at ?crate ?place))
      (not (on ?crate ?under)) (not (clear ?crate))))

  (:action drop
    :agent ?place - place
    :parameters (?hoist - hoist ?crate - crate ?under - surface)
    :precondition (and (at ?hoist ?place) (lifting ?place ?hoist ?crate)
      (at ?under ?place) (clear ?under))
    :effect (and (available ?place ?hoist) (at ?crate ?place)
      (on ?crate ?under) (clear ?crate)
      (not (lifting ?place ?hoist ?crate)) (not (clear ?under))))

  (:action load
    :agent ?place - place
    :parameters (?hoist - hoist ?crate - crate ?truck - truck)
    :precondition (and (at ?hoist ?place) (lifting ?place ?hoist ?crate) (at ?truck ?place))
    :effect (and (available ?place ?hoist) (in ?crate ?truck)
      (not (lifting ?place ?hoist ?crate))))

  (:action unload
    :agent ?place - place
    :parameters (?hoist - hoist ?crate - crate ?truck - truck)
    :precondition (and (at ?hoist ?place) (available ?place ?hoist)
      (at ?truck ?place) (in ?crate ?truck))
    :effect (and (lifting ?place ?hoist ?crate)
      (not (available ?place ?hoist)) (not (in ?crate ?truck)))))
"""

Stacks = dict[str, list[str]]
"""Per pallet, the crates on it from the ground up."""


@generator(
    "depot",
    small={"depots": 1, "distributors": 1, "drivers": 1, "trucks": 1, "crates": 2},
    medium={"depots": 2, "distributors": 2, "drivers": 2, "trucks": 2, "crates": 6},
    large={"depots": 4, "distributors": 4, "drivers": 2, "trucks": 4, "crates": 15, "spare": 2},
)
def depot(
    *,
    depots: int = 1,
    distributors: int = 1,
    drivers: int = 1,
    trucks: int = 1,
    crates: int = 2,
    spare: int = 1,
    seed: int = 0,
) -> Generated:
    """Crates change place and pallet; there are `spare` pallets in addition to one per place."""
    need(1, depots=depots, distributors=distributors, drivers=drivers, trucks=trucks)
    need(1, crates=crates, spare=spare)
    rng, draft = Random(seed), Draft(DOMAIN, seed)
    places = [*named("depot", depots), *named("distributor", distributors)]
    pallets = named("pallet", len(places) + spare)
    stands = dict(zip(pallets, [*places, *rng.choices(places, k=spare)], strict=True))
    start, end = _two_states(rng, named("crate", crates), stands)
    draft.has("depot", *places[:depots])
    draft.has("distributor", *places[depots:])
    draft.has("pallet", *pallets)
    draft.has("crate", *named("crate", crates))
    _hoists(draft, places)
    yards = _trucks(draft, rng, named("driver", drivers), named("truck", trucks), places)
    _describe(draft, stands, start, end)
    _solve(draft, stands, start, end, yards)
    return draft.finish()


def _two_states(rng: Random, crates: list[str], stands: dict[str, str]) -> tuple[Stacks, Stacks]:
    """An initial state, and a goal state in which some crate is at another place."""
    while True:
        start, end = _stacks(rng, crates, stands), _stacks(rng, crates, stands)
        home = {crate: stands[pallet] for pallet in start for crate in start[pallet]}
        if any(home[crate] != stands[pallet] for pallet in end for crate in end[pallet]):
            return start, end


def _stacks(rng: Random, crates: list[str], stands: dict[str, str]) -> Stacks:
    order, pallets = list(crates), list(stands)
    rng.shuffle(order)
    stacks: Stacks = {pallet: [] for pallet in pallets}
    for crate in order:
        stacks[rng.choice(pallets)].append(crate)
    return stacks


def _hoist(place: str) -> str:
    return f"hoist-{place}"


def _hoists(draft: Draft, places: list[str]) -> None:
    for place in places:
        draft.has("hoist", _hoist(place), owner=place)
        draft.given("at", _hoist(place), place)
        draft.given("available", place, _hoist(place))


def _trucks(
    draft: Draft, rng: Random, drivers: list[str], trucks: list[str], places: list[str]
) -> list[tuple[str, str, str]]:
    """Put drivers on trucks and trucks in places: (driver, truck, place) each."""
    draft.has("truck", *trucks)
    for driver in drivers:
        draft.has("driver", driver, owner=driver)
    yards = []
    for i, truck in enumerate(trucks):
        driver, place = drivers[i % len(drivers)], rng.choice(places)
        draft.given("driving", driver, truck)
        draft.given("at", truck, place)
        yards.append((driver, truck, place))
    return yards


def _describe(draft: Draft, stands: dict[str, str], start: Stacks, end: Stacks) -> None:
    for pallet, place in stands.items():
        draft.given("at", pallet, place)
        stack = [pallet, *start[pallet]]
        for under, crate in pairwise(stack):
            draft.given("at", crate, place)
            draft.given("on", crate, under)
        draft.given("clear", stack[-1])
        stack = [pallet, *end[pallet]]
        for under, crate in pairwise(stack):
            draft.wants("on", crate, under)


def _solve(
    draft: Draft,
    stands: dict[str, str],
    start: Stacks,
    end: Stacks,
    yards: list[tuple[str, str, str]],
) -> None:
    """Load every crate on trucks, which take turns at the places; then stack from the ground up."""
    where = {truck: place for _, truck, place in yards}
    driver = {truck: who for who, truck, _ in yards}
    aboard: dict[str, str] = {}

    def drive(truck: str, place: str) -> None:
        if where[truck] != place:
            draft.does("drive", driver[truck], truck, where[truck], place)
            where[truck] = place

    for i, (pallet, place) in enumerate(stands.items()):
        truck = yards[i % len(yards)][1]
        stack = [pallet, *start[pallet]]
        for under, crate in reversed(list(pairwise(stack))):
            drive(truck, place)
            draft.does("lift", place, _hoist(place), crate, under)
            draft.does("load", place, _hoist(place), crate, truck)
            aboard[crate] = truck
    for pallet, place in stands.items():
        stack = [pallet, *end[pallet]]
        for under, crate in pairwise(stack):
            drive(aboard[crate], place)
            draft.does("unload", place, _hoist(place), crate, aboard[crate])
            draft.does("drop", place, _hoist(place), crate, under)

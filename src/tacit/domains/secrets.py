"""Secrets: a small office building with features that no benchmark has.

Offices are agents and public objects, couriers are private ones. Public: where items lie, which
offices are shut or have power, what is stamped. Private: a courier's place, load, battery, locker
and the places it may enter; an office's ink and its copies. In particular there are

- private goals: offices want copies of letters, couriers want to be at their own lockers;
- private actions with public preconditions, negative ones too: `walk`, `recharge`, `dip`, `copy`;
- threats that a private action undoes: `collect` empties the battery and `recharge` fills it,
  `stamp` uses up the ink and `dip` renews it;
- equality, a constant, a type hierarchy, actions without parameters.
"""

from __future__ import annotations

from random import Random

from tacit.domains import Generated, generator
from tacit.domains._text import Draft, named, need

DOMAIN = """\
; Couriers meet in the lobby; each may enter the lobby, its locker and some offices.
(define (domain secrets)
  (:requirements :typing :negative-preconditions :equality :multi-agent :unfactored-privacy)
  (:types
    place courier item - object
    office locker - place
    letter parcel - item)
  (:constants lobby - place)
  (:predicates
    (lies ?item - item ?place - place)
    (stamped ?letter - letter)
    (shut ?place - place)
    (power ?place - place)
    (:private ?courier - courier
      (near ?courier - courier ?place - place)
      (admitted ?courier - courier ?place - place)
      (holds ?courier - courier ?item - item)
      (charged ?courier - courier))
    (:private ?office - office
      (inked ?office - office)
      (copied ?office - office ?letter - letter)))

  ; private, but only while the others leave the door open
  (:action walk
    :agent ?courier - courier
    :parameters (?from - place ?to - place)
    :precondition (and (near ?courier ?from) (admitted ?courier ?to)
      (not (= ?from ?to)) (not (shut ?to)))
    :effect (and (near ?courier ?to) (not (near ?courier ?from))))

  (:action collect
    :agent ?courier - courier
    :parameters (?item - item ?place - place)
    :precondition (and (near ?courier ?place) (charged ?courier) (lies ?item ?place))
    :effect (and (holds ?courier ?item)
      (not (charged ?courier)) (not (lies ?item ?place))))

  (:action deliver
    :agent ?courier - courier
    :parameters (?item - item ?place - place)
    :precondition (and (near ?courier ?place) (holds ?courier ?item))
    :effect (and (lies ?item ?place) (not (holds ?courier ?item))))

  ; private, and needs what an office has switched on
  (:action recharge
    :agent ?courier - courier
    :parameters (?place - place)
    :precondition (and (near ?courier ?place) (power ?place))
    :effect (charged ?courier))

  (:action open
    :agent ?office - office
    :parameters ()
    :precondition (shut ?office)
    :effect (not (shut ?office)))

  (:action switch-on
    :agent ?office - office
    :parameters ()
    :precondition (and (not (shut ?office)) (not (power ?office)))
    :effect (power ?office))

  (:action dip
    :agent ?office - office
    :parameters ()
    :precondition (not (shut ?office))
    :effect (inked ?office))

  (:action stamp
    :agent ?office - office
    :parameters (?letter - letter)
    :precondition (and (inked ?office) (lies ?letter ?office) (not (stamped ?letter)))
    :effect (and (stamped ?letter) (not (inked ?office))))

  (:action copy
    :agent ?office - office
    :parameters (?letter - letter)
    :precondition (and (lies ?letter ?office) (stamped ?letter))
    :effect (copied ?office ?letter)))
"""

LOBBY = "lobby"


@generator(
    "secrets",
    small={"couriers": 1, "offices": 2, "letters": 1, "parcels": 1},
    medium={"couriers": 3, "offices": 4, "letters": 4, "parcels": 3},
    large={"couriers": 5, "offices": 10, "letters": 10, "parcels": 10},
)
def secrets(
    *, couriers: int = 1, offices: int = 2, letters: int = 1, parcels: int = 1, seed: int = 0
) -> Generated:
    """Couriers bring letters and parcels to offices, which stamp the letters and keep copies."""
    need(1, couriers=couriers, offices=offices, letters=letters, parcels=parcels)
    rng, draft = Random(seed), Draft(DOMAIN, seed)
    rooms, mail = named("office", offices), named("letter", letters)
    items = [*mail, *named("parcel", parcels)]
    draft.has("office", *rooms)
    draft.has("letter", *mail)
    draft.has("parcel", *items[letters:])
    solver = _Solver(draft)
    for i, room in enumerate(rooms):
        solver.add_office(room, shut=i == 0 or rng.random() < 0.5, inked=rng.random() < 0.5)
    for i, courier in enumerate(named("courier", couriers)):
        own = rooms[i::couriers] or [rooms[i % offices]]
        solver.add_courier(courier, own, charged=rng.random() < 0.5)
    for item in items:
        goal = rng.choice(rooms)
        start = rng.choice([place for place in [LOBBY, *rooms] if place != goal])
        draft.given("lies", item, start)
        draft.wants("lies", item, goal)
        solver.bring(item, start, goal, rng)
        if item in mail:
            draft.wants("copied", goal, item)
            solver.register(item, goal)
    solver.go_home()
    return draft.finish()


class _Solver:
    """Offices open first; then item by item, through the lobby where one courier is not enough."""

    def __init__(self, draft: Draft):
        self.draft = draft
        self.at: dict[str, str] = {}
        self.own: dict[str, list[str]] = {}
        self.charged: dict[str, bool] = {}
        self.inked: dict[str, bool] = {}

    def add_office(self, office: str, shut: bool, inked: bool) -> None:
        if shut:
            self.draft.given("shut", office)
            self.draft.does("open", office)
        self.draft.does("switch-on", office)
        self.inked[office] = inked
        if inked:
            self.draft.given("inked", office)

    def add_courier(self, courier: str, own: list[str], charged: bool) -> None:
        locker = f"locker-{courier}"
        self.at[courier], self.own[courier], self.charged[courier] = LOBBY, own, charged
        self.draft.has("courier", courier, owner=courier)
        self.draft.has("locker", locker, owner=courier)
        self.draft.given("near", courier, LOBBY)
        self.draft.wants("near", courier, locker)
        for place in [LOBBY, locker, *own]:
            self.draft.given("admitted", courier, place)
        if charged:
            self.draft.given("charged", courier)

    def bring(self, item: str, start: str, goal: str, rng: Random) -> None:
        first = rng.choice([c for c in self.own if start in (LOBBY, *self.own[c])])
        if goal in self.own[first]:
            self.transport(first, item, start, goal)
            return
        last = rng.choice([c for c in self.own if goal in self.own[c]])
        if start != LOBBY:
            self.transport(first, item, start, LOBBY)
        self.transport(last, item, LOBBY, goal)

    def transport(self, courier: str, item: str, start: str, goal: str) -> None:
        if not self.charged[courier]:
            self.walk(courier, self.own[courier][0])
            self.draft.does("recharge", courier, self.at[courier])
        self.walk(courier, start)
        self.draft.does("collect", courier, item, start)
        self.charged[courier] = False
        self.walk(courier, goal)
        self.draft.does("deliver", courier, item, goal)

    def walk(self, courier: str, place: str) -> None:
        if self.at[courier] != place:
            self.draft.does("walk", courier, self.at[courier], place)
            self.at[courier] = place

    def register(self, letter: str, office: str) -> None:
        if not self.inked[office]:
            self.draft.does("dip", office)
        self.draft.does("stamp", office, letter)
        self.draft.does("copy", office, letter)
        self.inked[office] = False

    def go_home(self) -> None:
        for courier in self.own:
            self.walk(courier, f"locker-{courier}")

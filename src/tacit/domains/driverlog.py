"""Driverlog: drivers walk to trucks, board them and deliver packages.

Public: where packages and trucks are, which trucks are empty, the map. Private: where a driver is
(drivers are private objects) and which truck it drives. Walking is a private action, so boarding a
truck depends on where the driver last got off, and boarding deletes that fact unobserved.
"""

from __future__ import annotations

from random import Random

from tacit.domains import Generated, generator
from tacit.domains._graph import Graph, connected, hops, neighbours
from tacit.domains._text import Draft, named, need

DOMAIN = """\
; Roads (link) are for trucks, footpaths (path) are for drivers.
(define (domain driverlog)
  (:requirements :typing :multi-agent :unfactored-privacy)
  (:types
    location locatable - object
    package truck driver - locatable)
  (:predicates
    (at ?thing - locatable ?where - location)
    (in ?package - package ?truck - truck)
    (empty ?truck - truck)
    (link ?from - location ?to - location)
    (path ?from - location ?to - location)
    (:private ?driver - driver
      (driving ?driver - driver ?truck - truck)))

  (:action walk
    :agent ?driver - driver
    :parameters (?from - location ?to - location)
    :precondition (and (at ?driver ?from) (path ?from ?to))
    :effect (and (at ?driver ?to) (not (at ?driver ?from))))

  (:action board-truck
    :agent ?driver - driver
    :parameters (?truck - truck ?where - location)
    :precondition (and (at ?driver ?where) (at ?truck ?where) (empty ?truck))
    :effect (and (driving ?driver ?truck) (not (empty ?truck)) (not (at ?driver ?where))))

  (:action disembark-truck
    :agent ?driver - driver
    :parameters (?truck - truck ?where - location)
    :precondition (and (driving ?driver ?truck) (at ?truck ?where))
    :effect (and (at ?driver ?where) (empty ?truck) (not (driving ?driver ?truck))))

  (:action drive-truck
    :agent ?driver - driver
    :parameters (?truck - truck ?from - location ?to - location)
    :precondition (and (driving ?driver ?truck) (at ?truck ?from) (link ?from ?to))
    :effect (and (at ?truck ?to) (not (at ?truck ?from))))

  (:action load-truck
    :agent ?driver - driver
    :parameters (?truck - truck ?package - package ?where - location)
    :precondition (and (driving ?driver ?truck) (at ?truck ?where) (at ?package ?where))
    :effect (and (in ?package ?truck) (not (at ?package ?where))))

  (:action unload-truck
    :agent ?driver - driver
    :parameters (?truck - truck ?package - package ?where - location)
    :precondition (and (driving ?driver ?truck) (at ?truck ?where) (in ?package ?truck))
    :effect (and (at ?package ?where) (not (in ?package ?truck)))))
"""


@generator(
    "driverlog",
    small={"drivers": 2, "trucks": 2, "packages": 2, "junctions": 3},
    medium={"drivers": 4, "trucks": 3, "packages": 8, "junctions": 8},
    large={"drivers": 8, "trucks": 6, "packages": 25, "junctions": 20},
)
def driverlog(
    *, drivers: int = 2, trucks: int = 2, packages: int = 2, junctions: int = 3, seed: int = 0
) -> Generated:
    """Drivers, trucks and packages on a map of roads and footpaths."""
    need(1, drivers=drivers, trucks=trucks, packages=packages)
    need(2, junctions=junctions)
    rng, draft = Random(seed), Draft(DOMAIN, seed)
    squares = named("s", junctions)
    roads, footpaths = _map(draft, rng, squares)
    start = {
        thing: rng.choice(squares)
        for thing in [*named("driver", drivers), *named("truck", trucks), *named("p", packages)]
    }
    for thing, place in start.items():
        draft.given("at", thing, place)
    for driver in named("driver", drivers):
        draft.has("driver", driver, owner=driver)
    draft.has("truck", *named("truck", trucks))
    draft.has("package", *named("p", packages))
    end = {}
    for thing in [*named("p", packages), *named("truck", (trucks + 1) // 2)]:
        end[thing] = rng.choice([square for square in squares if square != start[thing]])
        draft.wants("at", thing, end[thing])
    for truck in named("truck", trucks):
        draft.given("empty", truck)
    _Solver(draft, roads, footpaths, start).run(named("driver", drivers), trucks, end)
    return draft.finish()


def _map(draft: Draft, rng: Random, squares: list[str]) -> tuple[Graph, Graph]:
    """Roads between squares, and footpaths with a stile half way that no truck can reach."""
    roads = connected(rng, squares, 5 * len(squares) // 2)
    footpaths = []
    for x, y in connected(rng, squares, len(squares)):
        footpaths += [(x, f"{x}-{y}"), (f"{x}-{y}", y)]
    draft.has("location", *squares, *[y for _, y in footpaths[::2]])
    for name, edges in (("link", roads), ("path", footpaths)):
        for x, y in edges:
            draft.given(name, x, y)
            draft.given(name, y, x)
    return neighbours(roads), neighbours(footpaths)


class _Solver:
    """Errands one after the other, each by the next driver, who leaves the truck when done."""

    def __init__(self, draft: Draft, roads: Graph, footpaths: Graph, start: dict[str, str]):
        self.draft, self.roads, self.footpaths, self.at = draft, roads, footpaths, dict(start)

    def run(self, drivers: list[str], trucks: int, end: dict[str, str]) -> None:
        for i, thing in enumerate(end):
            driver = drivers[i % len(drivers)]
            if thing.startswith("truck"):
                self.board(driver, thing)
                self.drive(driver, thing, end[thing])
                self.leave(driver, thing)
            else:
                self.deliver(driver, f"truck{i % trucks + 1}", thing, end[thing])

    def deliver(self, driver: str, truck: str, package: str, place: str) -> None:
        self.board(driver, truck)
        self.drive(driver, truck, self.at[package])
        self.draft.does("load-truck", driver, truck, package, self.at[package])
        self.drive(driver, truck, place)
        self.draft.does("unload-truck", driver, truck, package, place)
        self.leave(driver, truck)

    def board(self, driver: str, truck: str) -> None:
        for x, y in hops(self.footpaths, self.at[driver], self.at[truck]):
            self.draft.does("walk", driver, x, y)
        self.draft.does("board-truck", driver, truck, self.at[truck])

    def drive(self, driver: str, truck: str, place: str) -> None:
        for x, y in hops(self.roads, self.at[truck], place):
            self.draft.does("drive-truck", driver, truck, x, y)
        self.at[truck] = place

    def leave(self, driver: str, truck: str) -> None:
        self.draft.does("disembark-truck", driver, truck, self.at[truck])
        self.at[driver] = self.at[truck]

"""Freight: carriers bring parcels to each other's customers and hand them over at hubs.

Public: which parcels wait at which hub, and which are delivered. Private: a carrier's trucks,
depots, docks and roads, which parcels it stores, and where its customers are. A truck needs one of
its carrier's docks to load or unload, a dock has room for one truck, and a truck for one parcel.
Carriers form a chain in which neighbours share hubs, so most parcels change hands at least once,
and some pass through a carrier that neither stores them nor knows their customer.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random

from tacit.domains import Generated, generator
from tacit.domains._graph import Graph, connected, hops, neighbours
from tacit.domains._text import Draft, named, need

DOMAIN = """\
; Carriers hand parcels over at public hubs; all else is their own business.
(define (domain freight)
  (:requirements :typing :multi-agent :unfactored-privacy)
  (:types carrier parcel place truck dock - object
    hub depot - place)
  (:predicates
    (waiting ?parcel - parcel ?hub - hub)
    (delivered ?parcel - parcel)
    (:private ?carrier - carrier
      (road ?carrier - carrier ?from - place ?to - place)
      (dock-at ?carrier - carrier ?dock - dock ?where - place)
      (vacant ?carrier - carrier ?dock - dock)
      (parked ?carrier - carrier ?truck - truck ?where - place)
      (docked ?carrier - carrier ?truck - truck ?dock - dock)
      (empty ?carrier - carrier ?truck - truck)
      (aboard ?carrier - carrier ?parcel - parcel ?truck - truck)
      (shelved ?carrier - carrier ?parcel - parcel ?depot - depot)
      (customer ?carrier - carrier ?parcel - parcel ?depot - depot)))

  (:action drive
    :agent ?carrier - carrier
    :parameters (?truck - truck ?from - place ?to - place)
    :precondition (and (parked ?carrier ?truck ?from) (road ?carrier ?from ?to))
    :effect (and (parked ?carrier ?truck ?to) (not (parked ?carrier ?truck ?from))))

  (:action enter-dock
    :agent ?carrier - carrier
    :parameters (?truck - truck ?dock - dock ?where - place)
    :precondition (and (parked ?carrier ?truck ?where) (dock-at ?carrier ?dock ?where)
      (vacant ?carrier ?dock))
    :effect (and (docked ?carrier ?truck ?dock) (not (parked ?carrier ?truck ?where))
      (not (vacant ?carrier ?dock))))

  (:action leave-dock
    :agent ?carrier - carrier
    :parameters (?truck - truck ?dock - dock ?where - place)
    :precondition (and (docked ?carrier ?truck ?dock) (dock-at ?carrier ?dock ?where))
    :effect (and (parked ?carrier ?truck ?where) (vacant ?carrier ?dock)
      (not (docked ?carrier ?truck ?dock))))

  (:action fetch
    :agent ?carrier - carrier
    :parameters (?parcel - parcel ?truck - truck ?dock - dock ?depot - depot)
    :precondition (and (shelved ?carrier ?parcel ?depot) (docked ?carrier ?truck ?dock)
      (dock-at ?carrier ?dock ?depot) (empty ?carrier ?truck))
    :effect (and (aboard ?carrier ?parcel ?truck) (not (shelved ?carrier ?parcel ?depot))
      (not (empty ?carrier ?truck))))

  (:action hand-over
    :agent ?carrier - carrier
    :parameters (?parcel - parcel ?truck - truck ?dock - dock ?hub - hub)
    :precondition (and (aboard ?carrier ?parcel ?truck) (docked ?carrier ?truck ?dock)
      (dock-at ?carrier ?dock ?hub))
    :effect (and (waiting ?parcel ?hub) (empty ?carrier ?truck)
      (not (aboard ?carrier ?parcel ?truck))))

  (:action pick-up
    :agent ?carrier - carrier
    :parameters (?parcel - parcel ?truck - truck ?dock - dock ?hub - hub)
    :precondition (and (waiting ?parcel ?hub) (docked ?carrier ?truck ?dock)
      (dock-at ?carrier ?dock ?hub) (empty ?carrier ?truck))
    :effect (and (aboard ?carrier ?parcel ?truck) (not (waiting ?parcel ?hub))
      (not (empty ?carrier ?truck))))

  (:action deliver
    :agent ?carrier - carrier
    :parameters (?parcel - parcel ?truck - truck ?dock - dock ?depot - depot)
    :precondition (and (aboard ?carrier ?parcel ?truck) (docked ?carrier ?truck ?dock)
      (dock-at ?carrier ?dock ?depot) (customer ?carrier ?parcel ?depot))
    :effect (and (delivered ?parcel) (empty ?carrier ?truck)
      (not (aboard ?carrier ?parcel ?truck)))))
"""


@generator(
    "freight",
    small={"carriers": 3, "hubs": 1, "depots": 2, "trucks": 1, "parcels": 2},
    medium={"carriers": 4, "hubs": 2, "depots": 3, "trucks": 2, "parcels": 6},
    large={"carriers": 8, "hubs": 2, "depots": 4, "trucks": 3, "parcels": 20},
)
def freight(
    *,
    carriers: int = 3,
    hubs: int = 1,
    depots: int = 2,
    trucks: int = 1,
    parcels: int = 2,
    seed: int = 0,
) -> Generated:
    """Carriers with `depots` depots each, in a chain; neighbours share `hubs` hubs."""
    need(2, carriers=carriers)
    need(1, hubs=hubs, depots=depots, trucks=trucks, parcels=parcels)
    rng, draft = Random(seed), Draft(DOMAIN, seed)
    shared = [named(f"hub{i}-", hubs) for i in range(1, carriers)]
    draft.has("carrier", *named("carrier", carriers))
    draft.has("parcel", *named("parcel", parcels))
    draft.has("hub", *[hub for group in shared for hub in group])
    fleet = []
    for i in range(carriers):
        reached = [hub for group in shared[max(0, i - 1) : i + 1] for hub in group]
        fleet.append(_Carrier(draft, rng, i + 1, reached, depots, trucks))
    for i, parcel in enumerate(named("parcel", parcels)):
        route = _route(rng, i, carriers)
        start, end = (rng.choice(fleet[place].depots) for place in (route[0], route[-1]))
        draft.given("shelved", fleet[route[0]].name, parcel, start)
        draft.given("customer", fleet[route[-1]].name, parcel, end)
        draft.wants("delivered", parcel)
        meetings = [rng.choice(shared[min(pair)]) for pair in pairwise(route)]
        for place, here, there in zip(route, [start, *meetings], [*meetings, end], strict=True):
            fleet[place].carry(parcel, here, there)
    return draft.finish()


def _route(rng: Random, i: int, carriers: int) -> list[int]:
    """The carriers through whose hands parcel i goes; the first parcel crosses the whole chain."""
    start, end = (0, carriers - 1) if i == 0 else (rng.randrange(carriers) for _ in range(2))
    step = 1 if start <= end else -1
    return list(range(start, end + step, step))


class _Carrier:
    """One carrier's depots, docks, roads and trucks, and what they do in the witness plan."""

    def __init__(
        self, draft: Draft, rng: Random, number: int, hubs: list[str], depots: int, trucks: int
    ):
        self.name = f"carrier{number}"
        self.depots = named(f"depot{number}-", depots)
        self._draft = draft
        places = [*self.depots, *hubs]
        self._docks = dict(zip(places, named(f"dock{number}-", len(places)), strict=True))
        self._trucks = named(f"truck{number}-", trucks)
        self._graph = self._roads(rng, places)
        draft.has("depot", *self.depots, owner=self.name)
        draft.has("dock", *self._docks.values(), owner=self.name)
        draft.has("truck", *self._trucks, owner=self.name)
        for place, dock in self._docks.items():
            draft.given("dock-at", self.name, dock, place)
            draft.given("vacant", self.name, dock)
        self._at = {truck: rng.choice(self.depots) for truck in self._trucks}
        for truck, depot in self._at.items():
            draft.given("parked", self.name, truck, depot)
            draft.given("empty", self.name, truck)

    def _roads(self, rng: Random, places: list[str]) -> Graph:
        edges = connected(rng, places, extra=len(places) // 3)
        for here, there in edges:
            self._draft.given("road", self.name, here, there)
            self._draft.given("road", self.name, there, here)
        return neighbours(edges)

    def carry(self, parcel: str, here: str, there: str) -> None:
        """The next truck in turn takes a parcel from one place to another."""
        truck = self._trucks[0]
        self._trucks = [*self._trucks[1:], truck]
        self._act("fetch" if here in self.depots else "pick-up", parcel, truck, here)
        self._act("deliver" if there in self.depots else "hand-over", parcel, truck, there)

    def _act(self, action: str, parcel: str, truck: str, place: str) -> None:
        for start, end in hops(self._graph, self._at[truck], place):
            self._draft.does("drive", self.name, truck, start, end)
        self._at[truck] = place
        dock = self._docks[place]
        self._draft.does("enter-dock", self.name, truck, dock, place)
        self._draft.does(action, self.name, parcel, truck, dock, place)
        self._draft.does("leave-dock", self.name, truck, dock, place)

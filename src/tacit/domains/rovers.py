"""Rovers: rovers with different equipment sample soil and rock, take images and send the data home.

Public: the view between waypoints, samples lying there, stores full or empty, data received.
Private: where a rover is, where it can go, its equipment, its data and its calibration. Rovers
hardly interact (a sample is gone once taken), but each has by far the most dependencies of all
domains, most of them because sending data deletes and re-adds the radio's availability.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from tacit.domains import Generated, generator
from tacit.domains._graph import Graph, connected, hops, neighbours
from tacit.domains._text import Draft, named, need

DOMAIN = """\
; Data goes to one lander, from any waypoint that sees it.
(define (domain rovers)
  (:requirements :typing :multi-agent :unfactored-privacy)
  (:types rover store camera mode objective waypoint lander - object)
  (:predicates
    (visible ?here - waypoint ?there - waypoint)
    (visible_from ?objective - objective ?where - waypoint)
    (at_lander ?lander - lander ?where - waypoint)
    (channel_free ?lander - lander)
    (at_soil_sample ?where - waypoint)
    (at_rock_sample ?where - waypoint)
    (empty ?store - store)
    (full ?store - store)
    (supports ?camera - camera ?mode - mode)
    (calibration_target ?camera - camera ?objective - objective)
    (communicated_soil_data ?where - waypoint)
    (communicated_rock_data ?where - waypoint)
    (communicated_image_data ?objective - objective ?mode - mode)
    (:private ?rover - rover
      (at ?rover - rover ?where - waypoint)
      (can_traverse ?rover - rover ?from - waypoint ?to - waypoint)
      (available ?rover - rover)
      (store_of ?store - store ?rover - rover)
      (on_board ?camera - camera ?rover - rover)
      (calibrated ?camera - camera ?rover - rover)
      (equipped_for_soil_analysis ?rover - rover)
      (equipped_for_rock_analysis ?rover - rover)
      (equipped_for_imaging ?rover - rover)
      (have_soil_analysis ?rover - rover ?where - waypoint)
      (have_rock_analysis ?rover - rover ?where - waypoint)
      (have_image ?rover - rover ?objective - objective ?mode - mode)))

  (:action navigate
    :agent ?rover - rover
    :parameters (?from - waypoint ?to - waypoint)
    :precondition (and (available ?rover) (at ?rover ?from)
      (can_traverse ?rover ?from ?to) (visible ?from ?to))
    :effect (and (at ?rover ?to) (not (at ?rover ?from))))

  (:action sample_soil
    :agent ?rover - rover
    :parameters (?store - store ?where - waypoint)
    :precondition (and (equipped_for_soil_analysis ?rover) (at ?rover ?where)
      (at_soil_sample ?where) (store_of ?store ?rover) (empty ?store))
    :effect (and (have_soil_analysis ?rover ?where) (full ?store)
      (not (empty ?store)) (not (at_soil_sample ?where))))

  (:action sample_rock
    :agent ?rover - rover
    :parameters (?store - store ?where - waypoint)
    :precondition (and (equipped_for_rock_analysis ?rover) (at ?rover ?where)
      (at_rock_sample ?where) (store_of ?store ?rover) (empty ?store))
    :effect (and (have_rock_analysis ?rover ?where) (full ?store)
      (not (empty ?store)) (not (at_rock_sample ?where))))

  (:action drop
    :agent ?rover - rover
    :parameters (?store - store)
    :precondition (and (store_of ?store ?rover) (full ?store))
    :effect (and (empty ?store) (not (full ?store))))

  (:action calibrate
    :agent ?rover - rover
    :parameters (?camera - camera ?target - objective ?where - waypoint)
    :precondition (and (equipped_for_imaging ?rover) (on_board ?camera ?rover)
      (calibration_target ?camera ?target) (at ?rover ?where) (visible_from ?target ?where))
    :effect (calibrated ?camera ?rover))

  (:action take_image
    :agent ?rover - rover
    :parameters (?where - waypoint ?objective - objective ?camera - camera ?mode - mode)
    :precondition (and (equipped_for_imaging ?rover) (on_board ?camera ?rover)
      (calibrated ?camera ?rover) (supports ?camera ?mode)
      (at ?rover ?where) (visible_from ?objective ?where))
    :effect (and (have_image ?rover ?objective ?mode) (not (calibrated ?camera ?rover))))

  (:action communicate_soil_data
    :agent ?rover - rover
    :parameters (?lander - lander ?about - waypoint ?here - waypoint ?there - waypoint)
    :precondition (and (have_soil_analysis ?rover ?about) (at ?rover ?here)
      (at_lander ?lander ?there) (visible ?here ?there)
      (available ?rover) (channel_free ?lander))
    :effect (and (communicated_soil_data ?about)
      (not (available ?rover)) (available ?rover)
      (not (channel_free ?lander)) (channel_free ?lander)))

  (:action communicate_rock_data
    :agent ?rover - rover
    :parameters (?lander - lander ?about - waypoint ?here - waypoint ?there - waypoint)
    :precondition (and (have_rock_analysis ?rover ?about) (at ?rover ?here)
      (at_lander ?lander ?there) (visible ?here ?there)
      (available ?rover) (channel_free ?lander))
    :effect (and (communicated_rock_data ?about)
      (not (available ?rover)) (available ?rover)
      (not (channel_free ?lander)) (channel_free ?lander)))

  (:action communicate_image_data
    :agent ?rover - rover
    :parameters (?lander - lander ?objective - objective ?mode - mode
      ?here - waypoint ?there - waypoint)
    :precondition (and (have_image ?rover ?objective ?mode) (at ?rover ?here)
      (at_lander ?lander ?there) (visible ?here ?there)
      (available ?rover) (channel_free ?lander))
    :effect (and (communicated_image_data ?objective ?mode)
      (not (available ?rover)) (available ?rover)
      (not (channel_free ?lander)) (channel_free ?lander))))
"""

MODES = ["colour", "low_res", "high_res"]
SKILLS = {"soil": "soil_analysis", "rock": "rock_analysis", "image": "imaging"}


@dataclass
class Camera:
    name: str
    target: str
    modes: list[str]


@dataclass
class Rover:
    """`base` is a waypoint that it can reach and from which it sees the lander."""

    name: str
    skills: list[str]
    base: str
    ways: Graph
    at: str
    cameras: list[Camera] = field(default_factory=list)
    full: bool = False
    errands: int = 0


@generator(
    "rovers",
    small={"rovers": 2, "waypoints": 4, "objectives": 2, "cameras": 1, "goals": 1},
    medium={"rovers": 4, "waypoints": 10, "objectives": 4, "cameras": 6, "goals": 3},
    large={"rovers": 10, "waypoints": 45, "objectives": 8, "cameras": 15, "goals": 6},
)
def rovers(
    *,
    rovers: int = 2,
    waypoints: int = 4,
    objectives: int = 2,
    cameras: int = 1,
    goals: int = 1,
    seed: int = 0,
) -> Generated:
    """Rovers explore; of soil, rock and image goals there are up to `goals` each."""
    need(1, rovers=rovers, objectives=objectives, cameras=cameras, goals=goals)
    need(2, waypoints=waypoints)
    mission = _Mission(Random(seed), Draft(DOMAIN, seed), waypoints, objectives)
    for i in range(rovers):
        mission.add_rover(i, rovers)
    for i in range(cameras):
        mission.add_camera(i)
    for _ in range(goals):
        mission.sample_goal("soil")
        mission.sample_goal("rock")
        mission.image_goal()
    return mission.finish(cameras)


class _Mission:
    """Rovers get goals that they can reach; a goal's samples and views are added as needed."""

    def __init__(self, rng: Random, draft: Draft, waypoints: int, objectives: int):
        self.rng, self.draft = rng, draft
        self.points = named("waypoint", waypoints)
        self.view = neighbours(connected(rng, self.points, 4 * waypoints))
        self.lander = rng.choice(self.points)
        self.seen = {name: self._half() for name in named("objective", objectives)}
        self.samples = {"soil": dict.fromkeys(self._half()), "rock": dict.fromkeys(self._half())}
        self.rovers: list[Rover] = []
        self.done: dict[tuple[str, ...], None] = {}

    def _half(self) -> list[str]:
        return [point for point in self.points if self.rng.random() < 0.5]

    def add_rover(self, i: int, of: int) -> None:
        """The skills are divided among the first three rovers, so that they must cooperate."""
        lucky = [i > 2 and self.rng.random() < 0.6 for _ in SKILLS]
        skills = [skill for k, skill in enumerate(SKILLS) if k % of == i or lucky[k]]
        base = self.rng.choice(self.view[self.lander])
        size = self.rng.randint((2 * len(self.points) + 2) // 3, len(self.points))
        ways = self._explore(base, size)
        rover = Rover(f"rover{i + 1}", skills, base, ways, self.rng.choice(list(ways)))
        self.draft.given("at", rover.name, rover.at)
        self.rovers.append(rover)

    def _explore(self, base: str, size: int) -> Graph:
        """A random tree of `size` waypoints along the view, from the base."""
        ways: Graph = {base: []}
        border = [base]
        while len(ways) < size:
            i = self.rng.randrange(len(border))
            border[i], border[-1] = border[-1], border[i]
            here = border.pop()
            for there in self.view[here]:
                if there not in ways and len(ways) < size:
                    ways[here].append(there)
                    ways[there] = [here]
                    border.append(there)
        return ways

    def add_camera(self, i: int) -> None:
        able = [rover for rover in self.rovers if "image" in rover.skills]
        target = self.rng.choice(list(self.seen))
        modes = self.rng.sample(MODES, self.rng.randint(1, len(MODES)))
        able[i % len(able)].cameras.append(Camera(f"camera{i + 1}", target, modes))

    def _least_busy(self) -> list[Rover]:
        return sorted(self.rovers, key=lambda rover: rover.errands)

    def sample_goal(self, kind: str) -> None:
        """Soil or rock data by the least busy rover that can get some more, if any can."""
        for rover in self._least_busy():
            free = [point for point in rover.ways if (kind, point) not in self.done]
            if kind in rover.skills and free:
                self._sample(rover, kind, self.rng.choice(free))
                return

    def _sample(self, rover: Rover, kind: str, point: str) -> None:
        self.samples[kind][point] = None
        self._go(rover, point)
        if rover.full:
            self.draft.does("drop", rover.name, f"{rover.name}store")
        self.draft.does(f"sample_{kind}", rover.name, f"{rover.name}store", point)
        rover.full = True
        self._report(rover, kind, point)

    def image_goal(self) -> None:
        """An image by the least busy rover that has a camera for one more, if any has."""
        for rover in self._least_busy():
            free = [
                (camera, objective, mode)
                for camera in rover.cameras
                for objective in self.seen
                for mode in camera.modes
                if ("image", objective, mode) not in self.done
            ]
            if free:
                self._photograph(rover, *self.rng.choice(free))
                return

    def _photograph(self, rover: Rover, camera: Camera, objective: str, mode: str) -> None:
        place = self._go_and_see(rover, camera.target)
        self.draft.does("calibrate", rover.name, camera.name, camera.target, place)
        place = self._go_and_see(rover, objective)
        self.draft.does("take_image", rover.name, place, objective, camera.name, mode)
        self._report(rover, "image", objective, mode)

    def _go(self, rover: Rover, point: str) -> None:
        for here, there in hops(rover.ways, rover.at, point):
            self.draft.does("navigate", rover.name, here, there)
        rover.at = point

    def _go_and_see(self, rover: Rover, objective: str) -> str:
        """Go to a waypoint that sees an objective; if it can reach none, make one see it."""
        places = [point for point in self.seen[objective] if point in rover.ways]
        if not places:
            places = [self.rng.choice(list(rover.ways))]
            self.seen[objective] += places
        self._go(rover, self.rng.choice(places))
        return rover.at

    def _report(self, rover: Rover, kind: str, *data: str) -> None:
        self._go(rover, rover.base)
        place = (rover.base, self.lander)
        self.draft.does(f"communicate_{kind}_data", rover.name, "lander", *data, *place)
        self.draft.wants(f"communicated_{kind}_data", *data)
        self.done[kind, *data] = None
        rover.errands += 1

    def finish(self, cameras: int) -> Generated:
        draft = self.draft
        draft.has("lander", "lander")
        draft.has("waypoint", *self.points)
        draft.has("objective", *self.seen)
        draft.has("mode", *MODES)
        draft.has("camera", *named("camera", cameras))
        draft.given("at_lander", "lander", self.lander)
        draft.given("channel_free", "lander")
        for point in self.points:
            for other in self.view[point]:
                draft.given("visible", point, other)
        for objective, places in self.seen.items():
            for point in places:
                draft.given("visible_from", objective, point)
        for kind, samples in self.samples.items():
            for point in samples:
                draft.given(f"at_{kind}_sample", point)
        for rover in self.rovers:
            _describe(draft, rover)
        return draft.finish()


def _describe(draft: Draft, rover: Rover) -> None:
    name = rover.name
    draft.has("store", f"{name}store")
    draft.has("rover", name, owner=name)
    draft.given("available", name)
    draft.given("store_of", f"{name}store", name)
    draft.given("empty", f"{name}store")
    for skill in rover.skills:
        draft.given(f"equipped_for_{SKILLS[skill]}", name)
    for camera in rover.cameras:
        draft.given("on_board", camera.name, name)
        draft.given("calibration_target", camera.name, camera.target)
        for mode in camera.modes:
            draft.given("supports", camera.name, mode)
    for here, next_ones in rover.ways.items():
        for there in next_ones:
            draft.given("can_traverse", name, here, there)

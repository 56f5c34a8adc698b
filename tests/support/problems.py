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
    "freight": [{"carriers": 2, "hubs": 1, "depots": 1, "trucks": 1, "parcels": 1}],
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


def short_cut() -> Instance:
    """The short way to (p) breaks what `a` needs after `b`; the long way does not.

    That it cannot be mended is hidden from the heuristic: (up) and (down) never hold together.
    """
    domain = """(define (domain d) (:types ta tb)
      (:predicates (n) (p) (q) (r) (g)
        (:private ?a - ta (whole ?a - ta) (up ?a - ta) (down ?a - ta))
        (:private ?b - tb (fit ?b - tb)))
      (:action rush :agent ?a - ta :parameters ()
        :precondition (and (n) (whole ?a)) :effect (and (p) (not (n)) (not (whole ?a))))
      (:action prepare :agent ?a - ta :parameters ()
        :precondition (and (n)) :effect (and (r) (not (n))))
      (:action walk :agent ?a - ta :parameters ()
        :precondition (and (r)) :effect (and (p) (not (r))))
      (:action lower :agent ?a - ta :parameters ()
        :precondition (and (up ?a)) :effect (and (down ?a) (not (up ?a))))
      (:action mend :agent ?a - ta :parameters ()
        :precondition (and (up ?a) (down ?a)) :effect (and (whole ?a)))
      (:action assist :agent ?b - tb :parameters ()
        :precondition (and (p) (fit ?b)) :effect (and (q)))
      (:action end :agent ?a - ta :parameters ()
        :precondition (and (q) (whole ?a)) :effect (and (g))))"""
    problem = """(define (problem d) (:domain d)
      (:objects (:private a a - ta) (:private b b - tb))
      (:init (n) (whole a) (up a) (fit b)) (:goal (and (g))))"""
    return instance_of(domain, problem)


def laps(count: int) -> Instance:
    """`a` gives a goal up and restores it so often before it can end; meanwhile `a` and `b` can
    do and undo a step for ever, in states that look better and have all goals but one.
    """
    drops = "\n".join(
        f"""(:action drop{n} :agent ?a - ta :parameters ()
        :precondition (and (g) (c{n} ?a))
        :effect (and (p) (not (g)) (c{n + 1} ?a) (not (c{n} ?a))))"""
        for n in range(count)
    )
    counters = " ".join(f"(c{n} ?a - ta)" for n in range(count + 1))
    domain = f"""(define (domain laps) (:types ta tb)
      (:predicates (g) (p) (y) (z) (h)
        (:private ?a - ta {counters}) (:private ?b - tb (awake ?b - tb)))
      {drops}
      (:action lift :agent ?a - ta :parameters ()
        :precondition (and (p)) :effect (and (g) (not (p))))
      (:action end :agent ?a - ta :parameters ()
        :precondition (and (g) (c{count} ?a)) :effect (and (h)))
      (:action blink :agent ?a - ta :parameters ()
        :precondition (and (g) (y)) :effect (and (z) (not (y))))
      (:action blonk :agent ?b - tb :parameters ()
        :precondition (and (g) (z) (awake ?b)) :effect (and (y) (not (z)))))"""
    problem = """(define (problem laps) (:domain laps)
      (:objects (:private a a - ta) (:private b b - tb))
      (:init (g) (y) (c0 a) (awake b)) (:goal (and (g) (h))))"""
    return instance_of(domain, problem)


def short_cut_seen_by_one() -> Instance:
    """As `short_cut`; `b` can act behind the ways to (p), and `c` only behind the next step of `a`,
    which takes the long way.
    """
    domain = """(define (domain d) (:types ta tb tc)
      (:predicates (n) (p) (q) (r) (s) (t) (g) (:private ?a - ta (whole ?a - ta))
        (:private ?b - tb (fit ?b - tb)) (:private ?c - tc (here ?c - tc)))
      (:action rush :agent ?a - ta :parameters ()
        :precondition (and (n) (whole ?a)) :effect (and (p) (not (n)) (not (whole ?a))))
      (:action prepare :agent ?a - ta :parameters ()
        :precondition (and (n)) :effect (and (r) (not (n))))
      (:action walk :agent ?a - ta :parameters ()
        :precondition (and (r)) :effect (and (p) (not (r))))
      (:action proceed :agent ?a - ta :parameters ()
        :precondition (and (p) (whole ?a)) :effect (and (s)))
      (:action assist :agent ?b - tb :parameters ()
        :precondition (and (p) (fit ?b)) :effect (and (q)))
      (:action close :agent ?c - tc :parameters ()
        :precondition (and (s) (here ?c)) :effect (and (t)))
      (:action end :agent ?a - ta :parameters ()
        :precondition (and (q) (t) (whole ?a)) :effect (and (g))))"""
    problem = """(define (problem d) (:domain d)
      (:objects (:private a a - ta) (:private b b - tb) (:private c c - tc))
      (:init (n) (whole a) (fit b) (here c)) (:goal (and (g))))"""
    return instance_of(domain, problem)

"""Ferry lines along a coast, in MA-PDDL: with a route missing, cargo does not arrive."""

from __future__ import annotations

FERRIES = """(define (domain ferries)
  (:requirements :strips :typing :multi-agent :unfactored-privacy)
  (:types line port cargo - object)
  (:predicates
    (at ?c - cargo ?p - port)
    (:private ?l - line
      (ship-in ?l - line ?p - port)
      (route ?l - line ?a - port ?b - port)
      (loaded ?l - line ?c - cargo)))
  (:action sail :agent ?l - line :parameters (?a - port ?b - port)
    :precondition (and (ship-in ?l ?a) (route ?l ?a ?b))
    :effect (and (not (ship-in ?l ?a)) (ship-in ?l ?b)))
  (:action load :agent ?l - line :parameters (?c - cargo ?p - port)
    :precondition (and (ship-in ?l ?p) (at ?c ?p))
    :effect (and (not (at ?c ?p)) (loaded ?l ?c)))
  (:action unload :agent ?l - line :parameters (?c - cargo ?p - port)
    :precondition (and (ship-in ?l ?p) (loaded ?l ?c))
    :effect (and (at ?c ?p) (not (loaded ?l ?c)))))"""


def ferries(lines: int, ports: int, without: frozenset[str] = frozenset(), ships: int = 9) -> str:
    """Lines one after the other along a coast, each with some ports of its own; cargo goes from
    one end to the other. Only the first lines have ships.
    """
    count = lines * ports + 1
    init = ["(at c1 p0)", "(at c2 p0)"]
    for line in range(lines):
        first = line * ports
        init += [f"(ship-in l{line} p{first})"] * (line < ships)
        for port in range(first, first + ports):
            init += [f"(route l{line} p{port} p{port + 1})", f"(route l{line} p{port + 1} p{port})"]
    names = " ".join(f"l{n}" for n in range(lines)), " ".join(f"p{n}" for n in range(count))
    return (
        f"(define (problem coast) (:domain ferries) (:objects {names[0]} - line {names[1]} - port "
        f"c1 c2 - cargo) (:init {' '.join(fact for fact in init if fact not in without)})"
        f"(:goal (and (at c1 p{count - 1}) (at c2 p{count - 1}))))"
    )

"""A small problem with a bit of everything, in both forms, for tests of the parser and the CLI."""

from __future__ import annotations

import pytest

from tacit.errors import Diagnostic, InputError
from tacit.pddl.reader import read_texts
from tacit.pddl.source import Source

DOMAIN = """(define (domain delivery)
  (:requirements :typing :multi-agent :unfactored-privacy :action-costs)
  (:types truck package place - object)
  (:constants depot - place)
  (:predicates
    (at ?p - package ?l - place)
    (road ?a ?b - place)
    (:private ?agent - truck
      (parked ?agent - truck ?l - place)
      (holds ?agent - truck ?p - package)))
  (:functions (total-cost) - number (length ?a ?b - place) - number)
  (:action drive
    :agent ?t - truck
    :parameters (?a ?b - place)
    :precondition (and (parked ?t ?a) (road ?a ?b))
    :effect (and (not (parked ?t ?a)) (parked ?t ?b) (increase (total-cost) (length ?a ?b))))
  (:action load
    :agent ?t - truck
    :parameters (?p - package ?l - place)
    :precondition (and (parked ?t ?l) (at ?p ?l))
    :effect (and (not (at ?p ?l)) (holds ?t ?p)))
  (:action drop
    :agent ?t - truck
    :parameters (?p - package ?l - place)
    :precondition (and (parked ?t ?l) (holds ?t ?p))
    :effect (and (at ?p ?l) (not (holds ?t ?p)))))
"""

PROBLEM = """(define (problem small)
  (:domain delivery)
  (:objects
    t1 t2 - truck
    p1 - package
    home shop - place
    (:private t1 yard - place))
  (:init (parked t1 yard) (parked t2 shop) (road yard depot) (road depot shop)
    (at p1 depot)
    (= (length yard depot) 2) (= (length depot shop) 3) (= (total-cost) 0))
  (:goal (and (at p1 shop)))
  (:metric minimize (total-cost)))
"""

PLAN = """(drive t1 yard depot)
(load t1 p1 depot)
(drive t1 depot shop)
(drop t1 p1 shop)
"""

# One agent of a factored problem. The other predicates and objects are no business of its.
OWN_DOMAIN = """(define (domain delivery)
  (:requirements :factored-privacy :typing :negative-preconditions)
  (:types truck package place)
  (:predicates
    (at ?p - package ?l - place)
    (:private
      (parked ?agent - truck ?l - place)
      (holds ?agent - truck ?p - package)
      (tired)))
  (:action load
    :parameters (?t - truck ?p - package ?l - place)
    :precondition (and (parked ?t ?l) (at ?p ?l))
    :effect (and (not (at ?p ?l)) (holds ?t ?p)))
  (:action drop-t1
    :parameters (?p - package ?l - place)
    :precondition (and (parked t1 ?l) (holds t1 ?p) (not (tired)))
    :effect (and (at ?p ?l) (tired) (not (holds t1 ?p))))
  (:constants t1 - truck))
"""

OWN_PROBLEM = """(define (problem small)
  (:domain delivery)
  (:objects t2 - truck p1 - package shop - place (:private yard - place))
  (:init (parked t1 yard) (parked t2 shop) (at p1 yard) (secret t2 p1))
  (:goal (at p1 shop)))
"""


def mistakes(domain: str = DOMAIN, problem: str = PROBLEM) -> tuple[Diagnostic, ...]:
    with pytest.raises(InputError) as caught:
        read_texts(Source("domain", domain), Source("problem", problem))
    return caught.value.diagnostics

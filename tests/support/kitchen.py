"""A problem of two cooks, small enough to judge plans by hand."""

from __future__ import annotations

from tacit.central.validate.judge import Verdict, validate
from tacit.central.validate.plan import Step, plan_of
from tacit.pddl.reader import read_agent, read_texts
from tacit.pddl.source import Source
from tacit.pddl.syntax import Description, Form


def read(domain: str, problem: str) -> Description:
    return read_texts(Source("domain.pddl", domain), Source("problem.pddl", problem))


def factored(parts: dict[str, tuple[str, str]]) -> Description:
    pairs = tuple(
        read_agent(agent, Source(f"domain-{agent}", d), Source(f"problem-{agent}", p)).pairs[0]
        for agent, (d, p) in parts.items()
    )
    return Description(Form.FACTORED, "factored", pairs)


def judge(description: Description, *lines: str | Step) -> Verdict:
    return validate(description, plan_of(lines))


KITCHEN = """
(define (domain kitchen)
 (:requirements :typing :multi-agent :unfactored-privacy :negative-preconditions :equality)
 (:types cook waiter - person dish tool)
 (:predicates (ready ?d - dish) (served ?d - dish) (broken ?t - tool)
  (:private ?agent - person (holds ?agent - person ?t - tool) (busy ?agent - person)))
 (:functions (total-cost) - number (effort ?d - dish) - number)
 (:action take :agent ?a - person :parameters (?t - tool)
  :precondition (not (broken ?t)) :effect (holds ?a ?t))
 (:action prepare :agent ?a - cook :parameters (?d - dish ?t - tool)
  :precondition (and (holds ?a ?t) (not (busy ?a)) (not (ready ?d)))
  :effect (and (ready ?d) (busy ?a) (not (holds ?a ?t)) (increase (total-cost) (effort ?d))))
 (:action pause :agent ?a - cook :parameters () :precondition (busy ?a) :effect (not (busy ?a)))
 (:action serve :agent ?a - waiter :parameters (?d - dish)
  :precondition (ready ?d) :effect (and (not (ready ?d)) (served ?d) (increase (total-cost) 1)))
 (:action swap :agent ?a - cook :parameters (?t - tool ?u - tool)
  :precondition (and (holds ?a ?t) (not (= ?t ?u))) :effect (and (not (holds ?a ?t)) (holds ?a ?u)))
 (:action spy :agent ?a - waiter :parameters (?o - cook)
  :precondition (busy ?o) :effect (busy ?a)))
"""


EVENING = """
(define (problem evening) (:domain kitchen)
 (:objects soup pie cake - dish pan - tool c1 - cook w1 - waiter
  (:private c2 c2 - cook knife - tool))
 (:init (= (effort soup) 3) (= (effort pie) 5))
 (:goal (and (served soup) (ready pie) (not (busy c1))))
 (:metric minimize (total-cost)))
"""


DINNER = (
    *("(take c1 pan)", "(take c2 knife)", "(prepare c1 soup pan)", "(prepare c2 pie knife)"),
    *("(serve w1 soup)", "(pause c1)"),
)

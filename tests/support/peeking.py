"""A problem in which a private action needs a public fact that comes and goes.

A guard opens and shuts a window, once a bell has woken it. A spy reports after it has peeked, which
is private and needs the window open; in the end it must be shut. Or it peeks by the light of a lamp
that nobody turns off, and that nothing else asks for.
"""

from __future__ import annotations

from support.problems import instance_of
from tacit.central.instance import Instance

DOMAIN = """\
(define (domain peeking)
  (:requirements :typing :negative-preconditions :multi-agent :unfactored-privacy)
  (:types guard spy - object)
  (:predicates
    (open) (lit) (rung) (reported)
    (:private ?spy - spy (seen ?spy - spy))
    (:private ?guard - guard (awake ?guard - guard)))
  (:action ring :agent ?guard - guard :parameters ()
    :precondition (not (rung)) :effect (and (rung) (awake ?guard)))
  (:action open-window :agent ?guard - guard :parameters ()
    :precondition (and (awake ?guard) (not (open))) :effect (open))
  (:action shut-window :agent ?guard - guard :parameters ()
    :precondition (and (awake ?guard) (open)) :effect (not (open)))
  (:action light :agent ?guard - guard :parameters ()
    :precondition (awake ?guard) :effect (lit))
  (:action peek :agent ?spy - spy :parameters ()
    :precondition ({needed}) :effect (seen ?spy))
  (:action report :agent ?spy - spy :parameters ()
    :precondition (seen ?spy) :effect (reported)))
"""

PROBLEM = """\
(define (problem window)
  (:domain peeking)
  (:objects guard1 - guard spy1 - spy)
  (:init)
  (:goal (and (reported) (not (open)))))
"""


def window() -> Instance:
    """The spy peeks through the window."""
    return instance_of(DOMAIN.format(needed="open"), PROBLEM)


def lamp() -> Instance:
    """The spy peeks by the light of the lamp."""
    return instance_of(DOMAIN.format(needed="lit"), PROBLEM)

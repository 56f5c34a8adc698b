"""The example by which Lev Lehman, Shani and Stern (2021) explain their rankings, as a problem.

Two rovers explore a rock. Sensors wait in two bases; a rover has two mounts and so carries two
sensors at most. Public: which sensor is in which base, which base has stones, what is known of the
rock. Private: where a rover is and can go, what it holds, whether its store is empty. Moves are
the private actions.

The dependency graph of `rover1` is that of the paper's Figure 2, node for node: taking the camera
or the detector from either base (n1 to n4) and clearing the store in either (n5, n6) achieve three
tokens (n7 to n9), which four examinations of the rock need (n10 to n13). The figure has no action
that returns a sensor, so here only `rover2` has the crane for it. Its reach ends at the bases, and
it still holds the detector: neither rover can do without the other.
"""

from __future__ import annotations

from tacit.domains import Generated, example

DOMAIN = """\
; Rovers that share the sensors of two bases.
(define (domain mars)
  (:requirements :typing :multi-agent :unfactored-privacy)
  (:types
    rover sensor mount place - object
    camera detector - sensor
    base rock - place)
  (:predicates
    (stored ?sensor - sensor ?base - base)
    (stones ?base - base)
    (fits ?sensor - sensor ?mount - mount)
    (imaged ?rock - rock)
    (drilled ?rock - rock)
    (sampled ?rock - rock)
    (:private ?rover - rover
      (at ?rover - rover ?place - place)
      (way ?rover - rover ?from - place ?to - place)
      (holding ?rover - rover ?sensor - sensor)
      (free ?rover - rover ?mount - mount)
      (empty ?rover - rover)
      (crane ?rover - rover)))

  (:action move
    :agent ?rover - rover
    :parameters (?from - place ?to - place)
    :precondition (and (at ?rover ?from) (way ?rover ?from ?to))
    :effect (and (at ?rover ?to) (not (at ?rover ?from))))

  (:action take
    :agent ?rover - rover
    :parameters (?sensor - sensor ?mount - mount ?base - base)
    :precondition (and (at ?rover ?base) (stored ?sensor ?base)
      (fits ?sensor ?mount) (free ?rover ?mount))
    :effect (and (holding ?rover ?sensor)
      (not (free ?rover ?mount)) (not (stored ?sensor ?base))))

  (:action return
    :agent ?rover - rover
    :parameters (?sensor - sensor ?mount - mount ?base - base)
    :precondition (and (at ?rover ?base) (crane ?rover)
      (fits ?sensor ?mount) (holding ?rover ?sensor))
    :effect (and (stored ?sensor ?base) (free ?rover ?mount)
      (not (holding ?rover ?sensor))))

  ; An empty store takes all that there is to collect from one rock.
  (:action clear-store
    :agent ?rover - rover
    :parameters (?base - base)
    :precondition (at ?rover ?base)
    :effect (and (empty ?rover) (stones ?base)))

  (:action take-image
    :agent ?rover - rover
    :parameters (?camera - camera ?rock - rock)
    :precondition (and (at ?rover ?rock) (holding ?rover ?camera))
    :effect (imaged ?rock))

  ; The camera watches the drill, so there is an image too.
  (:action drill-mineral
    :agent ?rover - rover
    :parameters (?camera - camera ?detector - detector ?rock - rock)
    :precondition (and (at ?rover ?rock) (holding ?rover ?camera) (holding ?rover ?detector))
    :effect (and (imaged ?rock) (drilled ?rock)))

  (:action sample-mineral
    :agent ?rover - rover
    :parameters (?camera - camera ?detector - detector ?rock - rock)
    :precondition (and (at ?rover ?rock) (holding ?rover ?camera) (holding ?rover ?detector)
      (empty ?rover))
    :effect (and (imaged ?rock) (drilled ?rock) (sampled ?rock)))

  (:action collect-stone
    :agent ?rover - rover
    :parameters (?rock - rock)
    :precondition (and (at ?rover ?rock) (empty ?rover))
    :effect (sampled ?rock)))
"""

PROBLEM = """\
(define (problem paper-example)
  (:domain mars)
  (:objects
    base1 base2 - base
    rock1 - rock
    camera1 - camera
    detector1 - detector
    mast arm - mount
    (:private rover1
      rover1 - rover)
    (:private rover2
      rover2 - rover))
  (:init
    (fits camera1 mast)
    (fits detector1 arm)
    (stored camera1 base1)
    (at rover1 base1)
    (way rover1 base1 base2)
    (way rover1 base2 base1)
    (way rover1 base1 rock1)
    (way rover1 rock1 base1)
    (way rover1 base2 rock1)
    (way rover1 rock1 base2)
    (free rover1 mast)
    (free rover1 arm)
    (at rover2 base2)
    (way rover2 base1 base2)
    (way rover2 base2 base1)
    (holding rover2 detector1)
    (free rover2 mast)
    (crane rover2))
  (:goal (and
    (imaged rock1)
    (drilled rock1)
    (sampled rock1)))
)
"""

PLAN = (
    "(return rover2 detector1 arm base2)",
    "(clear-store rover1 base1)",
    "(take rover1 camera1 mast base1)",
    "(move rover1 base1 base2)",
    "(take rover1 detector1 arm base2)",
    "(move rover1 base2 rock1)",
    "(sample-mineral rover1 camera1 detector1 rock1)",
)


@example("paper/example")
def paper_example() -> Generated:
    """Two rovers share a camera and a detector to explore a rock, as in the paper's Figure 2."""
    return Generated(DOMAIN, PROBLEM, PLAN)

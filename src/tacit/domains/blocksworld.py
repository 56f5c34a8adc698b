"""Blocks World: several arms restack one set of blocks.

Public: where every block is and whether it is clear. Private: what an arm holds and whether it is
free. All actions are public and every arm can execute all of them, so each arm has many
dependencies of the same shape (any block it picks up can be put anywhere) and few of them matter.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random

from tacit.domains import Generated, generator
from tacit.domains._text import Draft, named, need

DOMAIN = """\
; Arms take turns at one table. What an arm holds is its own business.
(define (domain blocksworld)
  (:requirements :typing :multi-agent :unfactored-privacy)
  (:types arm block - object)
  (:predicates
    (on ?upper - block ?lower - block)
    (ontable ?b - block)
    (clear ?b - block)
    (:private ?arm - arm
      (holding ?arm - arm ?b - block)
      (handempty ?arm - arm)))

  (:action pick-up
    :agent ?arm - arm
    :parameters (?b - block)
    :precondition (and (handempty ?arm) (ontable ?b) (clear ?b))
    :effect (and (holding ?arm ?b)
      (not (handempty ?arm)) (not (ontable ?b)) (not (clear ?b))))

  (:action put-down
    :agent ?arm - arm
    :parameters (?b - block)
    :precondition (holding ?arm ?b)
    :effect (and (handempty ?arm) (ontable ?b) (clear ?b) (not (holding ?arm ?b))))

  (:action stack
    :agent ?arm - arm
    :parameters (?b - block ?lower - block)
    :precondition (and (holding ?arm ?b) (clear ?lower))
    :effect (and (handempty ?arm) (on ?b ?lower) (clear ?b)
      (not (holding ?arm ?b)) (not (clear ?lower))))

  (:action unstack
    :agent ?arm - arm
    :parameters (?b - block ?lower - block)
    :precondition (and (handempty ?arm) (on ?b ?lower) (clear ?b))
    :effect (and (holding ?arm ?b) (clear ?lower)
      (not (handempty ?arm)) (not (on ?b ?lower)) (not (clear ?b)))))
"""

Tower = list[str]


@generator(
    "blocksworld",
    small={"arms": 2, "blocks": 4},
    medium={"arms": 4, "blocks": 10},
    large={"arms": 4, "blocks": 17},
)
def blocksworld(*, arms: int = 2, blocks: int = 4, seed: int = 0) -> Generated:
    """Arms rebuild towers of blocks."""
    need(1, arms=arms)
    need(2, blocks=blocks)
    rng, draft = Random(seed), Draft(DOMAIN, seed)
    agents, names = named("arm", arms), named("b", blocks)
    draft.has("block", *names)
    for arm in agents:
        draft.has("arm", arm, owner=arm)
        draft.given("handempty", arm)
    start, end = _two_states(rng, names)
    for tower in start:
        draft.given("ontable", tower[0])
        for lower, upper in _pairs([tower]):
            draft.given("on", upper, lower)
        draft.given("clear", tower[-1])
    for lower, upper in _pairs(end):
        draft.wants("on", upper, lower)
    _solve(draft, agents, start, end)
    return draft.finish()


def _two_states(rng: Random, names: list[str]) -> tuple[list[Tower], list[Tower]]:
    """An initial state, and a goal state that is at least two moves away."""
    while True:
        start, end = _towers(rng, names), _towers(rng, names)
        before, after = _pairs(start), _pairs(end)
        if len(before) + len(after) > 1 and any(pair not in before for pair in after):
            return start, end


def _towers(rng: Random, names: list[str]) -> list[Tower]:
    order = list(names)
    rng.shuffle(order)
    towers = [[order[0]]]
    for block in order[1:]:
        if rng.random() < 0.3:
            towers.append([block])
        else:
            towers[-1].append(block)
    return towers


def _pairs(towers: list[Tower]) -> list[tuple[str, str]]:
    """All (lower, upper) of two blocks on each other, from the ground up."""
    return [pair for tower in towers for pair in pairwise(tower)]


def _solve(draft: Draft, agents: list[str], start: list[Tower], end: list[Tower]) -> None:
    """All blocks to the table, then all towers, each block by the next arm."""
    moves = 0
    for lower, upper in reversed(_pairs(start)):
        arm = agents[moves % len(agents)]
        draft.does("unstack", arm, upper, lower)
        draft.does("put-down", arm, upper)
        moves += 1
    for lower, upper in _pairs(end):
        arm = agents[moves % len(agents)]
        draft.does("pick-up", arm, upper)
        draft.does("stack", arm, upper, lower)
        moves += 1

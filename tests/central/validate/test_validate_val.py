"""Our validator against VAL: witness plans of the embedded problems, mutated, and random plans."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from support.against_val import Judge, compare, mutations, why_not

from tacit.central.validate.judge import timetable
from tacit.central.validate.plan import Plan, Step, plan_of
from tacit.domains import DOMAINS
from tacit.pddl.reader import read_texts
from tacit.pddl.source import Source
from tacit.pddl.syntax import Description

SEEDS = (1, 2)
MUTATIONS = 14
REORDERINGS = 4
RANDOM_PLANS = 150

pytestmark = pytest.mark.skipif(why_not() is not None, reason=str(why_not()))


def reorderings(description: Description, plan: Plan, rng: random.Random) -> Iterator[Plan]:
    """Plans with the same schedule: steps by start time, ties at will."""
    timed = timetable(description, plan)
    for _ in range(REORDERINGS):
        shuffled = sorted(timed, key=lambda item: (item[0], rng.random()))
        yield Plan(tuple(replace(step, agent=None) for _, step in shuffled))


@pytest.mark.parametrize("name", list(DOMAINS))
def test_agrees_on_witnesses_and_their_mutations(name: str, tmp_path: Path) -> None:
    rng = random.Random(name)
    seen: Counter[str] = Counter()
    for seed in SEEDS:
        made = DOMAINS.get(name).generate("small", seed=seed)
        other = plan_of(DOMAINS.get(name).generate("small", seed=seed + 50).plan)
        description = read_texts(Source("domain", made.domain), Source("problem", made.problem))
        witness = plan_of(made.plan)
        judge = Judge(description, tmp_path)
        assert compare(description, judge, witness) == "valid"
        for plan in reorderings(description, witness, rng):
            assert compare(description, judge, plan) == "valid"
        for plan in mutations(witness, other, description, rng, MUTATIONS):
            seen[compare(description, judge, plan)] += 1
    assert seen.total() == len(SEEDS) * MUTATIONS
    assert seen["invalid"] > 0
    assert seen["privacy"] <= 2, "mutations are to differ in more than privacy"


ROOMS = """
(define (domain rooms)
 (:requirements :typing :multi-agent :unfactored-privacy :negative-preconditions :equality)
 (:types robot door - thing room)
 (:constants hall - room)
 (:predicates (in ?x - thing ?r - room) (locked ?r - room) (seen ?r - room)
  (:private ?a - robot (tired ?a - robot) (has ?a - robot ?r - room)))
 (:functions (total-cost) - number (far ?x - room ?y - room) - number)
 (:action go :agent ?a - robot :parameters (?x - room ?y - room)
  :precondition (and (in ?a ?x) (not (locked ?y)) (not (tired ?a)))
  :effect (and (not (in ?a ?x)) (in ?a ?y) (seen ?y) (increase (total-cost) (far ?x ?y))))
 (:action open :agent ?a - robot :parameters (?y - room)
  :precondition (and (in ?a hall) (locked ?y) (not (= ?y hall)))
  :effect (and (not (locked ?y)) (tired ?a) (increase (total-cost) 2)))
 (:action rest :agent ?a - robot :parameters (?x - (either room door) ?y - room)
  :precondition (and (tired ?a) (= ?x ?y))
  :effect (and (not (tired ?a)) (has ?a ?y))))
"""
HOUSE = """
(define (problem house) (:domain rooms)
 (:objects r1 r2 - robot d - door a b hall - room)
 (:init (in r1 hall) (in r2 a) (locked b) (tired r2)
  (= (far hall a) 3) (= (far a hall) 4) (= (far hall b) 1) (= (far a a) 0))
 (:goal (and (seen a) (not (locked b)) (not (tired r2)) (not (tired r1))))
 (:metric minimize (total-cost)))
"""
SOLUTION = (
    *("(open r1 b)", "(rest r1 hall hall)", "(go r1 hall a)", "(go r1 a a)"),
    *("(rest r2 b b)", "(go r2 a hall)", "(go r2 hall b)"),
)


def test_agrees_on_negation_equality_constants_and_undefined_costs(tmp_path: Path) -> None:
    description = read_texts(Source("rooms", ROOMS), Source("house", HOUSE))
    judge = Judge(description, tmp_path)
    assert compare(description, judge, plan_of(SOLUTION)) == "valid"
    rng = random.Random(7)
    seen: Counter[str] = Counter()
    for _ in range(RANDOM_PLANS):
        steps = [step for step in SOLUTION if rng.random() < 0.8]
        if rng.random() < 0.5:
            rng.shuffle(steps)
        random_steps = [_random_step(rng) for _ in range(rng.randrange(3))]
        for step in random_steps:
            steps.insert(rng.randrange(len(steps) + 1), str(step))
        seen[compare(description, judge, plan_of(steps))] += 1
    assert seen["valid"] >= 3
    assert seen["invalid"] >= 50
    assert seen["privacy"] == 0


def _random_step(rng: random.Random) -> Step:
    name, wanted = rng.choice((("go", 2), ("open", 1), ("rest", 2)))
    places = [rng.choice(["a", "b", "hall", "d", "r1"]) for _ in range(wanted)]
    return Step(None, name, (rng.choice(["r1", "r2"]), *places))

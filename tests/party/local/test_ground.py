"""The native grounder against known counts, and against a naive grounder on small problems."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from support.forms import read
from support.naive import canonical, ground_all

import tacit
from tacit.central.instance import Instance
from tacit.domains import DOMAINS
from tacit.errors import InputError
from tacit.testing import lifted_problems

COUNTS = {
    "rovers/p10": {
        "rover0": (46, 12),
        "rover1": (31, 78),
        "rover2": (37, 26),
        "rover3": (94, 58),
    },
    "elevators08/p01": {
        "fast0": (120, 20),
        "fast1": (120, 20),
        "slow0-0": (80, 20),
        "slow1-0": (64, 36),
    },
    "blocksworld/probBLOCKS-9-0": dict.fromkeys(("a1", "a2", "a3", "a4"), (180, 0)),
}


@pytest.mark.parametrize("form", ["unfactored", "factored"])
@pytest.mark.parametrize("problem", COUNTS)
def test_action_counts_on_codmap(codmap, problem, form):
    instance = tacit.load(codmap / form / problem)
    found = {agent: instance.local(agent).counts for agent in instance.agents}
    pairs = {a: (c["public_actions"], c["private_actions"]) for a, c in found.items()}
    assert pairs == COUNTS[problem]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("domain", list(DOMAINS))
def test_same_task_as_naive_grounder(domain, seed):
    made = DOMAINS.get(domain).generate("small", seed)
    description = read(made.domain, made.problem)
    assert canonical(Instance(description, {})) == ground_all(description)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(lifted_problems())
def test_same_task_as_naive_grounder_on_random_problems(problem):
    description = problem.describe()
    assert canonical(Instance(description, {})) == ground_all(description)


CHAIN = """(define (domain chain) (:types agent node)
  (:predicates (on ?n - node) (next ?n - node ?m - node))
  (:action step :agent ?a - agent :parameters (?n ?m - node)
    :precondition (and (next ?n ?m) (on ?n) (not (on ?m))) :effect (and (on ?m) (not (on ?n)))))"""


def chain(length: int) -> str:
    nodes = " ".join(f"n{i}" for i in range(length))
    links = " ".join(f"(next n{i} n{i + 1})" for i in range(length - 1))
    return (
        f"(define (problem chain) (:domain chain) (:objects a - agent {nodes} - node)"
        f" (:init (on n0) {links}) (:goal (on n{length - 1})))"
    )


def test_long_chains_do_not_recurse():
    instance = Instance(read(CHAIN, chain(5000)), {})
    assert instance.local("a").counts["public_actions"] == 4999


def test_size_limit_is_an_input_error(monkeypatch):
    monkeypatch.setattr("tacit.party.local.compiled.MAX_GROUND_ACTIONS", 10)
    with pytest.raises(InputError, match="too large to ground: more than 10 ground actions"):
        Instance(read(CHAIN, chain(20)), {})


def test_unreachable_goal_is_a_fact_that_nothing_adds():
    domain = """(define (domain d) (:types agent) (:predicates (p) (q) (s))
      (:action a :agent ?a - agent :effect (p)))"""
    problem = """(define (problem d) (:domain d) (:objects x - agent) (:init (s))
      (:goal (and (p) (q) (s))))"""
    instance = Instance(read(domain, problem), {})
    public, published = instance.public, instance.publications()
    assert [str(public.facts[n]) for n in public.goal] == ["(p)", "(q)"]
    assert [action.adds for action in published["x"].actions] == [(public.goal[0],)]

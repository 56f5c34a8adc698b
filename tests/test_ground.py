"""The native grounder against known counts, and against a naive grounder on small problems."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from naive import canonical, ground_all

import tacit
from tacit.central.instance import Instance
from tacit.domains import DOMAINS
from tacit.errors import InputError
from tacit.pddl.reader import read_texts
from tacit.pddl.source import Source

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


def texts(domain: str, problem: str):
    return read_texts(Source("domain.pddl", domain), Source("problem.pddl", problem))


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
    description = texts(made.domain, made.problem)
    assert canonical(Instance(description, {})) == ground_all(description)


NAMES = ["p", "q", "r", "s", "t"]


@st.composite
def problems(draw):
    """Tiny problems with everything the grounder knows: negation, equality, constants, costs."""
    objects = [f"o{n}" for n in range(draw(st.integers(2, 3)))]
    private = draw(st.sampled_from(objects))
    arity = {name: draw(st.integers(0, 2)) for name in NAMES[:4]}
    variables = ["?a", "?x", "?y"]

    def atom(args):
        name = draw(st.sampled_from(NAMES))
        if name == "t":  # private: the agent, then anything
            return f"(t {draw(st.sampled_from(['?a'] if '?a' in args else ['a1', 'a2']))})"
        chosen = [draw(st.sampled_from(args)) for _ in range(arity[name])]
        return f"({' '.join([name, *chosen])})"

    def literal(args, negation):
        text = atom(args)
        return f"(not {text})" if negation and draw(st.booleans()) else text

    def conjunction(args, most, negation=True):
        parts = [literal(args, negation) for _ in range(draw(st.integers(0, most)))]
        if draw(st.integers(0, 4)) == 0 and "?x" in args:
            sign = draw(st.sampled_from(["{}", "(not {})"]))
            parts.append(sign.format("(= ?x ?y)"))
        return f"(and {' '.join(parts)})"

    hidden = draw(st.sampled_from(["", "(:private a1 d - thing)", "d - thing"]))
    if hidden:
        variables.append("d")
    actions = []
    for number in range(draw(st.integers(1, 3))):
        effect = " ".join(literal(variables, True) for _ in range(draw(st.integers(1, 3))))
        cost = draw(
            st.sampled_from(["", "(increase (total-cost) 2)", "(increase (total-cost) (w ?x))"])
        )
        actions.append(
            f"(:action act{number} :agent ?a - agent :parameters (?x ?y - thing)\n"
            f"  :precondition {conjunction(variables, 4)} :effect (and {effect} {cost}))"
        )
    predicates = " ".join(
        f"({name} {' '.join(f'?v{n} - object' for n in range(count))})"
        for name, count in arity.items()
    )
    domain = (
        "(define (domain tiny) (:requirements :typing :unfactored-privacy)"
        f" (:types agent thing) (:constants c - thing {hidden})\n"
        f"(:predicates {predicates} (:private ?a - agent (t ?a - agent)))\n"
        f"(:functions (total-cost) (w ?x - thing))\n{' '.join(actions)})"
    )
    everything = [*objects, "c", "a1", "a2"]
    init = " ".join(atom(everything) for _ in range(draw(st.integers(0, 6))))
    weights = " ".join(f"(= (w {o}) {n})" for n, o in enumerate(objects))
    public = " ".join(o for o in objects if o != private)
    goal = " ".join(
        literal([o for o in everything if o not in (private, "a1")], True) for _ in range(2)
    )
    problem = (
        f"(define (problem tiny) (:domain tiny)\n(:objects {public} - thing a2 - agent "
        f"(:private a1 a1 - agent {private} - thing))\n(:init {init} {weights})\n"
        f"(:goal (and {goal})) (:metric minimize (total-cost)))"
    )
    return domain, problem


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(problems())
def test_same_task_as_naive_grounder_on_random_problems(problem):
    description = texts(*problem)
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
    instance = Instance(texts(CHAIN, chain(5000)), {})
    assert instance.local("a").counts["public_actions"] == 4999


def test_size_limit_is_an_input_error(monkeypatch):
    monkeypatch.setattr("tacit.party.local.compiled.MAX_GROUND_ACTIONS", 10)
    with pytest.raises(InputError, match="too large to ground: more than 10 ground actions"):
        Instance(texts(CHAIN, chain(20)), {})


def test_unreachable_goal_is_a_fact_that_nothing_adds():
    domain = """(define (domain d) (:types agent) (:predicates (p) (q) (s))
      (:action a :agent ?a - agent :effect (p)))"""
    problem = """(define (problem d) (:domain d) (:objects x - agent) (:init (s))
      (:goal (and (p) (q) (s))))"""
    public = Instance(texts(domain, problem), {}).public
    assert [str(public.facts[n]) for n in public.goal] == ["(p)", "(q)"]
    assert [action.adds for action in public.actions["x"]] == [(public.goal[0],)]

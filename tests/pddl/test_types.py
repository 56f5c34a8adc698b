"""Mistakes in hierarchies of types."""

from __future__ import annotations

import pytest
from support.delivery import DOMAIN, mistakes

from tacit.pddl.reader import read_texts
from tacit.pddl.source import Source


def test_very_many_types_are_refused() -> None:
    chain = " ".join(f"t{n} - t{n + 1}" for n in range(20_000))
    [found] = mistakes(DOMAIN.replace("(:types", f"(:types {chain}"))
    assert "more than 1000 types are not supported" in found.message


@pytest.mark.parametrize(
    ("parent", "message"),
    [
        ("vehicel", "did you mean 'vehicle'?"),
        ("vehicles", "did you mean 'vehicle'?"),
        ("ndoe", "did you mean 'node'?"),
        ("objekt", "did you mean 'object'?"),
        ("obj", None),
        ("mode", None),
        ("vehicle2", None),
        ("truck-like", None),
        ("movable", None),
    ],
)
def test_a_parent_that_looks_like_a_declared_type_is_a_mistake(
    parent: str, message: str | None
) -> None:
    """One that does not is legal PDDL, and a type of its own."""
    domain = f"""(define (domain d) (:requirements :typing)
      (:types vehicle node - object
        truck - {parent} van - {parent}
        box - (either vehicle {parent}))
      (:predicates (here ?x - {parent}) (there ?x - vehicle)))"""
    problem = "(define (problem p) (:domain d) (:objects t - truck) (:init) (:goal (and)))"
    if message:
        [found] = mistakes(domain, problem)
        assert (found.line, found.column) == (3, 17)
        assert f"'{parent}', the parent of 'truck', is not declared" in found.message
        assert found.hint is not None
        assert found.hint.startswith(message)
        assert f"'{parent} - object'" in found.hint
    else:
        [warning] = read_texts(Source("d.pddl", domain), Source("p.pddl", problem)).warnings
        assert warning.startswith(
            f"d.pddl:3:17: type '{parent}' is not declared anywhere; it is taken"
        )


@pytest.mark.parametrize("types", ["robot1 robot2 - robot", "slow-lift fast-lift - lift"])
def test_a_parent_may_look_like_its_own_children(types: str) -> None:
    domain = f"(define (domain d) (:requirements :typing) (:types {types}) (:predicates (p)))"
    problem = "(define (problem p) (:domain d) (:objects) (:init) (:goal (p)))"
    [warning] = read_texts(Source("d", domain), Source("p", problem)).warnings
    assert "is not declared anywhere" in warning

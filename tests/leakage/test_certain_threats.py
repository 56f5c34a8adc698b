"""No undisclosed threat is ever certain (docs/leakage.md#certain): brute force over small owners.

An owner has two tokens, which a step B needs both, and a step A. Each token is achieved by its
initial state, by A or by B, and ended by A or B; a resource that is published nowhere may be what
the initial state makes a token of, and A may use it up. It is asked about all plans of up to three
steps. One that fails by what A or B ends is answered with these threats, as in a run, or with a
bare "no" where its owner withholds repairs. Whatever the answers, some owner that gives the same
ones lacks any threat that was not named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import pytest

A, B = STEPS = (0, 1)
TOKENS = (0, 1)
INIT = 2
PLANS = [plan for n in (1, 2, 3) for plan in product(STEPS, repeat=n)]
Threat = tuple[int, int]
Answer = str | frozenset[Threat]


@dataclass(frozen=True)
class Owner:
    achieves: frozenset[Threat]
    """Pairs of an achiever and a token."""
    ends: frozenset[Threat]
    made: frozenset[int]
    """Tokens that the initial state makes of the resource, when they are needed."""
    uses_up: bool
    """Does A take the resource?"""

    def can(self, plan: tuple[int, ...], ends: frozenset[Threat]) -> bool:
        held = {t for t in TOKENS if (INIT, t) in self.achieves and t not in self.made}
        resource = True
        for step in plan:
            makes = {t for t in self.made if (INIT, t) in self.achieves and resource}
            if step == B and not held | makes >= set(TOKENS):
                return False
            held |= makes if step == B else set()
            resource &= not (step == A and self.uses_up)
            held -= {t for t in TOKENS if (step, t) in ends}
            held |= {t for t in TOKENS if (step, t) in self.achieves}
        return True

    def answer(self, plan: tuple[int, ...], withholds: bool) -> Answer:
        if self.can(plan, self.ends):
            return "yes"
        if withholds or not self.can(plan, frozenset()):
            return "no"
        alone = frozenset(e for e in self.ends if self.can(plan, self.ends - {e}))
        return alone or frozenset(e for e in self.ends if e[0] in plan)


def owners() -> Iterator[Owner]:
    pairs = [(achiever, token) for achiever in (A, B, INIT) for token in TOKENS]
    threats = [(step, token) for step in STEPS for token in TOKENS]
    for edges in product((False, True), repeat=len(pairs)):
        achieves = frozenset(pair for pair, there in zip(pairs, edges, strict=True) if there)
        if not all(achieves & {(A, token), (B, token)} for token in TOKENS):
            continue  # it would not be published
        for chosen in product((False, True), repeat=len(threats)):
            ends = frozenset(pair for pair, there in zip(threats, chosen, strict=True) if there)
            if ends & achieves:
                continue
            for made in (frozenset[int](), frozenset({0}), frozenset({1}), frozenset({0, 1})):
                for uses_up in (False, True):
                    yield Owner(achieves, ends, made, uses_up)


@pytest.mark.parametrize("withholds", [False, True])
def test_some_owner_with_the_same_answers_lacks_a_threat_that_was_not_named(withholds):
    common: dict[tuple[Answer, ...], frozenset[Threat]] = {}
    for owner in owners():
        view = tuple(owner.answer(plan, withholds) for plan in PLANS)
        common[view] = common.get(view, owner.ends) & owner.ends
    assert len(common) > 3
    for view, certain in common.items():
        named = frozenset().union(*(answer for answer in view if isinstance(answer, frozenset)))
        assert certain <= named, view
    assert withholds or any(common.values()), "threats that are named are certain"

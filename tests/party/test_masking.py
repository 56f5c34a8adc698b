"""Secure sums: the sum comes out, and what crosses says no more than the sum."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.notes import quick

from tacit.errors import ProtocolError
from tacit.party.masking import PRIME, Masking, mask_of
from tacit.public.protocol.messages import Weigh
from tacit.public.protocol.weighing import MODULUS

NUMBERS = iter(range(1, 10**6))


def acquainted(count: int) -> list[Masking]:
    """Agents that have each other's keys."""
    made = [Masking(f"a{n}") for n in range(count)]
    for n, one in enumerate(made):
        for m, other in enumerate(made):
            if n != m:
                one.meet(f"a{m}", other.key)
    return made


AGENTS = acquainted(4)


def answers(agents: list[Masking], costs: list[int]) -> tuple[int, list[int]]:
    """The number of a sum, and what each agent answers."""
    question = Weigh("leader", next(NUMBERS))
    amounts = zip(agents, costs, strict=True)
    return question.number, [agent.answer(question, cost).masked for agent, cost in amounts]


@quick(60)
@given(st.lists(st.integers(0, 10**9), min_size=4, max_size=4))
def test_the_sum_comes_out(costs):
    assert sum(answers(AGENTS, costs)[1]) % MODULUS == sum(costs)


@quick(60)
@given(st.lists(st.integers(0, 1000), min_size=4, max_size=4), st.integers(0, 1000), st.data())
def test_other_costs_with_the_same_sum_explain_the_same_answers(costs, moved, data):
    """Whoever sees all answers, and all masks of the two agents that it holds, cannot tell how the
    rest of the sum is shared by the two others: with the mask of that pair moved, any share gives
    the very same answers. That mask is a hash of a secret of the pair.
    """
    first, second = data.draw(st.sampled_from([(0, 1), (1, 2), (0, 3), (2, 3)]))
    moved = min(moved, costs[second])
    number, seen = answers(AGENTS, costs)
    others = [n for n in range(4) if n not in (first, second)]

    def unmasked(place: int, pair_mask: int, cost: int) -> int:
        """The answer of one of the pair, with this mask between the two."""
        total = cost + (pair_mask if place < (second if place == first else first) else -pair_mask)
        for other in others:
            mask = mask_of(shared(place, other), number)
            total += mask if place < other else -mask
        return total % MODULUS

    mask = mask_of(shared(first, second), number)
    assert unmasked(first, mask, costs[first]) == seen[first]
    assert unmasked(second, mask, costs[second]) == seen[second]
    assert unmasked(first, mask - moved, costs[first] + moved) == seen[first]
    assert unmasked(second, mask - moved, costs[second] - moved) == seen[second]


def shared(one: int, other: int) -> bytes:
    return AGENTS[one]._shared[f"a{other}"]


def test_a_pair_has_one_secret_and_others_another():
    assert shared(0, 1) == shared(1, 0)
    assert len({shared(0, 1), shared(0, 2), shared(1, 2)}) == 3


def test_equal_costs_look_different_each_time():
    agents = acquainted(3)
    seen = [masked for _ in range(20) for masked in answers(agents, [5, 5, 5])[1]]
    assert len(set(seen)) == len(seen)
    high = [value > MODULUS // 2 for value in seen]
    assert 10 < sum(high) < 50  # any number at all, not costs with a little noise


def test_a_sum_is_answered_once():
    agent = acquainted(3)[0]
    agent.answer(Weigh("leader", 2), 3)
    for number in (1, 2):
        with pytest.raises(ProtocolError, match="was asked for before"):
            agent.answer(Weigh("leader", number), 3)


def test_a_leader_has_no_way_to_put_keys_of_its_own_in_the_place_of_others():
    """It asks for a sum by number alone, and a key that a peer has sent is not replaced."""
    assert Weigh.__struct_fields__ == ("sender", "number")
    agent, leader = acquainted(3)[0], Masking("a2")
    with pytest.raises(ProtocolError, match="sends another key"):
        agent.meet("a1", leader.key)


@pytest.mark.parametrize("number", [0, 1, PRIME - 1, PRIME, PRIME + 2])
def test_a_key_that_gives_the_secret_away_is_refused(number):
    with pytest.raises(ProtocolError, match="'b' for sums is none"):
        Masking("a").meet("b", number.to_bytes(256, "big"))


def test_the_own_key_in_a_mirror_is_refused():
    agent = Masking("a")
    with pytest.raises(ProtocolError):
        agent.meet("b", agent.key)


def test_masks_differ_between_sums():
    secret = random.Random(1).randbytes(256)
    assert len({mask_of(secret, number) for number in range(1, 100)}) == 99

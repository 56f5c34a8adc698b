"""Secure sums: the sum comes out, and what crosses says no more than the sum."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.notes import quick

from tacit.errors import ProtocolError
from tacit.party.masking import Masking, mask_of
from tacit.public.protocol.messages import Weigh
from tacit.public.protocol.weighing import MODULUS

AGENTS = [Masking(f"a{n}") for n in range(4)]
NUMBERS = iter(range(1, 10**6))


def answers(agents: list[Masking], costs: list[int]) -> tuple[int, list[int]]:
    """The number of a sum, and what each agent answers."""
    keys, number = tuple(agent.key for agent in agents), next(NUMBERS)
    question = Weigh("leader", keys, number)
    amounts = zip(agents, costs, strict=True)
    return number, [a.answer(question, c, n).masked for n, (a, c) in enumerate(amounts)]


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
    return AGENTS[one]._agree(AGENTS[other].key)


def test_a_pair_has_one_secret_and_others_another():
    assert shared(0, 1) == shared(1, 0)
    assert len({shared(0, 1), shared(0, 2), shared(1, 2)}) == 3


def test_equal_costs_look_different_each_time():
    agents = [Masking("a"), Masking("b"), Masking("c")]
    seen = [masked for _ in range(20) for masked in answers(agents, [5, 5, 5])[1]]
    assert len(set(seen)) == len(seen)
    high = [value > MODULUS // 2 for value in seen]
    assert 10 < sum(high) < 50  # any number at all, not costs with a little noise


def test_a_sum_is_answered_once_and_with_the_same_keys():
    agents = [Masking("a"), Masking("b"), Masking("c")]
    keys = tuple(agent.key for agent in agents)
    agents[0].answer(Weigh("leader", keys, 1), 3, 0)
    for keys_then, number in ((keys, 1), ((*keys[:2], Masking("d").key), 2)):
        with pytest.raises(ProtocolError):
            agents[0].answer(Weigh("leader", keys_then, number), 3, 0)
    with pytest.raises(ProtocolError):
        agents[0].answer(Weigh("leader", keys[::-1], 3), 3, 0)


@pytest.mark.parametrize("number", [0, 1])
def test_a_key_that_gives_the_secret_away_is_refused(number):
    agents = [Masking("a"), Masking("b")]
    keys = (agents[0].key, number.to_bytes(256, "big"))
    with pytest.raises(ProtocolError):
        agents[0].answer(Weigh("leader", keys, 1), 3, 0)


def test_masks_differ_between_sums():
    secret = random.Random(1).randbytes(256)
    assert len({mask_of(secret, number) for number in range(1, 100)}) == 99

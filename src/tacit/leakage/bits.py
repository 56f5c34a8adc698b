"""Sets of small numbers as the bits of integers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def bits(numbers: Iterable[int]) -> int:
    done = 0
    for number in numbers:
        done |= 1 << number
    return done


def numbers_in(mask: int) -> Iterator[int]:
    """The members of a set, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low

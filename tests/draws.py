"""Strategies that are quick to draw from: each is one choice of one number, and made only once.

Hypothesis takes several choices for an element of a list or set, more if they must differ, and
checks a strategy anew whenever one is made. For problems of some fifty facts that is most of the
time of a test.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import lcm
from typing import TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


@cache
def some(items: tuple[T, ...], low: int, high: int) -> st.SearchStrategy[tuple[T, ...]]:
    """So many of these, in their order; all numbers of them are as likely."""
    by_size = [list(combinations(items, size)) for size in range(low, min(high, len(items)) + 1)]
    often = lcm(*map(len, by_size))
    return st.sampled_from([c for rows in by_size for c in rows for _ in range(often // len(rows))])


@cache
def up_to(high: int, low: int = 0) -> st.SearchStrategy[int]:
    return st.sampled_from(range(low, high + 1))

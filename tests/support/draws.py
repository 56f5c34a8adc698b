"""Strategies that are quick to draw from: each is one choice of one number, and made only once."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from tacit.testing import subsets as some

__all__ = ["some", "up_to"]


@cache
def up_to(high: int, low: int = 0) -> st.SearchStrategy[int]:
    return st.sampled_from(range(low, high + 1))

"""Names in the order of their numbers, `a2` before `a10`: the order that all agents agree on."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache


def natural_order(names: Iterable[str]) -> tuple[str, ...]:
    """Names sorted with their numbers as numbers."""
    return tuple(sorted(names, key=natural_key))


@cache
def natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """The sort key of `natural_order`; a total order on names."""
    return tuple(_part_key(part) for part in re.findall(r"[0-9]+|[^0-9]+", name))


def _part_key(part: str) -> tuple[int, int, str]:
    if part[0] not in "0123456789":
        return 1, 0, part
    digits = part.lstrip("0")
    return 0, len(digits), f"{digits} {part}"  # by length: int() refuses thousands of digits

"""Budgets as percentages, and which of them remain.

A level of x percent is the budget ⌈x · largest / 100⌉, where `largest` is the number of edges of
the agent that has most. Levels are tried from the largest budget down, because a proof that there
is no plan settles every smaller budget. All of this is a function of the existing runs, so that a
sweep that was stopped continues exactly like one that was not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction

from tacit.errors import InputError
from tacit.experiment.run.row import ALL, Run

_NUMBER = r"(\d{1,3}(?:\.\d{1,6})?)"
_RANGE = re.compile(rf"{_NUMBER}:{_NUMBER}:{_NUMBER}")
_EXAMPLE = "write FROM:TO:STEP or numbers with commas, in percent: 0:100:5 or 0,25,50"


def parse_levels(text: str) -> tuple[Fraction, ...]:
    """Percentages from `0:100:5` or `0,10,100`, sorted, each once.

    >>> [str(level) for level in parse_levels("0:100:25")]
    ['0', '25', '50', '75', '100']
    """
    match = _RANGE.fullmatch(text.strip())
    if match:
        start, stop, step = map(Fraction, match.groups())
        if step == 0 or stop < start:
            raise InputError(f"'{text}' is not a range of levels", _EXAMPLE)
        count = (stop - start) // step
        if count > 10_000:
            raise InputError(f"'{text}' is more than 10,000 levels", _EXAMPLE)
        found = [start + step * n for n in range(int(count) + 1)]
    else:
        parts = [part.strip() for part in text.split(",")]
        if not all(re.fullmatch(_NUMBER, part) for part in parts):
            raise InputError(f"'{text}' is not a list of levels", _EXAMPLE)
        found = [Fraction(part) for part in parts]
    if max(found) > 100:
        raise InputError(f"'{text}' goes beyond 100 percent", _EXAMPLE)
    return tuple(sorted(set(found)))


def budget(level: Fraction, largest: int) -> int:
    """The budget of a level."""
    return -(-level * largest // 100)


def asked(levels: Iterable[Fraction], others: Iterable[str], largest: int) -> list[str]:
    """All runs of a unit, in the order in which they are executed: budgets, then the others."""
    budgets = sorted({budget(level, largest) for level in levels}, reverse=True)
    return [*map(str, budgets), *others]


def largest_of(done: Mapping[str, Run]) -> int | None:
    """The largest budget of a unit according to its runs; None if they do not have it."""
    known = (run.largest for run in done.values() if run.dependencies)
    return next(known, None)


def remaining(
    done: Mapping[str, Run], levels: Iterable[Fraction], others: Iterable[str]
) -> list[str] | None:
    """The runs of a unit that remain; None if that is not known before loading it."""
    if ALL in done:
        return []
    largest = largest_of(done)
    if largest is None:
        return None
    return [item for item in asked(levels, others, largest) if item not in done]


def settled_by(done: Mapping[str, Run], item: str) -> int | None:
    """The smallest budget at or above this one at which it was proved that there is no plan."""
    if not item.isdecimal():
        return None
    proofs = (run.k for run in done.values() if run.settles and run.k is not None)
    return min((k for k in proofs if k > int(item)), default=None)


def result_at(runs: Mapping[str, Run], level: Fraction) -> Run | None:
    """The run of a unit at a level; None if there is none."""
    if ALL in runs:
        return runs[ALL]
    largest = largest_of(runs)
    return None if largest is None else runs.get(str(budget(level, largest)))

"""Metric A: how many private transition systems fit what forward search showed.

After Štolba, Tožička and Komenda (TOIT 2018; ICAPS 2019). All others collude. An agent has `p`
private variables with domains of at most `d` values, which is assumed, and every action a private
part: per variable, a relation on values that is not empty. What is learned of an action restricts
it:

* `ia`: every variable is applicable at its initial value; `nia`: some variable is not;
* `pi`: some variable is applicable at all values; `pd`: some variable at some values only;
* `pn`: some variable has one value from which it may come to two (`toit`), or comes to two values
  from anywhere (`icaps`).

Relations are counted by which of these hold for one variable, and then, variable by variable, by
which have held for some. The printed general formula has a wrong sign, and a public tool counts
`pd` as if nothing were known; this counts by the definitions.
"""

from __future__ import annotations

import enum
import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache


class Property(enum.Enum):
    """What may be known of an action's private part."""

    IA = "ia"
    NIA = "nia"
    PI = "pi"
    PD = "pd"
    PN = "pn"


class Several(enum.Enum):
    """What `pn` says: two targets of one value, or two targets at all."""

    TOIT = "toit"
    ICAPS = "icaps"


@dataclass(frozen=True)
class Bounds:
    """What is assumed of every agent."""

    p: int = 2
    d: int = 2
    several: Several = Several.TOIT


Kind = tuple[bool, bool, bool]
"""Of a relation: is it applicable at the initial value, and at all; has it several targets?"""


@cache
def relations(d: int, several: Several) -> Mapping[Kind, int]:
    """How many relations that are not empty there are, by kind."""
    rows = {0: 1, 1: d, 2: 2**d - 1 - d}  # no target, one, several
    found: Counter[tuple[bool, bool, bool]] = Counter({(False, True, False): 1})
    for value in range(d):
        following: Counter[tuple[bool, bool, bool]] = Counter()
        for (at_first, everywhere, has_several), count in found.items():
            for targets, ways in rows.items():
                now = at_first or (value == 0 and targets > 0)
                kind = now, everywhere and targets > 0, has_several or targets > 1
                following[kind] += count * ways
        found = following
    found[False, False, False] -= 1  # the empty one
    return dict(found) if several is Several.TOIT else _by_targets(d, found)


def _by_targets(d: int, found: Mapping[Kind, int]) -> Mapping[Kind, int]:
    """The same, if targets count wherever they come from."""
    totals: Counter[tuple[bool, bool]] = Counter()
    for (at_first, everywhere, _), count in found.items():
        totals[at_first, everywhere] += count
    made = {}
    for (at_first, everywhere), count in totals.items():
        # One target, from a set of values that is not empty.
        sets = (1 if at_first else 0) if everywhere else 2 ** (d - 1) - 1
        made[at_first, everywhere, False] = d * sets
        made[at_first, everywhere, True] = count - d * sets
    return made


def count(known: Collection[Property], bounds: Bounds) -> int:
    """How many private parts an action of which this is known may have."""
    return _count(frozenset(known), bounds)


@cache
def _count(known: frozenset[Property], bounds: Bounds) -> int:
    found: Counter[frozenset[Property]] = Counter({frozenset(): 1})
    for _ in range(bounds.p):
        following: Counter[frozenset[Property]] = Counter()
        for held, ways in found.items():
            for kind, number in relations(bounds.d, bounds.several).items():
                following[held | _held(kind)] += ways * number
        found = following
    wanted = known - {Property.IA}
    is_initial = Property.IA in known
    return sum(
        ways
        for held, ways in found.items()
        if wanted <= held and not (is_initial and Property.NIA in held)
    )


def _held(kind: Kind) -> frozenset[Property]:
    at_first, everywhere, has_several = kind
    flags = {
        Property.NIA: not at_first,
        Property.PI: everywhere,
        Property.PD: not everywhere,
        Property.PN: has_several,
    }
    return frozenset(name for name, is_set in flags.items() if is_set)


Known = Mapping[int, frozenset[Property]]
"""Per action, what is known of it."""


def leak(actions: Iterable[int], before: Known, after: Known, bounds: Bounds) -> float:
    """How many bits were learned of an agent's actions; `before` is known from the public plan."""
    done = 0.0
    for action in actions:
        known = before.get(action, frozenset())
        learned = known | after.get(action, frozenset())
        if learned != known:
            done += math.log2(count(known, bounds)) - math.log2(count(learned, bounds))
    return done

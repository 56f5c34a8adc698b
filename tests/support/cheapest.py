"""The cheapest choice of edges by brute force: every choice that is cheaper was tried."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import msgspec

from support import brute
from support.brute import TooLarge
from tacit.central.analysis.minimum.choices import Choices
from tacit.public.projection import Projection
from tacit.public.settings import Settings, Threats

ON_DEMAND = Settings()
NO_THREATS = msgspec.structs.replace(Settings(), threats=Threats.NONE)
MOST_SETS = 600


def has_public_plan(choices: Choices, choice: frozenset[int]) -> bool:
    return is_solvable(choices.projection(choice))


def is_solvable(projection: Projection) -> bool:
    """Is the goal of the projection within reach? All of its states are looked at."""
    rows = zip(projection.needs, projection.adds, projection.deletes, strict=True)
    ops = [(brute.mask(set(n)), brute.mask(set(a)), ~brute.mask(set(d))) for n, a, d in rows]
    goal = brute.mask(set(projection.goal))
    seen = {brute.mask(set(projection.init))}
    stack = list(seen)
    while stack:
        state = stack.pop()
        if state & goal == goal:
            return True
        for needs, adds, keeps in ops:
            if state & needs == needs and (then := state & keeps | adds) not in seen:
                seen.add(then)
                stack.append(then)
                if len(seen) > brute.MOST_STATES:
                    raise TooLarge
    return False


def has_plan(choices: Choices, choice: frozenset[int]) -> bool:
    """Is there a supported plan that can be carried out?"""
    own = {name: agent.dependencies for name, agent in choices.agents.items()}
    return brute.Joint(own, choices.by_agent(choice)).plan() is not None


class Tried:
    """A question about choices that is asked once each; a choice will do if a part of it will."""

    def __init__(self, choices: Choices, will_do: Callable[[Choices, frozenset[int]], bool]):
        self._choices, self._will_do = choices, will_do
        self._good: list[frozenset[int]] = []
        self._bad: set[frozenset[int]] = set()

    def __call__(self, choice: frozenset[int]) -> bool:
        if choice in self._bad:
            return False
        if any(good <= choice for good in self._good):
            return True
        if len(self._bad) > MOST_SETS:
            raise TooLarge
        if self._will_do(self._choices, choice):
            self._good.append(choice)
            return True
        self._bad.add(choice)
        return False


def cheapest(
    choices: Choices, objective: str, will_do: Callable[[frozenset[int]], bool]
) -> int | None:
    """The price of the cheapest choice that will do; every choice that is cheaper was tried."""
    everything = range(len(choices))
    sets = (
        frozenset(c) for size in range(len(choices) + 1) for c in combinations(everything, size)
    )
    if objective == "sum" and set(choices.price) == {1}:  # from small to large: stop at the first
        return next((len(choice) for choice in sets if will_do(choice)), None)
    if 2 ** len(choices) > MOST_SETS:
        raise TooLarge
    ordered = sorted(sets, key=lambda choice: choices.value(objective, choice))
    found = next((choice for choice in ordered if will_do(choice)), None)
    return None if found is None else choices.value(objective, found)

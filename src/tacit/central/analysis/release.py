"""No plan under these prices: what is the least that agents would have to release?

If there is no plan with all that may be told, some of what must never be told stands in the way.
Who sees everything can say how little of it: `minimum`, where what may be told is free and each
edge of `never` costs 1. Its two ends are proven as always, so "the smallest set" is a fact if they
meet, and otherwise the smallest that was found. Among agents of their own nobody could work this
out, as it takes everybody's secrets: it is for the one trusted user of `tacit solve` and for
`tacit minimum`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import msgspec

from tacit import watch
from tacit.central.analysis.hopeless import without_any_plan
from tacit.central.analysis.minimum import Hunt
from tacit.central.billing import Bill
from tacit.central.instance import Instance
from tacit.central.solve import Limits, Result
from tacit.errors import LimitReached
from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.disclosure.graph import Edge
from tacit.public.outcome import Outcome
from tacit.public.settings import Extension, Settings, Threats

SECONDS = 60.0
"""What the question is worth after a run that was given no time limit."""


@dataclass(frozen=True)
class Release:
    """`edges` are those of `never` that would have to be told, by agent and in its own words.

    `lower` is how many at least; `edges` is None if no plan was found whatever is told.
    """

    lower: int
    edges: dict[str, list[str]] | None
    hopeless: str = ""
    """What is known if there is no plan with everything disclosed."""
    no_plan_at_all: bool = False

    @property
    def count(self) -> int | None:
        return None if self.edges is None else sum(map(len, self.edges.values()))

    @property
    def is_smallest(self) -> bool:
        return self.count == self.lower

    def as_json(self) -> dict[str, Any]:
        told = None if self.edges is None else {a: len(own) for a, own in self.edges.items()}
        return {
            "no_plan_under_these_prices": bool(self.hopeless) or self.lower > 0,
            "no_plan_at_all": self.no_plan_at_all,
            "at_least": self.lower,
            "smallest_found": self.count,
            "by_agent": told,
        }

    def lines(self, by_name: bool) -> list[str]:
        """What to tell a user; names only where asked for."""
        if self.hopeless:
            return [self.hopeless, "'never' is not what stands in the way"]
        if self.edges is None:
            least = f"at least {self.lower} of what is never told would have to be released"
            return ["no plan under these prices", least] if self.lower else [least]
        if not self.count:
            return ["there is a plan under these prices, but the agents did not find it"]
        least = "the least" if self.is_smallest else f"at least {self.lower}; the least found"
        told = ", ".join(f"{agent} {len(own)}" for agent, own in self.edges.items() if own)
        found = ["no plan under these prices"] if self.lower else []
        found.append(f"{least} that would have to be released: {told}")
        for agent, own in self.edges.items() if by_name else ():
            found += [f"  {agent}: {line}" for line in own]
        return found


def least_release(
    instance: Instance,
    settings: Settings,
    bill: Bill,
    seconds: float,
    seed: int = 0,
    at_least: int = 0,
) -> Release:
    """The fewest edges of `never` without which there is no plan.

    `at_least` is what is known before: 1 if there is no plan without any.
    """
    prices = bill.prices(instance, settings)
    own = {
        name: Dependencies(instance.local(name), settings, prices=prices[name])
        for name in instance.agents
    }

    def released(name: str, edge: Edge) -> int:
        return int(own[name].price(edge.giver, edge.token) is None)

    plain = msgspec.structs.replace(settings, extension=Extension.STRICT)
    if plain.threats is not Threats.NONE:
        plain = msgspec.structs.replace(plain, threats=Threats.ON_DEMAND)
    hunt = Hunt(instance, plain, ("sum",), seed, released)
    found = hunt.run(seconds)
    lower = max(at_least, found.lower["sum"])
    if found.solvable is False:
        return Release(lower, None, without_any_plan(plain), plain.loses_no_plan)
    chosen = hunt.cheapest("sum")
    if chosen is None:
        return Release(lower, None)
    edges = {name: hunt.describe(name, told) for name, told in chosen.items()}
    return Release(lower, edges)


def what_to_release(
    instance: Instance,
    settings: Settings,
    bill: Bill,
    result: Result,
    limits: Limits,
    seed: int = 0,
) -> Release | None:
    """After a run that found no plan with all that may be told: what stands in the way.

    None if it is not that: it was solved, or stopped, or less than all was told, or nothing is
    `never`.
    """
    failed = result.outcome in (Outcome.NO_PLAN, Outcome.UNDECIDED, Outcome.NOT_EXTENDED)
    never = sum(own.never for own in result.accounts.values())
    largest = max(result.dependencies.values(), default=0)
    if not failed or not never or bill.budget is not None or result.k < largest:
        return None
    seconds = min(SECONDS if math.isinf(limits.seconds) else limits.seconds, watch.left())
    is_proven = result.outcome is Outcome.NO_PLAN
    try:
        return least_release(instance, settings, bill, seconds, seed, int(is_proven))
    except LimitReached:
        return Release(int(is_proven), None)

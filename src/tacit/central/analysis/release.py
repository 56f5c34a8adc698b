"""No plan under these prices: what is the least that agents would have to release?

If there is no plan with all edges that may be disclosed, some edges of `never` are needed.
`minimum` computes how few: edges that may be disclosed are free and each edge of `never` costs 1.
If its bounds meet, the set is proven to be the smallest; otherwise it is the smallest found. This
needs the secrets of all agents, so no agent could compute it: it is for the one trusted user of
`tacit solve` and for `tacit minimum`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import msgspec

from tacit import watch
from tacit.central.analysis.minimum import MinimumSearch
from tacit.central.analysis.no_plan import without_any_plan
from tacit.central.instance import Instance
from tacit.central.price_policy import PricePolicy
from tacit.central.result import OFFLINE, Result
from tacit.errors import LimitReached
from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.disclosure.graph import Edge
from tacit.policy import POLICY
from tacit.public.outcome import Outcome
from tacit.public.settings import Extension, Settings, Threats
from tacit.solvers.limits import Limits


@dataclass(frozen=True)
class Release:
    """`edges` are those of `never` that would have to be disclosed, described by agent.

    `lower` bounds their number; `edges` is None if no plan was found even so.
    """

    lower: int
    edges: dict[str, list[str]] | None
    unsolvable: str = ""
    """The message if there is no plan with everything disclosed."""
    no_plan_at_all: bool = False

    @property
    def count(self) -> int | None:
        return None if self.edges is None else sum(map(len, self.edges.values()))

    @property
    def is_smallest(self) -> bool:
        return self.count == self.lower

    def as_json(self) -> dict[str, Any]:
        by_agent = None if self.edges is None else {a: len(own) for a, own in self.edges.items()}
        return {
            "no_plan_under_these_prices": bool(self.unsolvable) or self.lower > 0,
            "no_plan_at_all": self.no_plan_at_all,
            "at_least": self.lower,
            "smallest_found": self.count,
            "by_agent": by_agent,
        }

    def lines(self, by_name: bool) -> list[str]:
        """The lines to print; names only on request."""
        if self.unsolvable:
            return [self.unsolvable, "'never' is not the reason"]
        if self.edges is None:
            least = f"at least {self.lower} of the withheld edges would have to be released"
            return ["no plan under these prices", least] if self.lower else [least]
        if not self.count:
            return ["there is a plan under these prices, but the agents did not find it"]
        least = "the least" if self.is_smallest else f"at least {self.lower}; the least found"
        counts = ", ".join(f"{agent} {len(own)}" for agent, own in self.edges.items() if own)
        found = ["no plan under these prices"] if self.lower else []
        found.append(f"{least} that would have to be released: {counts}")
        for agent, own in self.edges.items() if by_name else ():
            found += [f"  {agent}: {line}" for line in own]
        return found


def least_release(
    instance: Instance,
    settings: Settings,
    price_policy: PricePolicy,
    seconds: float,
    seed: int = 0,
    at_least: int = 0,
) -> Release:
    """The fewest edges of `never` without which there is no plan.

    `at_least` is a bound known before: 1 if there is no plan without any.
    """
    prices = price_policy.of(instance, settings)
    own = {
        name: Dependencies(instance.local(name), settings, prices=prices[name])
        for name in instance.agents
    }

    def released(name: str, edge: Edge) -> int:
        return int(own[name].price(edge.achiever, edge.token) is None)

    plain = with_minimum(settings)
    search = MinimumSearch(instance, plain, ("sum",), seed, released)
    found = search.run(seconds)
    lower = max(at_least, found.lower["sum"])
    if found.solvable is False:
        return Release(lower, None, without_any_plan(plain), plain.loses_no_plan)
    chosen = search.cheapest("sum")
    if chosen is None:
        return Release(lower, None)
    edges = {name: search.describe(name, own_edges) for name, own_edges in chosen.items()}
    return Release(lower, edges)


def with_minimum(settings: Settings) -> Settings:
    """The same dependencies, under threats and extension for which there is a minimum."""
    plain = msgspec.structs.replace(settings, extension=Extension.STRICT)
    if plain.threats is not Threats.NONE:
        plain = msgspec.structs.replace(plain, threats=Threats.ON_DEMAND)
    return plain


def what_to_release(
    instance: Instance,
    settings: Settings,
    price_policy: PricePolicy,
    result: Result,
    limits: Limits,
    seed: int = 0,
) -> Release | None:
    """After a run that found no plan with all that may be disclosed: what would be needed.

    None if that is not the case: it was solved, or stopped, or some edges were not disclosed though
    they may be, or no edge is `never`. An online run without a plan ends when agents disclose no
    more, or when nothing that they may still disclose could help.
    """
    failed = result.outcome in (Outcome.NO_PLAN, Outcome.UNDECIDED, Outcome.NOT_EXTENDED)
    never = sum(own.never for own in result.accounts.values())
    largest = max(result.dependencies.values(), default=0)
    has_more = result.mode == OFFLINE and result.k < largest
    if not failed or not never or price_policy.budget is not None or has_more:
        return None
    seconds = time_left(limits)
    is_proven = result.outcome is Outcome.NO_PLAN
    try:
        return least_release(instance, settings, price_policy, seconds, seed, int(is_proven))
    except LimitReached:
        return Release(int(is_proven), None)


def time_left(limits: Limits) -> float:
    """For an analysis after a run: as long as the run had, within what the user gave for all."""
    seconds = POLICY.minimum.release_seconds if math.isinf(limits.seconds) else limits.seconds
    return min(seconds, watch.left())

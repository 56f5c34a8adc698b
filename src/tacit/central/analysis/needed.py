"""How much must be disclosed, where a bound is too small: in prices, or in edges of each agent.

Computed from all secrets, as `tacit minimum` does, so it is for one user who holds all files.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tacit.central.analysis.minimum import MinimumSearch
from tacit.central.analysis.release import with_minimum
from tacit.central.instance import Instance
from tacit.central.price_policy import PricePolicy
from tacit.errors import LimitReached
from tacit.public.settings import Settings
from tacit.words import counted

SECONDS = 2.0
"""How long the edges that are needed are searched for at most, after the run itself."""


@dataclass(frozen=True)
class PriceNeeded:
    """A budget in prices, and what the agent that pays most would have to spend: at least `lower`,
    and `best` was found.
    """

    budget: int
    lower: int
    best: int | None


@dataclass(frozen=True)
class EdgesNeeded:
    """Whichever edges are chosen, some agent must disclose at least `lower`; with `best` of each at
    most, a plan is known.
    """

    lower: int
    best: int | None


def price_needed(
    instance: Instance, settings: Settings, prices: PricePolicy, seconds: float, seed: int = 0
) -> PriceNeeded | None:
    """What the agent that pays most would have to spend; None if no price is enough."""
    assert prices.budget is not None
    unbounded = replace(prices, budget=None)
    plain = with_minimum(settings)
    search = MinimumSearch(instance, plain, ("max",), seed, price_policy=unbounded)
    found = search.run(seconds)
    if found.solvable is False:
        return None
    return PriceNeeded(prices.budget, found.lower["max"], found.best.get("max"))


def edges_needed(
    instance: Instance, settings: Settings, seconds: float, seed: int = 0
) -> EdgesNeeded | None:
    """How many edges an agent must disclose; None if that is not known under these settings."""
    if settings != with_minimum(settings):
        return None
    try:
        found = MinimumSearch(instance, settings, ("max",), seed).run(min(seconds, SECONDS))
    except LimitReached:
        return None
    return EdgesNeeded(found.lower["max"], found.best.get("max"))


def lines_on_price(price: PriceNeeded, no_more: tuple[str, ...]) -> list[str]:
    most = "the agent that pays most"
    who = f" ({', '.join(no_more)} would disclose no more)" if no_more else ""
    if price.best is not None and price.best <= price.budget:
        return [
            f"A budget of {price.budget} is enough, with other edges than the agents chose: {most} "
            f"could do with {price.best}. Another --ranking may find them."
        ]
    known = f"at least {price.lower}" if price.lower else "more than that"
    found = "" if price.best is None else f", and a plan was found for {price.best}"
    if price.best == price.lower:
        known, found = str(price.lower), ""
    if price.lower <= price.budget:
        return [
            f"A budget of {price.budget} may stand in the way{who}: {most} needs {known}{found}."
        ]
    return [f"A budget of {price.budget} stands in the way{who}: {most} needs {known}{found}."]


def lines_on_edges(k: int, needed: EdgesNeeded | None) -> list[str]:
    """That k is too small, and what would do."""
    said = [f"There is no plan with what is disclosed at k = {k}."]
    if needed is None:
        return said
    known = f"a plan is known with at most {counted(needed.best or 0, 'edge')} of each agent"
    if needed.lower > k:
        must = f"Whichever are chosen, some agent must disclose {needed.lower} or more"
        said.append(f"{must}{'' if needed.best is None else f'; {known}'}.")
    elif needed.best is not None and needed.best <= k:
        said.append(f"Other edges would do: {known}. Another --ranking may choose them.")
    elif needed.best is not None:
        said.append(f"{known[0].upper()}{known[1:]}.")
    return said

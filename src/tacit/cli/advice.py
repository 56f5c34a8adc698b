"""What to try next after a run without a plan, besides the explanation of why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.central.result import Result
from tacit.policy import POLICY
from tacit.public.outcome import Outcome
from tacit.words import listed

if TYPE_CHECKING:
    from tacit.central.analysis.explain import Explanation


def on_the_way(result: Result) -> str:
    """For a budget that grew one by one: what is known about the smaller ones."""
    proved, left = result.refuted, result.k - 1
    if proved is None or left < 0:
        return ""
    parts = [f"no plan with k = {_range(0, min(proved, left))}"] if proved >= 0 else []
    if proved < left:
        each = POLICY.effort.forward.low
        budgets = _range(proved + 1, left)
        parts.append(f"none found with k = {budgets} in {each:,} evaluations per agent")
    return f"Smaller k: {'; '.join(parts)}."


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def no_more(result: Result) -> str:
    """Who disclosed no more and kept something, if that may be why there is no plan."""
    if result.outcome is not Outcome.UNDECIDED or not result.no_more:
        return ""
    said = "says" if len(result.no_more) == 1 else "say"
    who = f'{listed(result.no_more)} {said} "no more" with edges undisclosed'
    return f"There is no plan with what is disclosed, and {who}."


def hint(result: Result, why: Explanation | None, agents_search: bool) -> str:
    """What to try next, if it is not clear from the explanation."""
    price = None if why is None else why.price
    if price is not None:
        is_enough = price.best is not None and price.best <= price.budget
        return "" if is_enough else "Try a larger --budget."
    if result.outcome is Outcome.NO_PLAN and why is not None and why.k is not None:
        return "Try a larger --k, or --smallest; without them agents disclose as needed, online."
    if result.outcome is Outcome.NOT_EXTENDED:
        return (
            "There are public plans, but the agents cannot extend them. --threats on-demand "
            "(profile tacit) lets them report why; --solver mafs does not need public plans."
        )
    if result.outcome is Outcome.UNDECIDED and not result.no_more and not agents_search:
        return (
            "Every public plan that was found failed, and the agents' repairs rule out too few "
            "others. --solver mafs decides it, given enough time."
        )
    return ""


def optimality(result: Result) -> str:
    """What an optimal search has proved of its plan."""
    if result.cost_counted is None or not result.solved:
        return ""
    counted = {"public": "costs of public actions count", "total": "all costs count"}
    what = counted[result.cost_counted]
    if not result.is_optimal:
        known = (
            "" if result.bound is None else f" no supported plan costs less than {result.bound},"
        )
        return f"Not proved to be the cheapest:{known} and this one {result.counted_cost} ({what})."
    if result.is_cheapest_of_all:
        return f"Optimal: no plan at all costs less than {result.counted_cost} ({what})."
    return (
        "Optimal on this ledger: the cheapest among plans supported on this ledger costs "
        f"{result.counted_cost} ({what})."
    )

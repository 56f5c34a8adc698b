"""What an outcome without a plan implies, and what to try next."""

from __future__ import annotations

from tacit.central.analysis.no_plan import without_any_plan
from tacit.central.result import Result
from tacit.policy import POLICY
from tacit.public.settings import Settings


def on_the_way(result: Result) -> str:
    """For a budget that grew one by one: what is known about the smaller ones."""
    proved, left = result.refuted, result.k - 1
    if proved is None or left < 0:
        return ""
    parts = [f"no plan with k = {_range(0, min(proved, left))}"] if proved >= 0 else []
    if proved < left:
        each = POLICY.forward.evaluations_per_budget
        budgets = _range(proved + 1, left)
        parts.append(f"none found with k = {budgets} in {each:,} evaluations per agent")
    return f"Smaller budgets: {'; '.join(parts)}."


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def advice(result: Result, agents_search: bool, largest: int, settings: Settings) -> str:
    """One sentence or two for people."""
    has_more = result.k < largest
    match result.outcome.value:
        case "no plan" if has_more:
            return (
                "There is no plan with what is disclosed at this k. Try a larger --k, or --first."
            )
        case "no plan":
            return without_any_plan(settings)
        case "not extended":
            return (
                "There are public plans, but the agents cannot extend them. --threats on-demand "
                "(profile tacit) lets them report why; --solver mafs does not need public plans."
            )
        case "undecided" if not agents_search:
            return (
                "Every public plan that was found failed, and the agents' repairs rule out too few "
                "others. --solver mafs decides it, given enough time."
            )
        case "time":
            return "Out of time; --time-limit sets it."
        case "memory":
            return "Out of memory; --memory-limit sets it."
        case _:
            return ""

"""What an outcome without a plan means, and what to try next."""

from __future__ import annotations

from tacit.central.analysis.hopeless import without_any_plan
from tacit.central.solve import PATIENCE, Result
from tacit.public.settings import Settings


def on_the_way(result: Result) -> str:
    """Of a budget that grew one by one: what is known of those below it."""
    proved, left = result.refuted, result.k - 1
    if proved is None or left < 0:
        return ""
    said = [f"no plan with k = {_range(0, min(proved, left))}"] if proved >= 0 else []
    if proved < left:
        said.append(
            f"none found with k = {_range(proved + 1, left)} in {PATIENCE:,} evaluations per agent"
        )
    return f"On the way: {'; '.join(said)}."


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def advice(result: Result, solver: str, largest: int, settings: Settings) -> str:
    """One sentence or two for people."""
    has_more = result.k < largest
    match result.outcome.value:
        case "no plan" if has_more:
            return "There is none with what is disclosed at this k. Try a larger --k, or --first."
        case "no plan":
            return without_any_plan(settings)
        case "not extended":
            return (
                "There are public plans, and the agents cannot carry them out. --threats on-demand "
                "(profile tacit) lets them say why; --solver mafs does without public plans."
            )
        case "undecided" if solver == "projection":
            return (
                "Every public plan that was found failed, and what the agents say to that rules "
                "out too few others. --solver mafs decides it, given time."
            )
        case "time":
            return "Out of time; --time-limit sets it."
        case "memory":
            return "Out of memory; --memory-limit sets it."
        case _:
            return ""

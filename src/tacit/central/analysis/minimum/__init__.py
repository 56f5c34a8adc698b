"""The fewest edges that must be disclosed: a proven lower bound, and the best that was found.

This sees every agent's secrets, so it is for evaluation and not for use among agents. For each
objective, the agent that pays most (`max`) or all together (`sum`), the two bounds move towards
each other until they meet or the time is up. From below, `Bound` offers the cheapest choice that
was not proved insufficient yet; if a search finds a plan with it, nothing is cheaper, and if it
proves that there is none, that yields one more cut. From above, plans are found that pay for each
edge they use, and edges are removed from the best choice so far. Limits grow by round and count
evaluated states, so without a time limit results are repeatable.

A choice suffices with threats `none` if its projection has a plan; the best choice for which a plan
was also extended is kept separately. With `on-demand`, only the latter counts. Repairs are counted
separately, as they are with k.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tacit.central.analysis.minimum.choices import OBJECTIVES, Price
from tacit.central.analysis.minimum.result import Minimum, Witness
from tacit.central.analysis.minimum.search import MinimumSearch, check_settings
from tacit.central.instance import Instance
from tacit.central.price_policy import PricePolicy, Weights
from tacit.public.settings import Settings

__all__ = ["OBJECTIVES", "Minimum", "MinimumSearch", "Witness", "check_settings", "minimum"]


def minimum(
    instance: Instance,
    settings: Settings = Settings(),  # noqa: B008
    objectives: Sequence[str] = OBJECTIVES,
    time_limit: float = math.inf,
    seed: int = 0,
    price: Price | None = None,
    weights: Weights | None = None,
) -> Minimum:
    """The fewest edges that must be disclosed for a problem, from below and from above.

    With weights, the lowest price; or `price` is the price of each edge.
    """
    price_policy = PricePolicy(weights)
    return MinimumSearch(
        instance, settings, objectives, seed, price, price_policy=price_policy
    ).run(time_limit)

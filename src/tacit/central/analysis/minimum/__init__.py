"""The fewest edges that must be disclosed: a proven lower bound, and the best that was found.

This sees every agent's secrets, so it is for evaluation and not for use among agents. For each
objective, the agent that pays most (`max`) or all together (`sum`), the two ends move towards
each other until they meet or time is over. From below, `Bound` offers the cheapest choice that
was not refuted yet; if a search finds a plan with it, nothing is cheaper, and if it proves that
there is none, that is one more cut. From above, plans are found that pay for each edge they use,
and edges are taken away from the best choice so far. Limits grow from round to round and count
evaluated states, so without a time limit results are repeatable.

What will do: with threats `none`, a choice whose projection has a plan; the best choice for which
a plan was also carried out is kept beside it. With `on-demand`, only the latter counts. Repairs
come on top, as they come on top of k.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tacit.central.analysis.minimum.choices import OBJECTIVES, Price
from tacit.central.analysis.minimum.hunt import Hunt, check_settings
from tacit.central.analysis.minimum.result import Minimum, Witness
from tacit.central.billing import Bill, Weights
from tacit.central.instance import Instance
from tacit.public.settings import Settings

__all__ = ["OBJECTIVES", "Hunt", "Minimum", "Witness", "check_settings", "minimum"]


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

    With weights, the lowest price; or `price` says what each edge costs.
    """
    bill = Bill(weights)
    return Hunt(instance, settings, objectives, seed, price, bill=bill).run(time_limit)

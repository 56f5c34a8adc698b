"""Prices for a run that one trusted user holds: the files of all agents in one.

Each agent gets its own table and no more. What is paid is asked of each agent as its owner; the
solver never hears of it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from tacit.central.instance import Instance
from tacit.errors import InputError
from tacit.party.disclosure.prices import Account as Account
from tacit.party.disclosure.prices import Prices
from tacit.party.disclosure.weights import Weights as Weights
from tacit.party.disclosure.weights import read_weights as read_weights
from tacit.public.settings import Settings


@dataclass(frozen=True)
class PricePolicy:
    """`budget` is what each agent may spend, in its own prices.

    With `lenient`, one file may serve many problems: rules and agents that match nothing are
    passed over.
    """

    weights: Weights | None = None
    budget: int | None = None
    lenient: bool = False

    def of(self, instance: Instance, settings: Settings) -> dict[str, Prices]:
        """Each agent's own; none if nobody gave any. An `InputError` for what cannot be kept."""
        if self.weights is None:
            if self.budget is not None:
                raise InputError("a budget is in prices", "give weights, or a number of edges k")
            return {}
        if self.budget is not None and self.budget < 0:
            raise InputError("a budget cannot be negative")
        if not self.lenient:
            self.weights.check_agents(instance.agents)
        made: dict[str, Prices] = {}
        for agent in instance.agents:
            made[agent] = Prices(instance.local(agent), self.weights, self.lenient)
            made[agent].table.check(settings)
        return made


def as_weights(given: Weights | str | os.PathLike[str] | None) -> Weights | None:
    """Weights, or the file they are in."""
    return read_weights(Path(given)) if isinstance(given, str | os.PathLike) else given

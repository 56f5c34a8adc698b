"""The bounds on a minimum, at any time."""

from __future__ import annotations

from dataclasses import dataclass, field

from tacit.central.validate.judge import Verdict
from tacit.central.validate.plan import Plan
from tacit.party.disclosure.graph import Edge
from tacit.public.settings import Threats


@dataclass(frozen=True)
class Witness:
    """A choice of edges with a plan that was extended with it and passed the validator."""

    value: int
    paid: dict[str, int]
    edges: dict[str, list[Edge]]
    repairs: dict[str, int]
    plan: Plan
    verdict: Verdict


@dataclass(repr=False)
class Minimum:
    """What is known so far, per objective.

    `best` is the cheapest sufficient choice found, `witness` the cheapest with a plan that was
    extended. With threats `none` the former may be smaller.
    """

    objectives: tuple[str, ...]
    threats: Threats
    dependencies: dict[str, int]
    lower: dict[str, int] = field(default_factory=dict)
    best: dict[str, int] = field(default_factory=dict)
    witness: dict[str, Witness] = field(default_factory=dict)
    solvable: bool | None = None
    """Whether there is a plan at all; None if that is not known."""
    seconds: float = 0.0

    def __repr__(self) -> str:
        found = ((name, self.lower.get(name, 0), self.best.get(name)) for name in self.objectives)
        bounds = ", ".join(f"{n} from {low} to {'?' if b is None else b}" for n, low, b in found)
        return f"<minimum: {bounds}>"

    def gap(self, objective: str) -> int | None:
        """The distance between the bounds; None if no plan was found."""
        best = self.best.get(objective)
        return None if best is None else best - self.lower[objective]

    @property
    def is_proven(self) -> bool:
        """Whether the bounds meet, or it is proved that there is no plan."""
        return self.solvable is False or all(self.gap(o) == 0 for o in self.objectives)

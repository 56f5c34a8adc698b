"""Disclosure against makespan: points, the Pareto front, and the bounds.

A point is a plan that was validated, with the edges that it uses: no agent would have to disclose
more for it. It is kept if no other dominates it in k (the edges of the agent that
discloses most), price (of the agent that pays most, if there are prices) and makespan.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tacit.central.validate.judge import Verdict
from tacit.central.validate.plan import Plan


@dataclass(frozen=True)
class Point:
    """A plan, and what each agent discloses for it: edges, and their price if there are any."""

    edges: dict[str, int]
    plan: Plan = field(repr=False)
    verdict: Verdict = field(repr=False)
    prices: dict[str, int] = field(default_factory=dict)

    @property
    def k(self) -> int:
        return max(self.edges.values(), default=0)

    @property
    def price(self) -> int:
        return max(self.prices.values(), default=0)

    @property
    def cost(self) -> int:
        assert self.verdict.cost is not None
        return self.verdict.cost

    @property
    def makespan(self) -> int:
        assert self.verdict.makespan is not None
        return self.verdict.makespan

    @property
    def values(self) -> tuple[int, int, int]:
        """The values to minimise; without prices the second is 0."""
        return self.k, self.price, self.makespan


def front(points: Sequence[Point]) -> list[Point]:
    """The points that no other dominates, the one with the smallest k first."""
    best: dict[tuple[int, int, int], Point] = {}
    for point in points:
        best.setdefault(point.values, point)

    def is_dominated(values: tuple[int, int, int]) -> bool:
        return any(
            other != values and all(a <= b for a, b in zip(other, values, strict=True))
            for other in best
        )

    return [best[values] for values in sorted(best) if not is_dominated(values)]


@dataclass(repr=False)
class Trade:
    """What is known so far. `lower` are proven bounds on `k` and, with prices, on `price`."""

    in_prices: bool
    points: list[Point] = field(default_factory=list)
    lower: dict[str, int] = field(default_factory=dict)
    solvable: bool | None = None
    seconds: float = 0.0

    def table(self) -> tuple[list[str], list[list[str]]]:
        """The points in numbers, under a header."""
        price = ["price (max)"] if self.in_prices else []
        header = ["k (max)", "all edges", *price, "makespan", "cost", "steps"]
        return header, [self._row(point) for point in self.points]

    def _row(self, point: Point) -> list[str]:
        price = [point.price] if self.in_prices else []
        edges, verdict = sum(point.edges.values()), point.verdict
        cells = [point.k, edges, *price, point.makespan, verdict.cost, verdict.length]
        return [str(cell) for cell in cells]

    def __repr__(self) -> str:
        found = ", ".join(f"k {p.k} makespan {p.makespan}" for p in self.points[:5])
        more = f" and {len(self.points) - 5} more" if len(self.points) > 5 else ""
        return f"<trade-off: {found or 'no plan yet'}{more}>"

    def _repr_html_(self) -> str:
        from tacit.central.pictures import trade_page  # noqa: PLC0415 - for notebooks

        return trade_page(self).in_notebook()

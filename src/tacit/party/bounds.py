"""What an agent's owner allows it to disclose, whatever peers ask and whatever was agreed on.

An agent at a bound says "no more", or that it withholds a repair, and never why; nothing of its
bounds is in any message. `ahead` is for those who want others to disclose, too: the agent passes as
long as it is so many edges ahead of the agent that disclosed fewest, among those whose tokens the
goals need, and says "no more" if it must not pass.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tacit.public.ledger import Ledger
from tacit.public.projection import Projection, Reach
from tacit.public.protocol.messages import Publication
from tacit.public.task import PublicTask


@dataclass(frozen=True)
class Bounds:
    """How many edges, and how many repairs, may be disclosed in all; None for no bound.

    `price` is what the edges may cost, in the agent's own prices.
    """

    edges: int | None = None
    repairs: int | None = None
    price: int | None = None
    ahead: int | None = None

    def within(self, k: int | None, repairs: int | None = None) -> Bounds:
        """The same with at most k edges, and so many repairs, as all agents agreed."""
        edges = min((most for most in (self.edges, k) if most is not None), default=None)
        fewest = min((most for most in (self.repairs, repairs) if most is not None), default=None)
        return replace(self, edges=edges, repairs=fewest)

    def allows_edge(self, disclosed: int) -> bool:
        """May there be another edge after so many?"""
        return self.edges is None or disclosed < self.edges

    @property
    def allow_free(self) -> bool:
        """May edges be shown that settings have for free? Not where edges are bounded."""
        return (self.edges, self.price, self.ahead) == (None, None, None)

    def repairs_left(self, disclosed: int) -> int | None:
        """How many repairs there may be after so many; None for any number."""
        return None if self.repairs is None else max(0, self.repairs - disclosed)


NO_BOUNDS = Bounds()


def needed_agents(task: PublicTask, published: Mapping[str, Publication]) -> frozenset[str]:
    """Agents without whose tokens the goals are out of reach, if all others' hold and nothing is
    ever deleted.
    """
    bare = Projection.of(task, published)
    found = set()
    for agent in published:
        tokens = [fact for (owner, _), fact in bare.tokens.items() if owner != agent]
        if not Reach(replace(bare, init=[*bare.init, *tokens])).has_goal:
            found.add(agent)
    return frozenset(found)


def lead(ledger: Ledger, agent: str, others: frozenset[str]) -> int:
    """How many edges more an agent has disclosed than the one of the others that did least; below
    0 if there is nobody to be ahead of.
    """
    counts = [ledger.counts(other).counted for other in others if other != agent]
    return ledger.counts(agent).counted - min(counts) if counts else -1

"""What optimal searches told of agents' private costs, where all costs count.

Each index of an agent says its *tolls* there: sums that its private actions cost before some of its
published ones; and which achieved tokens it has *lost*, which hold again only after a public
action. Each state says what the way to it cost, by anybody's actions. Observers have all of that as
it is, so it is counted.

It may show edges that were not disclosed; no rule here concludes one, because these would be wrong:
an action before which nothing is due may lack a token, as public actions and some private ones are
free where tolls are counted; what is due no longer after a public action may have been paid on the
way there; and an edge may lead to a token whose toll remains or that is lost, as it says only that
an action has a part in achieving the token.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tacit.leakage.reading.traffic import Traffic
from tacit.leakage.transitions import decoded
from tacit.public.protocol.messages import States
from tacit.public.protocol.states import Batch, Toll
from tacit.public.settings import Cost


@dataclass
class ToldCosts:
    """What was told of one agent."""

    ways: set[int] = field(default_factory=set)
    """What ways to states cost that it sent."""
    tolls: set[Toll] = field(default_factory=set)
    lost: set[frozenset[int]] = field(default_factory=set)
    """Tokens that it has lost, of one private state each."""

    @property
    def sums(self) -> int:
        """Different sums that have costs of private actions in them."""
        return len(self.ways) + len(self.tolls)

    @property
    def lost_tokens(self) -> int:
        """Tokens that it has lost in some private state."""
        return len(frozenset().union(*self.lost))


def told_costs(traffic: Traffic) -> dict[str, ToldCosts]:
    """What the frames tell of each agent, whoever sent them."""
    found = {agent: ToldCosts() for agent in traffic.agents}
    for seen in traffic.frames:
        if isinstance(seen.message, States) and seen.sender in found:
            batch = decoded(seen.message.batch)
            if batch is not None and batch.costs is Cost.TOTAL:
                _take(batch, seen.sender, list(traffic.agents), found)
    return found


def _take(batch: Batch, sender: str, agents: list[str], found: dict[str, ToldCosts]) -> None:
    for meaning in batch.indices:
        for agent in agents[meaning.agent : meaning.agent + 1]:
            found[agent].tolls.update(meaning.tolls)
            if lost := meaning.shut & meaning.tokens:
                found[agent].lost.add(lost)
    found[sender].ways.update(state.cost for state in batch.states)

"""Which rounds of relaxed reachability an agent goes along with: what others can have reached.

In such a round (`JointReach`) an agent is sent public facts that others newly reach,
and answers with those that follow for itself. The answer hints at what it needs for them, so
whoever may choose the facts may choose what to learn. Every agent knows what all others published,
and with it what they can have reached: a fact that some action of theirs adds whose public needs
were reached in an earlier round, or by other actions of the same agent in this one. Anything else
is a fault of the coordinator: facts out of nowhere, facts of a later round, a fact twice, and a
round without news, of which there is none but the first.

What is not known is what others really reached, as that depends on their secrets. So a coordinator
may leave facts out, or send one that could be reached and was not; it cannot go beyond the public
projections.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from tacit.errors import ProtocolError
from tacit.party.disclosure.public_world import PublicWorld


class AskedLayers:
    """Checks the rounds of one exchange, for one agent. `world` is what all published; it is made
    when there is something to check.
    """

    def __init__(self, own: str, world: Callable[[], PublicWorld], facts: int, init: Iterable[int]):
        self._own = own
        self._world = world
        self._reached = bytearray(facts)
        """Per public fact whether it is reached, by this agent or by others."""
        self._sent = bytearray(facts)
        self._rounds = 0
        self.note(init)

    def check(self, asker: str, facts: Sequence[int]) -> None:
        """A `ProtocolError` about who asks, unless others can have reached these facts by now."""
        self._rounds += 1
        if (self._rounds == 1) == bool(facts):
            raise _unneeded(asker, "news belong to every round but the first")
        if any(map(self._sent.__getitem__, facts)):
            raise _unneeded(asker, "it repeats what it has sent")
        if facts:
            world = self._world()
            left = world.projection.count_impossible(world.number[self._own], self._reached, facts)
            if left:
                count = f"{left} of {len(set(facts))} public facts"
                raise _unneeded(asker, f"nobody can have reached {count} by then")
        for fact in facts:
            self._sent[fact] = 1
        self.note(facts)

    def note(self, news: Iterable[int]) -> None:
        """What is reached from now on."""
        for fact in news:
            self._reached[fact] = 1


def _unneeded(asker: str, why: str) -> ProtocolError:
    asked = f"agent '{asker}' asks for a round of reachability"
    return ProtocolError(f"{asked} that no run needs: {why}")

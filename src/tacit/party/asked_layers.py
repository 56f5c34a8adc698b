"""Which rounds of relaxed reachability an agent goes along with: what others can have reached.

In such a round (`NextLayer`, `JointReach`) an agent is sent public facts that others newly reach,
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

from collections.abc import Iterable, Mapping

from tacit.errors import ProtocolError
from tacit.public.protocol.messages import Publication
from tacit.public.task import PublicAction


class AskedLayers:
    """Checks the rounds of one exchange, for one agent."""

    def __init__(self, own: str, published: Mapping[str, Publication], init: Iterable[int]):
        self._others = [part for agent, part in published.items() if agent != own]
        self._reached = set(init)
        self._sent: set[int] = set()
        self._rounds = 0

    def check(self, asker: str, facts: Iterable[int]) -> None:
        """A `ProtocolError` about who asks, unless others can have reached these facts by now."""
        asked, self._rounds = set(facts), self._rounds + 1
        if (self._rounds == 1) == bool(asked):
            raise _unneeded(asker, "news belong to every round but the first")
        if asked & self._sent:
            raise _unneeded(asker, "it repeats what it has sent")
        left = asked - self._reached
        for part in self._others:
            if not left:
                break
            left -= self._possible(part.actions, asked)
        if left:
            count = f"{len(left)} of {len(asked)} public facts"
            raise _unneeded(asker, f"nobody can have reached {count} by then")
        self._sent |= asked
        self._reached |= asked

    def note(self, news: Iterable[int]) -> None:
        """What the agent itself has reached."""
        self._reached.update(news)

    def _possible(self, actions: Iterable[PublicAction], wanted: set[int]) -> set[int]:
        """Which of these facts one agent can reach by itself, from what all have reached."""
        useful = [action for action in actions if not wanted.isdisjoint(action.adds)]
        known, found = set(self._reached), set[int]()
        while useful:
            later = [action for action in useful if not known.issuperset(action.needs)]
            if len(later) == len(useful):
                break
            now = (action for action in useful if known.issuperset(action.needs))
            found |= wanted.intersection(fact for action in now for fact in action.adds)
            known |= found
            useful = later
        return found


def _unneeded(asker: str, why: str) -> ProtocolError:
    asked = f"agent '{asker}' asks for a round of reachability"
    return ProtocolError(f"{asked} that no run needs: {why}")

"""Whether all members of a run were told the same: what they disclosed, and what they were asked.

An agent that discloses says what it has seen until then (`tacit.public.protocol.seen`), and at the
end everybody does, with a digest of how the run ended and of the plan that it keeps. Here that is
compared with what this agent has seen. What another one saw later than this agent has come is kept
until it has; at the end nothing may be left.

Where two members differ about a third, one of the three is at fault, and the fault names the third:
what each of them was really sent is in the transcripts, with receipts that their senders signed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import cached_property

from tacit.net.faults import Fault, out_of_turn
from tacit.net.talk import Heard, Talk
from tacit.party.agent import Agent
from tacit.public.disclosure import PublicStep
from tacit.public.protocol import digest
from tacit.public.protocol.link import Agreed, Concluded, Reason, Settled
from tacit.public.protocol.messages import States
from tacit.public.protocol.seen import PLANS, History, Seen


class Comparing:
    """What one agent has seen, and what its peers say that they have. `leader` asks them all."""

    def __init__(self, agent: Agent, leader: str, talk: Talk):
        self._agent = agent
        self._leader = leader
        self._talk = talk
        self._settled: dict[str, Settled] = {}
        self._waiting: list[tuple[str, Seen]] = []

    @cached_property
    def _history(self) -> History:
        """From when the agent knows the others on."""
        return History(self._agent.ledger, self._agent.asked_plans)

    def seen(self) -> Seen:
        return self._history.now()

    def hear(self, peer: str, seen: Seen) -> None:
        """What a peer has seen, to be compared as soon as this agent has come as far."""
        self._waiting.append((peer, seen))

    def compare(self) -> None:
        """A fault if a peer has seen something else than this agent."""
        if self._waiting:
            waiting, self._waiting = self._waiting, []
            for peer, seen in waiting:
                if not self._history.has(seen):
                    self._waiting.append((peer, seen))
                elif places := self._history.differences(seen):
                    raise self._fault(peer, places)

    def hear_settled(self, peer: str, message: Settled) -> None:
        """How the run ended for a peer, maybe before this agent knows that it has."""
        if peer in self._settled or not self._agent.knows_others:
            raise out_of_turn(peer)
        self._settled[peer] = message

    def settle(
        self,
        end: Concluded,
        steps: Sequence[PublicStep],
        seconds: float,
        handle: Callable[[Heard], None],
    ) -> None:
        """Tell all what was seen and how it ended, and wait for all of them. States may still be on
        their way, and nobody needs them.
        """
        own = Settled(self._agent.name, self.seen(), digest.of_end(end, steps))
        self._talk.send_all(own)
        late = time.monotonic() + seconds
        while missing := [peer for peer in self._talk.peers if peer not in self._settled]:
            heard = self._talk.expect(max(0.0, late - time.monotonic()), missing)
            if isinstance(heard.message, Settled | Agreed):
                handle(heard)
            elif not isinstance(heard.message, States):
                raise out_of_turn(heard.peer)
        self._compare_ends(own)

    def _compare_ends(self, own: Settled) -> None:
        """All must have come equally far, to the same end."""
        self.compare()
        for peer, other in self._settled.items():
            is_as_far = (other.seen.ledger, other.seen.plans) == (own.seen.ledger, own.seen.plans)
            if not is_as_far:
                raise self._other_end(peer)
            if places := self._history.differences(other.seen):
                raise self._fault(peer, places)
            if other.end != own.end:
                raise self._other_end(peer)
        if self._waiting:
            peer, _ = self._waiting[0]
            raise self._other_end(peer)

    def _other_end(self, peer: str) -> Fault:
        names = f"'{self._agent.name}' and '{peer}'"
        text = f"agent '{self._leader}' told agents {names} of different ends of the run"
        return Fault(text, Reason.DISAGREEMENT, self._leader)

    def _fault(self, peer: str, places: list[str | None]) -> Fault:
        own, place = self._agent.name, places[0]
        names = f"'{own}' and '{peer}'"
        if place is PLANS:
            text, about = f"agents {names} were asked about different plans", self._leader
        elif place in (own, peer):
            text, about = f"agent '{peer}' says of '{place}' what was not disclosed", peer
        else:
            text = f"agents {names} were sent different disclosures by '{place}'"
            about = str(place)
        return Fault(f"{text}; their transcripts show what", Reason.DISAGREEMENT, about)

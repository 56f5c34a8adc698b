"""What an agent receives from its peers and sends to them, message by message.

An event of the network becomes here a message of a peer that is there, or a fault. Messages that
come before their time, because another agent is further on, are deferred until their phase begins;
there can be few of them, and more are a fault. Nothing is sent that is not in the owner's record.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from tacit.errors import ProtocolError
from tacit.net.faults import Fault, OutOfTime, lost, out_of_turn, senseless
from tacit.net.record import DisclosureRecord
from tacit.public.protocol.link import Farewell, Hello, Ready, Reason, reason_text
from tacit.public.protocol.messages import AnyMessage, Opening, decode, encode
from tacit.transport.mailbox import Arrived, Down, Failed, Up
from tacit.transport.network import Network

T = TypeVar("T", bound=AnyMessage)

DEFERRED = 4
"""Messages of a peer that may wait for their phase."""

CAUSE = 2.0
"""Seconds in which the farewell of a lost agent may arrive after that of one that lost it."""

EARLY = Opening
"""What a peer may send that is further on than this agent, which still waits for others."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A message of a peer, and its bytes."""

    peer: str
    message: AnyMessage
    payload: bytes


class Talk:
    """One agent's exchange with all its peers. `deadline` is when the run must be over."""

    def __init__(
        self,
        own: str,
        peers: Sequence[str],
        network: Network,
        record: DisclosureRecord,
        log: Callable[[str], None],
    ):
        self.own = own
        self.peers = tuple(peers)
        self._network = network
        self._record = record
        self._log = log
        self._deferred: list[Heard] = []
        self._gone: dict[str, str] = {}
        self.deadline = float("inf")
        self.hellos: dict[str, Hello] = {}
        """What each peer said first on its last stream."""
        self.runs: dict[str, int] = {}
        """The number that each peer gives this run."""

    def send(self, peer: str, message: AnyMessage) -> None:
        self.send_frame(peer, message, encode(message))

    def send_frame(self, peer: str, message: AnyMessage, frame: bytes) -> None:
        """The same, of a message that is encoded already."""
        if peer in self._gone:
            raise lost(peer, self._gone[peer])
        self._record.sent(peer, message)
        self._network.send(peer, frame)

    def send_encoded(self, peer: str, frame: bytes) -> None:
        self.send_frame(peer, decode(frame), frame)

    def send_states(self, peer: str, frame: bytes) -> None:
        """An encoded batch of states; a peer that has ended needs none."""
        if peer not in self._gone:
            self._record.sent_states(peer, len(frame))
            self._network.send(peer, frame)

    def send_all(self, message: AnyMessage) -> None:
        for peer in self.peers:
            if peer not in self._gone:
                self.send(peer, message)

    @property
    def is_clogged(self) -> bool:
        """Does so much wait for some peer that no more should be made for it?"""
        return self._network.backlog() > 1 << 20

    # Before planning

    def await_all(self, seconds: float, number: Callable[[str], int] = lambda peer: 0) -> None:
        """Wait until everybody is there and has reached everybody; `number` is that of this run
        with a peer.
        """
        end = time.monotonic() + seconds
        up: set[str] = set()
        ready: set[str] = set()
        greeted: set[str] = set()
        while len(up) < len(self.peers) or len(ready) < len(self.peers):
            left = end - time.monotonic()
            if left <= 0:
                raise _missing(self.peers, up, self._network.troubles, seconds)
            event = self._network.take(left)
            if event is None:
                continue
            if isinstance(event, Failed):
                raise event.error
            if isinstance(event, Arrived):
                self._hear_early(event, ready)
                continue
            for group in (up, ready, greeted):
                group.discard(event.peer)
            self._deferred = [heard for heard in self._deferred if heard.peer != event.peer]
            if isinstance(event, Up):
                up.add(event.peer)
                if event.hello is not None:
                    self.hellos[event.peer] = event.hello
                self._log(f"'{event.peer}' is here")
            else:
                self._log(f"'{event.peer}' is gone: {event.why}")
            if len(up) == len(self.peers):
                for peer in up - greeted:
                    self.send(peer, Ready(self.own, number(peer)))
                    greeted.add(peer)
        self._network.begin()

    def see_all(self, seconds: float) -> dict[str, str]:
        """Wait until every peer was there once, and send nothing; those that were not, and why."""
        end, seen = time.monotonic() + seconds, set[str]()
        while len(seen) < len(self.peers) and (left := end - time.monotonic()) > 0:
            event = self._network.take(left)
            if isinstance(event, Failed):
                raise event.error
            if isinstance(event, Up):
                seen.add(event.peer)
                self._log(f"'{event.peer}' is here, with the same problem and the same terms")
        troubles = self._network.troubles
        return {
            peer: troubles.get(peer, "it did not call") for peer in self.peers if peer not in seen
        }

    def _hear_early(self, event: Arrived, ready: set[str]) -> None:
        """A message before planning; a peer that sends nonsense is disconnected for now."""
        try:
            heard = self._read(event)
            self._sort_early(heard, ready)
        except Fault as fault:
            self._log(f"disconnected '{event.peer}': {fault}")
            self._network.drop(event.peer)

    def _sort_early(self, heard: Heard, ready: set[str]) -> None:
        if isinstance(heard.message, Ready):
            if heard.message.run < 0:
                raise senseless(heard.peer)
            self.runs[heard.peer] = heard.message.run
            ready.add(heard.peer)
        elif isinstance(heard.message, Farewell):
            self._log(f"'{heard.peer}' leaves: {reason_text(heard.message, self.peers)}")
        elif isinstance(heard.message, EARLY):
            self.defer(heard)
        else:
            raise out_of_turn(heard.peer)

    # While planning

    def hear(self, wait: float = float("inf")) -> Heard | None:
        """The next message; None if none comes within so many seconds."""
        now = time.monotonic()
        end = min(now + wait, self.deadline)
        while True:
            left = max(0.0, end - now)
            event = self._network.take(None if left == float("inf") else left)
            heard = None if event is None else self._take(event)
            now = time.monotonic()
            if now >= self.deadline:
                raise OutOfTime("the run took longer than its limit")
            if heard is not None or now >= end:
                return heard

    def expect(self, seconds: float, awaited: Sequence[str]) -> Heard:
        """The next message, which must come; `awaited` are the peers that have not sent theirs."""
        heard = self.hear(seconds)
        if heard is None:
            names = ", ".join(f"'{peer}'" for peer in awaited)
            raise OutOfTime(f"nothing came for {seconds:g} s from agent {names}")
        return heard

    def one_of_each(
        self,
        seconds: float,
        awaited: Callable[[AnyMessage], T | None],
        is_next: Callable[[AnyMessage], object],
        peers: Sequence[str] | None = None,
    ) -> Iterator[tuple[str, T]]:
        """A message that is `awaited` from every peer, or from these, as they come. What belongs to
        the next step is deferred: its sender is further on.
        """
        missing, waiting = set(self.peers if peers is None else peers), self.deferred()
        while missing:
            heard = waiting.pop(0) if waiting else self.expect(seconds, sorted(missing))
            if is_next(heard.message):
                self.defer(heard)
                continue
            found = awaited(heard.message)
            if found is None or heard.peer not in missing:
                raise out_of_turn(heard.peer)
            missing.discard(heard.peer)
            yield heard.peer, found
        for heard in waiting:
            self.defer(heard)

    def _take(self, event: Arrived | Down | Up | Failed) -> Heard | None:
        """A message in an event, if there is one; a peer that leaves early is a fault."""
        if isinstance(event, Failed):
            raise event.error
        if isinstance(event, Arrived):
            heard = self._read(event)
            if not isinstance(heard.message, Farewell):
                return heard
            if heard.message.reason is not Reason.DONE:
                raise self._departure(heard.message)
            self._gone[event.peer] = "it is done"
        elif isinstance(event, Down) and event.peer not in self._gone:
            raise lost(event.peer, event.why)
        return None

    def _departure(self, farewell: Farewell) -> Fault:
        """Why a peer left. If it lost another agent, that one's own farewell says more, and may
        still be on its way.
        """
        end = time.monotonic() + CAUSE
        while farewell.reason is Reason.LOST and farewell.about in self.peers:
            last = self._last_of(farewell.about, end)
            if last is None:
                break
            if isinstance(last, Down):
                return lost(last.peer, last.why)
            farewell = last
        text = f"agent '{farewell.sender}' left: {reason_text(farewell, (self.own, *self.peers))}"
        return Fault(text, Reason.LOST, farewell.sender)

    def _last_of(self, peer: str, end: float) -> Farewell | Down | None:
        """A peer's farewell or its disappearance, if it comes by then."""
        while (left := end - time.monotonic()) > 0:
            event = self._network.take(left)
            if event is None or isinstance(event, Failed):
                return None
            if event.peer != peer:
                continue
            if isinstance(event, Down):
                return event
            if isinstance(event, Arrived):
                message = self._read(event).message
                if isinstance(message, Farewell):
                    return message
        return None

    def _read(self, event: Arrived) -> Heard:
        try:
            message = decode(event.payload)
        except ProtocolError:
            text = f"agent '{event.peer}' sent something that is not a message"
            raise Fault(text, Reason.PROTOCOL, event.peer) from None
        if message.sender != event.peer:
            text = f"agent '{event.peer}' sent a message in another's name"
            raise Fault(text, Reason.PROTOCOL, event.peer)
        return Heard(event.peer, message, event.payload)

    def defer(self, heard: Heard) -> None:
        """Keep a message for its phase."""
        if sum(other.peer == heard.peer for other in self._deferred) >= DEFERRED:
            raise out_of_turn(heard.peer)
        self._deferred.append(heard)

    def deferred(self) -> list[Heard]:
        """What was deferred until now."""
        deferred, self._deferred = self._deferred, []
        return deferred

    # At the end

    def part(self, reason: Reason, about: str | None, seconds: float) -> None:
        """Send farewell, also to those that have: a receipt goes with it. After a run that ended
        well, wait a little until all others have, too.
        """
        end = time.monotonic() + seconds
        farewell = Farewell(self.own, reason, about)
        for peer in self.peers:
            self._record.sent(peer, farewell)
            self._network.send(peer, encode(farewell))
        while reason is Reason.DONE and len(self._gone) < len(self.peers):
            left = end - time.monotonic()
            event = self._network.take(left) if left > 0 else None
            if event is None or isinstance(event, Failed):
                return
            if isinstance(event, Down) or (isinstance(event, Arrived) and _is_farewell(event)):
                self._gone[event.peer] = "it is done"


def _is_farewell(event: Arrived) -> bool:
    """Is this a peer's last message? What else comes after the end does not matter."""
    try:
        return isinstance(decode(event.payload), Farewell)
    except ProtocolError:
        return False


def _missing(
    peers: Sequence[str], up: set[str], troubles: Mapping[str, str], seconds: float
) -> OutOfTime:
    missing = [peer for peer in peers if peer not in up]
    if not missing:
        return OutOfTime(f"not all agents reached each other within {seconds:g} s")
    names = [f"'{peer}'" + (f" ({troubles[peer]})" if peer in troubles else "") for peer in missing]
    return OutOfTime(f"no connection with {', '.join(names)} within {seconds:g} s")

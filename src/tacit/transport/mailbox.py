"""What comes in from all peers, in order, for one reader; each peer gets only so much room.

The thread of the network puts events in, the thread that plans takes them out. Where a
peer's frames fill its room, its stream is not read on until some were taken: it has to wait, and
nobody else does.

States can wait, because many of them make a queue; whatever else comes goes before them, in its own
order. So a question is answered, and a search ended, without going through all of them first.
"""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field

from tacit.errors import TacitError
from tacit.public.protocol.link import Hello
from tacit.public.protocol.messages import BULK
from tacit.transport.frames import FRAME_COST


@dataclass(frozen=True, slots=True)
class Up:
    """A peer is there, and has proved its name; this is its hello."""

    peer: str
    hello: Hello | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Down:
    """A peer is gone, and why, in a text with nothing private."""

    peer: str
    why: str


@dataclass(frozen=True, slots=True)
class Arrived:
    """A frame of a peer."""

    peer: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class Failed:
    """It makes no sense to go on."""

    error: TacitError


Event = Up | Down | Arrived | Failed


class Mailbox:
    """Events of all peers; `has_room`: may a peer's stream be read on?"""

    def __init__(self, room: int):
        self._room = room
        self._events: deque[Event] = deque()
        self._states: deque[Arrived] = deque()
        self._changed = threading.Condition()
        self._used: Counter[str] = Counter()
        self._waiting: dict[str, Callable[[], None]] = {}

    def put(self, event: Event) -> None:
        with self._changed:
            if isinstance(event, Arrived):
                self._used[event.peer] += len(event.payload) + FRAME_COST
            if isinstance(event, Arrived) and event.payload.startswith(BULK):
                self._states.append(event)
            else:
                self._events.append(event)
            self._changed.notify()

    def has_room(self, peer: str, otherwise: Callable[[], None]) -> bool:
        """Is there room? If not, `otherwise` is called once when there is some again."""
        with self._changed:
            if self._used[peer] <= self._room:
                return True
            self._waiting[peer] = otherwise
            return False

    def take(self, seconds: float | None) -> Event | None:
        """The next event; None if none comes in time."""
        end = None if seconds is None else time.monotonic() + seconds
        with self._changed:
            while not (self._events or self._states):
                left = None if end is None else end - time.monotonic()
                if left is not None and left <= 0:
                    return None
                self._changed.wait(left)
            event = self._events.popleft() if self._events else self._states.popleft()
            resume = self._taken(event)
        if resume is not None:
            resume()
        return event

    def _taken(self, event: Event) -> Callable[[], None] | None:
        if not isinstance(event, Arrived):
            return None
        self._used[event.peer] -= len(event.payload) + FRAME_COST
        if self._used[event.peer] > self._room // 2:
            return None
        return self._waiting.pop(event.peer, None)

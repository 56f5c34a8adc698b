"""Talk alone, with a network that plays back what it was given."""

from __future__ import annotations

from collections import deque
from typing import Any, cast

import pytest

from tacit.net.faults import Fault
from tacit.net.record import DisclosureRecord
from tacit.net.talk import Talk
from tacit.public.protocol.link import Farewell, Reason
from tacit.public.protocol.messages import encode
from tacit.transport.mailbox import Arrived, Down, Event
from tacit.transport.network import Network


class Playback:
    """Events in a given order, and nothing more."""

    def __init__(self, *events: Event):
        self._events = deque(events)

    def take(self, seconds: float | None) -> Event | None:
        return self._events.popleft() if self._events else None


def talk(*events: Event) -> Talk:
    network = cast(Network, Playback(*events))
    return Talk("a", ["b", "c"], network, DisclosureRecord(None, "a"), lambda text: None)


def farewell(peer: str, reason: Reason, about: str | None = None) -> Arrived:
    return Arrived(peer, encode(Farewell(peer, reason, about)))


LOST_C = farewell("b", Reason.LOST, "c")


@pytest.mark.parametrize(
    ("events", "text"),
    [
        ((LOST_C, farewell("c", Reason.MEMORY)), "agent 'c' left: it ran out of memory"),
        ((LOST_C, Down("c", "it is silent")), "agent 'c' is gone: it is silent"),
        ((LOST_C,), "agent 'b' left: it lost an agent ('c')"),
        ((LOST_C, farewell("c", Reason.LOST, "b")), "agent 'c' left: it lost an agent ('b')"),
        ((farewell("b", Reason.MEMORY), LOST_C), "agent 'b' left: it ran out of memory"),
    ],
)
def test_the_agent_that_was_lost_first_is_named(events: tuple[Any, ...], text: str):
    with pytest.raises(Fault) as caught:
        talk(*events).hear(0.1)
    assert str(caught.value) == text

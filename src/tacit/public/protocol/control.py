"""Messages that only steer a run: they show nothing of any agent but what docs/protocol.md says.

The owner's record (`tacit.net.record`) and audits (`tacit.leakage.reading.collecting`) account for
every other kind; a kind that nobody accounts for is not sent, and fails a test.
"""

from __future__ import annotations

from tacit.public.protocol.base import Message
from tacit.public.protocol.disclosing import (
    Ack,
    Disclose,
    EndLayers,
    LayersEnded,
    NextEdge,
    NoMore,
    Passed,
    Publish,
    Recall,
)
from tacit.public.protocol.link import (
    Agreed,
    Beat,
    Concluded,
    Go,
    Halt,
    Hello,
    Ready,
    Receipt,
    Refused,
    Revealed,
    Settled,
    Welcome,
)
from tacit.public.protocol.searching import (
    Begin,
    Follow,
    JointReach,
    Learn,
    Poll,
    Resend,
    Trace,
)
from tacit.public.protocol.weighing import Weigh

CONTROL: frozenset[type[Message]] = frozenset(
    {
        *(Publish, EndLayers, LayersEnded, Recall, NextEdge, Passed, NoMore, Disclose),
        *(Ack, Weigh),
        *(Begin, Learn, JointReach, Poll, Follow, Resend, Trace),
        *(Hello, Welcome, Refused, Ready, Beat, Receipt, Agreed, Revealed, Concluded, Settled),
        *(Go, Halt),
    }
)

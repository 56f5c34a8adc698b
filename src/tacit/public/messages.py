"""Everything that may cross between agents while they ground, and how it is written.

Grounding together (DESIGN §1.1) takes three kinds of message, each sent to all:

* `Opening`: which public predicates my actions change, and which they need negated. Costs the
  names of public predicates that my public projections would show anyway.
* `Reached`, once a round until a round brings nothing new: the public facts that hold at my start
  (first round), that I can make true, and, for predicates somebody needs negated, make false.
* `Closing`: the public facts whose negation I need, and the public goals I was given.

A frame is a one-entry MessagePack map from the message's name to its fields. Decoding is strict:
a frame with unknown fields, wrong types or anything behind its end is a `ProtocolError`.
"""

from __future__ import annotations

import msgspec

from tacit.errors import ProtocolError
from tacit.public.task import PublicFact


class Message(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """The base of all messages; `sender` is the agent that speaks."""

    sender: str


class Opening(Message, frozen=True, tag="opening"):
    changes: tuple[str, ...]
    negates: tuple[str, ...]


class Reached(Message, frozen=True, tag="reached"):
    round: int
    initial: tuple[PublicFact, ...]
    true: tuple[PublicFact, ...]
    false: tuple[PublicFact, ...]

    @property
    def is_empty(self) -> bool:
        return not (self.initial or self.true or self.false)


class Closing(Message, frozen=True, tag="closing"):
    negated: tuple[PublicFact, ...]
    goals: tuple[PublicFact, ...]


AnyMessage = Opening | Reached | Closing

_ENCODER = msgspec.msgpack.Encoder()
_DECODER: msgspec.msgpack.Decoder[AnyMessage] = msgspec.msgpack.Decoder(AnyMessage)


def encode(message: AnyMessage) -> bytes:
    """A message as the bytes of a frame."""
    return _ENCODER.encode(message)


def decode(frame: bytes) -> AnyMessage:
    """The message in a frame, or a `ProtocolError` that repeats nothing of the frame."""
    try:
        return _DECODER.decode(frame)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise ProtocolError("a frame is not a message of this protocol") from None

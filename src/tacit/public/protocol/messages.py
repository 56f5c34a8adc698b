"""Everything that may cross between agents, and how it is written.

Messages are declared by phase, each with what it means, what it costs in privacy and its check:
`grounding`, `disclosing`, `extending`, `searching` and `weighing`, all in `tacit.public.protocol`.
Planning is a series of questions from the coordinator, and one answer to each. Agents on separate
hosts need some more messages, about their connections and the end of a run: they are in `link`.

A frame is a MessagePack map: `type` is the message's name, the rest its fields. Decoding is strict:
a frame with unknown fields, wrong types or anything behind its end is a `ProtocolError`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import get_args

import msgspec

from tacit.errors import ProtocolError
from tacit.public.protocol.base import Message as Message
from tacit.public.protocol.disclosing import *  # noqa: F403
from tacit.public.protocol.disclosing import DisclosingAnswer, DisclosingQuestion
from tacit.public.protocol.entries import Disclosure as Disclosure
from tacit.public.protocol.entries import is_disclosure as is_disclosure
from tacit.public.protocol.extending import *  # noqa: F403
from tacit.public.protocol.extending import ExtendingAnswer, ExtendingQuestion
from tacit.public.protocol.grounding import *  # noqa: F403
from tacit.public.protocol.grounding import Grounding
from tacit.public.protocol.link import (
    Agreed,
    Concluded,
    Farewell,
    Keep,
    Kept,
    Linking,
    Order,
    Receipt,
)
from tacit.public.protocol.searching import *  # noqa: F403
from tacit.public.protocol.searching import SearchingAnswer, SearchingQuestion, States
from tacit.public.protocol.weighing import Weigh as Weigh
from tacit.public.protocol.weighing import Weighed as Weighed

Question = DisclosingQuestion | ExtendingQuestion | SearchingQuestion | Weigh
Answer = DisclosingAnswer | ExtendingAnswer | SearchingAnswer | Weighed
AnyMessage = Grounding | Question | Answer | States | Linking | Order | Kept

BULK = b"\x84\xa4type\xa6states"
"""How a frame of states begins if its type comes first, as it does here."""

_INTRODUCES = b"\xa4type\xa9introduce"

_ENCODER = msgspec.msgpack.Encoder()
_DECODER: msgspec.msgpack.Decoder[AnyMessage] = msgspec.msgpack.Decoder(AnyMessage)


def tag_of(message: AnyMessage | type[AnyMessage]) -> str:
    """The name of a message on the wire."""
    return str(message.__struct_config__.tag)


def _starts(*kinds: type[AnyMessage]) -> tuple[bytes, ...]:
    """How frames of these kinds go on behind their first byte, if their type comes first."""
    tags = (tag_of(kind).encode() for kind in kinds)
    return tuple(b"\xa4type" + bytes([0xA0 + len(tag)]) + tag for tag in tags)


_DISCLOSING = _starts(*get_args(Disclosure))
_RECEIPT = _starts(Receipt)
_FAREWELL = _starts(Farewell)
_CHECKPOINT = _starts(Agreed, Keep, Concluded, Farewell)


def is_receipt(frame: bytes) -> bool:
    """Is this a receipt? Its type comes first."""
    return frame[1:14].startswith(_RECEIPT)


def is_farewell(frame: bytes) -> bool:
    return frame[1:15].startswith(_FAREWELL)


def is_checkpoint(frame: bytes) -> bool:
    """Does a phase end with this message, so that a receipt follows it?"""
    return frame[1:16].startswith(_CHECKPOINT)


def discloses(frame: bytes) -> bool:
    """Is this a message that discloses something, so that it goes to all members?"""
    return frame[1:].startswith(_DISCLOSING) and is_disclosure(decode(frame))


def encode(message: AnyMessage) -> bytes:
    """A message as the bytes of a frame."""
    return _ENCODER.encode(message)


def decode(frame: bytes) -> AnyMessage:
    """The message in a frame, or a `ProtocolError` that repeats nothing of the frame."""
    try:
        introduces = frame[1 : 1 + len(_INTRODUCES)] == _INTRODUCES
        return _read_once(frame) if introduces else _DECODER.decode(frame)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise ProtocolError("a frame is not a message of this protocol") from None


@lru_cache(maxsize=1)
def _read_once(frame: bytes) -> AnyMessage:
    """What all agents of a process are sent alike and keep: the publications, which nobody
    changes.
    """
    return _DECODER.decode(frame)

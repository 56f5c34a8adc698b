"""What all messages have in common."""

from __future__ import annotations

import msgspec


class Message(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """The base of all messages; `sender` is the agent that speaks."""

    sender: str

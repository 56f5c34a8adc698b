"""A record of every frame that crossed, in order: the ground truth of what was disclosed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tacit.public.protocol.messages import AnyMessage, decode


@dataclass(frozen=True, slots=True)
class Frame:
    """Bytes that went from one agent to another."""

    sender: str
    receiver: str
    payload: bytes


@dataclass(slots=True, repr=False)
class Transcript:
    """The frames of a run; `messages()` decodes them, for audits and tests."""

    frames: list[Frame] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"<transcript: {len(self.frames)} frames, {self.size} bytes>"

    def add(self, sender: str, receiver: str, payload: bytes) -> None:
        self.frames.append(Frame(sender, receiver, payload))

    def messages(self) -> Iterator[AnyMessage]:
        return (decode(frame.payload) for frame in self.frames)

    @property
    def size(self) -> int:
        """Bytes sent in all."""
        return sum(len(frame.payload) for frame in self.frames)

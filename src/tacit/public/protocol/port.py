"""How agents and transports see each other, and nothing more."""

from __future__ import annotations

from typing import Protocol


class Outbound(Protocol):
    """An agent's way out: a frame to one peer."""

    def send(self, receiver: str, frame: bytes) -> None: ...


class Responder(Protocol):
    """An agent that is asked: one answer to every question."""

    @property
    def name(self) -> str: ...

    def answer(self, sender: str, frame: bytes) -> bytes: ...

    def hear(self, sender: str, frame: bytes) -> None:
        """Another agent disclosed something, to all."""


class AgentPort(Protocol):
    """An agent as the others see it: it has a name and takes frames."""

    @property
    def name(self) -> str: ...

    def open(self, out: Outbound) -> None:
        """Begin: what the agent sends unasked goes out now."""

    def receive(self, sender: str, frame: bytes, out: Outbound) -> None:
        """Take a frame from a peer; answers go out through `out`."""

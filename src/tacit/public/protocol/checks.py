"""Does a message fit the public task? Asked before anything is done with what a peer sent.

The codec sees to the types. Each message says for itself whether its numbers can be true
(`Message.fits`): facts, tokens and actions that exist, edges that are disclosed once, as many as
were asked for. What does not fit is a `ProtocolError` that names the agent and repeats nothing of
what it sent.
"""

from __future__ import annotations

from collections.abc import Sequence

from tacit.errors import ProtocolError
from tacit.public.protocol.known import Known
from tacit.public.protocol.messages import AnyMessage


class Checks:
    """Checks the messages of one run."""

    def __init__(self, agents: Sequence[str], facts: int):
        self._known = Known(agents, facts)

    def question(self, peer: str, message: AnyMessage) -> None:
        """A question that `peer` asks."""
        self._require(peer, message.fits(self._known))

    def heard(self, message: AnyMessage) -> None:
        """What an agent sent to all unasked by this one; its sender is that agent."""
        self._require(message.sender, message.fits(self._known))

    def answer(self, question: AnyMessage, answer: AnyMessage) -> None:
        """An answer to a question; its sender is the agent that was asked."""
        self._require(answer.sender, answer.answers(question, self._known))

    def _require(self, peer: str, holds: bool) -> None:
        if not holds:
            raise ProtocolError(f"agent '{peer}' sent a message that does not fit the public task")

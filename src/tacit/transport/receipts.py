"""Receipts on one stream: when one is due, what it states, and whether the peer's holds.

One follows every so many frames in either direction, each message that ends a phase, and, where few
frames cross, every so many seconds; nothing waits for it. It states all that was sent, and what was
received up to the peer's last receipt. So what a peer may state about frames sent to it is one of a
few positions, which are remembered here, and a receipt that does not hold ends the stream at once
instead of being found by an audit; so does one that is owed and does not come. The one after a
farewell is answered by a last one, which is all that an end waits for: then either side can prove
what it sent last, too.
"""

from __future__ import annotations

from collections import deque

from tacit.errors import ProtocolError
from tacit.public.evidence.chain import GREETING, Position, Statement, stream_name
from tacit.public.protocol.link import Receipt
from tacit.public.protocol.messages import decode, encode, is_checkpoint, is_farewell
from tacit.transport.greeting import Wire

EVERY = 1_000
"""Frames in both directions after which a receipt follows: signing one and checking it takes about
as long as handling ten frames."""

COST = 100
"""Frames for which a receipt stands where a peer's frames are limited: checking it takes longer."""

NO_RECEIPT = ProtocolError("it sent a receipt that does not hold")
OWED = ProtocolError("it owes a receipt")


class Receipts:
    """What one end owes and may expect, once the greeting is over."""

    def __init__(self, own: str, peer: str, wire: Wire):
        self._own = own
        self._peer = peer
        self._sign = wire.signer.sign
        self._check = wire.check
        self._sent, self._received = wire.sent, wire.received
        assert self._sent.frames == self._received.frames == GREETING
        ends = (wire.sent.value, wire.received.value)
        self._stream = stream_name(*(ends if wire.is_caller else ends[::-1]))
        self._acknowledging = self._received.position
        self._marks = deque([self._sent.position])
        self._last_word: int | None = None
        self._has_left = self._is_answered = False
        self._unsigned = 0
        self.uncovered = 0
        """Frames in both directions since the last receipt that was sent, signs of life apart."""
        self.is_owed = False

    # What goes out

    def sends(self, payload: bytes, is_beat: bool) -> bool:
        """A frame goes out; does a receipt follow it?"""
        self._sent.extend(payload)
        self.uncovered += not is_beat
        if is_farewell(payload):
            self._last_word = self._sent.frames + 1
        return is_checkpoint(payload) or self.uncovered >= EVERY

    def issue(self) -> bytes:
        """A receipt, which is the next frame that goes out."""
        statement = self._statement(self._own, self._sent.position, self._acknowledging)
        receipt = Receipt(
            self._own,
            *statement.sent,
            *statement.acknowledged,
            self._sign(statement.encoded()),
        )
        payload = encode(receipt)
        self._sent.extend(payload)
        self._marks.append(self._sent.position)
        self.uncovered, self.is_owed = 0, False
        return payload

    @property
    def is_settled(self) -> bool:
        """Has the peer acknowledged the farewell, if there was one?"""
        return self._last_word is None or self._marks[0].frames >= self._last_word

    # What comes in

    def receives(self, payload: bytes, is_beat: bool) -> None:
        """A frame that is no receipt came in; a `ProtocolError` if it should have been one."""
        if self._unsigned >= EVERY:
            raise OWED
        self._unsigned += EVERY if is_checkpoint(payload) else not is_beat
        self._received.extend(payload)
        self.uncovered += not is_beat
        self._has_left = self._has_left or is_farewell(payload)
        self.is_owed = self.is_owed or self.uncovered >= EVERY

    def checks(self, payload: bytes) -> None:
        """A receipt of the peer's came in; a `ProtocolError` if it does not hold."""
        receipt = decode(payload)
        if not isinstance(receipt, Receipt) or receipt.sender != self._peer:
            raise NO_RECEIPT
        sent = Position(receipt.sent, receipt.sent_chain)
        acknowledged = Position(receipt.received, receipt.received_chain)
        statement = self._statement(self._peer, sent, acknowledged)
        if sent != self._received.position or acknowledged not in self._marks:
            raise NO_RECEIPT
        if not self._check(statement.encoded(), receipt.signature):
            raise NO_RECEIPT
        while self._marks[0] != acknowledged:
            self._marks.popleft()
        self._received.extend(payload)
        self._unsigned = 0
        self._acknowledging = self._received.position
        if self._has_left and not self._is_answered:
            self.is_owed = self._is_answered = True

    def _statement(self, signer: str, sent: Position, acknowledged: Position) -> Statement:
        other = self._peer if signer == self._own else self._own
        return Statement(self._stream, signer, other, sent, acknowledged)

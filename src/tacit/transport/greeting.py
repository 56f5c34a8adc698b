"""The first messages on a new stream: both send hello, compare, and welcome or refuse each other.

TLS 1.3 lets a client end its handshake before the server has checked its certificate, so a stream
counts for nothing until both have sent `Welcome`. The name in a hello must be in the certificate,
and nothing is sent to a host that answers in a peer's place. A welcome has a random number, which
makes the stream one of its kind, and the certificates with which receipts are checked later: the
first must be the one that TLS has checked.
"""

from __future__ import annotations

import asyncio
import secrets
import ssl
from collections.abc import Callable, Sequence

from tacit.errors import ProtocolError
from tacit.public.evidence.certificates import LONGEST
from tacit.public.evidence.chain import Chain
from tacit.public.evidence.signing import Check, Signer, checker
from tacit.public.protocol.link import Hello, Reason, Refused, Welcome, difference, reason_text
from tacit.public.protocol.messages import AnyMessage, decode, encode
from tacit.transport.frames import FrameNumbers, FrameReader, LinkLimits
from tacit.transport.stream import TlsStream
from tacit.transport.tls import is_alert, names, why_refused

HELLO = 1 << 16
"""The longest frame before an agent is known."""

NONCE = 32
"""Random bytes in a welcome."""

Record = Callable[[str, int, bool, Sequence[bytes]], None]
"""Writes down frames of a stream: the peer, the number of the stream, whether they are sent."""


def forget(peer: str, stream: int, is_sent: bool, payloads: Sequence[bytes]) -> None:
    """A `Record` of nothing."""


class Stranger(Exception):
    """A host that is not who it should be; the run goes on without it."""


class Mismatch(ProtocolError):
    """A peer that has proved its name, and cannot be planned with."""


class Wire:
    """A stream with frames in both directions, before it is a link.

    What is sent is written down first, once the peer is known. `sent` and `received` are the chains
    of both directions, and `check` checks the peer's signatures, once it is welcome.
    """

    check: Check

    def __init__(
        self,
        stream: TlsStream,
        is_caller: bool,
        signer: Signer,
        number: int = 0,
        record: Record = forget,
    ):
        self.stream = stream
        self.is_caller = is_caller
        self.signer = signer
        self.frames = FrameReader(stream)
        self.numbers = FrameNumbers()
        self.sent, self.received = Chain(), Chain()
        self._number = number
        self._record = record
        self._peer: str | None = None
        self._early: list[tuple[bool, bytes]] = []
        self.hello: Hello | None = None
        """The peer's, once both have sent theirs."""

    def identify(self, peer: str) -> None:
        """The certificate names this peer."""
        self._peer = peer
        for is_sent, payload in self._early:
            self.note(is_sent, [payload])
        self._early.clear()

    def note(self, is_sent: bool, payloads: Sequence[bytes]) -> None:
        """Write frames down, before they are sent or when they have come."""
        if self._peer is None:
            self._early += [(is_sent, payload) for payload in payloads]
        else:
            self._record(self._peer, self._number, is_sent, payloads)

    async def send(self, message: AnyMessage) -> None:
        payload = encode(message)
        self.note(True, [payload])
        self.sent.extend(payload)
        await self.stream.write(self.numbers.framed(payload))

    async def receive(self) -> AnyMessage:
        payload = await self.frames.read(HELLO)
        self.note(False, [payload])
        self.received.extend(payload)
        return decode(payload)

    def names(self, agent: str) -> bool:
        return names(self.stream.certificate, agent)

    async def refuse(self, own: str, reason: Reason) -> None:
        await self.send(Refused(own, reason))


async def greet(wire: Wire, own: Hello, peer: str, limits: LinkLimits) -> None:
    """The side that called, and knows which peer."""
    async with asyncio.timeout(limits.greeting):
        if not wire.names(peer):
            await wire.refuse(own.sender, Reason.NAME)
            raise Stranger(f"the host at the address of '{peer}' has another name")
        wire.identify(peer)
        await wire.send(own)
        theirs = await _first_answer(wire, peer)
        if isinstance(theirs, Refused):
            raise _refused(theirs, own, peer)
        if not isinstance(theirs, Hello) or theirs.sender != peer:
            raise ProtocolError("it does not answer a hello with its own")
        await _welcome(wire, own, theirs)


async def receive(
    wire: Wire, own: Hello, callers: frozenset[str], is_busy: bool, limits: LinkLimits
) -> str:
    """The side that was called; the caller. A `Stranger` is refused, and nothing else happens."""
    async with asyncio.timeout(limits.greeting):
        theirs = await wire.receive()
        if isinstance(theirs, Refused):
            raise Stranger(f"it refuses '{own.sender}': {reason_text(theirs, own.agents)}")
        if not isinstance(theirs, Hello):
            raise Stranger("it does not begin with a hello")
        if not wire.names(theirs.sender):
            await wire.refuse(own.sender, Reason.NAME)
            raise Stranger(f"its certificate does not name {theirs.sender!r:.80}")
        if theirs.sender not in callers:
            await wire.refuse(own.sender, Reason.NAME)
            raise Stranger(f"no agent called {theirs.sender!r:.80} is expected to call")
        wire.identify(theirs.sender)
        if is_busy:
            await wire.refuse(own.sender, Reason.BUSY)
            raise Stranger(f"'{theirs.sender}' calls after planning has begun")
        await wire.send(own)
        await _welcome(wire, own, theirs)
        return theirs.sender


async def _first_answer(wire: Wire, peer: str) -> AnyMessage:
    """In TLS 1.3 a refused certificate shows only here: the peer, which has proved its name, ends
    the stream with an alert that nobody else can have sent.
    """
    try:
        return await wire.receive()
    except ssl.SSLError as error:
        if not is_alert(error):
            raise
        raise Mismatch(f"agent '{peer}' cannot be reached: {why_refused(error)}") from None


async def _welcome(wire: Wire, own: Hello, theirs: Hello) -> None:
    """Both have sent hello: welcome each other, or refuse."""
    wire.hello = theirs
    found = difference(own, theirs)
    if found is not None:
        reason, text = found
        await wire.refuse(own.sender, reason)
        raise Mismatch(text)
    nonce = secrets.token_bytes(NONCE)
    await wire.send(Welcome(own.sender, nonce, wire.signer.certificates))
    answer = await wire.receive()
    if isinstance(answer, Refused):
        raise _refused(answer, own, theirs.sender)
    if not isinstance(answer, Welcome) or answer.sender != theirs.sender:
        raise ProtocolError("it does not answer a hello with a welcome")
    wire.check = _checked(wire, answer)


def _checked(wire: Wire, welcome: Welcome) -> Check:
    """What checks the peer's signatures: its certificate, which TLS has checked."""
    shown = welcome.certificates
    is_its_own = bool(shown) and shown[0] == wire.stream.certificate_bytes
    check = checker(shown[0]) if is_its_own else None
    if check is None or len(welcome.nonce) != NONCE or len(shown) > LONGEST:
        raise ProtocolError("its welcome does not have its certificate and a random number")
    return check


def _refused(answer: Refused, own: Hello, peer: str) -> Mismatch:
    return Mismatch(f"agent '{peer}' refuses '{own.sender}': {reason_text(answer, own.agents)}")

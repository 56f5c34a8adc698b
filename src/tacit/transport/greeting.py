"""The first messages on a new stream: both send hello, compare, and welcome or refuse each other.

TLS 1.3 lets a client end its handshake before the server has checked its certificate, so a stream
counts for nothing until both have sent `Welcome`. The name in a hello must be in the certificate,
and nothing is sent to a host that answers in a peer's place.
"""

from __future__ import annotations

import asyncio
import ssl

from tacit.errors import ProtocolError
from tacit.public.protocol.link import Hello, Reason, Refused, Welcome, difference, reason_text
from tacit.public.protocol.messages import AnyMessage, decode, encode
from tacit.transport.frames import FrameNumbers, FrameReader, LinkLimits
from tacit.transport.stream import TlsStream
from tacit.transport.tls import is_alert, names, why_refused

HELLO = 1 << 16
"""The longest frame before an agent is known."""


class Stranger(Exception):
    """A host that is not who it should be; the run goes on without it."""


class Mismatch(ProtocolError):
    """A peer that has proved its name, and cannot be planned with."""


class Wire:
    """A stream with frames in both directions, before it is a link.

    `log` is what was sent and received, for the transcript, once the peer is known.
    """

    def __init__(self, stream: TlsStream):
        self.stream = stream
        self.frames = FrameReader(stream)
        self.numbers = FrameNumbers()
        self.log: list[tuple[bool, bytes]] = []

    async def send(self, message: AnyMessage) -> None:
        payload = encode(message)
        self.log.append((True, payload))
        await self.stream.write(self.numbers.framed(payload))

    async def receive(self) -> AnyMessage:
        payload = await self.frames.read(HELLO)
        self.log.append((False, payload))
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
    found = difference(own, theirs)
    if found is not None:
        reason, text = found
        await wire.refuse(own.sender, reason)
        raise Mismatch(text)
    await wire.send(Welcome(own.sender))
    answer = await wire.receive()
    if isinstance(answer, Refused):
        raise _refused(answer, own, theirs.sender)
    if not isinstance(answer, Welcome) or answer.sender != theirs.sender:
        raise ProtocolError("it does not answer a hello with a welcome")


def _refused(answer: Refused, own: Hello, peer: str) -> Mismatch:
    return Mismatch(f"agent '{peer}' refuses '{own.sender}': {reason_text(answer, own.agents)}")

"""How a connection comes about: a peer is called, or a caller is let in or refused.

Either way there is a TLS handshake first, then the greeting; only a stream on which both have
welcomed each other is handed on. Anything else is an error with a readable reason.
"""

from __future__ import annotations

import asyncio
import errno
import itertools
import os
import socket
import ssl
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tacit.errors import InputError, ProtocolError
from tacit.public.protocol.link import Hello
from tacit.safety import SAFETY
from tacit.transport.frames import LinkLimits
from tacit.transport.greeting import Record, Stranger, Wire, forget, greet, receive
from tacit.transport.strangers import Guest
from tacit.transport.stream import TlsStream
from tacit.transport.tls import Identity, why_refused

_USED = (
    "this agent may still be running, or another program: end it, or choose another port "
    "(--listen HOST:PORT) and let the peers know"
)

Address = tuple[str, int]


@dataclass(frozen=True)
class Place:
    """Where an agent listens, its peers, and the addresses of those that it calls."""

    listen: Address
    calls: Mapping[str, Address]
    called_by: frozenset[str]


def place_of(
    own: str, listen: Address, peers: Mapping[str, Address], order: Sequence[str]
) -> Place:
    """Of two agents the first in the order of names calls."""
    at = order.index(own)
    later = frozenset(order[at + 1 :])
    return Place(
        listen,
        {peer: address for peer, address in peers.items() if peer in later},
        frozenset(peers) - later,
    )


class Doors:
    """Makes streams for one agent, on the loop that runs."""

    def __init__(
        self, hello: Hello, identity: Identity, limits: LinkLimits, record: Record = forget
    ):
        self._hello = hello
        self._limits = limits
        identity.check(hello.sender)
        self._record = record
        self._numbers = itertools.count()
        self._server_context = identity.context(is_server=True)
        self._client_context = identity.context(is_server=False)
        self._signer = identity.signer()

    async def call(self, peer: str, address: Address) -> Wire:
        """A stream to a peer that was called, and has answered as itself."""
        async with asyncio.timeout(self._limits.greeting):
            connection = await _connected(address)
        stream = TlsStream(connection, self._client_context, is_server=False)
        try:
            wire = await self._shaken(stream, is_caller=True)
            await greet(wire, self._hello, peer, self._limits)
        except BaseException:
            await stream.close()
            raise
        return wire

    async def answer(
        self, connection: socket.socket, guest: Guest, callers: frozenset[str], is_busy: bool
    ) -> tuple[str, Wire]:
        """The caller, and the stream to it."""
        guest.stream = stream = TlsStream(connection, self._server_context, is_server=True)
        try:
            wire = await self._shaken(stream, is_caller=False)
            peer = await receive(wire, self._hello, callers, is_busy, self._limits)
        except asyncio.CancelledError:
            stream.abort()  # its place is another's now
            raise
        except BaseException:
            await stream.close()
            raise
        return peer, wire

    async def _shaken(self, stream: TlsStream, is_caller: bool) -> Wire:
        async with asyncio.timeout(self._limits.greeting):
            await stream.handshake()
        return Wire(stream, is_caller, self._signer, next(self._numbers), self._record)


async def _connected(address: Address) -> socket.socket:
    """A connection to the first of a host's addresses that answers."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(*address, type=socket.SOCK_STREAM)
    for at, (family, kind, protocol, _, where) in enumerate(found):
        connection = socket.socket(family, kind, protocol)
        connection.setblocking(False)
        try:
            await loop.sock_connect(connection, where)
        except BaseException as error:
            connection.close()
            if not isinstance(error, OSError) or at == len(found) - 1:
                raise
        else:
            return connection
    raise OSError("no address")


def listening(address: Address) -> socket.socket:
    """A socket that listens there, or an `InputError`."""
    try:
        family = socket.getaddrinfo(*address, type=socket.SOCK_STREAM)[0][0]
        found = socket.create_server(address, family=family, backlog=SAFETY.door.queued)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or "no such address"
        is_used = getattr(error, "errno", None) == errno.EADDRINUSE
        hint = _USED if is_used else "check the address: --listen HOST:PORT, or in agents.toml"
        reason = "the port is in use" if is_used else reason
        raise InputError(f"cannot listen at {address[0]}:{address[1]}: {reason}", hint) from None
    found.setblocking(False)
    return found


Expected = (OSError, asyncio.IncompleteReadError, Stranger, ProtocolError)
"""What a connection to an unknown host may raise; `ssl.SSLError` and time-outs among them."""


def reason_text(error: Exception) -> str:
    """Why a connection did not come about; about the other end."""
    if isinstance(error, Stranger | ProtocolError):
        return str(error)
    if isinstance(error, asyncio.IncompleteReadError):
        return "it left before its hello"
    if isinstance(error, ssl.SSLError):
        return why_refused(error)
    if isinstance(error, TimeoutError):
        return "it took too long"
    if isinstance(error, socket.gaierror):
        return "there is no host of that name"
    number = getattr(error, "errno", None)
    return os.strerror(number).lower() if number else "the connection broke"


def is_suspect(error: Exception) -> bool:
    """Is there a host that is not the peer whose address it has? It may go, and the peer come."""
    if isinstance(error, ssl.SSLError):
        return not isinstance(error, ssl.SSLZeroReturnError | ssl.SSLEOFError)
    return isinstance(error, Stranger)

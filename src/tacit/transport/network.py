"""Agents on separate hosts: one stream per pair, mutual TLS, and a thread that looks after them.

Of two agents the one whose name comes first calls, the other listens, so there is one stream for
each pair. A caller tries again until somebody answers; a listener refuses strangers, says so in its
log, and goes on listening. Before planning has begun a peer may leave and come back. All of this
happens in a thread of its own with an event loop, so that signs of life go out while the agent is
busy planning; the agent's own thread takes events from a mailbox and puts frames into queues.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tacit.errors import InputError, InternalError, ProtocolError
from tacit.public.link import Hello
from tacit.transport.frames import LinkLimits
from tacit.transport.greeting import Mismatch, Stranger, Wire, greet, receive
from tacit.transport.link import Link, Record
from tacit.transport.mailbox import Down, Event, Failed, Mailbox, Up
from tacit.transport.stream import TlsStream
from tacit.transport.tls import Identity, is_refusal, why_refused

Address = tuple[str, int]
RETRY = (0.05, 1.0)
"""Seconds between two calls, at first and at most."""

STRANGERS = 32
"""Connections that may be at their first words at one time."""


@dataclass(frozen=True)
class Place:
    """Where an agent listens, who its peers are, and whom of them it calls at which address."""

    listen: Address
    calls: Mapping[str, Address]
    called_by: frozenset[str]


@dataclass(frozen=True)
class Lost:
    """A peer that went after planning had begun: which, why, and when (monotonic clock)."""

    peer: str
    why: str
    when: float


class Network:
    """An agent's connections. `lost` is the first peer that went after planning had begun."""

    def __init__(
        self,
        hello: Hello,
        place: Place,
        identity: Identity,
        limits: LinkLimits,
        record: Record = lambda peer, is_sent, payload: None,
        log: Callable[[str], None] = lambda text: None,
    ):
        self._hello = hello
        self._place = place
        self._limits = limits
        self._record = record
        self._log = log
        self._server_context = identity.context(is_server=True)
        self._client_context = identity.context(is_server=False)
        self._mailbox = Mailbox(limits.pending)
        self.lost: Lost | None = None
        self._links: dict[str, Link] = {}
        self._strangers = 0
        self._has_begun = self._is_closed = False
        self._socket = _bound(place.listen)
        self._loop = asyncio.new_event_loop()
        self._over = asyncio.Event()
        self._thread = threading.Thread(target=self._live, name="network", daemon=True)

    # For the agent's own thread

    @property
    def port(self) -> int:
        return int(self._socket.getsockname()[1])

    def start(self) -> None:
        self._thread.start()

    def take(self, seconds: float | None) -> Event | None:
        """The next thing that happens."""
        return self._mailbox.take(seconds)

    def send(self, peer: str, frame: bytes) -> None:
        """A frame to a peer; one that is gone does not get it, and `take` tells of that."""
        if len(frame) > self._limits.message:
            raise InternalError("a message is longer than the limits allow")
        link = self._links.get(peer)
        if link is not None:
            link.send(frame)

    def backlog(self) -> int:
        """Bytes that wait for the peer that has to wait for most."""
        return max((link.backlog for link in list(self._links.values())), default=0)

    def drop(self, peer: str) -> None:
        """End the connection with a peer; before planning it may call again."""
        link = self._links.get(peer)
        if link is not None:
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(link.drop)

    def begin(self) -> None:
        """From now on nobody may come back."""
        self._has_begun = True

    def close(self) -> None:
        """Send what waits to be sent, for as long as a peer may be silent, and end."""
        if self._is_closed or not self._thread.is_alive():
            self._socket.close()
            return
        self._is_closed = True
        self._mailbox.put(Failed(InternalError("the connections were closed")))  # wakes a reader
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(self._limits.silence + 1)

    # On the loop

    def _live(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        except Exception:
            self._mailbox.put(Failed(InternalError("the network thread failed")))
        finally:
            self._socket.close()
            self._loop.close()

    async def _serve(self) -> None:
        tasks = [asyncio.create_task(self._listen())]
        for peer, address in self._place.calls.items():
            tasks.append(asyncio.create_task(self._call(peer, address)))
        await self._over.wait()
        for link in list(self._links.values()):
            link.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._limits.silence):
                while self._links:
                    await asyncio.sleep(0.005)
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*tasks, *others, return_exceptions=True)

    async def _listen(self) -> None:
        self._socket.setblocking(False)
        waiting: set[asyncio.Task[None]] = set()
        while True:
            try:
                connection, address = await self._loop.sock_accept(self._socket)
            except OSError:
                await asyncio.sleep(RETRY[0])  # too many open files, say
                continue
            where = f"{address[0]}:{address[1]}"
            if self._strangers >= STRANGERS:
                connection.close()
                self._log(f"refused {where}: too many connections that have not said hello")
                continue
            self._strangers += 1
            task = asyncio.create_task(self._admit(connection, where))
            waiting.add(task)
            task.add_done_callback(waiting.discard)

    async def _admit(self, connection: socket.socket, where: str) -> None:
        """A connection from somebody: let it in, or refuse it and say so in the log."""
        found: tuple[str, Wire] | None = None
        try:
            found = await self._greeted(connection)
        except Mismatch as error:
            self._log(f"refused {where}: {error}")
            self._mailbox.put(Failed(error))
        except (Stranger, ProtocolError) as error:
            self._log(f"refused {where}: {error}")
        except TimeoutError:
            self._log(f"refused {where}: it took too long")
        except asyncio.IncompleteReadError:
            self._log(f"refused {where}: it left before it said hello")
        except (ssl.SSLError, ConnectionError, OSError) as error:
            self._log(f"refused {where}: {why_refused(error)}")
        finally:
            self._strangers -= 1
        if found is not None:
            await self._run(*found)

    async def _greeted(self, connection: socket.socket) -> tuple[str, Wire]:
        stream = TlsStream(connection, self._server_context, is_server=True)
        try:
            async with asyncio.timeout(self._limits.greeting):
                await stream.handshake()
            wire = Wire(stream)
            callers = self._place.called_by
            peer = await receive(wire, self._hello, callers, self._has_begun, self._limits)
        except BaseException:
            await stream.close()
            raise
        return peer, wire

    async def _call(self, peer: str, address: Address) -> None:
        """Call a peer until it answers, and again if it leaves before planning has begun."""
        pause = RETRY[0]
        while not self._has_begun:
            try:
                wire = await self._dial(peer, address)
            except Mismatch as error:
                self._mailbox.put(Failed(error))
                return
            except ssl.SSLError as error:
                if self._is_final(error):
                    text = f"agent '{peer}' at {address[0]}:{address[1]} cannot be reached: "
                    self._mailbox.put(Failed(ProtocolError(text + why_refused(error))))
                    return
            except (OSError, TimeoutError, asyncio.IncompleteReadError, ProtocolError):
                pass  # not there yet, or leaving
            else:
                await self._run(peer, wire)
                pause = RETRY[0]
            await asyncio.sleep(pause)
            pause = min(pause * 2, RETRY[1])

    @staticmethod
    def _is_final(error: ssl.SSLError) -> bool:
        """Will calling again not help?"""
        plain = not isinstance(error, ssl.SSLZeroReturnError | ssl.SSLEOFError)
        return isinstance(error, ssl.SSLCertVerificationError) or is_refusal(error) or plain

    async def _dial(self, peer: str, address: Address) -> Wire:
        async with asyncio.timeout(self._limits.greeting):
            connection = await self._connected(address)
        stream = TlsStream(connection, self._client_context, is_server=False)
        try:
            async with asyncio.timeout(self._limits.greeting):
                await stream.handshake()
            wire = Wire(stream)
            await greet(wire, self._hello, peer, self._limits)
        except BaseException:
            await stream.close()
            raise
        return wire

    async def _connected(self, address: Address) -> socket.socket:
        """A connection to the first of a host's addresses that answers."""
        found = await self._loop.getaddrinfo(*address, type=socket.SOCK_STREAM)
        for at, (family, kind, protocol, _, where) in enumerate(found):
            connection = socket.socket(family, kind, protocol)
            connection.setblocking(False)
            try:
                await self._loop.sock_connect(connection, where)
            except BaseException as error:
                connection.close()
                if not isinstance(error, OSError) or at == len(found) - 1:
                    raise
            else:
                return connection
        raise OSError("no address")

    async def _run(self, peer: str, wire: Wire) -> None:
        """A peer is there, until it is gone. A second stream of a peer takes the first's place."""
        if peer in self._links:
            if self._has_begun:
                wire.stream.abort()
                return
            self._links.pop(peer).drop()
        for is_sent, payload in wire.log:
            self._record(peer, is_sent, payload)
        link = Link(
            self._hello.sender,
            peer,
            wire,
            self._limits,
            self._mailbox,
            self._record,
        )
        self._links[peer] = link
        self._mailbox.put(Up(peer))
        why = await link.run()
        if self._links.get(peer) is link:
            del self._links[peer]
            if self._has_begun and self.lost is None:
                self.lost = Lost(peer, why, time.monotonic())
            self._mailbox.put(Down(peer, why))


def place_of(
    own: str, listen: Address, peers: Mapping[str, Address], order: Sequence[str]
) -> Place:
    """Who calls whom: whoever comes first in the order of names."""
    at = order.index(own)
    later = frozenset(order[at + 1 :])
    return Place(
        listen,
        {peer: address for peer, address in peers.items() if peer in later},
        frozenset(peers) - later,
    )


def _bound(address: Address) -> socket.socket:
    try:
        family = socket.getaddrinfo(*address, type=socket.SOCK_STREAM)[0][0]
        found = socket.create_server(address, family=family, backlog=128)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or "no such address"
        raise InputError(f"cannot listen at {address[0]}:{address[1]}: {reason}") from None
    return found

"""A TLS stream on an event loop: bytes in order, both ways, and a proper end.

The standard library's own asyncio streams do not send the alert with the reason why a handshake
failed. Here the alert goes out, so that a refused peer learns why.
All calls are made on one loop; one task may read while another writes.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from typing import Any

CHUNK = 1 << 18
"""Bytes that are read or written at once."""

LINGER = 2.0
"""Seconds that the other end gets to read the last bytes and to close."""


class TlsStream:
    """One end of a connection; `handshake` comes first.

    `progress` is how far it has come: 0 as long as nothing was heard, 2 after the handshake.
    """

    def __init__(self, connection: socket.socket, context: ssl.SSLContext, is_server: bool):
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket = connection
        self._loop = asyncio.get_running_loop()
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_side=is_server)
        self._sending = asyncio.Lock()
        self._is_closed = False
        self.progress = 0

    @property
    def certificate(self) -> dict[str, Any] | None:
        """What the other end has shown, as `getpeercert` gives it."""
        return self._tls.getpeercert()

    @property
    def certificate_bytes(self) -> bytes | None:
        """The same as DER."""
        return self._tls.getpeercert(binary_form=True)

    async def handshake(self) -> None:
        """Agree on keys and check certificates; `ssl.SSLError` if the other end is refused."""
        while True:
            try:
                self._tls.do_handshake()
            except ssl.SSLWantReadError:
                await self._flush()
                await self._fill()
            except ssl.SSLError:
                with contextlib.suppress(OSError):
                    await self._flush()  # the alert
                raise
            else:
                await self._flush()
                self.progress = 2
                return

    async def read(self, most: int) -> bytes:
        """Some bytes, at most so many; none at the end."""
        while True:
            try:
                return self._tls.read(most)
            except ssl.SSLWantReadError:
                await self._flush()
                await self._fill()
            except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
                return b""

    async def write(self, data: bytes) -> None:
        """Send all of it; it waits for as long as the other end does not read."""
        for at in range(0, len(data), CHUNK):
            self._tls.write(data[at : at + CHUNK])
            await self._flush()

    async def close(self) -> None:
        """Signal the end, and let the other end close; what it still sends is not read."""
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(LINGER):
                await self.end()
                while await self._loop.sock_recv(self._socket, CHUNK):
                    pass
        self.abort()

    async def end(self) -> None:
        """Signal the end of this direction; the other one can still be read.

        TLS's own signal would make nonsense of what is here and not read yet: it is left out then.
        """
        if not (self._incoming.pending or self._tls.pending()):
            with contextlib.suppress(ssl.SSLError):
                self._tls.unwrap()
        await self._flush()
        self._socket.shutdown(socket.SHUT_WR)

    def abort(self) -> None:
        """End at once."""
        if not self._is_closed:
            self._is_closed = True
            self._loop.remove_reader(self._socket)
            self._loop.remove_writer(self._socket)
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
            self._socket.close()

    async def _fill(self) -> None:
        data = await self._loop.sock_recv(self._socket, CHUNK)
        if data:
            self.progress = max(self.progress, 1)
            self._incoming.write(data)
        else:
            self._incoming.write_eof()

    async def _flush(self) -> None:
        async with self._sending:
            while data := self._outgoing.read(CHUNK):
                await self._loop.sock_sendall(self._socket, data)

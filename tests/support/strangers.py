"""Hosts without a name that take up an agent's time: they hold connections, or pose as a peer."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Iterator

HOST = "127.0.0.1"


class Flood:
    """Somebody who holds many connections to a port, and calls again whenever one is closed."""

    def __init__(self, port: int, count: int, first_words: bytes = b""):
        self.made = 0
        self._port = port
        self._first_words = first_words
        self._is_over = threading.Event()
        self._threads = [threading.Thread(target=self._hold, daemon=True) for _ in range(count)]

    def __enter__(self) -> Flood:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        for thread in self._threads:
            thread.join(10)

    def _hold(self) -> None:
        while not self._is_over.is_set():
            try:
                with socket.create_connection((HOST, self._port), 2) as connection:
                    self.made += 1
                    connection.sendall(self._first_words)
                    connection.settimeout(0.2)
                    self._wait_for_end(connection)
            except OSError:
                self._is_over.wait(0.02)

    def _wait_for_end(self, connection: socket.socket) -> None:
        while not self._is_over.is_set():
            with contextlib.suppress(TimeoutError):
                if not connection.recv(100):
                    return


@contextlib.contextmanager
def impostor(
    place: tuple[str, int], context: ssl.SSLContext | None, seen: Callable[[], None]
) -> Iterator[None]:
    """A host that answers at a peer's address, with a certificate of its own or in plain text."""
    is_over = threading.Event()
    server = socket.create_server(place)
    server.settimeout(0.1)

    def serve() -> None:
        while not is_over.is_set():
            with contextlib.suppress(OSError):
                connection, _ = server.accept()
                with connection:
                    connection.settimeout(5)
                    seen()
                    _answer(connection, context)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join(10)
        server.close()


def _answer(connection: socket.socket, context: ssl.SSLContext | None) -> None:
    if context is None:
        connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        connection.recv(1 << 16)
    else:
        with context.wrap_socket(connection, server_side=True) as stream:
            stream.recv(1 << 16)

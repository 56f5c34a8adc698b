"""Clients that connect to an agent, honest or not."""

from __future__ import annotations

import contextlib
import socket
import ssl


def client(shelf, name: str | None, folder: str = ".", version=ssl.TLSVersion.TLSv1_3):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.minimum_version = context.maximum_version = version
    context.load_verify_locations(shelf / "ca.pem")
    if name is not None:
        context.load_cert_chain(shelf / folder / f"{name}.pem", shelf / folder / f"{name}.key")
    return context


def talk(host, context, data: bytes) -> bytes:
    """Connect, say something, and read what comes until the other end closes."""
    found = b""
    with socket.create_connection(("127.0.0.1", host.port), timeout=30) as raw:
        try:
            stream = context.wrap_socket(raw) if context else raw
            stream.sendall(data)
            while part := stream.recv(1 << 16):
                found += part
        except OSError:
            pass
    return found


def client_hello() -> bytes:
    """The first bytes of a TLS client, after which it says no more."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = context.wrap_bio(incoming, outgoing)
    with contextlib.suppress(ssl.SSLWantReadError):
        tls.do_handshake()
    return outgoing.read()

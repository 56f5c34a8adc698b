"""What one agent is started with: its own two files, its place among its peers, and its limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tacit.errors import InputError
from tacit.public.link import Terms
from tacit.transport.frames import LinkLimits
from tacit.transport.network import Address
from tacit.transport.tls import Identity


@dataclass(frozen=True)
class Timing:
    """Seconds: to `wait` for all peers, for one `answer`, and for the whole run from then on."""

    wait: float = 60.0
    answer: float = 600.0
    run: float = 3600.0


@dataclass(frozen=True)
class Outputs:
    """Where an agent writes what; None for nowhere."""

    plan: Path | None = None
    record: Path | None = None
    transcript: Path | None = None


@dataclass(frozen=True)
class AgentConfig:
    """One agent of a run. `memory` bounds the bytes of its own search; `seed` is its own secret."""

    name: str
    domain: Path
    problem: Path
    listen: Address
    peers: Mapping[str, Address]
    identity: Identity
    terms: Terms = field(default_factory=Terms)
    limits: LinkLimits = field(default_factory=LinkLimits)
    timing: Timing = field(default_factory=Timing)
    memory: int = 4096 * 2**20
    seed: str | None = None
    outputs: Outputs = field(default_factory=Outputs)

    def __post_init__(self) -> None:
        if not self.peers:
            raise InputError("an agent plans with others: it needs a peer", "--peer NAME=HOST:PORT")
        if self.name in self.peers:
            raise InputError(f"'{self.name}' cannot be its own peer")


def address_of(text: str) -> Address:
    """`HOST:PORT`; an IPv6 host stands in brackets."""
    host, colon, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not (colon and host and port.isascii() and port.isdigit() and int(port) < 2**16):
        raise InputError(f"'{text[:80]}' is no address", "write HOST:PORT, as 127.0.0.1:7411")
    return host, int(port)

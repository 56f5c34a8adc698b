"""What strangers may cost: places at the door, and lines in the log.

Anybody can connect, and until a connection has proved a name it is a stranger's. Each address has
few places at the door, and all together have some. A newcomer is never sent away for want of one:
it takes the place of another, of its own address if that has none left, else of the address that
has most. The one that has come least far in its greeting goes, and of these the oldest, so those
that say nothing go before a peer that is greeting. `Network` pauses whenever somebody had to go:
whoever calls again at once gains nothing, and a peer has time to prove its name.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from tacit.safety import SAFETY, DoorLimits
from tacit.transport.stream import TlsStream
from tacit.words import counted


@dataclass(eq=False)
class Guest:
    """A connection at the door; `stream` as soon as there is one."""

    network: str
    task: asyncio.Task[None] | None = None
    stream: TlsStream | None = None
    is_sent_away: bool = False

    @property
    def progress(self) -> int:
        return 0 if self.stream is None else self.stream.progress


class Lobby:
    """Those who wait at the door, the oldest first."""

    def __init__(self, limits: DoorLimits = SAFETY.door):
        self._limits = limits
        self._guests: list[Guest] = []

    def __len__(self) -> int:
        return len(self._guests)

    def enter(self, address: str) -> tuple[Guest, bool]:
        """A newcomer, and whether another had to go for it."""
        guest = Guest(network_of(address))
        crowds = Counter(other.network for other in self._guests)
        group: list[Guest] = []
        if crowds[guest.network] >= self._limits.per_address:
            group = [other for other in self._guests if other.network == guest.network]
        elif len(self._guests) >= self._limits.waiting:
            largest = max(crowds.values())
            group = [other for other in self._guests if crowds[other.network] == largest]
        if group:
            # Of equals `min` takes the first, which is the oldest.
            self._send_away(min(group, key=lambda other: other.progress))
        self._guests.append(guest)
        return guest, bool(group)

    def leave(self, guest: Guest) -> None:
        """It was let in, or refused, or is gone."""
        if guest in self._guests:
            self._guests.remove(guest)

    def _send_away(self, guest: Guest) -> None:
        self._guests.remove(guest)
        guest.is_sent_away = True
        if guest.task is not None:
            guest.task.cancel()


def network_of(address: str) -> str:
    """What one host can call from: an IPv4 address, or 2⁶⁴ addresses of IPv6."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is None:
            return str(ipaddress.ip_network((found, 64), strict=False))
        found = found.ipv4_mapped
    return str(found)


class SparingLog:
    """Logs what strangers do, so many lines at most in a while, and how many it left out."""

    def __init__(
        self,
        log: Callable[[str], None],
        limits: DoorLimits = SAFETY.door,
        clock: Callable[[], float] = time.monotonic,
    ):
        self._log = log
        self._limits = limits
        self._clock = clock
        self._begun = clock()
        self._lines = self._left_out = 0

    def __call__(self, text: str) -> None:
        self.catch_up()
        if self._lines < self._limits.log_lines:
            self._lines += 1
            self._log(text)
        else:
            self._left_out += 1

    def catch_up(self, is_end: bool = False) -> None:
        """Say what was left out, once the while is over, or all is."""
        if self._clock() < self._begun + self._limits.log_seconds and not is_end:
            return
        self._begun, self._lines = self._clock(), 0
        if self._left_out:
            self._log(f"left out: {counted(self._left_out, 'more line')} about strangers")
            self._left_out = 0

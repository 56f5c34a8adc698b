"""Runs between two hosts in which one sends something else than it writes down."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from support.audits import files_of
from support.hosts import Troupe, leader_of, play, small
from support.inside import network_of
from tacit.net.config import Timing
from tacit.public.protocol.link import Terms
from tacit.public.protocol.messages import AnyMessage, decode, encode

Change = Callable[[AnyMessage], AnyMessage]
HASTY = Timing(wait=100, answer=4, run=100)
"""Ledgers that differ keep agents waiting for what never comes."""


def tampered(made: Troupe, leaky: str, change: Change) -> None:
    """A run in which one agent sends something else than it writes down."""
    for agent in made.names:
        made.change(agent, timing=HASTY)
    hosts = {agent: made.host(agent) for agent in made.names}
    network = network_of(hosts[leaky])
    send = network.send
    network.send = lambda peer, frame: send(peer, encode(change(decode(frame))))
    play(hosts)


def two(folder: Path, terms: Terms, domain: str = "driverlog") -> tuple[Troupe, str, str]:
    """Two agents: whoever will lead, and the other one, which is going to leak."""
    made = small(domain, folder, 1, terms=terms, secret="s")
    leader = leader_of(made.names, files_of(made, made.names[0]), "s")
    (leaky,) = set(made.names) - {leader}
    return made, leader, leaky

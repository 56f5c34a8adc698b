"""Who leads: elected by lot, from a nonce of every agent, so that nobody chooses.

Everybody commits to a nonce in its `Hello`, all show each other that they were sent the same
commitments, and only then does anybody reveal. The agent with the smallest hash of all nonces and
its name leads. No commitment can be changed after the first nonce is known, and a single honest
nonce makes the lot random for all.

The public task is no part of the lot. What agents ground together depends on each of them, so
whoever speaks last could choose by what it says. A *task* is here what the owners' files have in
common: the agents, the public objects, the public initial state and the public goals.

An agent may still leave instead of revealing. Then it does not lead this task, and nothing else
changes: all nonces, its own included, stay as they were committed, and without it the smallest hash
is what it was, unless the smallest was its own. So who leaves gives up its own lot and moves
nobody else's.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256

import msgspec

NONCE = 32
"""Bytes."""


def task_of(agents: Sequence[str], problem: bytes) -> bytes:
    """What an election is about: these agents, and what their files have in common, digested."""
    return _digest("task", agents, problem)


def nonce_of(seed: str, task: bytes) -> bytes:
    """The nonce of an agent whose secret seed this is."""
    return _digest("nonce", seed, task)


def commitment(task: bytes, agent: str, nonce: bytes) -> bytes:
    """What an agent sends before its nonce; without the nonce it shows nothing."""
    return _digest("commitment", task, agent, nonce)


def of_commitments(commitments: Mapping[str, bytes]) -> bytes:
    """What all agents committed to, for them to compare."""
    return _digest("commitments", sorted(commitments.items()))


def leader(nonces: Mapping[str, bytes], excluded: Collection[str] = ()) -> str | None:
    """The agent that is elected, from the nonces of all; None if all are excluded."""
    lot = _digest("lot", sorted(nonces.items()))
    names = (name for name in nonces if name not in excluded)
    return min(names, key=lambda name: (_digest("leader", lot, name), name), default=None)


def _digest(*parts: object) -> bytes:
    return sha256(msgspec.msgpack.encode(parts)).digest()

"""Digests of what is public: agents compare them to see that they plan for the same task.

SHA-256 over the MessagePack form of what is compared, sorted, so that the order of anybody's files
has no part in it. Only public things go in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256

import msgspec

from tacit.public.disclosure import PublicStep
from tacit.public.protocol.link import Concluded
from tacit.public.protocol.messages import Publication
from tacit.public.task import PublicFact


def of_problem(
    objects: Iterable[str], init: Iterable[PublicFact], goals: Iterable[PublicFact]
) -> bytes:
    """The public objects, initial facts and goals, as they stand in files."""
    return _digest(sorted(set(objects)), sorted(set(init)), sorted(set(goals)))


def of_ground(facts: Sequence[PublicFact], init: Sequence[int], goal: Sequence[int]) -> bytes:
    """The public task when it is ground."""
    return _digest(facts, init, goal)


def of_published(ground: bytes, published: Iterable[Publication]) -> bytes:
    """The ground task and what everybody published."""
    return _digest(ground, sorted(published, key=lambda part: part.sender))


def of_plans(before: bytes, steps: Sequence[PublicStep]) -> bytes:
    """The plans before and one more, all that members were asked about."""
    return _digest(before, steps)


def of_end(end: Concluded, steps: Sequence[PublicStep]) -> bytes:
    """How a run ended, and the plan that its members keep, if there is one."""
    return _digest(end, steps)


def _digest(*parts: object) -> bytes:
    return sha256(msgspec.msgpack.encode(parts)).digest()

"""What an agent has seen of a run, short enough for others to compare with what they have.

Each owner sends what it discloses to all members itself, and a leader asks each of them by itself.
So either could tell different members different things, and marks, which only count entries, would
not show it. Therefore disclosures carry what their sender has seen until then: how many entries of
each agent and how many plans, and one digest of all of them, in order. Who receives it compares it
with its own history at the same place.

A digest tells that two members differ, not in what. The hints do: four bytes for each agent and
four for the plans. Making them collide is possible, and hides only whose fault it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256

import msgspec

from tacit.public.ledger import Ledger, Mark
from tacit.public.protocol.known import MOST, Known

HINT = 4
"""Bytes."""

PLANS = None
"""In place of an agent: the plans that all were asked about."""


class Seen(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A mark of the ledger, how many plans were asked about, the digest of both, and hints."""

    ledger: Mark
    plans: int
    digest: bytes
    hints: bytes

    def fits(self, known: Known) -> bool:
        agents = len(known.agents)
        return (
            len(self.ledger) == agents
            and known.is_mark(self.ledger)
            and 0 <= self.plans <= MOST
            and len(self.digest) == sha256().digest_size
            and len(self.hints) == HINT * (agents + 1)
        )


class History:
    """What one agent has seen: its copy of the ledger, which grows, and `plans`, the digest of all
    plans after each of them.
    """

    def __init__(self, ledger: Ledger, plans: Sequence[bytes]):
        self._ledger = ledger
        self._plans = plans
        self._rolling = {agent: [bytes(sha256().digest_size)] for agent in ledger.agents}

    def now(self) -> Seen:
        return self.at(self._ledger.mark, len(self._plans))

    def at(self, mark: Mark, plans: int) -> Seen:
        """What was seen when the ledger and the plans were so far."""
        parts = list(self._parts(mark, plans))
        hints = b"".join(sha256(part).digest()[:HINT] for part in parts)
        return Seen(mark, plans, sha256(b"".join(parts)).digest(), hints)

    def has(self, seen: Seen) -> bool:
        """Is this history as far as that of another agent?"""
        is_far = all(
            ours >= count for ours, count in zip(self._ledger.mark, seen.ledger, strict=True)
        )
        return is_far and len(self._plans) >= seen.plans

    def differences(self, seen: Seen) -> list[str | None]:
        """The agents whose disclosures another one saw otherwise, `PLANS` among them if it was
        asked about others; empty if it has seen the same.
        """
        own = self.at(seen.ledger, seen.plans)
        if own == seen:
            return []
        places = (*self._ledger.agents, PLANS)
        starts = range(0, len(own.hints), HINT)
        hints = ((own.hints[at : at + HINT], seen.hints[at : at + HINT]) for at in starts)
        found = [place for place, (a, b) in zip(places, hints, strict=True) if a != b]
        return found or list(places)

    def _parts(self, mark: Mark, plans: int) -> Iterator[bytes]:
        for agent, count in zip(self._ledger.agents, mark, strict=True):
            rolling = self._rolling[agent]
            for entry in self._ledger.since(agent, len(rolling) - 1):
                text = msgspec.msgpack.encode((entry.kind, entry.item))
                rolling.append(sha256(rolling[-1] + text).digest())
            yield rolling[count]
        yield self._plans[plans - 1] if plans else b""

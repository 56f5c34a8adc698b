"""The ledger of a run, made again from its frames.

What counts is for `tacit.public.protocol.entries` to say. What an agent discloses it sends to all
members, so the same frame is here once per receiver, and counts once: as often as the receiver that
was sent it most. Each receiver has a ledger besides, of what it was sent itself.

Online a ledger only grows. Offline, where one user tries budgets independently of each other, it
begins anew with each of them, and turns that agents take beforehand are not on it.
"""

from __future__ import annotations

from collections import Counter

from tacit.leakage.reading.traffic import Seen, Traffic
from tacit.public.classes import counted_by
from tacit.public.disclosure import PublicStep
from tacit.public.ledger import ClassOf, Entry, Kind, Ledger
from tacit.public.protocol.entries import Disclosure, entered
from tacit.public.protocol.messages import (
    Disclosed,
    EdgeDisclosed,
    Extend,
    Introduce,
    PrefixFails,
    Publication,
)

Steps = tuple[PublicStep, ...]


class Ledgers:
    """What agents disclosed: `whole` to anybody, `received` per receiver."""

    def __init__(self, traffic: Traffic):
        self._class_of = _class_of(traffic)
        self.whole = Ledger(traffic.agents, self._class_of)
        self.received: dict[str, Ledger] = {}
        self._agents = traffic.agents
        self._is_offline = traffic.is_offline
        self._plans = _Plans(traffic)
        self._sent: dict[tuple[str, bytes], Counter[str]] = {}

    def publish(self, receiver: str, part: Publication) -> None:
        """What an agent published shows threats that are not counted."""
        if part.sender in self._agents:
            for ledger in (self.whole, self._to(receiver)):
                ledger.add(part.sender, Kind.FREE, part.threats)

    def ask(self, question: Extend) -> None:
        """All are asked about a plan."""
        self._plans.last = question.steps

    def take(self, seen: Seen, message: Disclosure) -> list[Entry] | None:
        """The new entries that a frame makes; None if it went to another receiver before."""
        if message.sender not in self._agents:
            return []
        self._enter(self._to(seen.receiver), message)
        sent = self._sent.setdefault((seen.sender, seen.payload), Counter())
        most = max(sent.values(), default=0)
        sent[seen.receiver] += 1
        return self._enter(self.whole, message) if sent[seen.receiver] > most else None

    def _to(self, receiver: str) -> Ledger:
        return self.received.setdefault(receiver, Ledger(self._agents, self._class_of))

    def _enter(self, ledger: Ledger, message: Disclosure) -> list[Entry]:
        agent = message.sender
        if isinstance(message, EdgeDisclosed) and self._is_offline:
            return []  # it is on the ledger of every budget that has it
        if isinstance(message, Disclosed) and not self._is_offline:
            return ledger.add(agent, Kind.EDGE, message.edges)  # nothing can be taken back
        if not isinstance(message, PrefixFails):
            return entered(ledger, message)
        plan = self._plans.about(self._agents.index(agent), ledger.count(agent))
        return entered(ledger, message, plan)


def _class_of(traffic: Traffic) -> ClassOf | None:
    """What edges look like, if classes count, and public facts have names."""
    messages = [seen.message for seen in traffic.frames]
    parts = [m for m in messages if isinstance(m, Publication)]
    parts += (part for m in messages if isinstance(m, Introduce) for part in m.others)
    published = {part.sender: part for part in reversed(parts)}
    names = traffic.names
    if names is None or published.keys() < set(traffic.agents):
        return None
    return counted_by(traffic.settings, names.facts, published)


class _Plans:
    """Which plan an answer is about.

    An answer may reach a member before the question does. But a question counts the entries that
    the ledger has of each agent, so an agent's n-th entry belongs to the last question with n.
    """

    def __init__(self, traffic: Traffic):
        self.last: Steps = ()
        asked = (seen.message for seen in traffic.frames if isinstance(seen.message, Extend))
        questions = ((question.ledger, question.steps) for question in asked)
        self._marked = [item for item in questions if len(item[0]) == len(traffic.agents)]

    def about(self, place: int, count: int) -> Steps:
        """The plan with which an agent that has so many entries makes the next one."""
        if not self._marked:
            return self.last
        earlier = (steps for mark, steps in reversed(self._marked) if mark[place] <= count)
        return next(earlier, ())

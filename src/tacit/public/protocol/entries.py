"""Which entries of the ledger a message makes: the one place that says what counts as disclosed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from tacit.public.disclosure import PublicStep
from tacit.public.ledger import Entry, Kind, Ledger, prefix_of
from tacit.public.protocol.disclosing import Disclosed, EdgeDisclosed, Recalled
from tacit.public.protocol.extending import PrefixFails, Scope, Threatened
from tacit.public.protocol.searching import JointReached

Disclosure = EdgeDisclosed | Recalled | Disclosed | Threatened | PrefixFails | JointReached
"""Messages that disclose something, and that their sender sends to all members."""


def is_disclosure(message: object) -> TypeGuard[Disclosure]:
    """Does a message disclose something, so that it goes to all members?"""
    if isinstance(message, JointReached):
        return bool(message.initial)
    return isinstance(message, Disclosure)


def entered(ledger: Ledger, message: Disclosure, plan: Sequence[PublicStep] = ()) -> list[Entry]:
    """Enter what a message discloses; a prefix is one of the `plan` that all were asked about. The
    entries that are new.
    """
    agent = message.sender
    match message:
        case EdgeDisclosed():
            return ledger.add(agent, Kind.EDGE, [message.edge])
        case Recalled():
            return ledger.add(agent, Kind.FREE, message.edges)
        case Disclosed():
            ledger.forget(agent)
            return ledger.add(agent, Kind.EDGE, message.edges)
        case Threatened():
            restored = ledger.add(agent, Kind.TOKEN, message.restored)
            return restored + ledger.add(agent, Kind.THREAT, message.threats)
        case PrefixFails():
            is_joint = message.scope is Scope.JOINT
            prefix = prefix_of(plan, agent, message.steps, is_joint, message.for_good)
            return ledger.add(agent, Kind.PREFIX, [prefix])
        case JointReached():
            return ledger.add(agent, Kind.FREE, message.free)

"""What tests of hardened forward search share: sessions, and what crossed in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from support.forward import TURNS, with_rule
from support.inside import transcript_of
from tacit.central.instance import Instance
from tacit.central.session import Session
from tacit.policy import POLICY, Policy
from tacit.public.protocol.messages import Begin, Resend, States, decode
from tacit.public.protocol.states import Batch, decode_batch
from tacit.public.settings import Rule, Settings, hardening

EACH = ["fresh", "once", "pad"]
ALL = "fresh,once,pad"


def hardened(names: str, base: Settings = Settings()) -> Settings:  # noqa: B008
    return msgspec.structs.replace(base, harden=hardening(names))


def searching(
    instance: Instance,
    names: str,
    seed: int = 0,
    rule: Rule = Rule.SUPPORTED,
    policy: Policy = POLICY,
) -> Session:
    options = replace(TURNS, ranking="m3", seed=seed)
    settings = replace(hardened(names, with_rule(rule)), clean=False)
    return Session(instance, settings, options, policy=policy)


def crossed(session: Session) -> Iterator[tuple[int, int, str, str, Batch]]:
    """Every batch: its search, how often states were asked for again, sender, receiver."""
    begun = calls = 0
    for frame in transcript_of(session).frames:
        message = decode(frame.payload)
        if isinstance(message, Begin):
            begun, calls = message.run, 0
        elif isinstance(message, Resend):
            calls += frame.receiver == session.instance.agents[0]
        elif isinstance(message, States):
            yield begun, calls, frame.sender, frame.receiver, decode_batch(message.batch)


def repeats(session: Session) -> int:
    """How many pairs of public facts and others' indices an agent was sent twice, uncalled for."""
    count: Counter[object] = Counter()
    most: dict[object, int] = {}
    for run, calls, sender, receiver, batch in crossed(session):
        own = session.instance.agents.index(sender)
        for state in batch.states:
            others = (*state.indices[:own], *state.indices[own + 1 :])
            pair = (run, sender, receiver, state.facts, others)
            count[pair] += 1
            most[pair] = calls + 1
            if count[pair] > most[pair]:
                return 1
    return 0

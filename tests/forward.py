"""What tests of forward search share: sessions that search in turns, and record what crosses."""

from __future__ import annotations

import msgspec

from tacit.public.settings import Rule, Settings
from tacit.solvers.limits import Limits
from tacit.whole.instance import Instance
from tacit.whole.solve import Means, Session

TURNS = Means("mafs", drive="roundrobin", record=True)
LIMITS = Limits(30)


def with_rule(rule: Rule) -> Settings:
    return msgspec.structs.replace(Settings(), rule=rule)


def searching(instance: Instance, chosen: Settings = Settings(), seed: int = 0) -> Session:  # noqa: B008
    return Session(instance, chosen, "m3", seed, TURNS)

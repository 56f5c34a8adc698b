"""What tests of forward search share: sessions that search in turns, and record what crosses."""

from __future__ import annotations

import msgspec

from tacit.central.instance import Instance
from tacit.central.solve import Means, Session
from tacit.public.settings import Rule, Settings
from tacit.solvers.limits import Limits
from tacit.solvers.mafs import MafsAttempt, MafsSolver

TURNS = Means("mafs", drive="roundrobin", record=True)
LIMITS = Limits(30)


def with_rule(rule: Rule) -> Settings:
    return msgspec.structs.replace(Settings(), rule=rule)


def searching(
    instance: Instance,
    chosen: Settings = Settings(),  # noqa: B008
    seed: int = 0,
    ranking: str = "m3",
) -> Session:
    return Session(instance, chosen, ranking, seed, TURNS)


def grow_one_by_one(session: Session, low: int, limits: Limits) -> MafsAttempt:
    """One search in which k grows from `low` on, whenever there is no plan with less."""
    assert isinstance(session._solver, MafsSolver)
    return session._solver.grow(low, limits, patience=None)

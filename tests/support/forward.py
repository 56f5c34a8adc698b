"""What tests of forward search share: sessions that search in turns, and record what crosses."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from support.inside import solver_of
from tacit.central.instance import Instance
from tacit.central.session import Session
from tacit.policy import POLICY, Policy
from tacit.public.run_options import RunOptions
from tacit.public.settings import Rule, Settings
from tacit.solvers.attempt import Attempt
from tacit.solvers.limits import Limits
from tacit.solvers.mafs import MafsSolver

TURNS = RunOptions("mafs", drive="roundrobin", record=True)
LIMITS = Limits(30)


def with_rule(rule: Rule) -> Settings:
    return msgspec.structs.replace(Settings(), rule=rule)


def searching(
    instance: Instance,
    chosen: Settings = Settings(),  # noqa: B008
    seed: int = 0,
    ranking: str = "m3",
    policy: Policy = POLICY,
) -> Session:
    options = replace(TURNS, ranking=ranking, seed=seed)
    return Session(instance, chosen, options, policy=policy)


def grow_one_by_one(session: Session, low: int, limits: Limits) -> Attempt:
    """One search in which k grows from `low` on, whenever there is no plan with less."""
    assert isinstance(solver_of(session), MafsSolver)
    return solver_of(session).grow(low, limits, one_by_one=True)


SOLVERS = {"projection": RunOptions("projection"), "mafs": RunOptions("mafs", drive="roundrobin")}

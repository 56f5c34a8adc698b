"""Policies that tests run under: what is seldom tried becomes what is always tried."""

from __future__ import annotations

from dataclasses import replace

from tacit.policy import POLICY, EnumerationPolicy, PessimisticPolicy, Policy

NEVER_PESSIMISTIC = replace(
    POLICY,
    pessimistic=PessimisticPolicy(evaluations=1, evaluations_again=1),
    enumeration=EnumerationPolicy(pessimistic_again=1),
)
"""The pessimistic projection is given up at once."""

ONE_PLAN = replace(NEVER_PESSIMISTIC, enumeration=EnumerationPolicy(plans=1, pessimistic_again=1))
"""Agents replan the first plan that fails; otherwise other plans would be tried first."""

AT_ONCE = replace(POLICY, repair=replace(POLICY.repair, prefixes=0))
"""The first prefix that is disclosed is one too many for the projection."""

HASTY = replace(
    NEVER_PESSIMISTIC,
    online=replace(POLICY.online, states=1),
    forward=replace(POLICY.forward, slice=1, slices_per_poll=1),
)
"""Online hardly anything is searched with one ledger: repairs and more edges come soon."""


def in_slices(evaluations: int, slices_per_poll: int = POLICY.forward.slices_per_poll) -> Policy:
    """Agents deliver their frames, and are polled, after few evaluations."""
    small = replace(POLICY.forward, slice=evaluations, slices_per_poll=slices_per_poll)
    return replace(POLICY, forward=small)

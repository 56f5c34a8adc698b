"""What others may cost an agent: strangers at its door, and a leader that asks on and on.

These numbers steer no search (those are in `policy.py`): a run that goes as it should reaches none
of them. They bound what it costs to be asked by somebody who means no good. Each has its reason
beside it, and the table in docs/network.md is generated from here.
"""

from __future__ import annotations

from dataclasses import dataclass

from tacit.numbers import Numbers, steers


@dataclass(frozen=True)
class DoorLimits:
    """What connections that have not proved a name may cost."""

    per_address: int = steers(
        32, "connections of one address in their greeting, as hosts are shared"
    )
    waiting: int = steers(128, "of all addresses together; half the open files that systems allow")
    queued: int = steers(1024, "connections that the system holds: a peer must get into this queue")
    pause: float = steers(0.005, "seconds after one took another's place; so fast the queue moves")
    log_lines: int = steers(20, "lines about strangers in a while: enough to see who they are")
    log_seconds: float = steers(60.0, "that while; then one line says how many were left out")


@dataclass(frozen=True)
class LeaderLimits:
    """What a leader may ask in one run."""

    searches: int = steers(2_000, "forward searches; each is asked for with more edges")
    improvements: int = steers(10_000, "questions about better plans, and what plans cost")
    traces: int = steers(1_000, "how often the plan that was found passes through one agent")
    failures: int = steers(1_000, "plans that an agent says it cannot execute")
    plans: int = steers(10_000, "public plans to follow in a forward search; few are found")
    steps: int = steers(100_000, "of such a plan")
    withheld: int = steers(64, "of these, plans that it does not say why; each shows something")


@dataclass(frozen=True)
class Safety(Numbers):
    """All of them."""

    door: DoorLimits = DoorLimits()
    leader: LeaderLimits = LeaderLimits()


SAFETY = Safety()

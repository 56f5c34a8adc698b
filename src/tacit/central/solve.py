"""The front door: from a problem to a plan that was validated, one page long.

`tacit.solve`, the command line, sweeps and tests all come in by a `Session` of a loaded instance.
What is `Asked` of it is a run as agents make it between them, online, in which nothing is taken
back. Or it is an offline search, for one user with all files: with a budget, a share of all edges,
the smallest budget that solves, or one that grows inside one search.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tacit import watch
from tacit.central.instance import Instance
from tacit.central.price_policy import PricePolicy, Weights, as_weights
from tacit.central.result import OFFLINE, ONLINE, Result, ended
from tacit.central.session import Session
from tacit.central.validate.judge import Verdict
from tacit.central.validate.judge import validate as check
from tacit.central.validate.plan import Plan, Step, plan_of
from tacit.choices import chosen
from tacit.errors import InputError, LimitReached
from tacit.party.disclosure.dependencies import Dependencies as Dependencies
from tacit.party.disclosure.relaxed_layers import RelaxedLayers
from tacit.policy import POLICY, Policy
from tacit.public.run_options import DEFAULTS
from tacit.public.settings import Settings
from tacit.solvers.limits import Limits


@dataclass(frozen=True)
class Asked:
    """What kind of run is wanted: an online one, unless a budget of an offline search is named."""

    k: int | None = None
    percent: float | None = None
    smallest: bool = False
    iterative: bool = False

    def __post_init__(self) -> None:
        named = (self.k is not None, self.percent is not None, self.smallest, self.iterative)
        if sum(named) > 1:
            raise InputError("k, percent, smallest and iterative exclude each other")
        if self.k is not None and self.k < 0:
            raise InputError("k cannot be negative")
        if self.percent is not None and not 0 <= self.percent <= 100:
            raise InputError("percent must be between 0 and 100")

    @property
    def is_online(self) -> bool:
        """Do agents disclose as needed, once and for all?"""
        is_budget = self.k is not None or self.percent is not None
        return not (is_budget or self.smallest or self.iterative)

    @property
    def mode(self) -> str:
        """The same, as results say it."""
        return ONLINE if self.is_online else OFFLINE

    def of(self, session: Session, limits: Limits) -> Result:
        """Ask a session, which must be online if this is."""
        assert session.is_online == self.is_online
        if self.is_online:
            return session.online(limits)
        if self.iterative:
            return session.iterate(limits)
        if self.percent is not None:
            return session.at(math.ceil(session.largest * self.percent / 100), limits)
        if self.k is not None:
            return session.at(self.k, limits)
        return session.first(limits)


def solve(
    instance: Instance,
    solver: str = DEFAULTS.solver,
    ranking: str = DEFAULTS.ranking,
    *,
    k: int | None = None,
    percent: float | None = None,
    smallest: bool = False,
    iterative: bool = False,
    profile: str | Settings = "tacit",
    weights: Weights | str | os.PathLike[str] | None = None,
    budget: int | None = None,
    policy: Policy = POLICY,
    **choices: Any,
) -> Result:
    """Find a joint plan for which agents disclose few of their private dependencies.

    By default the run is online, as between agents: it starts with nothing, they disclose more only
    if what they have disclosed does not do, and nothing is taken back. These are offline searches,
    for one user with all files: `k` (every agent discloses its k best edges), `percent` (the same,
    in percent of the largest agent's), `smallest` (the smallest k that solves is searched for) and
    `iterative` (k grows from 0 inside one search, `solver="mafs"`).

    `weights` (or a file of them) are prices for what agents disclose, and `budget` is what each
    may spend. `policy` has the numbers that steer effort.

    `choices` are fields of `RunOptions` (planner, heuristic, drive, seed, ties,
    max_repairs, change_over, time_limit in seconds, memory_limit in MiB) and of `Settings`, on top
    of the profile (chain, no_op, threats, extension, repair, merge, rule, own_values, recipients,
    objective, clean, cost, count, and harden as `"fresh,once,pad"`, `"secure,pad"` or less). Where
    a limit ends the run, the result's outcome is `time` or `memory`, and its `phase` says what it
    was doing. The plan has passed the validator.

    >>> import tacit
    >>> result = tacit.solve(tacit.load("logistics/small"))
    >>> result.solved, result.mode, result.ledger.largest, result.ledger.sum
    (True, 'online', 2, 4)
    """
    asked = Asked(k, percent, smallest, iterative)
    settings, options = chosen(profile, solver=solver, ranking=ranking, **choices)
    prices = PricePolicy(as_weights(weights), budget)
    with watch.limited(options.seconds, options.memory):
        try:
            session = Session(instance, settings, options, prices, policy, online=asked.is_online)
        except LimitReached as limit:
            return ended(limit, asked.mode, instance.seconds)
        result = asked.of(session, Limits(options.seconds, options.max_repairs))
    session.close()
    return result


def validate(instance: Instance, plan: Plan | Iterable[str | Step]) -> Verdict:
    """Check a plan, given as a `Plan` or step by step, against the problem's own text.

    >>> import tacit
    >>> instance = tacit.load("logistics/small")
    >>> tacit.validate(instance, []).valid
    False
    """
    steps = plan if isinstance(plan, Plan) else plan_of(plan)
    return check(instance.source, steps)


def dependencies(
    instance: Instance, settings: Settings, ties: int | None = None
) -> dict[str, Dependencies]:
    """The private dependencies of every agent; `ties` shuffles the order in which ties break."""
    tasks = (instance.local(agent) for agent in instance.agents)
    return {
        task.agent: Dependencies(task, settings, RelaxedLayers(task).layers, ties) for task in tasks
    }

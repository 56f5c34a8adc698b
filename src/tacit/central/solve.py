"""The front door: from a problem to a plan that was validated, one page long.

`tacit.solve`, the command line, sweeps and tests all come in by a `Session` of a loaded instance.
What is `Asked` of it is a budget, a share of all edges, the smallest budget that solves, or one
that grows inside one search.
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
from tacit.central.result import Result, ended
from tacit.central.session import Session
from tacit.central.validate.judge import Verdict
from tacit.central.validate.judge import validate as check
from tacit.central.validate.plan import Plan, Step, plan_of
from tacit.choices import chosen
from tacit.errors import InputError, LimitReached
from tacit.party.disclosure.dependencies import Dependencies as Dependencies
from tacit.party.disclosure.relaxed_layers import all_layers
from tacit.policy import POLICY, Policy
from tacit.public.run_options import DEFAULTS
from tacit.public.settings import Settings
from tacit.solvers.limits import Limits


@dataclass(frozen=True)
class Asked:
    """Which budget a run is asked for; without any, the smallest that solves.

    Where agents have a budget in prices, they disclose all that it pays for unless one is named.
    """

    k: int | None = None
    percent: float | None = None
    smallest: bool = False
    iterative: bool = False

    def __post_init__(self) -> None:
        named = (self.k is not None, self.percent is not None, self.smallest, self.iterative)
        if sum(named) > 1:
            raise InputError("--k, --percent, --first and --iterative exclude each other")

    def of(self, session: Session, limits: Limits) -> Result:
        """Ask a session."""
        if self.iterative:
            return session.iterate(limits)
        if self.percent is not None:
            return session.at(math.ceil(session.largest * self.percent / 100), limits)
        if self.k is not None:
            return session.at(self.k, limits)
        if session.budget is not None and not self.smallest:
            return session.at(session.largest, limits)
        return session.first(limits)


def solve(
    instance: Instance,
    solver: str = DEFAULTS.solver,
    ranking: str = DEFAULTS.ranking,
    k: int | None = None,
    profile: str | Settings = "tacit",
    weights: Weights | str | os.PathLike[str] | None = None,
    budget: int | None = None,
    iterative: bool = False,
    policy: Policy = POLICY,
    **choices: Any,
) -> Result:
    """Find a joint plan in which every agent discloses at most k private dependencies.

    Without k, the smallest k that solves is searched for. `weights` (or a file of them) are prices
    for what agents disclose, and `budget` is what each may spend: without k, all that it pays for
    is disclosed. With `iterative`, k grows from 0 inside one search (`solver="mafs"`).
    `policy` has the numbers that steer effort.

    `choices` are fields of `RunOptions` (planner, heuristic, drive, seed, ties,
    max_repairs, change_over, time_limit in seconds, memory_limit in MiB) and of `Settings`, on top
    of the profile (chain, no_op, threats, extension, repair, merge, rule, own_values, recipients,
    and harden as `"fresh,once,pad"` or less). Where a limit ends the run, the result's outcome is
    `time` or `memory`, and its `phase` says what it was doing. The plan has passed the validator.

    >>> import tacit
    >>> result = tacit.solve(tacit.load("logistics/small"))
    >>> result.solved, result.k
    (True, 2)
    """
    asked = Asked(k, iterative=iterative)
    settings, options = chosen(profile, solver=solver, ranking=ranking, **choices)
    prices = PricePolicy(as_weights(weights), budget)
    with watch.limited(options.seconds, options.memory):
        try:
            session = Session(instance, settings, options, prices, policy)
        except LimitReached as limit:
            return ended(limit, instance.seconds)
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
    tasks = [instance.local(agent) for agent in instance.agents]
    layers = all_layers(tasks)
    return {task.agent: Dependencies(task, settings, layers[task.agent], ties) for task in tasks}

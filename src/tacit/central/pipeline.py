"""The natural path from a problem to a plan and a verdict, one page long."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable

import msgspec

from tacit import watch
from tacit.central.billing import Bill, Weights, as_weights
from tacit.central.instance import Instance
from tacit.central.solve import Limits, Means, Result, Session, ended
from tacit.central.validate.judge import Verdict
from tacit.central.validate.judge import validate as check
from tacit.central.validate.plan import Plan, Step, plan_of
from tacit.errors import InputError, LimitReached
from tacit.party.disclosure.dependencies import Dependencies as Dependencies
from tacit.party.disclosure.exploration import explore
from tacit.profile import profile as find_profile
from tacit.public.settings import DEFAULT_RANKING, Settings, hardening


def solve(
    instance: Instance,
    solver: str = "projection",
    ranking: str = DEFAULT_RANKING,
    k: int | None = None,
    profile: str | Settings = "tacit",
    seed: int = 0,
    time_limit: float = math.inf,
    max_repairs: int = 10_000,
    ties: int | None = None,
    drive: str = "threads",
    harden: str = "",
    weights: Weights | str | os.PathLike[str] | None = None,
    budget: int | None = None,
    iterative: bool = False,
    change_over: bool = True,
    memory_limit: int | None = None,
) -> Result:
    """Find a joint plan in which every agent discloses at most k private dependencies.

    Without k, the smallest k that solves is searched for. With `ties`, edges of equal score come in
    an order shuffled by that seed. `drive` says how the agents of `mafs` run, and `harden` what
    they hide besides: `"fresh,once,pad"` or less. `weights` (or a file of them) are prices for what
    agents tell, and `budget` is what each may spend: without k, all that it pays for is disclosed.
    With `iterative`, k grows from 0 inside one forward search (`solver="mafs"`). Unless
    `change_over` is False, the projection leaves it to forward search where repairs get no further.
    The plan has passed the validator. `time_limit` (seconds) and `memory_limit` (MiB of resident
    memory) hold for all of it; where they end it, the result's outcome is `time` or `memory`, and
    its `phase` says what it was at.

    >>> import tacit
    >>> result = tacit.solve(tacit.load("logistics/small"))
    >>> result.solved, result.k
    (True, 2)
    """
    settings = profile if isinstance(profile, Settings) else find_profile(profile)
    if harden:
        settings = msgspec.structs.replace(settings, harden=hardening(harden))
    bill = Bill(as_weights(weights), budget)
    if iterative and k is not None:
        raise InputError("k is given and is to be found", "leave k out, or iterative")
    memory = None if memory_limit is None else memory_limit * watch.MIB
    means = Means(solver, drive=drive, memory=memory, change_over=change_over)
    with watch.limited(time_limit, memory):
        try:
            session = Session(instance, settings, ranking, seed, means, ties, bill)
        except LimitReached as limit:
            return ended(limit, instance.seconds)
        limits = Limits(time_limit, max_repairs)
        if iterative:
            result = session.iterate(limits)
        elif k is None and budget is None:
            result = session.first(limits)
        else:
            result = session.at(session.largest if k is None else k, limits)
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
    layers = explore(tasks)
    return {task.agent: Dependencies(task, settings, layers[task.agent], ties) for task in tasks}

"""Why there is no plan, for one user who holds all files.

There are four reasons, in this order. Goals may be *out of reach*, even if nothing is ever deleted:
then a fact is missing, and it is named (`missing`). Agents may have disclosed all that they may:
then a *bound* stands in the way, a budget in prices or edges that are `never` disclosed, and the
least is computed that would have to be released (`release`). There may be *no plan* with everything
disclosed. Otherwise the search *gave up*, and it is said with what effort.

All of it uses the secrets of all agents, so no agent could compute it.
"""

from __future__ import annotations

import enum
import math
from dataclasses import asdict, dataclass, replace
from typing import Any

from tacit import watch
from tacit.central.analysis.minimum.trials import Trials
from tacit.central.analysis.missing import Missing, out_of_reach
from tacit.central.analysis.needed import (
    EdgesNeeded,
    PriceNeeded,
    edges_needed,
    lines_on_edges,
    lines_on_price,
    price_needed,
)
from tacit.central.analysis.no_plan import without_any_plan
from tacit.central.analysis.release import (
    Release,
    least_release,
    time_left,
    what_to_release,
    with_minimum,
)
from tacit.central.instance import Instance
from tacit.central.price_policy import PricePolicy
from tacit.central.result import OFFLINE, Result, Unreachable
from tacit.central.session import Session
from tacit.errors import LimitReached
from tacit.policy import POLICY
from tacit.public.ledger import Ledger
from tacit.public.outcome import Outcome
from tacit.public.run_options import DEFAULTS, RunOptions
from tacit.public.settings import Settings
from tacit.solvers.limits import Limits
from tacit.words import counted

LIMITS = {Outcome.TIME: "time; --time-limit sets it", Outcome.MEMORY: "memory; --memory-limit does"}
SHARE = 0.5
"""Of the time, for the run; the rest is for finding out why it failed."""


class Reason(enum.StrEnum):
    """Why there is no plan, or that there is one."""

    SOLVABLE = "solvable"
    OUT_OF_REACH = "out of reach"
    BOUND = "bound"
    NO_PLAN = "no plan"
    GAVE_UP = "gave up"


TITLES = {
    Reason.SOLVABLE: "there is a plan",
    Reason.OUT_OF_REACH: "goals are out of reach",
    Reason.BOUND: "a bound stands in the way",
    Reason.NO_PLAN: "there is no plan",
    Reason.GAVE_UP: "the search gave up",
}


@dataclass(frozen=True)
class Effort:
    """What the run did before it gave up: states evaluated, CPU time, what was disclosed, and which
    limit ended it, if one did.
    """

    evaluations: int
    seconds: float
    largest: int
    sum: int
    limit: str | None = None
    phase: str | None = None


@dataclass(frozen=True, repr=False)
class Explanation:
    """Why there is no plan. `goals` are those out of reach; `no_more` the agents that disclosed no
    more and kept something; `k` was asked for and is too small, and `needed` what would do; `why`
    what is known about full disclosure.
    """

    reason: Reason
    goals: tuple[str, ...] = ()
    missing: tuple[Missing, ...] = ()
    no_more: tuple[str, ...] = ()
    k: int | None = None
    needed: EdgesNeeded | None = None
    price: PriceNeeded | None = None
    release: Release | None = None
    why: str = ""
    effort: Effort | None = None

    def __repr__(self) -> str:
        return f"<explanation: {TITLES[self.reason]}>"

    def _repr_html_(self) -> str:
        from tacit.central.pictures import explain_page  # noqa: PLC0415 - for notebooks

        return explain_page(self).in_notebook()

    def as_json(self) -> dict[str, Any]:
        """All that is known, by name."""
        return {
            "reason": self.reason.value,
            "goals": list(self.goals),
            "missing": [_missing_as_json(one) for one in self.missing],
            "no_more": list(self.no_more),
            "k": self.k,
            "edges_needed": None if self.needed is None else asdict(self.needed),
            "budget": None if self.price is None else asdict(self.price),
            "release": None if self.release is None else self.release.as_json(),
            "why": self.why or None,
            "effort": None if self.effort is None else asdict(self.effort),
        }

    def lines(self, by_name: bool = False) -> list[str]:
        """The lines to print; `by_name` lists what would have to be released."""
        said: list[str] = []
        if self.goals:
            said += _lines_on_goals(self.goals, self.missing)
        if self.k is not None:
            said += lines_on_edges(self.k, self.needed)
        if self.price is not None:
            said += lines_on_price(self.price, self.no_more)
        if self.release is not None:
            said += [_sentence(line) for line in self.release.lines(by_name)]
        said += [self.why] if self.why else []
        if self.effort is not None:
            said += _lines_on_effort(self.effort, self.reason)
        return said


def explain(
    instance: Instance,
    settings: Settings = Settings(),  # noqa: B008
    options: RunOptions = DEFAULTS,
    prices: PricePolicy = PricePolicy(),  # noqa: B008
    limits: Limits = Limits(),  # noqa: B008
    seed: int = 0,
    k: int | None = None,
) -> Explanation:
    """Run the agents online, or offline at `k`; if they find no plan, find out why."""
    deadline = limits.begin()
    session = Session(instance, settings, options, prices, online=k is None)
    try:
        share = limits if math.isinf(limits.seconds) else _part(limits)
        with watch.limited(share.seconds):
            result = session.online(share) if k is None else session.at(k, share)
    finally:
        session.close()
    if result.solved:
        return Explanation(Reason.SOLVABLE, effort=_effort(result))
    rest = replace(limits, seconds=deadline.left)
    found = why_no_plan(instance, settings, prices, result, rest, seed)
    assert found is not None
    if found.reason is Reason.GAVE_UP and not found.why:
        return replace(found, why=_with_everything(instance, settings, prices, rest, seed))
    return found


def _part(limits: Limits) -> Limits:
    return replace(limits, seconds=limits.seconds * SHARE)


def why_no_plan(
    instance: Instance,
    settings: Settings,
    prices: PricePolicy,
    result: Result,
    limits: Limits,
    seed: int = 0,
) -> Explanation | None:
    """After a run: why it found no plan; None if it found one."""
    if result.solved:
        return None
    if result.unreachable is not None:
        return _out_of_reach(instance, result.unreachable)
    effort = _effort(result)
    if result.outcome in LIMITS:
        return Explanation(Reason.GAVE_UP, no_more=result.no_more, effort=effort)
    largest = max(result.dependencies.values(), default=0)
    if result.mode == OFFLINE and result.outcome is Outcome.NO_PLAN and result.k < largest:
        return _too_small(instance, settings, result.k, limits, seed)
    bound = _bound(instance, settings, prices, result, limits, seed)
    if bound is not None:
        return bound
    if result.outcome is Outcome.NO_PLAN:
        return Explanation(Reason.NO_PLAN, why=without_any_plan(settings))
    return Explanation(Reason.GAVE_UP, no_more=result.no_more, effort=effort)


def _too_small(
    instance: Instance, settings: Settings, k: int, limits: Limits, seed: int
) -> Explanation:
    """An offline run at k has no plan: no k would do if a goal is out of reach."""
    found = _out_of_reach(instance, Unreachable((), ()))
    if found.goals:
        return found
    return Explanation(
        Reason.BOUND, k=k, needed=edges_needed(instance, settings, time_left(limits), seed)
    )


def _out_of_reach(instance: Instance, found: Unreachable) -> Explanation:
    try:
        goals, missing = out_of_reach(instance)
    except LimitReached:
        goals, missing = [], []
    named = goals or [*found.goals, *(f"the private goals of {agent}" for agent in found.agents)]
    return Explanation(Reason.OUT_OF_REACH, tuple(named), tuple(missing))


def _bound(
    instance: Instance,
    settings: Settings,
    prices: PricePolicy,
    result: Result,
    limits: Limits,
    seed: int,
) -> Explanation | None:
    """A budget in prices, or edges of `never`, if they stand in the way."""
    price: PriceNeeded | None = None
    release: Release | None = None
    if prices.budget is not None:
        try:
            price = price_needed(instance, settings, prices, time_left(limits), seed)
        except LimitReached:
            price = PriceNeeded(prices.budget, 0, None)
        if price is None:
            unbounded = replace(prices, budget=None)
            release = least_release(instance, settings, unbounded, time_left(limits), seed, 1)
    else:
        release = what_to_release(instance, settings, prices, result, limits, seed)
    if release is not None and (release.unsolvable or release.count == 0):
        reason = Reason.NO_PLAN if release.unsolvable else Reason.GAVE_UP
        return Explanation(reason, release=release, effort=_effort(result))
    if price is None and release is None:
        return None
    return Explanation(Reason.BOUND, no_more=result.no_more, price=price, release=release)


def _with_everything(
    instance: Instance, settings: Settings, prices: PricePolicy, limits: Limits, seed: int
) -> str:
    """What is known about full disclosure, from all secrets; empty if that is nothing."""
    try:
        trials = Trials(instance, settings, seed, price_policy=replace(prices, budget=None))
        every = trials.choices.all
        why = trials.joint.why_unsolvable(trials.choices.by_agent(every), thorough=True)
        if why:
            return f"{without_any_plan(with_minimum(settings))} Proved: {why}."
        evaluations = POLICY.effort.thorough
        if trials.join(every, evaluations, time_left(limits)).solved:
            return "There is a plan if everything is disclosed: more effort may find one."
    except LimitReached:
        pass
    return ""


def _effort(result: Result) -> Effort:
    ledger: Ledger = result.ledger
    limit = result.outcome.value if result.outcome in LIMITS else None
    seconds = round(result.seconds.get("solve", 0.0), 3)
    evaluated = result.counters.evaluated
    return Effort(evaluated, seconds, ledger.largest, ledger.sum, limit, result.phase)


def _missing_as_json(one: Missing) -> dict[str, Any]:
    way = [{"action": action, "fact": fact} for action, fact in one.way]
    return {**asdict(one), "way": way}


def _lines_on_goals(goals: tuple[str, ...], missing: tuple[Missing, ...]) -> list[str]:
    are = "is" if len(goals) == 1 else "are"
    said = [f"Out of reach, even if nothing is ever deleted, {are}: {', '.join(goals)}."]
    for one in missing:
        whose = f", private to {one.agent}" if one.agent else ""
        to = f" to {', '.join(one.goals)}" if len(missing) > 1 else ""
        why = (
            "no action that would make it hold is ever possible"
            if one.is_addable
            else "it does not hold initially, and no action makes it hold"
        )
        said.append(f"The first fact missing on the way{to}: {one.fact}{whose}; {why}.")
        said += [f"  {action} would then give {fact}" for action, fact in one.way]
        if one.instead:
            others = [*one.instead, *([counted(one.more, "other")] if one.more else [])]
            said.append(f"Any of these would do instead: {', '.join(others)}.")
    return said


def _lines_on_effort(effort: Effort, reason: Reason) -> list[str]:
    disclosed = f"{effort.largest} disclosed by one agent at most, {effort.sum} by all together"
    spent = f"{effort.evaluations:,} evaluated states in {effort.seconds:.1f} s of CPU time"
    if reason is Reason.SOLVABLE:
        return [f"There is nothing to explain: there is a plan, with {disclosed} ({spent})."]
    said = [f"The search gave up after {spent}, with {disclosed}."]
    if effort.limit is not None:
        said.append(f"It ran out of {LIMITS[Outcome(effort.limit)]}.")
    return said


def _sentence(line: str) -> str:
    return line if line.startswith(" ") or line.endswith(".") else f"{line[0].upper()}{line[1:]}."

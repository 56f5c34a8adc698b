"""Every number that steers effort, in one frozen object: how long to try one thing before another.

None of these numbers changes what counts as a plan, what is disclosed per budget, or what crosses;
they decide how soon a solver gives up one way and takes the next. Each has its reason beside it,
and the table in docs/solving.md is generated from here. Effort is counted in evaluated states,
never in seconds, so that a run can be repeated. The core's own numbers are in
`src/core/util/tuning.hpp`; what others may cost an agent is in `safety.py`.

A test, or a study, passes a policy of its own (`dataclasses.replace`) to a session, an agent or a
solver. `POLICY` itself is read where there is none of these: by agents on separate hosts and in
processes of their own, and by rankings.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any


def steers(value: Any, why: str) -> Any:
    """A number with its reason."""
    return field(default=value, metadata={"why": why})


class Numbers:
    """Groups of numbers."""

    def rows(self) -> Iterator[tuple[str, str, str]]:
        """Every number as `group.name`, its value and its reason; for the docs."""
        for group in fields(self):  # type: ignore[arg-type]
            part = getattr(self, group.name)
            for one in fields(part):
                value = getattr(part, one.name)
                yield f"{group.name}.{one.name}", _shown(value), one.metadata["why"]


@dataclass(frozen=True)
class EffortLevels:
    """Evaluated states that one budget is worth while the best one is looked for."""

    low: int
    medium: int
    high: int


PROJECTION = EffortLevels(5_000, 30_000, 200_000)
FORWARD = EffortLevels(4_000, 20_000, 100_000)


@dataclass(frozen=True)
class PessimisticPolicy:
    """The pessimistic projection, in which tokens are consumed; it may have no plan."""

    evaluations: int = steers(12_000, "each engine of the portfolio has a turn")
    evaluations_again: int = steers(60_000, "once many repairs were needed, a plan here saves more")


@dataclass(frozen=True)
class RepairPolicy:
    """Repairs of the joint projection: one by one discloses least, in bulk ends soonest."""

    single_answers: int = steers(100, "plans that fail before their agent answers in bulk")
    rounds_before_longer: int = steers(5, "repairs before a longer pessimistic search is worth it")
    slow_after: int = steers(1_000, "states evaluated before it is")
    prefixes: int = steers(500, "forbidden prefixes after which a ledger is undecided")
    prefixes_in_search: int = steers(100, "the same while budgets are searched")
    prefixes_before_switch: int = steers(30, "prefixes that threats do not explain: switch solvers")


@dataclass(frozen=True)
class OnlinePolicy:
    """Online: what follows a search in vain, so that little is disclosed and there is an end."""

    states: int = steers(2_000, "of the first search, so that agents disclose what it lacks soon")
    more_states: int = steers(600, "after each search in vain: what is hard takes longer")
    repairs: int = steers(1, "further plans with one ledger; each repair counts as an edge does")
    growth: int = steers(50, "after the n-th search in vain the ledger grows by n of 50 parts")
    most_growth: int = steers(8, "of these parts")
    patience: float = steers(0.5, "share of the user's time before the ledger doubles each time")
    rounds_left_out: int = steers(0, "an agent that passes is asked in every round; 16 saves many")


@dataclass(frozen=True)
class EnumerationPolicy:
    """Other public plans, where nothing can be repaired."""

    plans: int = steers(6, "one for each engine of the portfolio first, and one more")
    pessimistic_again: int = steers(40_000, "states for a pessimistic plan once replanning failed")


@dataclass(frozen=True)
class GuidancePolicy:
    """Plans of the projection that guide forward search."""

    plans: int = steers(6, "later plans hardly differ from earlier ones")
    turn: int = steers(10_000, "states before the other projection has its turn")
    pessimistic_evaluations: int = steers(500_000, "a pessimistic plan may not exist")
    evaluations_per_step: int = steers(10, "states that the agents need to follow one step")
    planner_share: int = steers(4, "the planner's evaluations, which are quick, per one of agents")
    kept_plans: int = steers(10_000, "plans that an agent keeps at most")
    longest_plan: int = steers(100_000, "steps of such a plan")


@dataclass(frozen=True)
class BudgetPolicy:
    """The search for the smallest budget."""

    projection: EffortLevels = steers(PROJECTION, "per budget, all agents together")
    forward: EffortLevels = steers(FORWARD, "per budget and agent")
    thorough: int = steers(1_000_000, "states for a budget of which nothing is known yet")
    much: int = steers(4, "times the lower bound; more than that is worth the high effort")
    share_with_all: float = steers(0.75, "of the time left, with all edges, where nothing solved")
    share_until_found: float = steers(0.5, "of the time, until any budget is solved")
    climb: int = steers(16, "where more may hurt, budgets grow by a sixteenth of the way so far")


@dataclass(frozen=True)
class ForwardPolicy:
    """Forward search, between two polls of the coordinator."""

    evaluations_per_budget: int = steers(4_000, "per agent before k grows inside one search")
    growth: int = steers(8, "k grows by an eighth, so that few frames disclose")
    slice: int = steers(64, "evaluations before an agent's frames are delivered")
    slices_per_poll: int = steers(16, "slices per agent between two polls, where runs repeat")


@dataclass(frozen=True)
class CheapestPolicy:
    """A plan is made cheaper by searches below its cost."""

    optimal: int = steers(3_000, "states of a search to optimality; most local tasks need fewer")
    weighted: int = steers(3_000, "of each search that is not")
    weights: tuple[int, ...] = steers((3, 1), "of the estimate in these: quick, then thorough")

    def __str__(self) -> str:
        return f"{self.optimal:,} / {self.weighted:,} at weights {_shown(self.weights)}"


@dataclass(frozen=True)
class ExtensionPolicy:
    """One agent extends a public plan."""

    best: CheapestPolicy = steers(CheapestPolicy(), "a part that is to be executed")
    response: CheapestPolicy = steers(
        CheapestPolicy(300, 600, (5, 3, 1)), "a part that is planned anew while others keep theirs"
    )
    evaluations: int = steers(50_000, "states of the local task before it is undecided")
    walk_states: int = steers(256, "states kept per step before the walk gives way to search")
    replanning_rounds: int = steers(6, "two agents may undo each other's changes for ever")
    replan_as_is: int = steers(20_000, "states to extend the plan as it is")
    replan_keep: int = steers(12_000, "states to keep the other agents' steps")
    replan_free: int = steers(12_000, "states to drop other agents' steps")
    replan_alone: int = steers(5_000, "states to reach the goals alone")
    replan_engines: tuple[str, ...] = steers(
        ("climb", "width", "landmarks", "lazy"), "width finds most of what can be found"
    )


@dataclass(frozen=True)
class ImprovingPolicy:
    """A plan is improved."""

    search_again: int = steers(3_000, "states per agent of a forward search after the first plan")
    rounds: int = steers(10, "in which each agent may do its part at less cost")
    proof: float = steers(0.1, "of the time, at its end, for a proof that no plan is cheaper")
    follow: int = steers(200, "states per agent along a candidate, however short it is")
    follow_per_step: int = steers(10, "and for each step of it, as guidance has")
    longest_window: int = steers(30, "steps of a plan that are planned anew at once")
    window: int = steers(500, "states for such a window")
    whole: int = steers(3_000, "states for a turn of a search on the whole projection")
    share_with_loads: float = steers(0.3, "of windows in which busy agents cost more")
    share_in_parallel: float = steers(0.8, "the same where the objective is the makespan")
    taken_over: tuple[int, ...] = steers(
        (1, 1, 2), "times what private actions cost on average, for each step of others left out"
    )
    taken_over_in_parallel: tuple[int, ...] = steers((1, 2, 4, 8), "the same for the makespan")
    noise: tuple[tuple[int, ...], ...] = steers(
        ((1,), (1, 1, 2), (1, 2, 4, 8)), "by which prices vary then, so that candidates differ"
    )


@dataclass(frozen=True)
class RankingPolicy:
    """What the ranking `goal` takes for alike."""

    alike: float = steers(0.5, "share of their users' shapes that two tokens have in common")
    unlike_subjects: float = steers(0.1, "taken off where they are about unequally many objects")


@dataclass(frozen=True)
class PlannerPolicy:
    """The embedded planner."""

    portfolio: tuple[str, ...] = steers(
        ("climb", "lazy", "landmarks", "width"), "the quickest first"
    )


@dataclass(frozen=True)
class MinimumPolicy:
    """The provable minimum."""

    first_evaluations: int = steers(1_000, "states of a trial in the first round")
    growth: int = steers(8, "by how much more in the next round")
    rounds: int = steers(4, "rounds without a time limit")
    cuts_per_round: int = steers(40, "cuts, each from a choice that is too small")
    trials_per_choice: int = steers(200, "while a choice that fails is made larger")
    branches_per_evaluation: int = steers(10, "of the hitting-set search")
    as_agents_up_to: int = steers(8_000, "up to so many states a choice is tried with repairs")
    repairs: int = steers(200, "rounds of repair that one choice is worth")
    prefixes: int = steers(20, "forbidden prefixes among them")
    priced_edges: int = steers(40_000, "edges up to which paying for edges is a planning task")
    price_scale: int = steers(20, "what a price of 1 counts against a step")
    priced_engines: tuple[str, ...] = steers(
        ("lazy", "climb", "landmarks"), "prices mislead width search"
    )
    release_seconds: float = steers(60.0, "for what to release, after a run without a time limit")


@dataclass(frozen=True)
class ParetoPolicy:
    """Disclosure against makespan."""

    tries: int = steers(120, "searches after the first ones")
    afresh: float = steers(0.15, "share of them that begins from nothing")
    evaluations: int = steers(4_000, "states for a whole plan")
    window: int = steers(600, "states for a part of one")
    longest: int = steers(150, "steps beyond which plans are not shortened")
    share: float = steers(0.3, "of the time limit, for each bound")


@dataclass(frozen=True)
class NetworkPolicy:
    """Runs between hosts: what frames cost."""

    slices: int = steers(
        4,
        "of a forward search before its frames are sent: each is recorded,"
        " chained and encrypted, which takes longer than a slice",
    )


@dataclass(frozen=True)
class Policy(Numbers):
    """All of them."""

    pessimistic: PessimisticPolicy = PessimisticPolicy()
    repair: RepairPolicy = RepairPolicy()
    online: OnlinePolicy = OnlinePolicy()
    enumeration: EnumerationPolicy = EnumerationPolicy()
    guidance: GuidancePolicy = GuidancePolicy()
    budgets: BudgetPolicy = BudgetPolicy()
    forward: ForwardPolicy = ForwardPolicy()
    extension: ExtensionPolicy = ExtensionPolicy()
    improving: ImprovingPolicy = ImprovingPolicy()
    ranking: RankingPolicy = RankingPolicy()
    planner: PlannerPolicy = PlannerPolicy()
    minimum: MinimumPolicy = MinimumPolicy()
    pareto: ParetoPolicy = ParetoPolicy()
    network: NetworkPolicy = NetworkPolicy()


POLICY = Policy()


def _shown(value: Any) -> str:
    if isinstance(value, EffortLevels):
        return f"{value.low:,} / {value.medium:,} / {value.high:,}"
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if isinstance(value, CheapestPolicy):
        return str(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"

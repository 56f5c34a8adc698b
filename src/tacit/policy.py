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

from dataclasses import dataclass, replace

from tacit.numbers import Numbers, follows, steers


@dataclass(frozen=True)
class EffortPolicy:
    """Evaluated states before something else is tried: three levels, and what a proof is worth.

    An agent that searches forward evaluates as many as the planner does in that time
    (`forward`), since its states take longer.
    """

    low: int = steers(12_000, "each engine of the portfolio has a turn")
    growth: int = steers(5, "times as many at the next level; most tasks are easy or take far more")
    planner_share: int = steers(4, "the planner's evaluations, which are quick, per one of agents")

    @property
    def medium(self) -> int:
        return self.low * self.growth

    @property
    def high(self) -> int:
        return self.medium * self.growth

    @property
    def thorough(self) -> int:
        return self.high * self.growth

    @property
    def forward(self) -> EffortPolicy:
        """The same for each agent of a forward search."""
        return replace(self, low=self.low // self.planner_share)


EFFORT = EffortPolicy()
SINGLY, PLANS, PER_STEP, WINDOW, CHEAPER, TIME = 100, 6, 10, 500, 3_000, 0.5
"""Numbers that others follow."""


@dataclass(frozen=True)
class PessimisticPolicy:
    """The pessimistic projection, in which tokens are consumed; it may have no plan."""

    evaluations: int = follows(EFFORT.low, "effort.low", "before the plain projection")
    evaluations_again: int = follows(
        EFFORT.medium, "effort.growth", "once repairs took as long, a plan here saves more"
    )


@dataclass(frozen=True)
class RepairPolicy:
    """Repairs of the joint projection: one by one discloses least, in bulk ends soonest."""

    single_answers: int = steers(SINGLY, "plans that fail before their agent answers in bulk")
    prefixes: int = follows(
        SINGLY,
        "repair.single_answers",
        "prefixes that threats do not explain: switch solvers, or it is undecided",
    )


@dataclass(frozen=True)
class OnlinePolicy:
    """Online: what follows a search in vain, so that little is disclosed and there is an end."""

    states: int = steers(2_000, "of the first search, so that agents disclose what it lacks soon")
    more_states: int = steers(600, "after each search in vain: what is hard takes longer")
    growth: int = steers(50, "after the n-th search in vain the ledger grows by n of 50 parts")
    patience: float = steers(TIME, "share of the user's time before the ledger doubles each time")
    rounds_left_out: int = steers(0, "an agent that passes is asked in every round; 16 saves many")


@dataclass(frozen=True)
class EnumerationPolicy:
    """Other public plans, where nothing can be repaired."""

    plans: int = steers(PLANS, "one for each engine of the portfolio first; later ones are alike")
    pessimistic_again: int = follows(
        EFFORT.medium, "effort.growth", "states for a pessimistic plan once replanning failed"
    )


@dataclass(frozen=True)
class GuidancePolicy:
    """Plans of the projection that guide forward search."""

    plans: int = follows(PLANS, "enumeration.plans", "per projection")
    turn: int = follows(EFFORT.low, "effort.low", "before the other projection has its turn")
    pessimistic_evaluations: int = follows(
        EFFORT.high, "effort.growth", "states for a pessimistic plan, which may not exist"
    )
    evaluations_per_step: int = steers(PER_STEP, "states that the agents need to follow one step")
    planner_share: int = follows(
        EFFORT.planner_share, "effort.planner_share", "so agents and planner take as long"
    )


@dataclass(frozen=True)
class BudgetPolicy:
    """The search for the smallest budget."""

    much: int = follows(
        EFFORT.growth, "effort.growth", "times the lower bound is worth the high effort"
    )
    share_until_found: float = follows(
        TIME, "online.patience", "share of the time until any k is solved"
    )
    climb: int = steers(16, "k grows by a sixteenth of the way so far, since more may hurt")


@dataclass(frozen=True)
class ForwardPolicy:
    """Forward search, between two polls of the coordinator."""

    slice: int = steers(64, "evaluations before an agent's frames are delivered")
    slices_per_poll: int = steers(
        16, "slices per agent between two polls, where runs repeat; for more agents fewer"
    )

    def rounds(self, agents: int) -> int:
        """Slices of each between two polls: in all no more than so many agents get."""
        most = self.slices_per_poll
        return max(1, min(most, most * most // agents))


@dataclass(frozen=True)
class CheapestPolicy:
    """A plan is made cheaper by searches below its cost: each may evaluate so many states.

    The first one goes to optimality, unless it has its own bound, and in the others the estimate
    has a weight that is two less each time: quick, then thorough.
    """

    evaluations: int
    weight: int
    first: int | None = None

    @property
    def optimal(self) -> int:
        """What the search to optimality may evaluate."""
        return self.evaluations if self.first is None else self.first

    @property
    def weights(self) -> tuple[int, ...]:
        return tuple(range(self.weight, 0, -2))

    def __str__(self) -> str:
        weights = ", ".join(map(str, self.weights))
        return f"{self.optimal:,} / {self.evaluations:,} at weights {weights}"


@dataclass(frozen=True)
class ExtensionPolicy:
    """One agent extends a public plan."""

    best: CheapestPolicy = steers(CheapestPolicy(CHEAPER, 3), "a part that is to be executed")
    response: CheapestPolicy = steers(
        CheapestPolicy(600, 5, 300), "a part that is planned anew while others keep theirs"
    )
    evaluations: int = follows(
        EFFORT.medium, "effort.growth", "states of the local task before it is undecided"
    )
    walk_states: int = steers(256, "states kept per step before the walk gives way to search")
    replanning_rounds: int = steers(6, "two agents may undo each other's changes for ever")
    replan: int = follows(EFFORT.low, "effort.low", "states for each way to change a plan")
    replan_engines: tuple[str, ...] = steers(
        ("climb", "width", "landmarks", "lazy"), "width finds most of what can be found"
    )


MOST = 8
FEW, MANY = (1, 1, 2), tuple(2**n for n in range(MOST.bit_length()))


@dataclass(frozen=True)
class ImprovingPolicy:
    """A plan is improved."""

    search_again: int = steers(
        18_000, "states of all agents in a forward search after the first plan, however many"
    )
    large: int = follows(
        EFFORT.forward.low, "effort.low", "actions beyond which these are fewer, as each is dearer"
    )
    rounds: int = steers(10, "in which each agent may do its part at less cost")
    proof: float = steers(0.1, "of the time, at its end, for a proof that no plan is cheaper")
    follow: int = steers(200, "states per agent along a candidate, however short it is")
    follow_per_step: int = follows(
        PER_STEP, "guidance.evaluations_per_step", "and for each step of it"
    )
    longest_window: int = steers(30, "steps of a plan that are planned anew at once")
    window: int = steers(WINDOW, "states for such a window")
    whole: int = follows(
        CHEAPER, "extension.best", "states for a turn of a search on the whole projection"
    )
    share_with_loads: float = steers(0.3, "of windows in which busy agents cost more")
    share_in_parallel: float = steers(0.8, "the same where the objective is the makespan")
    taken_over: tuple[int, ...] = steers(
        FEW, "times what private actions cost on average, for each step of others left out"
    )
    most_taken_over: int = steers(MOST, "times that where the objective is the makespan")
    taken_over_in_parallel: tuple[int, ...] = follows(
        MANY, "improving.most_taken_over", "powers of two up to it"
    )
    noise: tuple[tuple[int, ...], ...] = follows(
        ((1,), FEW, MANY),
        "improving.taken_over",
        "by which prices vary then, so that candidates differ",
    )


@dataclass(frozen=True)
class RankingPolicy:
    """What the ranking `goal` takes for alike."""

    alike: float = steers(0.5, "share of their users' shapes that two tokens have in common")


@dataclass(frozen=True)
class HopingPolicy:
    """The ranking `cost` looks for a cheaper plan."""

    first: int = follows(CHEAPER, "extension.best", "states for any plan")
    cheaper: CheapestPolicy = steers(
        CheapestPolicy(1_000, 5, 0), "for a cheaper one; the task is a large one"
    )
    dear: int = steers(10, "times the dearest own action: what others do while own work is priced")
    looks: int = steers(12, "for cheaper plans, of one agent in one run")


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
    cuts_per_round: int = steers(40, "cuts, each from a choice that is too small")
    trials_per_choice: int = steers(200, "while a choice that fails is made larger")
    branches_per_evaluation: int = steers(10, "of the hitting-set search")
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
    window: int = follows(WINDOW, "improving.window", "states for a part of a plan")
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

    effort: EffortPolicy = EFFORT
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
    hoping: HopingPolicy = HopingPolicy()
    planner: PlannerPolicy = PlannerPolicy()
    minimum: MinimumPolicy = MinimumPolicy()
    pareto: ParetoPolicy = ParetoPolicy()
    network: NetworkPolicy = NetworkPolicy()


POLICY = Policy()

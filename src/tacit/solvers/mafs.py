"""Solver `mafs`: multi-agent forward search, at one budget or with one that grows.

The agents search by themselves and send each other states (`tacit.solvers.forward_search` begins,
polls and ends that). k may grow inside one search: agents defer what they pruned, and a disclosure
releases it.
"""

from __future__ import annotations

import time
from dataclasses import replace

from tacit.public.ledger import Mark
from tacit.public.outcome import Outcome
from tacit.public.settings import Rule, Settings
from tacit.solvers import SOLVERS
from tacit.solvers.attempt import Attempt
from tacit.solvers.budget_search import R
from tacit.solvers.budgets import Budgets
from tacit.solvers.coordinator import Coordinator
from tacit.solvers.forward_search import ForwardSearch
from tacit.solvers.limits import Deadline, Limits
from tacit.solvers.solver import Solver, Tools


@SOLVERS.add("mafs")
class MafsSolver(Solver):
    """Lets the agents search by themselves, driven by the coordinator's driver."""

    summary = "multi-agent forward search: agents search by themselves and send states"
    understands = frozenset({"rule", "harden", "recipients", "own_values", "heuristic", "drive"})
    agents_search = True
    iterates = True

    def __init__(self, coordinator: Coordinator, tools: Tools):
        super().__init__(coordinator, tools)
        self.search = ForwardSearch(coordinator, tools)
        self._mark: Mark | None = None
        """How far the ledger was when the agents last went on, online."""
        self.grows = True
        """Online: may agents disclose more? The last search does not expect it."""

    @classmethod
    def keeps_to_supported(cls, settings: Settings) -> bool:
        return settings.rule is not Rule.PAIRWISE

    @classmethod
    def is_bounded_by_projection(cls, settings: Settings) -> bool:
        return settings.rule is Rule.SUPPORTED

    def smallest(self, budgets: Budgets[R], low: int, limits: Limits) -> R:
        def otherwise(low: int, limits: Limits) -> R:
            return self._with_much_disclosed(budgets, low, limits)

        levels = self.tools.policy.effort.forward
        return budgets.least_disclosed(low, limits, levels, otherwise)

    def _with_much_disclosed(self, budgets: Budgets[R], low: int, limits: Limits) -> R:
        """Search with all edges for most of the time, then with a k that grows inside one search
        from half of the edges on; below the k that solved, look for a smaller one.
        """
        policy, deadline, largest = self.tools.policy, limits.begin(), budgets.largest
        share, most = policy.budgets.share_until_found, policy.effort.forward.high
        with_all = replace(limits, seconds=share * limits.seconds, evaluations=most)
        result = budgets.attempt(largest, with_all)
        if not result.solved and result.outcome is not Outcome.NO_PLAN:
            start, left = time.process_time(), replace(limits, seconds=deadline.left)
            grown = self.grow(max(low, largest // 2), left)
            low, result = max(low, grown.failed + 1), budgets.finished(grown, start)
        if not result.solved:
            return result
        left = replace(limits, seconds=deadline.left)
        return budgets.narrowed(low, result, left, policy.effort.forward.low)

    @property
    def forward_search(self) -> ForwardSearch:
        return self.search

    def plan(self, attempt: Attempt, limits: Limits) -> None:
        if not self.coordinator.is_offline:
            self._go_on()
        else:
            self.search.begin(grows=False)
            if not self.search.is_within_joint_reach():
                attempt.agents = {status.sender: status for status in self.search.poll()}
                attempt.outcome, attempt.out_of_reach = Outcome.NO_PLAN, True
                return
        self._run(attempt, limits.begin(), limits.evaluations)

    def finish(self, attempt: Attempt, limits: Limits) -> None:
        if self.grows:
            self.grows, self._mark = False, None
        self.plan(attempt, limits)

    def _go_on(self) -> None:
        """Begin a search that grows, or let it grow by what is new on the ledger."""
        mark = self.coordinator.mark
        if self._mark is None:
            self.search.begin(self.grows)
            self.search.is_within_joint_reach()  # enters what the rule has for free
            mark = self.coordinator.mark
        elif self.grows and mark != self._mark:
            self.search.learn()
        self._mark = mark

    def grow(self, low: int, limits: Limits, one_by_one: bool = False) -> Attempt:
        """Search with budget `low`, and with more whenever that is not enough.

        k grows when there is no plan with less, or none within so many evaluations. If it grows
        `one_by_one`, only in the first case; the limit on evaluations is then that of each budget.
        """
        attempt = Attempt(low, Outcome.UNDECIDED, failed=low - 1)
        deadline = limits.begin()
        if one_by_one:
            most = limits.evaluations
            return self._growing(attempt, deadline, most, most, (Outcome.NO_PLAN,), 0)
        policy = self.tools.policy
        not_enough = (Outcome.NO_PLAN, Outcome.UNDECIDED)
        most, growth = policy.effort.forward.low, policy.budgets.climb
        return self._growing(attempt, deadline, most, None, not_enough, growth)

    def iterate(self, limits: Limits) -> Attempt:
        """The paper's iterative method, in one search: nothing is disclosed at first, and one edge
        more of every agent whenever there is no plan, or none within so many evaluations.
        """
        attempt = Attempt(0, Outcome.UNDECIDED, refuted=-1)
        not_enough = (Outcome.NO_PLAN, Outcome.UNDECIDED)
        most = self.tools.policy.effort.forward.low
        return self._growing(attempt, limits.begin(), most, None, not_enough, 0)

    def _growing(
        self,
        attempt: Attempt,
        deadline: Deadline,
        evaluations: int | None,
        evaluations_with_all: int | None,
        not_enough: tuple[Outcome, ...],
        growth: int,
    ) -> Attempt:
        """Let k grow by one, or by a `growth`-th of itself, as long as outcomes are
        `not_enough`.
        """
        offline, search = self.offline, self.search

        def work(attempt: Attempt) -> None:
            attempt.ledger = offline.disclose_all(attempt.k)
            search.begin(grows=True)
            step = 1
            while True:
                is_last = attempt.k >= offline.largest
                self._run(attempt, deadline, evaluations_with_all if is_last else evaluations)
                if attempt.refuted is not None and attempt.outcome is Outcome.NO_PLAN:
                    attempt.refuted = attempt.k
                if is_last or attempt.outcome not in not_enough:
                    return
                attempt.failed = attempt.k
                attempt.k = min(offline.largest, attempt.k + step)
                step = max(1, attempt.k // growth) if growth else 1
                attempt.ledger = offline.disclose_all(attempt.k)
                search.learn()

        return self.coordinator.until_limit(attempt, work)

    def _run(self, attempt: Attempt, deadline: Deadline, evaluations: int | None) -> None:
        self.search.run(attempt, deadline, evaluations)
        if attempt.outcome is Outcome.SOLVED:
            attempt.solved_by = self.name

"""Agents search for the cheapest plan, as the coordinator sees it (docs/optimal.md).

The agents search as in `forward_search`, in the order of A*: each says what the cheapest goal state
costs that it has found, and the least estimate of a state that it has yet to expand. The best of
the former is the *bound*, of which all are told. They are also told of a *horizon*, up to which
they search: it is the least estimate of all, and rises when nobody has anything left below it, so
that together the agents expand what one A* would.

The search ends by a consistent cut. Two rounds of polling in a row give the same counts of frames
sent and received; all that were sent were received, and every agent was idle. So between the two
nobody did anything and nothing was in flight, and what is open is open at one moment. If no agent
has an estimate below the bound then, no plan is cheaper than the bound; without a bound, there is
no plan.
"""

from __future__ import annotations

from collections.abc import Sequence

from tacit import watch
from tacit.public.outcome import Outcome
from tacit.public.protocol.messages import Begin, Poll, Status
from tacit.solvers.attempt import Attempt, Counters
from tacit.solvers.coordinator import Coordinator
from tacit.solvers.forward_search import ForwardSearch, evaluated, is_quiet, is_same
from tacit.solvers.limits import Deadline
from tacit.solvers.solver import Tools


class OptimalSearch(ForwardSearch):
    """Optimal searches of the same agents, one after the other."""

    def __init__(self, coordinator: Coordinator, tools: Tools):
        super().__init__(coordinator, tools)
        self._bound: int | None = None
        self._horizon: int | None = 0

    def begin(self, grows: bool = False) -> None:
        """Let all agents begin with what is on the ledger."""
        self._run += 1
        self._counted = Counters()
        self._bound, self._horizon = None, None if self._is_apart else 0
        mark, heuristic = self._coordinator.mark, self._tools.heuristic
        question = Begin(self._name, self._run, mark, heuristic, optimal=True)
        with watch.phase("searching"):
            self._coordinator.ask_all(question)

    def begin_below(self, cost: int, number: int) -> None:
        """The same for plans cheaper than one that is known; the search has this number."""
        self._run = number - 1
        self.begin()
        self._bound = cost

    @property
    def _is_apart(self) -> bool:
        """Do agents search on their own, so that waiting for each other takes longer than work that
        may be in vain?
        """
        return self._coordinator.driver.is_apart

    def poll(self) -> list[Status]:
        question = Poll(self._name, self._bound, self._horizon)
        return list(self._coordinator.expect_all(question, Status).values())

    def _drive(self, attempt: Attempt, deadline: Deadline, evaluations: int | None) -> None:
        statuses = self.poll()
        begun = evaluated(statuses)
        last: list[Status] = []
        while True:
            if deadline.left > 0:
                self._coordinator.driver.work(deadline.left, evaluations)
            statuses = self.poll()
            self._note(attempt, statuses)
            if self._has_news(statuses):
                last = []
                continue
            is_over = is_quiet(statuses) and not self._opens_more(statuses)
            if is_over and is_same(statuses, last):
                self._end(attempt, statuses, Outcome.NO_PLAN)
            elif deadline.left <= 0:
                self._end(attempt, statuses, Outcome.TIME)
            elif self._is_out_of_memory(statuses):
                self._end(attempt, statuses, Outcome.MEMORY)
            elif self._is_enough(evaluated(statuses) - begun, evaluations, statuses):
                self._end(attempt, statuses, Outcome.UNDECIDED)
            else:
                last = statuses if is_over else []
                continue
            return

    def _has_news(self, statuses: Sequence[Status]) -> bool:
        """Tell all agents of a cheaper plan, if somebody has found one."""
        found = [status.cost for status in statuses if status.cost is not None]
        if not found or (self._bound is not None and min(found) >= self._bound):
            return False
        self._bound = min(found)
        self.poll()
        return True

    def _opens_more(self, statuses: Sequence[Status]) -> bool:
        """Nobody has anything left below the horizon: raise it, if there is anything beyond."""
        lowest = [status.lowest for status in statuses if status.lowest is not None]
        if lowest and self._horizon is not None:
            self._horizon = max(self._horizon, min(lowest))
            self.poll()
        return bool(lowest)

    def _is_enough(self, done: int, evaluations: int | None, statuses: Sequence[Status]) -> bool:
        """Is the effort spent? Once there is a plan, no disclosure would help it any further."""
        is_spent = evaluations is not None and done > evaluations * len(statuses)
        return is_spent and self._bound is None

    def _end(self, attempt: Attempt, statuses: Sequence[Status], outcome: Outcome) -> None:
        """With the best plan so far, if they found one: the cheapest, if nothing else ended it."""
        lowest = [status.lowest for status in statuses if status.lowest is not None]
        is_proved = outcome is Outcome.NO_PLAN
        attempt.is_optimal, attempt.counted_cost = False, self._bound
        attempt.bound = self._bound if is_proved else min(lowest, default=None)
        costs = {status.cost: status.sender for status in statuses if status.cost is not None}
        finder = None if self._bound is None else costs.get(self._bound)
        if finder is None:
            attempt.outcome = outcome
            return
        with watch.unlimited():
            attempt.steps = self._put_together(finder)
        attempt.outcome, attempt.is_optimal = Outcome.SOLVED, is_proved

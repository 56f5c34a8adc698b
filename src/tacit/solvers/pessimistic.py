"""A search that begins on the pessimistic projection, in which actions consume their tokens.

Where that is not too pessimistic, its plans can be extended as they are, and no agent has to
disclose what deletes a token. As it may have no plan, it is given up when none is found soon. From
then on the search is one on the projection as it is, which knows all that was disclosed meanwhile.
Before agents are asked for repairs in bulk, the pessimistic one is taken up again, with more time.
A planner that does not count evaluations cannot be made to give up, so it searches the plain
projection alone. Where private actions have public preconditions, a first pessimistic search also
supposes which facts these are (`tacit.solvers.observed_facts`).
"""

from __future__ import annotations

from collections.abc import Sequence

from tacit.policy import POLICY, PessimisticPolicy
from tacit.public.outcome import Outcome
from tacit.public.projection import Projection
from tacit.solvers.attempt import Counters
from tacit.solvers.observed_facts import early, with_all_of
from tacit.solvers.planner import MakeSearch, Searcher


class PessimisticSearch:
    """Searches a projection, pessimistically first; `is_active` while it does.

    `observed_facts` are the public facts that private actions are supposed to need.
    """

    def __init__(
        self,
        projection: Projection,
        make: MakeSearch,
        observed_facts: Sequence[int] = (),
        policy: PessimisticPolicy = POLICY.pessimistic,
    ):
        self._projection = projection
        self._make = make
        self._policy = policy
        self._observed_facts = tuple(observed_facts)
        self._forbidden: list[tuple[list[int], int | None]] = []
        first = self._next_pessimistic()
        self.counts = first.counts
        self._pessimistic: Searcher | None = first if self.counts else None
        self._plain: Searcher | None = None
        self._evaluations = policy.evaluations
        self.is_active = True
        self.spent = 0
        """Evaluations of the pessimistic searches."""

    def _next_pessimistic(self) -> Searcher:
        pessimistic = with_all_of(self._projection, self._observed_facts).pessimistic()
        return self._knowing(self._first(pessimistic))

    def again(self, projection: Projection) -> PessimisticSearch:
        """The same search on a projection that has more facts."""
        made = PessimisticSearch(projection, self._make, self._observed_facts, self._policy)
        made._evaluations, made.is_active = self._evaluations, self.is_active
        made.spent = self.spent
        for actions, group in self._forbidden:
            made.forbid(actions, group)
        return made

    def search_longer(self) -> None:
        """Take the pessimistic search up again, once."""
        longer = self._policy.evaluations_again
        if self._evaluations < longer and self._pessimistic is not None:
            self._evaluations, self.is_active = longer, True

    def run(
        self, seconds: float, evaluations: int | None, counters: Counters
    ) -> tuple[Outcome, tuple[int, ...]]:
        """Search on. Pessimistic evaluations come on top of those allowed (`spent`)."""
        found = self.run_pessimistically(seconds, evaluations, counters)
        if found is not None:
            return found
        if self._plain is None:
            self._plain = self._knowing(self._first(self._projection))
        return self._plain.run(seconds, evaluations, counters)

    def run_pessimistically(
        self, seconds: float, evaluations: int | None, counters: Counters
    ) -> tuple[Outcome, tuple[int, ...]] | None:
        """Search the pessimistic projection alone; None if there is nothing to find soon."""
        while self.is_active and self._pessimistic is not None:
            most = self._evaluations
            most = most if evaluations is None else min(most, evaluations)
            before = counters.evaluated
            outcome, plan = self._pessimistic.run(seconds, most, counters)
            self.spent += counters.evaluated - before
            if outcome not in (Outcome.NO_PLAN, Outcome.UNDECIDED):
                return outcome, self._in_time(plan)
            if self._observed_facts:
                self._observed_facts = ()
                self._pessimistic = self._next_pessimistic()
                continue
            if outcome is Outcome.NO_PLAN:
                self._pessimistic = None
            self.is_active = False
        self.is_active = False
        return None

    def _in_time(self, plan: tuple[int, ...]) -> tuple[int, ...]:
        """The plan with what is observed as early as can be, unless that was ruled out."""
        moved = (
            early(self._projection, plan, self._observed_facts) if self._observed_facts else plan
        )
        return plan if any(self._begins(moved, *item) for item in self._forbidden) else moved

    def _begins(self, plan: Sequence[int], actions: list[int], group: int | None) -> bool:
        groups = self._projection.group
        own = [action for action in plan if group is None or groups[action] == group]
        return own[: len(actions)] == actions

    def _knowing(self, search: Searcher) -> Searcher:
        """A search that excludes what was ruled out."""
        for actions, group in self._forbidden:
            search.forbid(actions, group)
        return search

    def _first(self, projection: Projection) -> Searcher:
        search = self._make(projection, 0)
        assert search is not None, "there is always a first way to search"
        return search

    def add_delete(self, action: int, fact: int) -> None:
        """The projection has it too."""
        for search in (self._pessimistic, self._plain):
            if search is not None:
                search.add_delete(action, fact)

    def forbid(self, actions: list[int], group: int | None) -> None:
        self._forbidden.append((actions, group))
        for search in (self._pessimistic, self._plain):
            if search is not None:
                search.forbid(actions, group)

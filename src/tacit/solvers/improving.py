"""After the first plan: better ones, with the very same ledger.

The coordinator makes *candidates* from what was published and what is on the ledger: the plan
without redundant steps, a window of it planned anew, cheaper plans of the whole projection, plans
in which busy agents' actions cost more. It knows nothing of private actions, so agents do their
share: each may do its own part at less cost while the others keep theirs (*best response*,
`tacit.party.extension.best_response`), or take over what others did. From each candidate agents
respond in rounds until nobody finds anything better. What comes out is *weighed* and kept if it is
better than the best plan so far; so plans never become worse.

What must never happen is that somebody learns more from this than from the plans themselves: how
agents come to agree on a candidate without anybody having to refuse it is `tacit.solvers.agreeing`.

What a plan costs in all, agents tell in a way of their own (`Judge`).
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from tacit.public.outcome import Outcome
from tacit.public.settings import Objective
from tacit.solvers.agreeing import Agreeing, Steps
from tacit.solvers.attempt import Attempt, Counters, Improvement
from tacit.solvers.cleaning import Numbers, PublicPlans
from tacit.solvers.limits import Clock, Deadline
from tacit.solvers.planner import CheaperSearch
from tacit.solvers.proving import search_below
from tacit.solvers.solver import Solver


@dataclass(frozen=True)
class Quality:
    """What is known of a joint plan, private actions included."""

    cost: int
    length: int
    makespan: int

    def key(self, objective: Objective) -> tuple[int, ...]:
        """The less, the better."""
        if objective is Objective.MAKESPAN:
            return (self.makespan, self.cost, self.length)
        if objective is Objective.LENGTH:
            return (self.length, self.makespan, self.cost)
        return (self.cost, self.makespan, self.length)


class Judge(Protocol):
    """Weighs the plan that all agents have just agreed on, and keeps the best. Where private costs
    are not part of what it weighs, it is not `is_exact`.
    """

    is_exact: bool

    def weigh(self, steps: Steps) -> Quality: ...
    def keep(self, steps: Steps) -> None: ...


class Improver:
    """Improves one plan. `best` is what `Judge.keep` was last called for."""

    def __init__(
        self,
        solver: Solver,
        judge: Judge,
        seed: int = 0,
        clock: Clock = time.process_time,
        report: Callable[[Improvement], None] = lambda _: None,
    ):
        self._solver = solver
        self._coordinator = solver.coordinator
        self._make = solver.tools.make_cheaper_search
        self._judge = judge
        self._report = report
        self._objective = solver.coordinator.settings.objective
        self._policy = solver.tools.policy.improving
        self._random = random.Random(seed)
        self._agreeing = Agreeing(solver)
        self._clock = clock
        self._start = clock()
        self._deadline = Deadline(float("inf"), clock)
        self._attempt = Attempt(0, Outcome.UNDECIDED)
        self.is_stopped = False
        self._ways = 0
        self._tried: set[Steps] = set()
        self._whole: tuple[CheaperSearch, Numbers | None] | None = None

    def begin(self, attempt: Attempt) -> None:
        """Start from a plan that all agents have just agreed on."""
        self._attempt = attempt
        self._plans = PublicPlans(self._coordinator.projection(), attempt.steps)
        self._agreeing.on(attempt.steps)
        self.best = attempt.steps
        self.quality = self._judge.weigh(attempt.steps)
        self._judge.keep(attempt.steps)

    def clean(self, may_show_states: bool) -> None:
        """What is quickly done: redundant steps are left out, and agents do their parts better.

        Agents search only if they may find a plan at no more work than the first one was worth.
        """
        is_worth_it = self._agreeing.is_worth_searching(self.best)
        self._agreeing.shows_states = may_show_states and is_worth_it
        if self._judge.is_exact:
            self._descend(self._plans.named(self._plans.eliminated(self._numbers)))
        self._respond_from(self.best)
        if self._agreeing.may_search and self._judge.is_exact:
            self._search_again()
            light, price = self._lightest_first()[: self._policy.rounds], self._private_price
            _until_in_vain(partial(self._have_taken_over, agent, price) for agent in light)
            if self._objective is Objective.MAKESPAN and self._make is not None:
                _until_in_vain([self._with_other_loads] * self._policy.rounds)
        self._restore()

    def improve(self, seconds: float) -> None:
        """Go on for so long."""
        if not self.is_stopped:
            self._deadline = Deadline(seconds, self._clock)
        self._agreeing.shows_states = True
        ways: list[_Way] = [_Way(self._window), _Way(self._take_over)]
        if self._make is not None:
            ways += [_Way(self._search_whole), _Way(self._with_other_loads)]
        while not self._deadline.has_passed:
            min(ways, key=_Way.dearness).take_turn(self._clock)
        self._restore()

    def stop(self) -> None:
        """End it between two questions."""
        self.is_stopped = self._attempt.is_interrupted = True
        self._deadline = Deadline(0.0, self._clock)

    def prove(self, seconds: float) -> None:
        """Search for anything cheaper, and note whether it is proved that there is nothing."""
        attempt, self._agreeing.last = self._attempt, ()
        found = search_below(self._solver, self.quality.cost, Deadline(seconds, self._clock))
        attempt.counters.add(found.counters)
        if found.outcome is Outcome.SOLVED:
            self._agreeing.on(found.steps)
            self._weigh(is_better=False)
        is_over = found.is_optimal or found.outcome is Outcome.NO_PLAN
        attempt.is_optimal = is_over and found.counted_cost == self.quality.cost
        attempt.counted_cost, attempt.bound = self.quality.cost, found.bound
        self._restore()

    # Candidates

    @property
    def _numbers(self) -> Numbers:
        return self._plans.numbers(self.best)

    def _search_again(self) -> None:
        """Let agents search by themselves: what they find they can do, private costs included."""
        if self._agreeing.search(self._deadline):
            found = self._agreeing.last
            self._try(self._plans.numbers(found))
            self._respond_from(found)

    def _window(self) -> bool:
        """A part of the best plan, planned anew."""
        plan = self._plans.by_time(self._numbers) if self._random.random() < 0.5 else self._numbers
        if len(plan) < 2 or self._make is None:
            return False
        size = self._random.randint(2, min(len(plan), self._policy.longest_window))
        first = self._random.randint(0, len(plan) - size)
        is_parallel = self._objective is Objective.MAKESPAN
        share = self._policy.share_in_parallel if is_parallel else self._policy.share_with_loads
        prices = self._prices(self._random.random() < share)
        task = self._plans.window(plan, first, first + size, prices)
        part = plan[first : first + size]
        found = self._make(task, self._next_way()).run(part, self._policy.window)
        if found is None:
            return False
        return self._try((*plan[:first], *found, *plan[first + size :]))

    def _search_whole(self) -> bool:
        """Plans of the whole projection, each cheaper than the one before."""
        assert self._make is not None
        if self._whole is None:
            way = self._next_way()
            self._whole = self._make(self._plans.priced(self._prices(False)), way), self._numbers
        search, below = self._whole
        found = search.run(below, self._policy.whole)
        self._whole = None if found is None else (search, found)
        return found is not None and self._try(found)

    def _with_other_loads(self) -> bool:
        """A plan made from nothing, in which some agents' actions cost more."""
        assert self._make is not None
        task = self._plans.priced(self._prices(True))
        found = self._make(task, self._next_way()).run(None, self._policy.whole)
        return found is not None and self._try(found)

    def _take_over(self) -> bool:
        """An agent does what others did."""
        agents, share = self._lightest_first(), self._policy.taken_over
        if self._objective is Objective.MAKESPAN:  # whoever has less to do takes over more
            most = self._steps_of(agents[-1])
            agents = [agent for agent in agents if self._steps_of(agent) < most] or agents
            share = self._policy.taken_over_in_parallel
        agent = self._random.choice(agents)
        return self._have_taken_over(agent, self._private_price * self._random.choice(share))

    def _have_taken_over(self, agent: str, spared: int) -> bool:
        """Try what an agent would do if steps of others could be left out."""
        if not self._agreeing.may_respond or not self._agree_to(self.best):
            return False
        steps = self._agreeing.taken_over(agent, spared)
        return bool(steps) and self._try(self._plans.numbers(steps))

    def _lightest_first(self) -> list[str]:
        """All agents, those with the fewest steps first."""
        return sorted(self._coordinator.public.agents, key=self._steps_of)

    def _steps_of(self, agent: str) -> int:
        """How many steps an agent has, if any."""
        return sum(step.agent == agent for step in self.best)

    def _next_way(self) -> int:
        self._ways += 1
        return self._ways

    @property
    def _private_price(self) -> int:
        """What private actions cost per public step, on average: all that is known of them."""
        if self._objective is Objective.COST:
            private = self.quality.cost - self._plans.cost(self._numbers)
        else:
            private = self.quality.length - len(self.best)
        return max(0, round(private / max(1, len(self.best))))

    def _prices(self, by_load: bool) -> list[int]:
        """What actions count while candidates are made; by load, busy agents' cost more."""
        own, extra = self._plans.projection, self._private_price
        is_cost = self._objective is Objective.COST
        prices = [(cost if is_cost else 1) + extra for cost in own.cost]
        if not by_load:
            return prices
        loads = self._plans.loads(self._numbers)
        most, pick = max(loads), self._random.choice
        factor = [1 + pick((0, 1, 3)) * load / max(1, most) for load in loads]
        noise = pick(self._policy.noise)
        return [
            round(4 * (price or 1) * factor[group] * pick(noise))
            for price, group in zip(prices, own.group, strict=True)
        ]

    # From a candidate to a plan

    def _try(self, plan: Sequence[int]) -> bool:
        """Is there a better plan from here?"""
        return self._descend(self._plans.named(self._plans.eliminated(tuple(plan))))

    def _descend(self, steps: Steps) -> bool:
        """Have agents agree on a candidate, or on what they find along it, and respond."""
        if steps == self.best or steps in self._tried or not self._agree_to(steps):
            return False
        self._tried.add(steps)
        return self._respond_from(self._agreeing.last)

    def _respond_from(self, steps: Steps) -> bool:
        """Agents do their parts of a plan better, in rounds, until none can; is it the best then?

        In each round those are asked for whom anything has changed.
        """
        if not self._agree_to(steps):
            return False
        is_best, asked = steps == self.best, set(self._coordinator.public.agents)
        for _ in range(self._policy.rounds if self._agreeing.may_respond else 0):
            agents = [agent for agent in self._coordinator.public.agents if agent in asked]
            changed = self._agreeing.respond(agents, self._is_plan)
            asked = {a for a in self._coordinator.public.agents if changed - {a}}
            if not self._agreeing.last or not asked or self._deadline.has_passed:
                break
        return self._weigh(is_better=is_best)

    def _is_plan(self, steps: Steps) -> bool:
        return self._plans.is_plan(self._plans.numbers(steps))

    def _weigh(self, is_better: bool) -> bool:
        """Keep what was agreed on last, if it is better: by what is weighed or, where that says
        too little, since agents only responded to the best plan.
        """
        steps = self._agreeing.last
        if steps in ((), self.best):
            return False
        if self._judge.is_exact or self._objective is Objective.MAKESPAN:
            is_better = False
        quality = self._judge.weigh(steps)
        if not is_better and quality.key(self._objective) >= self.quality.key(self._objective):
            return False
        self._judge.keep(steps)
        self.best, self.quality, self._whole = steps, quality, None
        self._attempt.steps = steps
        seconds = self._clock() - self._start
        better = Improvement(round(seconds, 3), quality.cost, quality.makespan)
        self._attempt.improvements.append(better)
        self._report(better)
        return True

    def _agree_to(self, steps: Steps) -> bool:
        """Have all agents agree on a candidate, if it is a plan of the projection."""
        return self._is_plan(steps) and self._agreeing.have_agreed(steps, self._deadline)

    def _restore(self) -> None:
        """Leave agents with their parts of the best plan; not where that was interrupted, when
        nobody knows what they are doing.
        """
        self._attempt.counters.add(self._agreeing.counters)
        self._agreeing.counters = Counters()
        if self._agreeing.last != self.best:
            self._agreeing.extend(self.best)


def _until_in_vain(tries: Iterable[Callable[[], bool]]) -> None:
    """Go on until two in a row found nothing."""
    was_better = True
    for work in tries:
        is_better = work()
        if not was_better and not is_better:
            return
        was_better = is_better


class _Way:
    """One way to make candidates, and what it was worth so far."""

    def __init__(self, work: Callable[[], bool]):
        self._work = work
        self._spent = 0.0
        self._found = 1

    def dearness(self) -> float:
        return self._spent / self._found

    def take_turn(self, clock: Clock) -> None:
        before = clock()
        self._found += self._work()
        self._spent += max(1e-6, clock() - before)

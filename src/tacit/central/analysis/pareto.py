"""What more disclosure buys: the trade between what is disclosed and how soon all is done.

This sees every agent's secrets, as `minimum` does, and is for evaluation. What it finds are the
points of `trade`.

The first plans come from `minimum`, which tells least, and from a search with everything told.
Then, again and again, a part of a plan is searched for anew, where what the busiest agent does is
made dearer, so that others do it, and with more edges or without. Steps that a plan can do without
are left out. There is no promise that a point is the best there is, but the lower bound on k, or on
the price, is proven. Effort counts evaluated states, so that without a time limit results are
repeatable.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence

from tacit.central.analysis.minimum import Hunt, check_settings
from tacit.central.analysis.minimum.choices import Choice
from tacit.central.analysis.minimum.trials import Trials
from tacit.central.analysis.trade import Point, Trade, front
from tacit.central.billing import Bill
from tacit.central.instance import Instance
from tacit.central.solve import InvalidResult, Result
from tacit.central.used import used_edges
from tacit.central.validate.judge import Verdict
from tacit.central.validate.plan import Plan
from tacit.errors import ProtocolError
from tacit.party.disclosure.graph import Edge
from tacit.public.disclosure import FINISH, PublicStep
from tacit.public.settings import Settings

TRIES, AFRESH = 120, 0.15
"""Searches after the first ones, and the share of them that begins from nothing."""
EVALUATIONS, WINDOW = 4_000, 600
"""States that each may evaluate: for a whole plan, and for a part of one."""
MOST_STEPS = 150
"""Longer plans are not shortened."""
SHARE = 0.3
"""Of the time limit, for each bound."""


class Pareto:
    """The search for such points. `result` can be read at any time, also after Ctrl-C."""

    def __init__(
        self,
        instance: Instance,
        settings: Settings = Settings(),  # noqa: B008
        seed: int = 0,
        bill: Bill = Bill(),  # noqa: B008
        watch: Callable[[Trade], None] = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
    ):
        check_settings(settings)
        self._hunts = {"k": Hunt(instance, settings, ("max",), seed, _one_each, bill=bill)}
        if bill.weights is not None:
            self._hunts["price"] = Hunt(instance, settings, ("max",), seed, bill=bill)
        self.warnings = self._hunts["k"].warnings
        self._trials = Trials(instance, settings, seed, _one_each, bill)
        self._random = random.Random(seed)
        self._watch = watch
        self._clock = clock
        self._deadline = math.inf
        self._plans: dict[tuple[int, int, int], tuple[Choice, list[int]]] = {}
        """Of points: the edges that their plans rest on, and these plans."""
        self.result = Trade(bill.weights is not None, lower=dict.fromkeys(self._hunts, 0))

    def run(self, seconds: float = math.inf) -> Trade:
        """Go on until nothing more is worth trying, or time is over."""
        start = self._clock()
        self._deadline = start + seconds
        try:
            self._search(self._trials.choices.all)
            for what, hunt in self._hunts.items():
                self._bound(what, hunt, seconds * SHARE)
            if self.result.solvable is not False:
                for _ in range(TRIES):
                    if self._is_over:
                        break
                    self._vary()
        finally:
            self.result.seconds += self._clock() - start
        return self.result

    @property
    def _is_over(self) -> bool:
        return self._clock() >= self._deadline

    @property
    def _left(self) -> float:
        return max(0.0, self._deadline - self._clock())

    def _bound(self, what: str, hunt: Hunt, seconds: float) -> None:
        if self._is_over:
            return
        try:
            found = hunt.run(min(seconds, self._left))
        finally:
            self.result.lower[what] = hunt.result.lower["max"]
        if found.solvable is not None:
            self.result.solvable = found.solvable
        for witness in found.witness.values():
            used = self._trials.choices.numbers(witness.edges)
            self._note(witness.edges, witness.plan, witness.verdict, used)

    def _vary(self) -> None:
        """Let others do some of the work of a plan that is worth keeping, or start from nothing."""
        known = [self._plans[point.values] for point in self.result.points]
        if not known or self._random.random() < AFRESH:
            loads = [self._random.choice((1, 1, 2, 4, 8)) for _ in self._trials.choices.names]
            self._search(self._trials.choices.all, loads)
            return
        used, plan = self._random.choice(known)
        choice = self._random.choice([used, self._trials.choices.all, self._mixed(used)])
        first = self._random.randrange(len(plan) + 1)
        last = min(len(plan), first + self._random.randint(2, max(2, len(plan) // 2)))
        done = self._trials.joint.work(plan)
        busiest = max(done)
        loads = [8 if n == busiest else self._random.choice((1, 2, 4)) for n in done]
        self._search(choice, loads, plan, (first, last))

    def _mixed(self, used: Choice) -> Choice:
        """Some edges more than a plan uses: half of those of another."""
        other = self._random.choice([known for known, _ in self._plans.values()])
        return used | {n for n in other if self._random.random() < 0.5}

    def _search(
        self,
        choice: Choice,
        loads: Sequence[int] = (),
        plan: Sequence[int] = (),
        window: tuple[int, int] = (0, 0),
    ) -> None:
        if self._is_over:
            return
        seed, most = self._random.getrandbits(32), WINDOW if plan else EVALUATIONS
        found = self._trials.vary(choice, most, self._left, seed, loads, plan, window)
        if found is not None:
            self._try(choice, self._trials.in_public(found))

    def _try(self, choice: Choice, steps: Sequence[PublicStep]) -> None:
        """Keep a plan, without the steps that it can do without."""
        if not self._carry(choice, steps) or len(steps) > MOST_STEPS:
            return
        for place in reversed(range(len(steps))):
            if self._is_over:
                return
            fewer = [*steps[:place], *steps[place + 1 :]]
            if steps[place].action != FINISH and self._carry(choice, fewer):
                steps = fewer

    def _carry(self, choice: Choice, steps: Sequence[PublicStep]) -> bool:
        """Can a public plan be carried out, with the edges that it rests on and no more?"""
        found = self._result(choice, steps)
        used = None if found is None else self._trials.used(found)
        again = None if used is None else self._result(used, steps)
        if used is None or again is None:
            return False
        assert again.plan is not None
        assert again.verdict is not None
        edges = {a: list(e) for a, e in used_edges(self._trials.agents, again.plan).items()}
        self._note(edges, again.plan, again.verdict, used)
        return True

    def _result(self, choice: Choice, steps: Sequence[PublicStep]) -> Result | None:
        try:
            return self._trials.carry(choice, tuple(steps))
        except (ProtocolError, InvalidResult):
            return None  # a step that was left out was needed, by others or for the goals

    def _prices(self, edges: dict[str, list[Edge]]) -> dict[str, int]:
        if not self.result.in_prices:
            return {}
        own = {name: agent.dependencies for name, agent in self._trials.agents.items()}
        return {
            name: sum(own[name].price(e.giver, e.token) or 0 for e in told)
            for name, told in edges.items()
        }

    def _note(
        self, edges: dict[str, list[Edge]], plan: Plan, verdict: Verdict, used: Choice
    ) -> None:
        """Keep a point if it is worth it."""
        self.result.solvable = True
        told = {agent: len(own) for agent, own in edges.items()}
        point = Point(told, self._prices(edges), plan, verdict)
        known = front([*self.result.points, point])
        if any(other is point for other in known):
            self.result.points = known
            self._plans[point.values] = (used, self._trials.joint.numbers(plan))
            self._watch(self.result)


def _one_each(agent: str, edge: Edge) -> int:
    """Edges are counted, whatever they cost."""
    return 1

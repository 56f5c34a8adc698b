"""The trade-off between disclosure and makespan.

This sees every agent's secrets, as `minimum` does, and is for evaluation. It finds the points of
`trade`.

The first plans come from `minimum`, which discloses least, from a search with everything
disclosed, and from searches with what the ranking `cost` discloses with some budgets. Then,
repeatedly, a window of a plan is replanned, with the actions of the busiest agent made more
expensive so that others take over, and with more edges or without. Redundant steps are removed. No
point is guaranteed to be optimal, but the lower bound on k, or on the price, is proven. Effort
counts evaluated states, so that without a time limit results are repeatable.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence

import msgspec

from tacit.central.analysis.minimum import MinimumSearch, check_settings
from tacit.central.analysis.minimum.choices import Choice
from tacit.central.analysis.minimum.trials import Trials
from tacit.central.analysis.trade import Point, Trade, front
from tacit.central.instance import Instance
from tacit.central.price_policy import PricePolicy
from tacit.central.result import Result
from tacit.central.session import InvalidResult, Session
from tacit.central.used import used_edges
from tacit.central.validate.judge import Verdict
from tacit.central.validate.plan import Plan
from tacit.errors import ProtocolError
from tacit.party.disclosure.graph import Edge
from tacit.policy import POLICY, Policy
from tacit.public.disclosure import FINISH, PublicStep
from tacit.public.run_options import RunOptions
from tacit.public.settings import Objective, Settings


class Pareto:
    """The search for such points. `result` can be read at any time, also after Ctrl-C."""

    def __init__(
        self,
        instance: Instance,
        settings: Settings = Settings(),  # noqa: B008
        seed: int = 0,
        price_policy: PricePolicy = PricePolicy(),  # noqa: B008
        watch: Callable[[Trade], None] = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
        policy: Policy = POLICY,
    ):
        check_settings(settings)
        self._policy, self._evaluations = policy.pareto, policy.effort.forward.low
        self._instance, self._price_policy = instance, price_policy
        self._settings = msgspec.structs.replace(settings, objective=Objective.MAKESPAN)
        self._searches = {
            "k": MinimumSearch(
                instance, settings, ("max",), seed, _one_each, price_policy=price_policy
            )
        }
        if price_policy.weights is not None:
            self._searches["price"] = MinimumSearch(
                instance, settings, ("max",), seed, price_policy=price_policy
            )
        self.warnings = self._searches["k"].warnings
        self._trials = Trials(instance, settings, seed, _one_each, price_policy)
        self._random = random.Random(seed)
        self._watch = watch
        self._clock = clock
        self._deadline = math.inf
        self._plans: dict[tuple[int, int, int], tuple[Choice, list[int]]] = {}
        """Per point: the edges that its plan uses, and the plan."""
        self.result = Trade(
            price_policy.weights is not None, lower=dict.fromkeys(self._searches, 0)
        )

    def run(self, seconds: float = math.inf) -> Trade:
        """Run until nothing more is worth trying, or the time is up."""
        start = self._clock()
        self._deadline = start + seconds
        try:
            self._search(self._trials.choices.all)
            for what, search in self._searches.items():
                self._bound(what, search, seconds * self._policy.share)
            if self.result.solvable is not False:
                self._follow_ranking()
                for _ in range(self._policy.tries):
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

    def _bound(self, what: str, search: MinimumSearch, seconds: float) -> None:
        if self._is_over:
            return
        try:
            found = search.run(min(seconds, self._left))
        finally:
            self.result.lower[what] = search.result.lower["max"]
        if found.solvable is not None:
            self.result.solvable = found.solvable
        for witness in found.witness.values():
            used = self._trials.choices.numbers(witness.edges)
            self._note(witness.edges, witness.plan, witness.verdict, used)

    def _follow_ranking(self) -> None:
        """Plans with what agents would disclose for a short plan, twice as much each time."""
        options = RunOptions("projection", "cost")
        session = Session(self._instance, self._settings, options, self._price_policy)
        k = 1
        while k <= session.largest and not self._is_over:
            session.disclose(k)
            chosen = {name: agent.disclosed for name, agent in session.agents.items()}
            self._search(self._trials.choices.numbers(chosen))
            k *= 2

    def _vary(self) -> None:
        """Let others do some of the work of a plan that is worth keeping, or start afresh."""
        known = [self._plans[point.values] for point in self.result.points]
        if not known or self._random.random() < self._policy.afresh:
            loads = [self._random.choice((1, 1, 2, 4, 8)) for _ in self._trials.choices.names]
            self._search(self._trials.choices.all, loads)
            return
        used, plan = self._random.choice(known)
        choice = self._random.choice([used, self._trials.choices.all, self._mixed(used)])
        first = self._random.randrange(len(plan) + 1)
        last = min(len(plan), first + self._random.randint(2, max(2, len(plan) // 2)))
        work = self._trials.joint.work(plan)
        busiest = max(work)
        loads = [8 if n == busiest else self._random.choice((1, 2, 4)) for n in work]
        self._search(choice, loads, plan, (first, last))

    def _mixed(self, used: Choice) -> Choice:
        """A few more edges than a plan uses: half of those of another plan."""
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
        most = self._policy.window if plan else self._evaluations
        seed = self._random.getrandbits(32)
        found = self._trials.vary(choice, most, self._left, seed, loads, plan, window)
        if found is not None:
            self._try(choice, self._trials.in_public(found))

    def _try(self, choice: Choice, steps: Sequence[PublicStep]) -> None:
        """Keep a plan, without its redundant steps."""
        if not self._extend(choice, steps) or len(steps) > self._policy.longest:
            return
        for place in reversed(range(len(steps))):
            if self._is_over:
                return
            fewer = [*steps[:place], *steps[place + 1 :]]
            if steps[place].action != FINISH and self._extend(choice, fewer):
                steps = fewer

    def _extend(self, choice: Choice, steps: Sequence[PublicStep]) -> bool:
        """Whether a public plan can be extended with only the edges that it uses."""
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
            return self._trials.extend(choice, tuple(steps))
        except (ProtocolError, InvalidResult):
            return None  # a removed step was needed, by others or for the goals

    def _prices(self, edges: dict[str, list[Edge]]) -> dict[str, int]:
        if not self.result.in_prices:
            return {}
        own = {name: agent.dependencies for name, agent in self._trials.agents.items()}
        return {
            name: sum(own[name].price(e.achiever, e.token) or 0 for e in disclosed)
            for name, disclosed in edges.items()
        }

    def _note(
        self, edges: dict[str, list[Edge]], plan: Plan, verdict: Verdict, used: Choice
    ) -> None:
        """Keep a point if no other dominates it."""
        self.result.solvable = True
        counts = {agent: len(own) for agent, own in edges.items()}
        point = Point(counts, plan, verdict, self._prices(edges))
        known = front([*self.result.points, point])
        if any(other is point for other in known):
            self.result.points = known
            self._plans[point.values] = (used, self._trials.joint.numbers(plan))
            self._watch(self.result)


def _one_each(agent: str, edge: Edge) -> int:
    """Edges are counted, regardless of their price."""
    return 1

"""The two ends of a minimum, moved towards each other in rounds of growing effort."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence

from tacit.central.analysis.minimum.attempts import Attempts
from tacit.central.analysis.minimum.bound import Bound
from tacit.central.analysis.minimum.choices import OBJECTIVES, Choice, Price
from tacit.central.analysis.minimum.result import Minimum
from tacit.central.analysis.minimum.trials import Trials
from tacit.central.billing import Bill
from tacit.central.instance import Instance
from tacit.errors import InputError
from tacit.party.disclosure.graph import Edge
from tacit.public.settings import Extension, Settings, Threats

FIRST_EVALUATIONS, GROWTH, ROUNDS = 1_000, 8, 4
"""States that a trial may evaluate in the first round, by how much more in the next, and rounds."""

MOST_REFUTED, MOST_GROWING = 40, 200
"""Choices that are refuted in one round, and trials that each is worth while it is made larger."""

BRANCHES = 10
"""Branches per state that a trial may evaluate, in which the cheapest choice is looked for."""


class Hunt:
    """The search for a minimum. `result` can be read at any time, also after Ctrl-C."""

    def __init__(
        self,
        instance: Instance,
        settings: Settings = Settings(),  # noqa: B008
        objectives: Sequence[str] = OBJECTIVES,
        seed: int = 0,
        price: Price | None = None,
        watch: Callable[[Minimum], None] = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
        bill: Bill = Bill(),  # noqa: B008
    ):
        check_settings(settings)
        _check_objectives(objectives)
        self._trials = Trials(instance, settings, seed, price, bill)
        self.warnings = self._trials.warnings
        self._choices = self._trials.choices
        self._bound = Bound(self._choices)
        self._random = random.Random(seed)
        self._watch = watch
        self._clock = clock
        self._is_public = settings.threats is Threats.NONE
        self._chosen: dict[str, Choice] = {}
        self._deadline = math.inf
        self.result = Minimum(
            tuple(objectives),
            settings.threats,
            self._trials.totals,
            dict.fromkeys(objectives, 0),
        )
        self._attempts = Attempts(self._trials, self._bound, self.result, self._left, watch)

    def run(self, seconds: float = math.inf) -> Minimum:
        """Go on until the ends meet, nothing more is worth trying, or time is over."""
        start = self._clock()
        self._deadline = start + seconds
        try:
            self._rounds()
        finally:
            self.result.seconds += self._clock() - start
        return self.result

    def cheapest(self, objective: str) -> dict[str, list[Edge]] | None:
        """Per agent, what it pays for in the best choice found; None if there is none."""
        best = self._attempts.best.get(objective)
        if best is None:
            return None
        told: dict[str, list[Edge]] = {name: [] for name in self._choices.names}
        for n in sorted(best):
            told[self._choices.names[self._choices.group[n]]].append(self._choices.edges[n])
        return told

    def describe(self, agent: str, edges: Sequence[Edge]) -> list[str]:
        """Edges in the words of their agent's own files."""
        own = self._trials.agents[agent].dependencies
        return [own.describe(edge) for edge in edges]

    def _rounds(self) -> None:
        if not self._bound.has_any:
            self.result.solvable = False
            return
        for objective in self.result.objectives:
            choice = self._look_from_below(objective, FIRST_EVALUATIONS)
            if choice is not None and not self._is_over():
                self._attempts.will_do(choice, FIRST_EVALUATIONS)
        for number in range(ROUNDS):
            evaluations = FIRST_EVALUATIONS * GROWTH**number
            for objective in self.result.objectives:
                self._tighten(objective, evaluations)
            if not self.result.witness:
                self._try_all(evaluations)
            for objective in self.result.objectives:
                self._improve(objective, evaluations)
            if self._is_over() or self._is_done():
                return

    def _is_over(self) -> bool:
        return self.result.solvable is False or self._clock() >= self._deadline

    def _is_done(self) -> bool:
        """Is there nothing left to gain, for plans that are carried out either?"""
        result = self.result
        return result.is_proven and all(map(self._is_carried_best, result.objectives))

    def _left(self) -> float:
        return max(0.0, self._deadline - self._clock())

    # ------------------------------------------------------------------ from below

    def _tighten(self, objective: str, evaluations: int) -> None:
        """Raise the bound until the cheapest choice cannot be refuted with so much effort."""
        for _ in range(MOST_REFUTED):
            if self._is_over() or self.result.gap(objective) == 0:
                return
            choice = self._look_from_below(objective, evaluations)
            if choice is None or self._attempts.will_do(choice, evaluations) is not False:
                return
            self._refute(choice, evaluations)

    def _look_from_below(self, objective: str, evaluations: int) -> Choice | None:
        """The cheapest choice that was not refuted; None if time is over before that is known."""
        choice = self._bound.cheapest(objective, BRANCHES * evaluations, self._is_over)
        if choice is not None:
            self._chosen[objective] = choice
        result, lower = self.result, self._bound.lower
        for name in result.objectives:
            if lower[name] > result.lower[name]:
                result.lower[name] = lower[name]
                self._watch(result)
        return choice

    def _refute(self, choice: Choice, evaluations: int) -> None:
        """A choice will not do: make it as large as can be while that is so; the rest is a cut."""
        rest = sorted(self._choices.all - choice)
        grown, trials = choice, MOST_GROWING
        stack = [rest]
        cut: list[int] = []
        while stack:
            some = stack.pop()
            if trials > 0 and not self._is_over():
                trials -= 1
                if self._attempts.will_do(grown | frozenset(some), evaluations) is False:
                    grown |= frozenset(some)
                    continue
                if len(some) > 1:
                    stack += [some[: len(some) // 2], some[len(some) // 2 :]]
                    continue
            cut += some
        if cut:
            self._bound.add(cut)
        else:
            self.result.solvable = False

    # ------------------------------------------------------------------ from above

    def _try_all(self, evaluations: int) -> None:
        """Everything is disclosed: the plan that is easiest to find, if it is far from the best."""
        if self._is_over():
            return
        every = self._choices.all
        if self._attempts.will_do(every, evaluations) is False:
            self.result.solvable = False
        if self._is_public and not self.result.witness and not self._is_over():
            self._attempts.can_be_carried_out(every, evaluations)

    def _improve(self, objective: str, evaluations: int) -> None:
        """Find a cheaper choice than the best so far."""
        if self.result.gap(objective) != 0:
            self._pay(objective, evaluations)
            best = self._attempts.best.get(objective)
            if best is not None:
                self._shrink(objective, best, self._attempts.will_do, evaluations)
        if self._is_public:
            self._carry_cheap(objective, evaluations)

    def _carry_cheap(self, objective: str, evaluations: int) -> None:
        """With threats `none`: find a cheaper choice with a plan that can be carried out."""
        for choices in (self._chosen, self._attempts.best):
            choice = choices.get(objective)
            if self._is_carried_best(objective) or self._is_over():
                return
            if choice is not None and self._attempts.would_help(choice):
                self._attempts.can_be_carried_out(choice, evaluations)
        carried = self._attempts.carried.get(objective)
        if carried is not None and not self._is_carried_best(objective):
            self._shrink(objective, carried, self._attempts.can_be_carried_out, evaluations)

    def _is_carried_best(self, objective: str) -> bool:
        witness = self.result.witness.get(objective)
        return witness is not None and witness.value == self.result.lower[objective]

    def _pay(self, objective: str, evaluations: int) -> None:
        """Look for plans that pay for each edge but those of the choice that is best from below."""
        free = self._chosen.get(objective, frozenset())
        prices = self._choices.price
        for price in ([0 if n in free else p for n, p in enumerate(prices)], prices):
            if self._is_over() or self.result.gap(objective) == 0:
                return
            choice = self._trials.cheap(price, evaluations, self._left())
            if choice is not None and self._is_cheaper(objective, choice):
                self._attempts.will_do(choice, evaluations)

    def _is_cheaper(self, objective: str, choice: Choice) -> bool:
        value = self._choices.value(objective, choice)
        return value < self.result.best.get(objective, value + 1)

    def _shrink(
        self,
        objective: str,
        best: Choice,
        attempt: Callable[[Choice, int], bool | None],
        evaluations: int,
    ) -> None:
        """Take edges away one by one, where that makes the choice cheaper."""
        order = sorted(best)
        self._random.shuffle(order)
        choice = best
        for n in order:
            if self._is_over() or self.result.lower[objective] == self._choices.value(
                objective, choice
            ):
                return
            less = choice - {n}
            if n in choice and self._bound.may_do(less) and attempt(less, evaluations):
                choice = less


def check_settings(settings: Settings) -> None:
    """Raise an `InputError` if telling more could lose a plan: then there is no minimum."""
    if settings.threats not in (Threats.NONE, Threats.ON_DEMAND):
        raise InputError(
            f"there is no minimum with threats '{settings.threats.value}'",
            "choose threats 'none' or 'on-demand': with others, telling more may lose a plan",
        )
    if settings.extension is not Extension.STRICT:
        raise InputError(
            "there is no minimum with extension 'replan'",
            "choose extension 'strict': a plan made by replanning discloses more than its edges",
        )


def _check_objectives(objectives: Sequence[str]) -> None:
    for objective in objectives:
        if objective not in OBJECTIVES:
            raise InputError(f"there is no objective '{objective}'", "max or sum")

"""The bounds of a minimum, moved towards each other in rounds of growing effort."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator, Sequence

from tacit.central.analysis.minimum.attempts import Attempts
from tacit.central.analysis.minimum.bound import Bound
from tacit.central.analysis.minimum.choices import OBJECTIVES, Choice, Price
from tacit.central.analysis.minimum.result import Minimum
from tacit.central.analysis.minimum.trials import Trials
from tacit.central.instance import Instance
from tacit.central.price_policy import PricePolicy
from tacit.errors import InputError
from tacit.party.disclosure.graph import Edge
from tacit.policy import POLICY, Policy
from tacit.public.settings import Extension, Settings, Threats


class MinimumSearch:
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
        price_policy: PricePolicy = PricePolicy(),  # noqa: B008
        policy: Policy = POLICY,
    ):
        check_settings(settings)
        _check_objectives(objectives)
        self._policy, self._effort = policy.minimum, policy.effort
        self._trials = Trials(instance, settings, seed, price, price_policy, policy)
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
        """Run until the bounds meet, nothing more is worth trying, or the time is up."""
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
        paid: dict[str, list[Edge]] = {name: [] for name in self._choices.names}
        for n in sorted(best):
            paid[self._choices.names[self._choices.group[n]]].append(self._choices.edges[n])
        return paid

    def describe(self, agent: str, edges: Sequence[Edge]) -> list[str]:
        """Edges by the names in their agent's own files."""
        own = self._trials.agents[agent].dependencies
        return [own.describe(edge) for edge in edges]

    def _rounds(self) -> None:
        if not self._bound.has_any:
            self.result.solvable = False
            return
        for objective in self.result.objectives:
            choice = self._raise_lower(objective, self._policy.first_evaluations)
            if choice is not None and not self._is_over():
                self._attempts.suffices(choice, self._policy.first_evaluations)
        for evaluations in self._efforts():
            for objective in self.result.objectives:
                self._tighten(objective, evaluations)
            if not self.result.witness:
                self._try_all(evaluations)
            for objective in self.result.objectives:
                self._improve(objective, evaluations)
            if self._is_over() or self._is_done():
                return

    def _efforts(self) -> Iterator[int]:
        """States of a trial in each round, up to what a proof is worth."""
        evaluations = self._policy.first_evaluations
        while evaluations <= self._effort.thorough:
            yield evaluations
            evaluations *= self._effort.growth

    def _is_over(self) -> bool:
        return self.result.solvable is False or self._clock() >= self._deadline

    def _is_done(self) -> bool:
        """Whether nothing is left to gain, including for extended plans."""
        result = self.result
        return result.is_proven and all(map(self._is_best_extended, result.objectives))

    def _left(self) -> float:
        return max(0.0, self._deadline - self._clock())

    # ------------------------------------------------------------------ from below

    def _tighten(self, objective: str, evaluations: int) -> None:
        """Raise the bound until the cheapest choice cannot be ruled out with this effort."""
        for _ in range(self._policy.cuts_per_round):
            if self._is_over() or self.result.gap(objective) == 0:
                return
            choice = self._raise_lower(objective, evaluations)
            if choice is None or self._attempts.suffices(choice, evaluations) is not False:
                return
            self._add_cut(choice, evaluations)

    def _raise_lower(self, objective: str, evaluations: int) -> Choice | None:
        """The cheapest choice that is not ruled out; None if the time is up before it is known."""
        branches = self._policy.branches_per_evaluation * evaluations
        choice = self._bound.cheapest(objective, branches, self._is_over)
        if choice is not None:
            self._chosen[objective] = choice
        result, lower = self.result, self._bound.lower
        for name in result.objectives:
            if lower[name] > result.lower[name]:
                result.lower[name] = lower[name]
                self._watch(result)
        return choice

    def _add_cut(self, choice: Choice, evaluations: int) -> None:
        """Enlarge an insufficient choice while it stays insufficient; the rest is a cut."""
        rest = sorted(self._choices.all - choice)
        grown, trials = choice, self._policy.trials_per_choice
        stack = [rest]
        cut: list[int] = []
        while stack:
            some = stack.pop()
            if trials > 0 and not self._is_over():
                trials -= 1
                if self._attempts.suffices(grown | frozenset(some), evaluations) is False:
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
        """Disclose everything: that plan is the easiest to find, if far from the best."""
        if self._is_over():
            return
        every = self._choices.all
        if self._attempts.suffices(every, evaluations) is False:
            self.result.solvable = False
        if self._is_public and not self.result.witness and not self._is_over():
            self._attempts.can_be_extended(every, evaluations)

    def _improve(self, objective: str, evaluations: int) -> None:
        """Find a cheaper choice than the best so far."""
        if self.result.gap(objective) != 0:
            self._pay(objective, evaluations)
            best = self._attempts.best.get(objective)
            if best is not None:
                self._shrink(objective, best, self._attempts.suffices, evaluations)
        if self._is_public:
            self._extend_cheaply(objective, evaluations)

    def _extend_cheaply(self, objective: str, evaluations: int) -> None:
        """With threats `none`: find a cheaper choice with a plan that can be extended."""
        for choices in (self._chosen, self._attempts.best):
            choice = choices.get(objective)
            if self._is_best_extended(objective) or self._is_over():
                return
            if choice is not None and self._attempts.would_help(choice):
                self._attempts.can_be_extended(choice, evaluations)
        extended = self._attempts.extended.get(objective)
        if extended is not None and not self._is_best_extended(objective):
            self._shrink(objective, extended, self._attempts.can_be_extended, evaluations)

    def _is_best_extended(self, objective: str) -> bool:
        witness = self.result.witness.get(objective)
        return witness is not None and witness.value == self.result.lower[objective]

    def _pay(self, objective: str, evaluations: int) -> None:
        """Search for plans that pay for each edge except those of the current lower bound."""
        free = self._chosen.get(objective, frozenset())
        prices = self._choices.price
        for price in ([0 if n in free else p for n, p in enumerate(prices)], prices):
            if self._is_over() or self.result.gap(objective) == 0:
                return
            choice = self._trials.cheap(price, evaluations, self._left())
            if choice is not None and self._is_cheaper(objective, choice):
                self._attempts.suffices(choice, evaluations)

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
        """Remove edges one by one, where that makes the choice cheaper."""
        order = sorted(best)
        self._random.shuffle(order)
        choice = best
        for n in order:
            if self._is_over() or self.result.lower[objective] == self._choices.value(
                objective, choice
            ):
                return
            less = choice - {n}
            if n in choice and self._bound.may_suffice(less) and attempt(less, evaluations):
                choice = less


def check_settings(settings: Settings) -> None:
    """Raise an `InputError` if disclosing more could lose a plan: then there is no minimum."""
    if settings.threats not in (Threats.NONE, Threats.ON_DEMAND):
        raise InputError(
            f"there is no minimum with threats '{settings.threats.value}'",
            "choose threats 'none' or 'on-demand': with others, disclosing more may lose a plan",
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

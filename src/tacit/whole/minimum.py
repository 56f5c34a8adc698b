"""The fewest edges that must be disclosed: a proven lower bound, and the best that was found.

This sees every agent's secrets, so it is for evaluation and not for use among agents. For each
objective, the agent that pays most (`max`) or all together (`sum`), the two ends move towards
each other until they meet or time is over. From below, `Bound` offers the cheapest choice that
was not refuted yet; if a search finds a plan with it, nothing is cheaper, and if it proves that
there is none, that is one more cut. From above, plans are found that pay for each edge they use,
and edges are taken away from the best choice so far. Limits grow from round to round and count
evaluated states, so without a time limit results are repeatable.

What will do: with threats `none`, a choice whose projection has a plan; the best choice for which
a plan was also carried out is kept beside it. With `on-demand`, only the latter counts. Repairs
come on top, as they come on top of k.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tacit.errors import InputError
from tacit.party.graph import Edge
from tacit.planners import Outcome
from tacit.public.settings import Extension, Settings, Threats
from tacit.whole.billing import Bill, Weights
from tacit.whole.instance import Instance
from tacit.whole.minimum_bound import Bound
from tacit.whole.minimum_choices import OBJECTIVES, Choice, Price
from tacit.whole.minimum_trials import Trials, is_refuted
from tacit.whole.plan import Plan
from tacit.whole.solve import Result
from tacit.whole.validate import Verdict

FIRST_EVALUATIONS, GROWTH, ROUNDS = 1_000, 8, 4
"""States that a trial may evaluate in the first round, by how much more in the next, and rounds."""

MOST_REFUTED, MOST_GROWING = 40, 200
"""Choices that are refuted in one round, and trials that each is worth while it is made larger."""

BRANCHES = 10
"""Branches per state that a trial may evaluate, in which the cheapest choice is looked for."""

MOST_SOLVING = 8_000
"""Up to so many evaluations, a choice is also tried as agents would, with repairs."""


@dataclass(frozen=True)
class Witness:
    """A choice of edges with a plan that was carried out with it and passed the validator."""

    value: int
    paid: dict[str, int]
    edges: dict[str, list[Edge]]
    repairs: dict[str, int]
    plan: Plan
    verdict: Verdict


@dataclass
class Minimum:
    """What is known by now, per objective.

    `best` is the cheapest choice found that will do, `witness` the cheapest with a plan that was
    carried out. With threats `none` the former may be smaller.
    """

    objectives: tuple[str, ...]
    threats: Threats
    dependencies: dict[str, int]
    lower: dict[str, int] = field(default_factory=dict)
    best: dict[str, int] = field(default_factory=dict)
    witness: dict[str, Witness] = field(default_factory=dict)
    solvable: bool | None = None
    """Whether there is a plan at all; None if that is not known."""
    seconds: float = 0.0

    def gap(self, objective: str) -> int | None:
        """How far the two ends are apart; None if nothing was found."""
        best = self.best.get(objective)
        return None if best is None else best - self.lower[objective]

    @property
    def is_proven(self) -> bool:
        """Do the two ends meet, or is it proved that there is no plan?"""
        return self.solvable is False or all(self.gap(o) == 0 for o in self.objectives)


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
        self._public = settings.threats is Threats.NONE
        self._chosen: dict[str, Choice] = {}
        self._public_choice: dict[str, Choice] = {}
        self._witness_choice: dict[str, Choice] = {}
        self._known: dict[tuple[bool, Choice], tuple[int, bool | None]] = {}
        self._deadline = math.inf
        self.result = Minimum(
            tuple(objectives),
            settings.threats,
            self._trials.totals,
            dict.fromkeys(objectives, 0),
        )

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
        best = self._public_choice.get(objective)
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
                self._try(choice, FIRST_EVALUATIONS)
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

    @property
    def _left(self) -> float:
        return max(0.0, self._deadline - self._clock())

    # ------------------------------------------------------------------ from below

    def _tighten(self, objective: str, evaluations: int) -> None:
        """Raise the bound until the cheapest choice cannot be refuted with so much effort."""
        for _ in range(MOST_REFUTED):
            if self._is_over() or self.result.gap(objective) == 0:
                return
            choice = self._look_from_below(objective, evaluations)
            if choice is None or self._try(choice, evaluations) is not False:
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
                if self._try(grown | frozenset(some), evaluations) is False:
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

    # ------------------------------------------------------------------ trials

    def _try(self, choice: Choice, evaluations: int) -> bool | None:
        """Will a choice do? None if that is not decided with so much effort."""
        return self._recall(not self._public, choice, evaluations)

    def _try_carried(self, choice: Choice, evaluations: int) -> bool | None:
        """Is there a plan with this choice that can be carried out?"""
        return self._recall(True, choice, evaluations)

    def _recall(self, carried: bool, choice: Choice, evaluations: int) -> bool | None:
        """Try a choice, unless that would tell nothing new."""
        spent, verdict = self._known.get((carried, choice), (0, None))
        if verdict is None and spent < evaluations:
            verdict = False
            if self._bound.may_do(choice):
                attempt = self._carry_out if carried else self._plan_in_public
                verdict = attempt(choice, evaluations)
            self._known[carried, choice] = (evaluations, verdict)
        return verdict

    def _plan_in_public(self, choice: Choice, evaluations: int) -> bool | None:
        found = self._trials.search(choice, evaluations, self._left)
        if found.outcome is not Outcome.SOLVED:
            return False if is_refuted(found) else None
        used = self._choices.used_in_public(choice, found.plan)
        self._note_public(used)
        if self._would_help(used):
            carried = self._trials.carry(used, self._trials.steps(found.plan))
            if carried is not None:
                self._note_witness(carried)
        return True

    def _carry_out(self, choice: Choice, evaluations: int) -> bool | None:
        found, carried = self._trials.join(choice, evaluations, self._left), None
        if is_refuted(found):
            return False
        if found.solved:
            carried = self._trials.carry(choice, self._trials.in_public(found.plan))
        elif evaluations <= MOST_SOLVING and not self._is_over():
            carried = self._trials.solve(choice, evaluations, self._left)
            if is_refuted(carried):
                return False
        if carried is None or not carried.solved:
            return None
        self._note_witness(carried)
        return True

    def _would_help(self, choice: Choice) -> bool:
        return any(
            objective not in self.result.witness
            or self._choices.value(objective, choice) < self.result.witness[objective].value
            for objective in self.result.objectives
        )

    def _note_public(self, choice: Choice) -> None:
        self.result.solvable = True
        for objective in self.result.objectives:
            value = self._choices.value(objective, choice)
            if value < self.result.best.get(objective, value + 1):
                self.result.best[objective] = value
                self._public_choice[objective] = choice
                self._watch(self.result)

    def _note_witness(self, found: Result) -> None:
        choice = self._trials.used(found)
        assert found.plan is not None
        assert found.verdict is not None
        for objective in self.result.objectives:
            value = self._choices.value(objective, choice)
            known = self.result.witness.get(objective)
            if known is None or value < known.value:
                self.result.witness[objective] = Witness(
                    value,
                    self._choices.loads(choice),
                    self._choices.by_agent(choice),
                    dict(found.repairs),
                    found.plan,
                    found.verdict,
                )
                self._witness_choice[objective] = choice
        self._note_public(choice)

    # ------------------------------------------------------------------ from above

    def _try_all(self, evaluations: int) -> None:
        """Everything is disclosed: the plan that is easiest to find, if it is far from the best."""
        if self._is_over():
            return
        every = self._choices.all
        if self._try(every, evaluations) is False:
            self.result.solvable = False
        if self._public and not self.result.witness and not self._is_over():
            self._try_carried(every, evaluations)

    def _improve(self, objective: str, evaluations: int) -> None:
        """Find a cheaper choice than the best so far."""
        if self.result.gap(objective) != 0:
            self._pay(objective, evaluations)
            best = self._public_choice.get(objective)
            if best is not None:
                self._shrink(objective, best, self._try, evaluations)
        if self._public:
            self._carry_cheap(objective, evaluations)

    def _carry_cheap(self, objective: str, evaluations: int) -> None:
        """With threats `none`: find a cheaper choice with a plan that can be carried out."""
        for choices in (self._chosen, self._public_choice):
            choice = choices.get(objective)
            if self._is_carried_best(objective) or self._is_over():
                return
            if choice is not None and self._would_help(choice):
                self._try_carried(choice, evaluations)
        if objective in self._witness_choice and not self._is_carried_best(objective):
            self._shrink(objective, self._witness_choice[objective], self._try_carried, evaluations)

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
            choice = self._trials.cheap(price, evaluations, self._left)
            if choice is not None and self._is_cheaper(objective, choice):
                self._try(choice, evaluations)

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


def minimum(
    instance: Instance,
    settings: Settings = Settings(),  # noqa: B008
    objectives: Sequence[str] = OBJECTIVES,
    time_limit: float = math.inf,
    seed: int = 0,
    price: Price | None = None,
    weights: Weights | None = None,
) -> Minimum:
    """The fewest edges that must be disclosed for a problem, from below and from above.

    With weights, the lowest price; or `price` says what each edge costs.
    """
    bill = Bill(weights)
    return Hunt(instance, settings, objectives, seed, price, bill=bill).run(time_limit)

"""What trials have shown: which choices will do, and the best of them so far.

A choice is tried once, and again only with more effort. `will_do` asks what the settings count: a
plan of the projection with threats `none`, else one that can be carried out. What a plan does not
use is not needed, so what is kept of a choice is what its plan rests on.
"""

from __future__ import annotations

from collections.abc import Callable

from tacit.central.analysis.minimum.bound import Bound
from tacit.central.analysis.minimum.choices import Choice
from tacit.central.analysis.minimum.result import Minimum, Witness
from tacit.central.analysis.minimum.trials import Trials, is_refuted
from tacit.central.solve import Result
from tacit.planners import Outcome
from tacit.public.settings import Threats

MOST_SOLVING = 8_000
"""Up to so many evaluations, a choice is also tried as agents would, with repairs."""


class Attempts:
    """Trials of choices, and what they add to the result. `left`: the seconds that are left."""

    def __init__(
        self,
        trials: Trials,
        bound: Bound,
        result: Minimum,
        left: Callable[[], float],
        watch: Callable[[Minimum], None],
    ):
        self._trials = trials
        self._choices = trials.choices
        self._bound = bound
        self._result = result
        self._left = left
        self._watch = watch
        self._is_public = result.threats is Threats.NONE
        self.best: dict[str, Choice] = {}
        """Per objective, the cheapest choice that will do."""
        self.carried: dict[str, Choice] = {}
        """Per objective, the cheapest choice with a plan that was carried out."""
        self._known: dict[tuple[bool, Choice], tuple[int, bool | None]] = {}

    def will_do(self, choice: Choice, evaluations: int) -> bool | None:
        """Will a choice do? None if that is not decided with so much effort."""
        return self._recall(not self._is_public, choice, evaluations)

    def can_be_carried_out(self, choice: Choice, evaluations: int) -> bool | None:
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
        found = self._trials.search(choice, evaluations, self._left())
        if found.outcome is not Outcome.SOLVED:
            return False if is_refuted(found) else None
        used = self._choices.used_in_public(choice, found.plan)
        self._note_public(used)
        if self.would_help(used):
            carried = self._trials.carry(used, self._trials.steps(found.plan))
            if carried is not None:
                self._note_witness(carried)
        return True

    def _carry_out(self, choice: Choice, evaluations: int) -> bool | None:
        found, carried = self._trials.join(choice, evaluations, self._left()), None
        if is_refuted(found):
            return False
        if found.solved:
            carried = self._trials.carry(choice, self._trials.in_public(found.plan))
        elif evaluations <= MOST_SOLVING and self._left() > 0:
            carried = self._trials.solve(choice, evaluations, self._left())
            if is_refuted(carried):
                return False
        if carried is None or not carried.solved:
            return None
        self._note_witness(carried)
        return True

    def would_help(self, choice: Choice) -> bool:
        """Would it be the cheapest with a plan, for any objective, if it had one?"""
        return any(
            objective not in self._result.witness
            or self._choices.value(objective, choice) < self._result.witness[objective].value
            for objective in self._result.objectives
        )

    def _note_public(self, choice: Choice) -> None:
        self._result.solvable = True
        for objective in self._result.objectives:
            value = self._choices.value(objective, choice)
            if value < self._result.best.get(objective, value + 1):
                self._result.best[objective] = value
                self.best[objective] = choice
                self._watch(self._result)

    def _note_witness(self, found: Result) -> None:
        choice = self._trials.used(found)
        assert found.plan is not None
        assert found.verdict is not None
        for objective in self._result.objectives:
            value = self._choices.value(objective, choice)
            known = self._result.witness.get(objective)
            if known is None or value < known.value:
                self._result.witness[objective] = Witness(
                    value,
                    self._choices.loads(choice),
                    self._choices.by_agent(choice),
                    dict(found.repairs),
                    found.plan,
                    found.verdict,
                )
                self.carried[objective] = choice
        self._note_public(choice)

"""Results of trials: which choices suffice, and the best of them so far.

A choice is tried once, and again only with more effort. `suffices` asks for what the settings
require: a plan of the projection with threats `none`, else one that can be extended. Edges that a
plan does not use are not needed, so only the used edges of a choice are kept.
"""

from __future__ import annotations

from collections.abc import Callable

from tacit.central.analysis.minimum.bound import Bound
from tacit.central.analysis.minimum.choices import Choice
from tacit.central.analysis.minimum.result import Minimum, Witness
from tacit.central.analysis.minimum.trials import Trials, is_unsolvable
from tacit.central.result import Result
from tacit.planners import PlannerOutcome
from tacit.public.settings import Threats


class Attempts:
    """Trials of choices, and what they add to the result. `left`: the remaining seconds."""

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
        """Per objective, the cheapest choice that suffices."""
        self.extended: dict[str, Choice] = {}
        """Per objective, the cheapest choice with a plan that was extended."""
        self._known: dict[tuple[bool, Choice], tuple[int, bool | None]] = {}

    def suffices(self, choice: Choice, evaluations: int) -> bool | None:
        """Whether a choice suffices; None if that is not decided with this effort."""
        return self._recall(not self._is_public, choice, evaluations)

    def can_be_extended(self, choice: Choice, evaluations: int) -> bool | None:
        """Whether there is a plan with this choice that can be extended."""
        return self._recall(True, choice, evaluations)

    def _recall(self, extended: bool, choice: Choice, evaluations: int) -> bool | None:
        """Try a choice, unless that would yield nothing new."""
        spent, verdict = self._known.get((extended, choice), (0, None))
        if verdict is None and spent < evaluations:
            verdict = False
            if self._bound.may_suffice(choice):
                attempt = self._extend if extended else self._plan_in_public
                verdict = attempt(choice, evaluations)
            self._known[extended, choice] = (evaluations, verdict)
        return verdict

    def _plan_in_public(self, choice: Choice, evaluations: int) -> bool | None:
        found = self._trials.search(choice, evaluations, self._left())
        if found.outcome is not PlannerOutcome.SOLVED:
            return False if is_unsolvable(found) else None
        used = self._choices.used_in_public(choice, found.plan)
        self._note_public(used)
        if self.would_help(used):
            extended = self._trials.extend(used, self._trials.steps(found.plan))
            if extended is not None:
                self._note_witness(extended)
        return True

    def _extend(self, choice: Choice, evaluations: int) -> bool | None:
        found, extended = self._trials.join(choice, evaluations, self._left()), None
        if is_unsolvable(found):
            return False
        if found.solved:
            extended = self._trials.extend(choice, self._trials.in_public(found.plan))
        elif evaluations <= self._trials.policy.effort.low and self._left() > 0:
            extended = self._trials.solve(choice, evaluations, self._left())
            if is_unsolvable(extended):
                return False
        if extended is None or not extended.solved:
            return None
        self._note_witness(extended)
        return True

    def would_help(self, choice: Choice) -> bool:
        """Whether it would be the cheapest with a plan, for any objective, if it had one."""
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
                self.extended[objective] = choice
        self._note_public(choice)

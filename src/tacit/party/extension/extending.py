"""The phase of an agent that extends public plans: it executes its part, answers why it
cannot, or changes the plan.
"""

from __future__ import annotations

import math
from functools import partial
from typing import ClassVar

from tacit.errors import ProtocolError
from tacit.party.answers import Answers
from tacit.party.disclosing import Disclosing
from tacit.party.extension.best_response import BestResponse
from tacit.party.extension.extension import LocalPlan, Place
from tacit.party.extension.others import Linker
from tacit.party.extension.replanning import Replanner
from tacit.public import disclosure
from tacit.public.disclosure import FINISH, PublicStep
from tacit.public.protocol.messages import (
    Extend,
    ExtendAnswer,
    Extended,
    Improve,
    Improved,
    NextEdge,
    NotExtended,
    PrefixFails,
    RepairWithheld,
    Replan,
    Replanned,
    Scope,
    Threatened,
    Turn,
    Undecided,
    Weigh,
    Weighed,
)
from tacit.public.settings import Extension, Rule


class Extending:
    """Answers with the edges that it has disclosed; `plan` is what it would do, in its own
    numbers.
    """

    def __init__(self, disclosing: Disclosing):
        self.name = disclosing.name
        self.plan: LocalPlan | None = None
        self.agreed: tuple[PublicStep, ...] = ()
        """The public plan that it is the own part of."""
        self.disclosing = disclosing
        self._published = disclosing.published
        self._extender = self._published.extender
        self._response: BestResponse | None = None

    def next_edge(self, question: NextEdge) -> Turn:
        """One more edge, where this one was not enough."""
        return self.disclosing.next_edge(question)

    def extend(self, question: Extend) -> ExtendAnswer:
        """Can I do my part? If not, and if that helps, why not?"""
        self.disclosing.ask_about(question)
        if question.steps in self.disclosing.parts:
            self.agree(question.steps, self.disclosing.parts[question.steps])
            return Extended(self.name)
        places, with_goal = self.disclosing.plans.places(question.steps)
        threats = self._threats(places, with_goal)
        if threats is not None:
            self.agree((), None)
            return threats  # no plan has these in it, so there is nothing to search
        result = self._extender.extend(places, self.disclosing.disclosed, with_goal, best=True)
        self.agree(question.steps, result.plan)
        if result.plan is not None:
            return Extended(self.name)
        if not result.decided:
            return Undecided(self.name)
        if not self._published.settings.uses_repair:
            return NotExtended(self.name)
        if self.disclosing.repairs_left == 0:
            return RepairWithheld(self.name)
        return self._prefix(places, with_goal)

    def agree(self, steps: tuple[PublicStep, ...], plan: LocalPlan | None) -> None:
        """Remember what I would do, if I can."""
        self.plan, self.agreed = plan, steps if plan is not None else ()
        if plan is not None:
            self.disclosing.parts[steps] = plan

    def improve(self, question: Improve) -> Improved:
        """Do my part of the plan last agreed on at less cost."""
        if self.plan is None or self._published.settings.rule is not Rule.SUPPORTED:
            raise ProtocolError(f"'{question.sender}' asks to improve a plan that is none")
        plans = self.disclosing.plans
        last = tuple(step for step in self.agreed if step.action == FINISH)
        steps = plans.steps([step for step in self.agreed if step.action != FINISH])
        found = self._best_response().improve(steps, self.plan.actions, question.spared)
        if found is None:
            return Improved(self.name)
        return Improved(self.name, (*map(plans.show_step, found), *last))

    def _best_response(self) -> BestResponse:
        """With what is disclosed; made once for it."""
        disclosed = self.disclosing.disclosed
        if self._response is None or self._response.disclosed is not disclosed:
            world, ledger = self.disclosing.world, self.disclosing.ledger
            link = partial(Linker, world, ledger, self.name)
            self._response = BestResponse(self._extender, disclosed, self._published.seed, link)
        return self._response

    def weigh(self, question: Weigh) -> Weighed:
        """What the private actions of the plan last agreed on add to the sum."""
        masking = self._published.masking
        if self.plan is None or masking is None:
            raise ProtocolError(f"'{question.sender}' asks what a plan costs that is none")
        return masking.answer(question, self._extender.private_amount(self.plan))

    def replan(self, question: Replan) -> Replanned:
        """Change the plan so that I can do my part."""
        published, plans = self._published, self.disclosing.plans
        if published.settings.extension is not Extension.REPLAN:
            raise ProtocolError("nothing is replanned where extension is strict")
        seconds = math.inf if question.seconds is None else question.seconds
        own = published.dependencies
        replanner = Replanner(self._extender, published.task, own.number, published.seed)
        found = replanner.replan(plans.steps(question.steps), seconds)
        self.plan = found.plan if found else None
        if found is None:
            return Replanned(self.name, succeeded=False)
        return Replanned(self.name, True, tuple(map(plans.show_step, found.steps)))

    def _threats(self, places: list[Place], with_goal: bool) -> Threatened | RepairWithheld | None:
        """Why the plan certainly cannot be executed, as threats, if these explain it."""
        published, disclosing = self._published, self.disclosing
        if not published.settings.uses_repair:
            return None
        answer = disclosing.repairs.threat(
            places, disclosing.disclosed, with_goal, disclosing.repairs_left
        )
        if answer is None:
            return None
        if not answer.threats:
            return RepairWithheld(self.name)
        restored = tuple(
            disclosure.RestoredToken(token, tuple(sorted(map(published.show_action, users))))
            for token, users in answer.restored
        )
        threats = tuple(sorted(published.show(edge) for edge in answer.threats))
        return disclosing.note(Threatened(self.name, threats, restored, self._asked))

    def _prefix(self, places: list[Place], with_goal: bool) -> PrefixFails | Undecided:
        """The shortest prefix of the plan that cannot be executed."""
        own = [n for n, place in enumerate(places) if place.own is not None]
        low, high = 0, len(own)  # the first `low` own steps can be done; all with the goal not
        while low < high:
            middle = (low + high + 1) // 2
            can = self._can_execute(_first_steps(places, own[middle - 1]))
            if can is None:
                return Undecided(self.name)
            if can:
                low = middle
            else:
                high = middle - 1
        self.disclosing.repairs.pay_for_prefix()
        steps = low + 1  # own steps, the last action of all included if that is what fails
        first = [place.own for place in places if place.own is not None][:steps]
        joint = own[low] + 1 if low < len(own) else len(places)
        fails_at_goal = low == len(own)
        if self._published.withheld.has_to_do_with(first, with_goal and fails_at_goal):
            steps, joint = len(own) + with_goal, len(places)  # the plan as a whole
            failing, for_good = places, False
        else:
            failing = places if fails_at_goal else _first_steps(places, own[low])
            for_good = self._fails_for_good(failing, with_goal and fails_at_goal)
        matters = self._extender.others_matter
        count, scope = (joint, Scope.JOINT) if matters else (steps, Scope.OWN)
        return self.disclosing.note(PrefixFails(self.name, count, scope, for_good, self._asked))

    @property
    def _asked(self) -> bytes:
        return self.disclosing.asked_plans.digest

    def _can_execute(self, places: list[Place]) -> bool | None:
        """With what is disclosed; None if the search gave up."""
        result = self._extender.extend(places, self.disclosing.disclosed, with_goal=False)
        return result.plan is not None if result.decided else None

    def _fails_for_good(self, places: list[Place], with_goal: bool) -> bool:
        """Would it fail even if every edge were disclosed?"""
        everything = self._published.dependencies.graph.edges
        result = self._extender.extend(places, everything, with_goal)
        return result.decided and result.plan is None

    ANSWERS: ClassVar[Answers] = {
        NextEdge: next_edge,
        Extend: extend,
        Replan: replan,
        Improve: improve,
        Weigh: weigh,
    }


def _first_steps(places: list[Place], last: int) -> list[Place]:
    """The places up to a step, and an end after it."""
    return [*places[: last + 1], Place(None, places[last + 1].holds)]

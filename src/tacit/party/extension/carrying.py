"""An agent carries out its part of a public plan, or says why it cannot, or changes the plan."""

from __future__ import annotations

import math

from tacit.errors import ProtocolError
from tacit.party.extension.extension import LocalPlan, Place
from tacit.party.extension.repair import Repairs
from tacit.party.extension.replanning import Replanner
from tacit.party.standing import Standing
from tacit.public import disclosure
from tacit.public.protocol.messages import Carried, Carry, Replan, Replanned
from tacit.public.settings import Extension


class Carrier:
    """Answers for one budget; `plan` is what it would do, in its own numbers."""

    def __init__(self, standing: Standing):
        self.plan: LocalPlan | None = None
        self._standing = standing
        self._name = standing.task.agent
        self._repairs = Repairs(standing.dependencies)
        self._prefixes = 0

    def left_out(self, token: int) -> int | None:
        """The private fact behind a token that a repair brought back; for the owner."""
        return self._repairs.left_out(token)

    @property
    def paid(self) -> int:
        """What repairs cost so far, in the agent's own prices."""
        return self._repairs.paid + self._prefixes * self._standing.dependencies.usual_price

    def carry(self, question: Carry) -> Carried:
        """Can I do my part? If not, and if that helps, why not?"""
        standing = self._standing
        places, with_goal = standing.places(question.steps)
        threats = self._threats(places, with_goal, question.urgent)
        if threats is not None:
            self.plan = None
            return threats  # no plan has these in it, so there is nothing to search
        result = standing.extender.extend(places, standing.disclosed, with_goal)
        self.plan = result.plan
        if result.plan is not None:
            return Carried(self._name, succeeded=True)
        if not result.decided or not standing.settings.repairs:
            return Carried(self._name, succeeded=False, decided=result.decided)
        return self._prefix(places, with_goal)

    def replan(self, question: Replan) -> Replanned:
        """Change the plan so that I can do my part."""
        standing = self._standing
        if standing.settings.extension is not Extension.REPLAN:
            raise ProtocolError("nothing is replanned where extension is strict")
        seconds = math.inf if question.seconds is None else question.seconds
        own = standing.dependencies
        replanner = Replanner(standing.extender, standing.task, own.number, standing.seed)
        found = replanner.replan(standing.steps(question.steps), seconds)
        self.plan = found.plan if found else None
        if found is None:
            return Replanned(self._name, succeeded=False)
        return Replanned(self._name, True, tuple(map(standing.show_step, found.steps)))

    def _threats(self, places: list[Place], with_goal: bool, urgent: bool) -> Carried | None:
        """Why the plan certainly cannot be carried out, as threats, if these tell it."""
        standing = self._standing
        if not standing.settings.repairs:
            return None
        answer = self._repairs.threat(places, standing.disclosed, with_goal, urgent)
        if answer is None:
            return None
        returned = tuple(
            disclosure.ReturnedToken(token, tuple(sorted(map(standing.show_action, users))))
            for token, users in answer.returned
        )
        threats = tuple(sorted(standing.show(edge) for edge in answer.threats))
        return Carried(self._name, False, True, threats, returned)

    def _prefix(self, places: list[Place], with_goal: bool) -> Carried:
        """The shortest beginning of the plan that cannot be carried out."""
        extender = self._standing.extender
        own = [n for n, place in enumerate(places) if place.own is not None]
        low, high = 0, len(own)  # the first `low` own steps can be done; all with the goal not
        while low < high:
            middle = (low + high + 1) // 2
            beginning = [*places[: own[middle - 1] + 1], places[own[middle - 1] + 1]]
            result = self._standing.extender.extend(
                _as_end(beginning), self._standing.disclosed, with_goal=False
            )
            if result.plan is not None:
                low = middle
            elif result.decided:
                high = middle - 1
            else:
                return Carried(self._name, False, decided=False)
        self._prefixes += 1
        steps = low + 1  # own steps, the last action of all included if that is what fails
        first = [place.own for place in places if place.own is not None][:steps]
        joint = own[low] + 1 if low < len(own) else len(places)
        if self._standing.kept.has_to_do_with(first, with_goal and low == len(own)):
            steps, joint = len(own) + with_goal, len(places)  # the plan as a whole
        if extender.others_matter:
            return Carried(self._name, False, joint_prefix=joint)
        return Carried(self._name, False, own_prefix=steps)


def _as_end(places: list[Place]) -> list[Place]:
    """The same places, the last one an end without a step."""
    return [*places[:-1], Place(None, places[-1].holds)]

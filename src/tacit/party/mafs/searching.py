"""An agent's answers while it takes part in a forward search (DESIGN §1.5)."""

from __future__ import annotations

from tacit.errors import ProtocolError
from tacit.party.extension.extension import LocalPlan, Place
from tacit.party.mafs.forward import Forward, Joint
from tacit.party.standing import Standing
from tacit.public.protocol.messages import (
    Again,
    Answer,
    Begin,
    Carried,
    Carry,
    Follow,
    Foresee,
    Foreseen,
    Learn,
    Noted,
    Poll,
    Status,
    Trace,
    Traced,
)

NO_VALUE = 2**31 - 1


class Seeking:
    """One search, from `Begin` on; `plan` is the own part of the plan that it led to."""

    def __init__(self, standing: Standing, joint: Joint, begin: Begin):
        self.plan: LocalPlan | None = None
        self._standing = standing
        self._name = standing.task.agent
        told = dict(begin.disclosed)
        if joint.agents != tuple(told):
            raise ProtocolError("a search begins with other agents than have published")
        numbers = standing.own_numbers
        self.forward = Forward(numbers, joint, told, standing.disclosed, begin)

    def answer(self, question: Foresee | Poll | Learn | Follow | Again | Trace) -> Answer:
        """Answer a question about the search."""
        if isinstance(question, Foresee):
            foresight = self.forward.foresight
            news = foresight.hear(question.facts)
            at_start = () if self._standing.is_bounded else self.forward.free_at_start
            return Foreseen(self._name, news, foresight.can_finish, at_start)
        if isinstance(question, Learn):
            self.forward.learn(dict(question.disclosed), self._standing.disclosed)
            return Noted(self._name)
        if isinstance(question, Follow):
            self.forward.follow(question.steps)
            return Noted(self._name)
        if isinstance(question, Again):
            self.forward.send_again()
            return Noted(self._name)
        if isinstance(question, Trace):
            return Traced(self._name, *self.forward.tracing.trace(question.ref))
        return self._status()

    def carry(self, question: Carry) -> Carried:
        """Is this the plan that was traced, and can I do my part as my records say?"""
        places, _ = self._standing.places(question.steps)
        self.plan = self.forward.tracing.carry(question.steps, [place.holds for place in places])
        holds = self.plan is not None and self._executes(self.plan, places)
        return Carried(self._name, succeeded=holds)

    def _status(self) -> Status:
        forward = self.forward
        counted = forward.counters()
        return Status(
            self._name,
            forward.is_idle,
            forward.has_found,
            forward.frames_sent,
            forward.frames_received,
            counted["expanded"],
            counted["evaluated"],
            counted["generated"],
            counted["sent"],
            counted["received"],
            counted["parked"],
            counted["stored"],
            counted["memory"],
            forward.bytes_sent,
            counted["best"] if counted["best"] < NO_VALUE else None,
        )

    def _executes(self, plan: LocalPlan, places: list[Place]) -> bool:
        """Can these own actions be done, each at its place, and do they reach the private goals?"""
        task, count = self._standing.task, self._standing.task.public_count
        private = {fact for fact in task.arrays.init if fact >= count}
        for action, before in plan.actions:
            if not private.union(places[before].holds).issuperset(task.pre[action]):
                return False
            private.difference_update(task.delete[action])
            private.update(fact for fact in task.add[action] if fact >= count)
        return private.issuperset(fact for fact in task.arrays.goal if fact >= count)

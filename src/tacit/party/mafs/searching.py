"""The phase of an agent that takes part in a forward search (docs/forward.md)."""

from __future__ import annotations

from typing import ClassVar

from tacit.errors import ProtocolError
from tacit.party.answers import Answers
from tacit.party.disclosing import Disclosing
from tacit.party.extension.extension import LocalPlan, Place
from tacit.party.mafs.forward import Forward
from tacit.public.protocol.messages import (
    Ack,
    Begin,
    EdgeDisclosed,
    Extend,
    Extended,
    Follow,
    JointReach,
    JointReached,
    Learn,
    NextEdge,
    NotExtended,
    Poll,
    Resend,
    Status,
    Trace,
    Traced,
)

NO_VALUE = 2**31 - 1


class Searching:
    """One search, from `Begin` on; `plan` is the own part of the plan that it led to."""

    def __init__(self, disclosing: Disclosing, begin: Begin):
        self.name = disclosing.name
        self.plan: LocalPlan | None = None
        self.disclosing = disclosing
        self._task = disclosing.published.task
        disclosed = dict(begin.disclosed)
        if disclosing.joint.agents != tuple(disclosed):
            raise ProtocolError("a search begins with other agents than have published")
        self.forward = Forward(
            disclosing.published.own_numbers,
            disclosing.joint,
            disclosed,
            disclosing.disclosed,
            begin,
            disclosing.published.policy.guidance,
        )

    def next_edge(self, question: NextEdge) -> EdgeDisclosed:
        """One more edge, for a larger budget."""
        return self.disclosing.next_edge(question)

    def joint_reach(self, question: JointReach) -> JointReached:
        """What I could newly bring about, given what the others can."""
        reachability = self.forward.joint_reachability
        news = reachability.extend(question.facts)
        is_bounded = self.disclosing.published.budget is not None
        initial = () if is_bounded else self.forward.free_initially
        return JointReached(self.name, news, reachability.can_finish, initial)

    def learn(self, question: Learn) -> Ack:
        """More edges are disclosed."""
        self.forward.learn(dict(question.disclosed), self.disclosing.disclosed)
        return Ack(self.name)

    def follow(self, question: Follow) -> Ack:
        """The states on this plan come first."""
        self.forward.follow(question.steps)
        return Ack(self.name)

    def resend(self, question: Resend) -> Ack:
        """Nobody can go on."""
        self.forward.send_again()
        return Ack(self.name)

    def trace(self, question: Trace) -> Traced:
        """The own steps that led to a state."""
        return Traced(self.name, *self.forward.tracing.trace(question.ref))

    def extend(self, question: Extend) -> Extended | NotExtended:
        """Is this the plan that was traced, and can I do my part by my records?"""
        places, _ = self.disclosing.plans.places(question.steps)
        self.plan = self.forward.tracing.extend(question.steps, [place.holds for place in places])
        holds = self.plan is not None and self._executes(self.plan, places)
        return Extended(self.name) if holds else NotExtended(self.name)

    def poll(self, question: Poll) -> Status:
        """How far the search is."""
        forward = self.forward
        counted = forward.counters()
        return Status(
            self.name,
            forward.is_idle,
            forward.has_found,
            forward.frames_sent,
            forward.frames_received,
            counted["expanded"],
            counted["evaluated"],
            counted["generated"],
            counted["sent"],
            counted["received"],
            counted["deferred"],
            counted["stored"],
            counted["memory"],
            forward.bytes_sent,
            counted["best"] if counted["best"] < NO_VALUE else None,
        )

    def _executes(self, plan: LocalPlan, places: list[Place]) -> bool:
        """Can these own actions be done, each at its place, and do they reach the private goals?"""
        task, count = self._task, self._task.public_count
        private = {fact for fact in task.arrays.init if fact >= count}
        for action, before in plan.actions:
            if not private.union(places[before].holds).issuperset(task.pre[action]):
                return False
            private.difference_update(task.delete[action])
            private.update(fact for fact in task.add[action] if fact >= count)
        return private.issuperset(fact for fact in task.arrays.goal if fact >= count)

    ANSWERS: ClassVar[Answers] = {
        NextEdge: next_edge,
        JointReach: joint_reach,
        Poll: poll,
        Learn: learn,
        Follow: follow,
        Resend: resend,
        Trace: trace,
        Extend: extend,
    }

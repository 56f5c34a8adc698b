"""The phase of an agent that takes part in a forward search (docs/forward.md)."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

from tacit.errors import ProtocolError
from tacit.party.answers import Answers
from tacit.party.asked_layers import AskedLayers
from tacit.party.disclosing import Disclosing
from tacit.party.extension.extending import Extending
from tacit.party.extension.extension import LocalPlan, Place
from tacit.party.mafs.forward import Forward
from tacit.public.disclosure import PublicEdge
from tacit.public.protocol.messages import (
    Ack,
    Begin,
    Confirm,
    Extend,
    ExtendAnswer,
    Extended,
    Follow,
    Improve,
    Improved,
    JointReach,
    JointReached,
    Learn,
    NextEdge,
    NotExtended,
    Passed,
    Poll,
    Resend,
    Status,
    Trace,
    Traced,
    Turn,
    Weigh,
    Weighed,
)
from tacit.public.settings import Rule

NO_VALUE = 2**31 - 1


class Searching:
    """One search, from `Begin` on; `plan` is the own part of the plan that was last agreed on.

    Between two parts of a search the agent may be asked about plans of the projection, too.
    """

    def __init__(self, disclosing: Disclosing, begin: Begin):
        self.name = disclosing.name
        self.plan: LocalPlan | None = None
        self.disclosing = disclosing
        self._extending = Extending(disclosing)
        disclosing.expect(begin.ledger)
        self._task = disclosing.published.task
        self._has_wishes = self._expects_disclosures(begin)
        self.forward = Forward(
            disclosing.published.own_numbers,
            disclosing.joint,
            self._on_ledger(),
            disclosing.disclosed,
            begin,
            self._has_wishes,
        )

    def _expects_disclosures(self, begin: Begin) -> bool:
        """Does this search choose edges that its ranking does not see to be of use?"""
        published = self.disclosing.published
        return (
            begin.grows
            and not published.is_offline
            and published.dependencies.settings.rule is Rule.SUPPORTED
            and self.disclosing.order.takes_wishes
        )

    @cached_property
    def _asked_layers(self) -> AskedLayers:
        count, init = self._task.public_count, self._task.arrays.init
        public = [fact for fact in init if fact < count]
        return AskedLayers(self.name, lambda: self.disclosing.world, count, public)

    def _on_ledger(self) -> dict[str, tuple[PublicEdge, ...]]:
        ledger = self.disclosing.ledger
        return {agent: ledger.edges(agent) for agent in ledger.agents}

    def next_edge(self, question: NextEdge) -> Turn:
        """One more edge, where this one was not enough: what the ranking sees to be of use, else
        what the search is held up by most.
        """
        if not self._has_wishes:
            return self.disclosing.next_edge(question)
        if not question.must:
            turn = self.disclosing.next_edge(question)
            if not isinstance(turn, Passed):
                return turn
        wish = self.forward.wish(self.disclosing.order)
        if question.must:
            return self.disclosing.next_edge(question, None if wish is None else wish.edge)
        if wish is not None and wish.is_promising:
            return self.disclosing.next_edge(question, wish.edge)
        return turn

    def joint_reach(self, question: JointReach) -> JointReached:
        """What I could newly bring about, given what the others can."""
        published, reachability = self.disclosing.published, self.forward.joint_reachability
        if published.settings.rule is Rule.SUPPORTED:
            raise ProtocolError(
                f"'{question.sender}' asks what is jointly in reach, which the rule 'supported' "
                "does not need"
            )
        if not published.is_offline:
            self._asked_layers.check(question.sender, question.facts)
        news = reachability.extend(question.facts)
        self._asked_layers.note(news)
        initial = () if published.is_bounded else self.forward.free_initially
        answer = JointReached(self.name, news, reachability.can_finish, initial)
        return self.disclosing.note(answer)

    def learn(self, question: Learn) -> Ack:
        """More edges are disclosed."""
        self.disclosing.expect(question.ledger)
        self.forward.learn(self._on_ledger(), self.disclosing.disclosed)
        return Ack(self.name)

    def follow(self, question: Follow) -> Ack:
        """The states on this plan come first."""
        self.disclosing.follow(question)
        self.forward.follow(question.steps)
        return Ack(self.name)

    def resend(self, question: Resend) -> Ack:
        """Nobody can go on."""
        self.forward.send_again()
        return Ack(self.name)

    def trace(self, question: Trace) -> Traced:
        """The own steps that led to a state."""
        return Traced(self.name, *self.forward.tracing.trace(question.ref))

    def extend(self, question: Extend) -> ExtendAnswer:
        """Can I do my part of a plan that was not found by this search?"""
        answer = self._extending.extend(question)
        self.plan = self._extending.plan
        return answer

    def confirm(self, question: Confirm) -> Extended | NotExtended:
        """Is this the plan that was traced, and can I do my part by my records?"""
        places, with_goal = self.disclosing.plans.places(question.steps)
        self.plan = self.forward.tracing.extend(question.steps, [place.holds for place in places])
        if self.plan is None or not self._executes(self.plan, places):
            return NotExtended(self.name)
        self.plan = self._best(self.plan, places, with_goal)
        self._extending.agree(question.steps, self.plan)
        return Extended(self.name)

    def improve(self, question: Improve) -> Improved:
        """Do my part of the plan last agreed on at less cost."""
        return self._extending.improve(question)

    def weigh(self, question: Weigh) -> Weighed:
        """What the private actions of the plan last agreed on add to the sum."""
        return self._extending.weigh(question)

    def _best(self, traced: LocalPlan, places: list[Place], with_goal: bool) -> LocalPlan:
        """The own part as it was traced, or as it is extended anew if that is cheaper."""
        extender = self.disclosing.published.extender
        anew = extender.extend(places, self.disclosing.disclosed, with_goal, best=True).plan
        plans = [traced] if anew is None else [traced, anew]
        return min(plans, key=lambda plan: (extender.cost(plan), len(plan.actions)))

    def poll(self, question: Poll) -> Status:
        """How far the search is."""
        forward = self.forward
        forward.limit(question.bound, question.horizon)
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
            forward.cost,
            forward.lowest,
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
        Confirm: confirm,
        Improve: improve,
        Weigh: weigh,
    }

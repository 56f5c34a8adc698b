"""The third phase of an agent: it knows what all have published, and discloses its edges.

It holds the ledger of the run: what it disclosed itself, and what the others sent it (`hear`).
Online the ledger only grows. Offline, where one user holds all agents, every budget is a run of its
own: it begins with the edges of the first turns, and without repairs.

If the owner keeps a lasting ledger, every entry is on that one, too, before it leaves the agent.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar, TypeVar

from tacit.errors import InternalError, ProtocolError
from tacit.party.answers import Answers
from tacit.party.bounds import lead, needed_agents
from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.disclosure.graph import INIT, Edge, Graph
from tacit.party.disclosure.lasting_order import LastingOrder
from tacit.party.disclosure.order import Order
from tacit.party.disclosure.public_world import PublicWorld
from tacit.party.disclosure.ranking import PASS, Pass
from tacit.party.extension.asked_plans import AskedPlans
from tacit.party.extension.extension import LocalPlan
from tacit.party.extension.plan_reading import PlanReader
from tacit.party.extension.repair import Repairs
from tacit.party.mafs.forward import Joint
from tacit.party.published import Published
from tacit.public import disclosure
from tacit.public.classes import counted_by, name_of
from tacit.public.disclosure import PublicEdge, PublicStep
from tacit.public.ledger import Kind, Ledger, Mark
from tacit.public.protocol.entries import entered
from tacit.public.protocol.messages import (
    Disclose,
    Disclosed,
    Disclosure,
    EdgeDisclosed,
    Extend,
    Follow,
    NextEdge,
    NoMore,
    Passed,
    Publication,
    Recall,
    Recalled,
    Repair,
    Turn,
)

D = TypeVar("D", bound=Disclosure)


class Disclosing:
    """An agent that discloses; `disclosed` are its edges on the ledger, in own numbers."""

    def __init__(self, published: Published, others: Sequence[Publication]):
        own = published.dependencies
        self.name = published.name
        self.published = published
        self.publications = {part.sender: part for part in others}
        own.rank_by_layers(published.relaxed_layers.layers)
        self._public = published.view(self.publications)
        self.plans = PlanReader(published, self._public.world)
        self.order = self._order(own)
        published_by = self._public.published
        class_of = counted_by(published.settings, self._public.task.facts, published_by)
        self.ledger = Ledger(self.publications, class_of)
        if class_of is not None and published.memory is not None:
            published.memory.count_classes(
                lambda edge: name_of(class_of(self.name, published.show(edge)))
            )
        for agent, part in published_by.items():
            self.ledger.add(agent, Kind.FREE, part.threats)
        self._heard: dict[str, deque[Disclosure]] = {
            agent: deque() for agent in self.ledger.agents if agent != self.name
        }
        """What others disclosed and the coordinator may not have yet."""
        self.asked_about: tuple[PublicStep, ...] = ()
        """The public plan that all were last asked to extend."""
        self.asked_plans = AskedPlans(self._public.world, self.ledger)
        self._start([])

    def _order(self, own: Dependencies) -> Order:
        published, view = self.published, self._public
        name, graph, seed = published.ranking, own.graph, published.seed

        def graph_with(work: bool) -> Graph:
            return own.graph_with_work if work else own.graph_with_deletes

        if published.memory is not None and not published.is_offline:
            memory = published.memory
            return LastingOrder(memory, name, graph, graph_with, view, seed)
        budget = published.bounds.price
        return Order(name, graph, graph_with, view, seed, budget)

    def _start(self, edges: Sequence[Edge]) -> None:
        self.disclosed: Sequence[Edge] = tuple(edges)
        self.parts: dict[tuple[PublicStep, ...], LocalPlan] = {}
        """The own parts of public plans that were agreed on with these edges, or with fewer."""
        published = self.published
        own, policy = published.dependencies, published.policy.repair
        self.repairs = Repairs(own, policy, published.memory, published.statics.shown)

    @property
    def world(self) -> PublicWorld:
        """What all published."""
        return self._public.world

    @cached_property
    def joint(self) -> Joint:
        """What all agents published, as a forward search takes it."""
        return Joint.shared(self.world)

    @cached_property
    def known_before(self) -> tuple[Edge, ...]:
        """The edges that all peers know from earlier runs, where these are kept; other rankings
        come to them in the order of those runs.
        """
        memory = self.published.memory
        is_online = not self.published.is_offline and self.order.is_interactive
        return memory.known_edges if memory is not None and is_online else ()

    def recall(self, question: Recall) -> Recalled:
        """What all know from earlier runs is on the ledger from now on, and counts for nothing."""
        if self.published.is_offline or self.disclosed:
            raise ProtocolError("what is known is recalled once, before any turn")
        self.order.recall(self.known_before)
        self.disclosed = self.known_before
        shown = sorted(self.published.show(edge) for edge in self.known_before)
        return self.note(Recalled(self.name, tuple(shown)))

    def next_edge(self, question: NextEdge, wished: Edge | None = None) -> Turn:
        """One more edge, unless none is of use now or there is no more; the one that is `wished`
        for, or the ranking's choice.
        """
        self.expect(question.ledger)
        bounds = self.published.bounds
        is_spent = not bounds.allows_edge(self.ledger.counts(self.name).counted)
        if is_spent and not self.ledger.counts_classes:
            return NoMore(self.name)
        if bounds.ahead is not None and self._lead >= bounds.ahead:
            return NoMore(self.name) if question.must else Passed(self.name)
        edge = (
            self._next_alike(question.must) if is_spent else self.order.next(question.must, wished)
        )
        if edge is None:
            return NoMore(self.name)
        if edge is PASS:
            return Passed(self.name)
        answer = EdgeDisclosed(self.name, self.published.show(edge))
        if not self.published.is_offline:
            self.disclosed = (*self.disclosed, edge)
            self.note(answer)
        return answer

    def _next_alike(self, must: bool) -> Edge | Pass | None:
        """The next edge that is not counted; others are passed over for good."""
        edge = self.order.next(must)
        while isinstance(edge, Edge) and not self.ledger.is_alike(
            self.name, self.published.show(edge)
        ):
            edge = self.order.next(must)
        return edge

    @property
    def _lead(self) -> int:
        """How many edges more it has disclosed than others that the goals need."""
        return lead(self.ledger, self.name, self._needed_agents)

    @cached_property
    def _needed_agents(self) -> frozenset[str]:
        return needed_agents(self._public.task, self._public.published)

    @property
    def repairs_left(self) -> int | None:
        """How many repairs the owner still allows; None for any number."""
        memory = self.published.memory
        if memory is not None:
            return memory.lasting.repairs_left
        return self.published.bounds.repairs_left(self.ledger.counts(self.name).repairs)

    def note(self, disclosure: D) -> D:
        """Enter what the agent is about to disclose, and return it."""
        new = entered(self.ledger, disclosure, self.asked_about)
        published = self.published
        if published.memory is not None:
            numbers = (published.actions, published.tokens)
            if not published.memory.enter(new, numbers, self.repairs.static_place):
                raise InternalError("a disclosure beyond the owner's bounds, so it is not sent")
        return disclosure

    def hear(self, message: Disclosure) -> None:
        """Another agent disclosed something, to all. Online it is entered when the coordinator's
        ledger has it, too (`catch_up`), so that all agents enter the same before they go on.
        """
        if message.sender not in self._heard:
            raise ProtocolError(f"'{message.sender}' discloses and is not among the others")
        if not self.published.is_offline:
            self._heard[message.sender].append(message)
        elif isinstance(message, EdgeDisclosed):
            self.order.saw(message.sender, message.edge)
        else:
            entered(self.ledger, message)

    def catch_up(self, mark: Mark) -> bool:
        """Enter what the others disclosed, up to where the coordinator's ledger is; False if not
        all of it was heard yet.
        """
        is_complete = True
        for agent, count in self.ledger.differing(mark):
            heard = self._heard.get(agent, deque[Disclosure]())
            while self.ledger.count(agent) < count and heard:
                self._compare(heard[0])
                for entry in entered(self.ledger, heard.popleft(), self.asked_about):
                    self.order.saw(entry.agent, entry.item, entry.kind is Kind.FREE)
            is_own_less = agent == self.name and self.ledger.count(agent) < count
            if self.ledger.count(agent) > count or is_own_less:
                raise ProtocolError(f"the ledgers differ in what agent '{agent}' disclosed")
            is_complete &= self.ledger.count(agent) == count
        return is_complete

    def _compare(self, message: Disclosure) -> None:
        """A repair is about a plan that all were asked about, after the same plans before."""
        if isinstance(message, Repair) and message.asked != self.asked_plans.digest:
            names = f"'{self.name}' and '{message.sender}'"
            raise ProtocolError(f"agents {names} were asked about different plans")

    def ask_about(self, question: Extend) -> None:
        """All are asked to extend this plan; offline one user holds all agents, and may."""
        self.expect(question.ledger)
        if not self.published.is_offline:
            self.asked_plans.check(question.sender, question.steps)
        self.asked_about = question.steps

    def follow(self, question: Follow) -> None:
        """All are to search along this plan, which must be one that everybody could make."""
        self.expect(question.ledger)
        if not self.published.is_offline:
            self.asked_plans.check_guide(question.sender, question.steps)

    def enter_all(self) -> None:
        """Enter all that was heard: the run is over."""
        for heard in self._heard.values():
            while heard:
                entered(self.ledger, heard.popleft(), self.asked_about)

    def expect(self, mark: Mark) -> None:
        """Catch up; it is an error if something is missing."""
        if not self.catch_up(mark):
            raise ProtocolError("a question supposes a disclosure that never came")

    def disclose(self, question: Disclose) -> Disclosed:
        """My best edges as a set: sorted by numbers that show nothing, and not by the ranking."""
        if not self.published.is_offline:
            raise ProtocolError("budgets are tried one by one offline only")
        self._start(self.order.first(question.budget))
        achiever, token = self._public_achiever, self.published.tokens.shown
        shown = sorted(
            PublicEdge(achiever[e.achiever], token[e.token], e.positive) for e in self.disclosed
        )
        return self.note(Disclosed(self.name, tuple(shown)))

    def disclose_exactly(self, edges: Sequence[Edge]) -> tuple[PublicEdge, ...]:
        """Disclose these edges, whatever the order says; for the owner alone."""
        self._start(edges)
        shown = tuple(self.published.show(edge) for edge in edges)
        self.note(Disclosed(self.name, shown))
        return shown

    @cached_property
    def _public_achiever(self) -> dict[int, int]:
        """Per own achiever of edges, the initial state among them, its number for others."""
        return {INIT: disclosure.INIT, **dict(enumerate(self.published.actions.shown))}

    ANSWERS: ClassVar[Answers] = {Recall: recall, NextEdge: next_edge, Disclose: disclose}

"""The third phase of an agent: it knows what all have published, and discloses its edges.

Its order of edges is made once. Every budget is a run of its own: it has the first edges of that
order, and the repairs that follow from them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import ClassVar

from tacit.party.answers import Answers
from tacit.party.disclosure.graph import INIT, Edge
from tacit.party.disclosure.order import Order
from tacit.party.disclosure.public_view import PublicView
from tacit.party.extension.plan_reading import PlanReader
from tacit.party.extension.repair import Repairs
from tacit.party.mafs.forward import Joint
from tacit.party.published import Published
from tacit.public import disclosure
from tacit.public.disclosure import PublicEdge
from tacit.public.protocol.messages import (
    Disclose,
    Disclosed,
    EdgeDisclosed,
    Introduce,
    NextEdge,
    Publication,
)
from tacit.public.settings import Threats


class Disclosing:
    """An agent that discloses; `disclosed` are its edges of the last budget, in own numbers."""

    def __init__(self, published: Published, question: Introduce):
        own = published.dependencies
        self.name = published.name
        self.published = published
        self.publications = {part.sender: part for part in question.others}
        known = self.publications | {self.name: published.publication}
        self.plans = PlanReader(published, known.values())
        own.rank_by_layers(published.relaxed_layers.layers)  # nobody asks for more layers now
        self.order = Order(
            published.ranking,
            own.graph,
            lambda: own.graph_with_deletes,
            self._view(known),
            published.seed,
            published.budget,
        )
        self._start([])

    def _start(self, edges: Sequence[Edge]) -> None:
        self.disclosed = edges
        self.repairs = Repairs(
            self.published.dependencies, self.published.policy.repair.direct_answers
        )

    def _view(self, publications: Mapping[str, Publication]) -> PublicView:
        published, task = self.published, self.published.task
        init = tuple(fact for fact in task.arrays.init if fact < task.public_count)
        goal = tuple(fact for fact in task.arrays.goal if fact < task.public_count)
        numbers = (published.actions, published.tokens)
        return PublicView.of(self.name, task.public_facts, init, goal, publications, numbers)

    @cached_property
    def joint(self) -> Joint:
        """What all agents published, as a forward search takes it."""
        return Joint(self.publications)

    def next_edge(self, question: NextEdge) -> EdgeDisclosed:
        """One more edge, for interactive rankings."""
        edge = self.order.next_edge(question.heard)
        return EdgeDisclosed(self.name, None if edge is None else self.published.show(edge))

    def disclose(self, question: Disclose) -> Disclosed:
        """My best edges as a set: sorted by numbers that show nothing, and not by the ranking."""
        self._start(self.order.first(question.budget))
        achiever, token = self._public_achiever, self.published.tokens.shown
        shown = sorted(
            PublicEdge(achiever[e.achiever], token[e.token], e.positive) for e in self.disclosed
        )
        total = len(self.published.dependencies.graph.columns)
        return Disclosed(self.name, tuple(shown), total, self._known_threats)

    def disclose_exactly(self, edges: Sequence[Edge]) -> tuple[PublicEdge, ...]:
        """Disclose these edges, whatever the order says; for the owner alone."""
        self._start(list(edges))
        return tuple(self.published.show(edge) for edge in edges)

    @cached_property
    def _public_achiever(self) -> dict[int, int]:
        """Per own achiever of edges, the initial state among them, its number for others."""
        return {INIT: disclosure.INIT, **dict(enumerate(self.published.actions.shown))}

    @cached_property
    def _known_threats(self) -> tuple[PublicEdge, ...]:
        """All direct threats, if the settings say that they are no secret."""
        if self.published.settings.threats is not Threats.KNOWN:
            return ()
        own = self.published.dependencies
        threats = {
            Edge(own.number[action], token, positive=False)
            for token, actions in enumerate(own.direct_threats)
            for action in actions
            if own.price(own.number[action], token) is not None
        }
        return tuple(sorted(self.published.show(edge) for edge in threats))

    ANSWERS: ClassVar[Answers] = {NextEdge: next_edge, Disclose: disclose}

"""goal: the edges that a plan for the goals needs next, given what the others disclosed.

The rankings of the paper ask how much an edge enables. This one asks whether it is of use: it plans
for the goals with everybody's public actions, with what was published, with its own edges and with
what it infers of the others, and discloses its own part of such a plan. It is interactive, so what
one agent has begun, the others leave to it. If no such plan needs an own edge, it passes. Asked for
an edge all the same, it takes one of another plan; edges that no plan asks for come from two orders
in turns, so that what one of them overlooks the other brings. The planning is in the core
(`goal_order.hpp`), the model of the others in `_peer_model.py`. Nothing is read but the own graph,
the public view and what was disclosed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from tacit import native, watch
from tacit.party.disclosure.graph import INIT, Edge, Graph
from tacit.party.disclosure.public_view import PublicView
from tacit.party.disclosure.ranking import PASS, RANKINGS, Pass
from tacit.party.disclosure.ranking._peer_model import PeerModel
from tacit.party.disclosure.ranking.m3 import M3
from tacit.public import disclosure
from tacit.public.disclosure import PublicEdge, PublicStep
from tacit.public.ledger import Item
from tacit.public.projection import Projection


@RANKINGS.add("goal")
class Goal:
    """Edges that a plan for the goals needs next; agents take turns and share the work."""

    is_interactive = True
    uses_deletes = True

    def __init__(self, graph: Graph, public: PublicView, seed: int):
        self._columns = graph.columns
        self._projection = Projection.of(public.task, public.published, watch.check)
        # Per agent its actions and tokens there, and tokens disclosed to hold initially.
        self._numbers = {
            agent: (
                [self._projection.number[PublicStep(agent, a.id)] for a in part.actions],
                [self._projection.tokens[agent, token] for token in range(part.tokens)],
                set[int](),
            )
            for agent, part in public.published.items()
        }
        self._by_use = M3(graph, public, seed)
        self._is_turn_of_use = False
        self._left = len(graph.columns)
        self._is_settled = False
        """Has it passed since anybody disclosed anything?"""
        peer_model = PeerModel(graph, public)
        self._add_deletes(graph, public, peer_model)
        self._order = native.GoalOrder(
            self._task(),
            list(public.published).index(public.agent),
            len(public.published),
            *self._own_edges(graph, public),
            *self._peer_model(public, peer_model),
            peer_model.is_exact(),
        )

    def next(self) -> Edge | Pass | None:
        if self._left == 0:
            return None
        if self._is_settled:
            return PASS
        place = self._order.planned(with_alternatives=False)
        if place < 0:
            self._is_settled = True
            return PASS
        self._by_use.take(place)
        return self._taken(place)

    def next_anyway(self) -> Edge | None:
        if self._left == 0:
            return None
        place = self._order.planned(with_alternatives=True)
        if place >= 0:
            self._by_use.take(place)
        else:
            place = self._unplanned()
        return self._taken(place)

    def took(self, edge: Edge) -> None:
        """A search wished for this edge, which is disclosed."""
        place = self._place[edge]
        self._order.take(place)
        self._by_use.take(place)
        self._taken(place)

    @cached_property
    def _place(self) -> dict[Edge, int]:
        return {self._columns[place]: place for place in range(len(self._columns))}

    def _taken(self, place: int) -> Edge:
        self._left -= 1
        self._is_settled = False
        return self._columns[place]

    def _unplanned(self) -> int:
        """No plan asks for more: in turns what a token lacks most, and what is of most use."""
        if self._is_turn_of_use:
            place = self._by_use.next_place()
            if place >= 0:
                self._order.take(place)
        else:
            place = self._order.counted()
            if place >= 0:
                self._by_use.take(place)
        self._is_turn_of_use = not self._is_turn_of_use
        return place

    def recall(self, edges: Sequence[Edge]) -> None:
        place = {self._columns[number]: number for number in range(len(self._columns))}
        for edge in edges:
            self._order.take(place[edge])
            self._by_use.take(place[edge])
        self._left -= len(edges)

    def saw(self, agent: str, item: Item) -> None:
        achievers, tokens, initial = self._numbers[agent]
        if not isinstance(item, PublicEdge) or item.token >= len(tokens):
            return  # no plan here has a restored token in it, or can exclude a prefix
        edge, self._is_settled = item, False
        if edge.positive and edge.token in initial:
            return  # it holds initially, and nothing deletes it
        if edge.achiever == disclosure.INIT:
            achiever = native.INIT
            initial.add(edge.token)
        else:
            achiever = achievers[edge.achiever]
        if not edge.positive:
            initial.discard(edge.token)
        self._order.saw(achiever, tokens[edge.token], edge.positive)

    def _task(self) -> native.StripsTask:
        made = self._projection
        needs, adds, deletes = map(native.flat, (made.needs, made.adds, made.deletes))
        return native.StripsTask(
            made.facts, made.init, made.goal, needs, adds, deletes, made.cost, made.group
        )

    def _own_edges(
        self, graph: Graph, public: PublicView
    ) -> tuple[list[int], list[int], list[int], list[int]]:
        """Achievers and tokens as numbers of the projection, signs of edges, and prices."""
        actions, facts, _ = self._numbers[public.agent]
        achievers = [actions[shown] for shown in public.actions.shown]
        tokens = [facts[shown] for shown in public.tokens.shown]
        columns = graph.columns
        return (
            [
                native.INIT if achiever == INIT else achievers[achiever]
                for achiever in columns.achiever
            ],
            [tokens[token] for token in columns.token],
            list(columns.positive),
            list(graph.price),
        )

    def _add_deletes(self, graph: Graph, public: PublicView, peer_model: PeerModel) -> None:
        """Own actions delete own tokens, and those of others probably do likewise."""
        deletes = self._projection.deletes
        for agent, (actions, tokens, _) in self._numbers.items():
            if agent == public.agent:
                for action, deleted in enumerate(graph.deletes):
                    row = deletes[actions[public.actions.shown[action]]]
                    row += (tokens[public.tokens.shown[token]] for token in deleted)
            elif graph.deletes:
                for token, deleters in enumerate(peer_model.deletes(agent)):
                    for action in deleters:
                        deletes[actions[action]].append(tokens[token])

    def _peer_model(
        self, public: PublicView, peer_model: PeerModel
    ) -> tuple[list[int], tuple[list[int], list[int]], list[int]]:
        """Per token of the others: its fact, inferred achievers, and whether the initial state is
        one.
        """
        facts: list[int] = []
        after: list[list[int]] = []
        initial: list[int] = []
        for agent, (actions, tokens, _) in self._numbers.items():
            if agent != public.agent:
                inferred = peer_model.inferred(agent)
                facts += tokens
                after += [[actions[achiever] for achiever in one.after] for one in inferred]
                initial += [int(one.initial) for one in inferred]
        return facts, native.flat(after), initial

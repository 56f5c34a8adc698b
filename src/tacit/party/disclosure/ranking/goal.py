"""goal: the edges that a plan for the goals needs next, given what the others disclosed.

The rankings of the paper ask how much an edge enables. This one asks whether it is of use: it plans
for the goals with everybody's public actions, with what was published, with its own edges and with
what it infers of the others, and discloses its own part of such a plan. It is interactive, so what
one agent has begun, the others leave to it. If no such plan needs an own edge, it passes. Asked for
an edge all the same, it takes one of another plan; edges that no plan asks for come from two orders
in turns, so that what one of them overlooks the other brings. The planning is in the core
(`goal_order.hpp`), and so is the model of the others (`peer_model.hpp`). Nothing is read but the
own graph, the public view and what was disclosed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from tacit import native, watch
from tacit.party.disclosure.graph import INIT, Edge, Graph
from tacit.party.disclosure.public_view import PublicView
from tacit.party.disclosure.ranking import PASS, RANKINGS, Pass
from tacit.party.disclosure.ranking.m3 import M3
from tacit.policy import POLICY
from tacit.public import disclosure
from tacit.public.disclosure import PublicEdge
from tacit.public.ledger import Item


@RANKINGS.add("goal")
class Goal:
    """Edges that a plan for the goals needs next; agents take turns and share the work."""

    is_interactive = True
    uses_deletes = True

    def __init__(self, graph: Graph, public: PublicView, seed: int):
        self._columns = graph.columns
        self._world = world = public.world
        self._initial: set[int] = set()
        """Facts of others' tokens that were disclosed to hold initially."""
        self._by_use = M3(graph, public, seed)
        self._is_turn_of_use = False
        self._left = len(graph.columns)
        self._is_settled = False
        """Has it passed since anybody disclosed anything?"""
        self._order = native.GoalOrder(
            world.projection,
            world.number[public.agent],
            own_graph(graph, public),
            self._prices(graph),
            POLICY.ranking.alike,
        )

    def _prices(self, graph: Graph) -> Sequence[int]:
        """What each own edge costs in plans; empty if each costs the same."""
        return graph.price

    def next(self) -> Edge | Pass | None:
        if self._left == 0:
            return None
        if self._is_settled:
            return PASS
        place = self._order.planned(is_anew=False)
        if place < 0:
            self._is_settled = not self._order.has_skipped
            return PASS
        self._by_use.take(place)
        return self._taken(place)

    def next_anyway(self) -> Edge | None:
        if self._left == 0:
            return None
        place = self._order.planned(is_anew=True)
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
            self._order.recall(place[edge])
            self._by_use.take(place[edge])
        self._left -= len(edges)

    def saw_recalled(self, agent: str, item: Item) -> None:
        self.saw(agent, item, is_recalled=True)

    def saw(self, agent: str, item: Item, is_recalled: bool = False) -> None:
        world = self._world
        if not isinstance(item, PublicEdge) or item.token >= world.published[agent].tokens:
            return  # no plan here has a restored token in it, or can exclude a prefix
        edge, self._is_settled = item, False
        token = world.fact(agent, edge.token)
        if edge.positive and token in self._initial:
            return  # it holds initially, and nothing deletes it
        if edge.achiever == disclosure.INIT:
            achiever = native.INIT
            self._initial.add(token)
        else:
            achiever = world.action(agent, edge.achiever)
        if not edge.positive:
            self._initial.discard(token)
        self._note(achiever, token, edge.positive, is_recalled)

    def _note(self, achiever: int, token: int, positive: bool, is_recalled: bool) -> None:
        """Another agent disclosed this, in the numbers of the projection."""
        self._order.saw(achiever, token, positive, is_recalled)


def own_graph(
    graph: Graph, public: PublicView
) -> tuple[list[int], list[int], list[int], Sequence[int], list[int], list[int]]:
    """Own tokens; achievers, tokens and signs of own edges; and which own actions delete which
    tokens: all numbered through all agents.
    """
    number = public.world.number[public.agent]
    first_action, first_token = (
        firsts[number] for firsts in (public.world.first_action, public.world.first_token)
    )
    actions = [first_action + shown for shown in public.actions.shown]
    tokens = [first_token + shown for shown in public.tokens.shown]
    columns = graph.columns
    deletes = [
        (actions[action], tokens[token])
        for action, deleted in enumerate(watch.checked(graph.deletes))
        for token in deleted
    ]
    return (
        tokens,
        [native.INIT if action == INIT else actions[action] for action in columns.achiever],
        [tokens[token] for token in columns.token],
        columns.positive,
        [action for action, _ in deletes],
        [token for _, token in deletes],
    )

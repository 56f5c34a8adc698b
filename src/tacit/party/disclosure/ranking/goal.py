"""goal: the edges that a plan for the goals needs next, in view of what the others have told.

The rankings of the paper ask how much an edge enables. This one asks whether it is of use: it plans
for the goals with everybody's public actions, with what was published, with its own edges and with
what it may hope of the others, and publishes its own part of such a plan. It `listens`, so what
one agent has begun, the others leave to it. Edges that no plan asks for come from two orders in
turns, so that what one of them overlooks the other brings. The planning is in the core
(`goal_order.hpp`), the guesses about the others are in `_hopes.py`. Nothing is read but the own
graph, the public view and the edges that were told.
"""

from __future__ import annotations

from tacit import native, watch
from tacit.party.disclosure.graph import INIT, Edge, Graph
from tacit.party.disclosure.public_view import PublicView
from tacit.party.disclosure.ranking import RANKINGS
from tacit.party.disclosure.ranking._hopes import Guesser
from tacit.party.disclosure.ranking.m3 import M3
from tacit.public import disclosure
from tacit.public.disclosure import PublicEdge, PublicStep
from tacit.public.projection import Projection


@RANKINGS.add("goal")
class Goal:
    """Edges that a plan for the goals needs next; agents take turns and share the work."""

    listens = True
    minds_ends = True

    def __init__(self, graph: Graph, public: PublicView, seed: int):
        self._columns = graph.columns
        self._projection = Projection.of(public.task, public.published, watch.check)
        # Per agent its actions and tokens there, and tokens that it said hold at the start.
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
        guesser = Guesser(graph, public)
        self._add_ends(graph, public, guesser)
        self._order = native.GoalOrder(
            self._task(),
            list(public.published).index(public.agent),
            len(public.published),
            *self._own_edges(graph, public),
            *self._hopes(public, guesser),
        )

    def next(self) -> Edge | None:
        place = self._order.planned()
        if place >= 0:
            self._by_use.take(place)
        else:
            place = self._unplanned()
        return None if place < 0 else self._columns[place]

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

    def saw(self, agent: str, edge: PublicEdge) -> None:
        givers, tokens, at_start = self._numbers[agent]
        if edge.positive and edge.token in at_start:
            return  # it holds from the start already, and nothing ends it
        if edge.giver == disclosure.INIT:
            giver = native.INIT
            at_start.add(edge.token)
        else:
            giver = givers[edge.giver]
        if not edge.positive:
            at_start.discard(edge.token)
        self._order.saw(giver, tokens[edge.token], edge.positive)

    def _task(self) -> native.StripsTask:
        made = self._projection
        needs, adds, deletes = map(native.flat, (made.needs, made.adds, made.deletes))
        return native.StripsTask(
            made.facts, made.init, made.goal, needs, adds, deletes, made.cost, made.group
        )

    def _own_edges(
        self, graph: Graph, public: PublicView
    ) -> tuple[list[int], list[int], list[int], list[int]]:
        """Givers and tokens as numbers of the projection, which edges are positive, and prices."""
        actions, facts, _ = self._numbers[public.agent]
        givers = [actions[shown] for shown in public.actions.shown]
        tokens = [facts[shown] for shown in public.tokens.shown]
        columns = graph.columns
        return (
            [native.INIT if giver == INIT else givers[giver] for giver in columns.giver],
            [tokens[token] for token in columns.token],
            list(columns.positive),
            list(graph.price),
        )

    def _add_ends(self, graph: Graph, public: PublicView, guesser: Guesser) -> None:
        """Own actions end own tokens, and those of others probably do likewise."""
        deletes = self._projection.deletes
        for agent, (actions, tokens, _) in self._numbers.items():
            if agent == public.agent:
                for action, ended in enumerate(graph.ends):
                    row = deletes[actions[public.actions.shown[action]]]
                    row += (tokens[public.tokens.shown[token]] for token in ended)
            elif graph.ends:
                for token, enders in enumerate(guesser.ends(agent)):
                    for action in enders:
                        deletes[actions[action]].append(tokens[token])

    def _hopes(
        self, public: PublicView, guesser: Guesser
    ) -> tuple[list[int], tuple[list[int], list[int]], list[int]]:
        """Per token of the others: its fact, actions that may give it, may the start give it."""
        facts: list[int] = []
        after: list[list[int]] = []
        at_start: list[int] = []
        for agent, (actions, tokens, _) in self._numbers.items():
            if agent != public.agent:
                hopes = guesser.hopes(agent)
                facts += tokens
                after += [[actions[giver] for giver in hope.after] for hope in hopes]
                at_start += [int(hope.at_start) for hope in hopes]
        return facts, native.flat(after), at_start

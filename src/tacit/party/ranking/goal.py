from __future__ import annotations

import os

from tacit import native
from tacit.party.graph import INIT, Edge, Graph
from tacit.party.public_view import PublicView
from tacit.party.ranking import RANKINGS
from tacit.public import disclosure
from tacit.public.disclosure import PublicEdge, PublicStep
from tacit.party.ranking._hopes import Hopes
from tacit.public.projection import Projection

OPTIONS = [int(x) for x in os.environ.get("GOAL", "100,200,500,200,400,1,3,0,2000,32,0,0").split(",")]


@RANKINGS.add("goal")
class Goal:
    """Edges that a plan for the goals needs next."""

    listens = True

    def __init__(self, graph: Graph, public: PublicView, seed: int):
        self.graph = graph
        self._view = public
        self._projection = projection = Projection.of(public.task, public.published)
        hopes = Hopes(graph, public)
        hoped, group, after, is_vague = [], [], [], []
        for number, (agent, part) in enumerate(public.published.items()):
            if agent != public.agent:
                for token, hope in enumerate(hopes.of(agent)):
                    hoped.append(projection.tokens[agent, token])
                    group.append(number)
                    after.append([projection.number[PublicStep(agent, a)] for a in hope.after])
                    is_vague.append(not hope.at_start)
        own = list(public.published).index(public.agent)
        columns = graph.columns
        shown = [projection.tokens[public.agent, t] for t in public.tokens.shown]
        number_of = [projection.number[PublicStep(public.agent, a)] for a in public.actions.shown]
        self._order = native.GoalOrder(
            native.StripsTask(
                projection.facts,
                projection.init,
                projection.goal,
                native.flat(projection.needs),
                native.flat(projection.adds),
                native.flat(projection.deletes),
                projection.cost,
                projection.group,
            ),
            own,
            [INIT if g == INIT else number_of[g] for g in columns.giver],
            [shown[t] for t in columns.token],
            list(columns.positive),
            hoped,
            group,
            native.flat(after),
            is_vague,
            OPTIONS,
        )

    def next(self) -> Edge | None:
        place = self._order.next()
        return None if place < 0 else self.graph.columns[place]

    def saw(self, agent: str, edge: PublicEdge) -> None:
        if not edge.positive:
            return
        giver = edge.giver
        if giver != disclosure.INIT:
            giver = self._projection.number[PublicStep(agent, giver)]
        self._order.saw(giver, self._projection.tokens[agent, edge.token])

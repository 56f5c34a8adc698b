from __future__ import annotations

import os
from functools import reduce

from tacit import native
from tacit.party.graph import INIT, Edge, Graph
from tacit.party.public_view import PublicView
from tacit.party.ranking import RANKINGS
from tacit.public import disclosure
from tacit.public.disclosure import PublicEdge, PublicStep
from tacit.public.messages import Published
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
        hoped, group, after, is_vague = [], [], [], []
        for number, (agent, part) in enumerate(public.published.items()):
            if agent != public.agent:
                for token, (actions, vague) in enumerate(_hopes(part, public)):
                    hoped.append(projection.tokens[agent, token])
                    group.append(number)
                    after.append([projection.number[PublicStep(agent, a)] for a in actions])
                    is_vague.append(vague)
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


def _hopes(part: Published, public: PublicView):
    facts = public.task.facts
    args = [frozenset(f.args) for f in facts]
    objects = {
        a.id: frozenset().union(*(args[f] for f in (*a.needs, *a.adds, *a.deletes)))
        for a in part.actions
    }
    mentions: dict[str, set[int]] = {}
    for a, names in objects.items():
        for name in names:
            mentions.setdefault(name, set()).add(a)
    users: list[list[int]] = [[] for _ in range(part.tokens)]
    for a in part.actions:
        for t in a.tokens:
            users[t].append(a.id)
    for mine in users:
        common = reduce(frozenset.intersection, (objects[a] for a in mine)) if mine else frozenset()
        if not common:
            yield [], False
            continue
        found = set.intersection(*(mentions[name] for name in common)).difference(mine)
        yield sorted(found), True

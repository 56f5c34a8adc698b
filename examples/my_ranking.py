"""Two custom rankings: one uses only its own graph, the other is interactive.

Use them with `tacit solve PROBLEM --plugin examples/my_ranking.py --ranking in-turn`, or `answer`.
"""

from tacit.party.disclosure.ranking import RANKINGS
from tacit.public.disclosure import PublicEdge


@RANKINGS.add("in-turn")
class InTurn:
    """One edge for every token, then a second one for every token, and so on."""

    def __init__(self, graph, public, seed):
        count = {}
        self._order = []
        for edge in graph.edges:
            turn = count[edge.token] = count.get(edge.token, 0) + 1
            self._order.append((turn, edge))
        self._order.sort(key=lambda entry: entry[0], reverse=True)

    def next(self):
        return self._order.pop()[1] if self._order else None

    def saw(self, agent, item):
        """What others disclose does not matter here."""


@RANKINGS.add("answer")
class Answer:
    """Edges that lead to the goals, and to what the others' disclosed edges make useful."""

    is_interactive = True

    def __init__(self, graph, public, seed):
        self._graph = graph
        self._public = public
        self._left = list(graph.edges)
        self._wanted = set(public.task.goal)

    def next(self):
        if not self._left:
            return None
        best = max(self._left, key=self._worth)  # the first of equals
        self._left.remove(best)
        return best

    def _worth(self, edge):
        if not edge.positive:
            return -1
        users = self._graph.needed_by[edge.token]
        return sum(len(self._wanted.intersection(self._graph.achieves[a])) for a in users)

    def saw(self, agent, item):
        """Another agent can achieve a token: what else its actions need is wanted now."""
        if not isinstance(item, PublicEdge) or not item.positive:
            return  # a repair
        for action in self._public.published[agent].actions:
            if item.token in action.tokens:
                self._wanted.update(action.needs)

"""A ranking of one's own: tokens in turn, so that every token gets its first edge early.

Use it with `tacit solve PROBLEM --plugin examples/my_ranking.py --ranking in-turn`.
"""

from tacit.party.ranking import RANKINGS


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

    def saw(self, agent, edge):
        """What others publish does not matter here."""

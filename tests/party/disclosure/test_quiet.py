"""quiet: of equal ways, the one whose edges others could guess."""

from __future__ import annotations

import pytest

from tacit.party.disclosure.graph import Edge, EdgeColumns, Graph
from tacit.party.disclosure.public_view import PublicView, Shuffle
from tacit.party.disclosure.ranking import RANKINGS
from tacit.public.disclosure import PublicEdge
from tacit.public.protocol.messages import Publication
from tacit.public.task import PublicAction, PublicFact

FACTS = tuple(
    PublicFact(predicate, (name,)) for predicate in ("painted", "cut", "sold") for name in "xy"
)
PAINT, CUT, SELL = 0, 1, 2
"""Kinds of actions: of x, and of y behind these."""


def action(agent: str, number: int) -> PublicAction:
    kind, item = number % 3, number // 3
    tokens = (item,) if kind == SELL else ()
    return PublicAction(agent, number, 1, (), (2 * kind + item,), (), tokens)


def graph() -> Graph:
    """Painting and cutting both achieve what selling needs, of x and of y."""
    numbers = range(6)
    edges = [Edge(3 * item + kind, item) for item in (0, 1) for kind in (PAINT, CUT)]
    needs = [[n // 3] if n % 3 == SELL else [] for n in numbers]
    achieves = [[2 * (n % 3) + n // 3] for n in numbers]
    return Graph(2, needs, achieves, EdgeColumns.of(edges))


def ranking(name: str):
    same = (Shuffle(tuple(range(6)), tuple(range(6))), Shuffle((0, 1), (0, 1)))
    published = {
        agent: Publication(agent, tuple(action(agent, n) for n in range(6)), 2, (), False)
        for agent in ("me", "you")
    }
    view = PublicView.of("me", FACTS, (), (4,), published, same)
    return RANKINGS.get(name)(graph(), view, 0)


@pytest.mark.parametrize("whose", ["own", "another's"])
@pytest.mark.parametrize("kind", [PAINT, CUT])
def test_the_next_edge_is_of_a_class_that_is_known(kind, whose):
    quiet = ranking("quiet")
    known = Edge(3 + kind, 1)
    if whose == "own":
        quiet.took(known)
    else:
        quiet.saw("you", PublicEdge(known.achiever, known.token))
    assert quiet.next_anyway() == Edge(kind, 0)


def test_goal_does_not_look_at_classes():
    first = []
    for kind in (PAINT, CUT):
        goal = ranking("goal")
        goal.took(Edge(3 + kind, 1))
        first.append(goal.next_anyway())
    assert first[0] == first[1]

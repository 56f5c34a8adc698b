"""What follows from what: inference on small cases that can be checked by hand."""

from __future__ import annotations

import pytest

from tacit.audit.inference import Inferred, from_plans
from tacit.audit.moves import bits, moves_of, numbers_in, within_reach
from tacit.audit.names import names_in
from tacit.leakage.reading.knowledge import Knowledge
from tacit.public.disclosure import FINISH, INIT, PublicEdge, PublicStep
from tacit.public.protocol.messages import Closing, Opening, Publication, Publish, encode
from tacit.public.settings import Settings
from tacit.public.task import PublicAction, PublicFact


def action(number: int, needs=(), adds=(), tokens=()) -> PublicAction:
    return PublicAction("a", number, 1, tuple(needs), tuple(adds), (), tuple(tokens))


def knowing(edges=(), threats=(), plan=(), goal=()) -> Knowledge:
    """An agent with three actions: 0 needs nothing, 1 needs token 0, 2 needs tokens 0 and 1."""
    about = Knowledge("a")
    actions = (action(0, adds=[0]), action(1, [], [1], [0]), action(2, [], [2], [0, 1]))
    about.publications = [Publication("a", actions, 2, tuple(goal), bool(goal))]
    about.edges = dict.fromkeys(edges)
    about.threats = dict.fromkeys(threats)
    about.plans = {tuple(PublicStep("a", step) for step in plan): None}
    return about


GIVES, START, ENDS = PublicEdge(0, 0), PublicEdge(INIT, 0), PublicEdge(1, 0, False)


@pytest.mark.parametrize(
    ("about", "expected"),
    [
        (knowing(plan=[1]), [Inferred(0, (INIT,), 1, "plan")]),
        (knowing([START], plan=[1]), []),
        (knowing([GIVES], plan=[1]), [Inferred(0, (INIT,), 1, "plan")]),
        (knowing([GIVES], plan=[0, 1]), []),
        (knowing(plan=[0, 1]), [Inferred(0, (INIT, 0), 1, "plan")]),
        (knowing([START], plan=[0, 2]), [Inferred(1, (INIT, 0), 2, "plan")]),
        (knowing([START], plan=[1, 1]), []),
        (knowing([START], [ENDS], plan=[1, 0, 1]), [Inferred(0, (0,), 1, "plan")]),
        (knowing([START, GIVES], [ENDS], plan=[1, 0, 1]), []),
        (knowing(plan=[0, FINISH], goal=[1]), [Inferred(1, (INIT, 0), FINISH, "plan")]),
    ],
)
def test_a_plan_shows_what_gave_its_tokens(about, expected):
    assert from_plans(about) == expected


def test_a_step_may_be_any_action_that_looks_alike():
    """Nobody sees which of them it was, so only what all of them need and end is certain."""
    twins = (action(0, adds=[0]), action(1, [], [1], [0]), action(3, [], [1], [1]))
    about = knowing([], [PublicEdge(1, 1, False)], [1])
    about.publications = [Publication("a", twins, 2, (), False)]
    assert from_plans(about) == [], "either token may have been there"
    about = knowing([PublicEdge(INIT, 1)], [PublicEdge(1, 1, False)], [1, 3])
    about.publications = [Publication("a", twins, 2, (), False)]
    assert from_plans(about) == []
    same = (action(1, [], [1], [0]), action(3, [], [1], [0, 1]))
    about = knowing([], [], [1])
    about.publications = [Publication("a", same, 2, (), False)]
    assert from_plans(about) == [Inferred(0, (INIT,), 1, "plan")]


def test_what_is_certain_and_what_is_disclosed():
    item = Inferred(0, (INIT, 0), 1, "plan")
    assert not item.is_certain
    assert item.holds_by([GIVES])
    assert item.holds_by([START])
    assert not item.holds_by([ENDS])
    assert not item.holds_by([PublicEdge(2, 0), PublicEdge(0, 1)])
    assert Inferred(0, (INIT,), 1, "plan").is_certain


def test_moves_and_what_they_reach():
    actions = (action(0, [0], [1]), action(1, [1], [2], [0]))
    parts = {"a": Publication("a", actions, 1, (0,), True)}
    moves, may_act = moves_of(parts, {"a": [GIVES, ENDS]}, 5)
    assert list(numbers_in(may_act)) == [3]
    assert [move.achieves for move in moves[0]] == [1, 0, 0]
    assert within_reach(moves, bits([0]) | may_act, [0]) == [{0, 1, FINISH}]
    assert within_reach(moves, bits([0]), [0]) == [set()]
    hidden, _ = moves_of(parts, {"a": []}, 5)
    assert within_reach(hidden, bits([0]) | may_act, [0]) == [{0}]


def test_names_are_found_where_they_are_and_not_where_the_protocol_speaks():
    publish = encode(Publish("a", Settings(), "goal"))
    assert not names_in([publish], {"publish", "goal", "object", "settings"})
    opening = encode(Opening("a", ("at", "in"), ()))
    assert names_in([opening], {"in", "inn"}) == {"in"}
    closing = encode(Closing("a", (), (PublicFact("at", ("t1", "home")),)))
    assert names_in([closing], {"t1", "om"}) == {"t1"}
    assert names_in([b"\xc1 secret-place"], {"secret-place", "c"}) == {"secret-place"}
    assert names_in([b"\xc1\x80t1"], {"t1"}) == set(), "two bytes are there by chance"

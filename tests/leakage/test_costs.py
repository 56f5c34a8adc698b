"""What optimal searches told of private costs and of lost tokens is counted, once each."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from support.notes import quick
from support.views import frame, session_view, true_edges

import tacit
from tacit.central.leaking import leakage_of
from tacit.central.session import Session
from tacit.leakage.certain import Conclusions
from tacit.leakage.costs import ToldCosts, told_costs
from tacit.leakage.view import traffic_of
from tacit.profile import profile
from tacit.public.protocol.messages import States
from tacit.public.protocol.states import (
    Batch,
    Descent,
    IndexMeaning,
    Shape,
    State,
    Toll,
    encode_batch,
)
from tacit.public.protocol.transcript import Frame
from tacit.public.run_options import RunOptions
from tacit.public.settings import Cost
from tacit.solvers.limits import Limits
from tacit.testing import GroundProblem, problems

OPTIMAL = RunOptions("mad-astar", "m3", drive="roundrobin", record=True)


def told(sender: str, meanings: tuple[IndexMeaning, ...], *ways: int) -> Frame:
    states = tuple(
        State(n + 1, 1, 0, frozenset(), (1, 0), Descent(0, (0,)), way) for n, way in enumerate(ways)
    )
    batch = Batch(Shape(2, (3, 1), (2, 1)), meanings, states, costs=Cost.TOTAL)
    return frame(States(sender, 1, encode_batch(batch)), "b" if sender == "a" else "a")


def test_tolls_count_for_whose_they_are_and_ways_for_who_sent_them():
    dear, cheap = Toll(5, frozenset([0])), Toll(2, frozenset([0, 1]))
    held, lost = frozenset([0, 2]), frozenset([2])
    first = IndexMeaning(0, 1, held, lost, (dear, cheap))
    again = IndexMeaning(0, 2, held, frozenset([1, 2]), (cheap,))
    frames = [told("a", (first,), 7, 7, 9), told("b", (again,), 3)]
    found = told_costs(traffic_of(frames, ["a", "b"], ["b"]))
    assert found["a"] == ToldCosts({7, 9}, {dear, cheap}, {lost})
    assert (found["a"].sums, found["a"].lost_tokens) == (4, 1)
    assert found["b"] == ToldCosts({3}, set(), set())


@pytest.mark.parametrize(
    ("example", "cost", "has_tolls", "has_lost"),
    [
        ("rovers/small", Cost.TOTAL, True, False),
        ("rovers/small", Cost.PUBLIC, False, False),
        ("driverlog/small", Cost.TOTAL, False, True),
        ("driverlog/small", Cost.PUBLIC, False, False),
    ],
)
def test_the_meter_counts_what_a_search_told(example, cost, has_tolls, has_lost):
    session = Session(tacit.load(example), replace(profile("tacit"), cost=cost), OPTIMAL)
    result = session.at(session.largest, Limits(30))
    for own in leakage_of(session, result).values():
        assert bool(own.told.tolls) == has_tolls
        assert bool(own.told.lost) == has_lost
        found = own.as_json()
        assert found["sums"] == own.told.sums
        assert bool(found["sums"]) == (cost is Cost.TOTAL)
        assert bool(found["lost"]) == has_lost


def test_an_optimal_search_excludes_no_owners_graph():
    """Nothing is concluded from tolls, and what else crosses supports what is."""

    @quick(40)
    @given(problems(agents=2, most_cost=2), st.sampled_from([1.0, 0.5]))
    def every(tiny: GroundProblem, share: float) -> None:
        session = Session(tiny.load(), profile("tacit"), OPTIMAL)
        k = round(share * session.largest)
        result = session.at(k, Limits(30))
        for agent in session.instance.agents:
            view = session_view(session, agent, result.ledger, k)
            found = Conclusions(view.agents[agent], view.settings, view.ranking)
            true = true_edges(session, agent)
            assert found.undisclosed <= true
            assert found.admits(sorted(true))

    every()

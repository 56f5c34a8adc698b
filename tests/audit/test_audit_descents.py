"""What descents show is counted, and what is inferred from them is true."""

from __future__ import annotations

import msgspec
import pytest
from support.audits import traffic_of
from support.inside import shown_edge

import tacit
from tacit.audit.descents import DescentAudit
from tacit.audit.holder import audit
from tacit.audit.moves import Move
from tacit.audit.report import as_dict, in_short
from tacit.central.session import Session
from tacit.profile import profile
from tacit.public.disclosure import PublicEdge
from tacit.public.protocol.states import Descent, Segment, State
from tacit.public.run_options import RunOptions
from tacit.public.settings import Rule
from tacit.solvers.limits import Limits

RECORDED = RunOptions("mafs", "m3", drive="roundrobin", record=True)


def searched(domain: str, rule: Rule, share: float) -> Session:
    """A session whose agents have searched for a while."""
    settings = msgspec.structs.replace(profile("tacit"), rule=rule)
    session = Session(tacit.load(f"{domain}/small"), settings, RECORDED)
    session.at(int(session.largest * share), Limits(seconds=60, evaluations=300))
    return session


def test_a_holder_sees_steps_that_others_passed_on() -> None:
    session = searched("elevators", Rule.SUPPORTED, 0.25)
    first, *others = session.instance.agents
    alone = audit(traffic_of(session, first)).agents
    everything = traffic_of(session)
    assert sum(alone[agent].states.steps.passed_on for agent in others) > 0
    for agent in others:
        steps = alone[agent].states.steps
        together = audit(everything, own=agent).agents[agent].states.steps
        assert steps.passed_on <= steps.shown <= together.shown
        assert together.passed_on == 0
        assert not steps.lacking
        assert not steps.overclaimed
        assert not alone[agent].findings
        told = as_dict(audit(traffic_of(session, first)))["agents"][agent]["states"]
        assert told["steps_in_descents"] == steps.shown
        assert told["steps_passed_on"] == steps.passed_on
        assert in_short(alone[agent])["public steps in descents"] == str(steps.shown)


@pytest.mark.parametrize("domain", ["elevators", "logistics", "rovers", "sensors"])
def test_what_follows_from_descents_is_true(domain: str) -> None:
    """Under `pairwise` agents use tokens that they did not disclose, and their steps show it."""
    session = searched(domain, Rule.PAIRWISE, 0.25)
    count = 0
    for name, agent in session.agents.items():
        edges = [shown_edge(agent, edge) for edge in agent.dependencies.graph.edges]
        about = audit(traffic_of(session), own=name).agents[name]
        count += len(about.states.steps.lacking)
        for item in about.inferred:
            if item.evidence == "state":
                assert item.holds_by(edges), item
    assert count > 0


MOVES = [
    [Move(0, 0, 0, 1, 0, 0b1), Move(1, 0, 0b1, 2, 0, 0), Move(2, 0, 0b10, 2, 0, 0)],
    [Move(0, 0, 0, 4, 0, 0)],
]
EDGES = {"a": [PublicEdge(0, 0)], "b": []}


def state(ref: int, indices: tuple[int, int], descent: Descent) -> State:
    return State(ref, 1, 0, frozenset(), indices, descent)


def taken(*crossed: tuple[int, int, State, tuple[int, int]], one_way: bool = True) -> DescentAudit:
    found = DescentAudit(MOVES, EDGES, one_way)
    for sender, receiver, sent, meant in crossed:
        found.take(1, sender, receiver, sent, meant)
    found.count()
    return found


def test_a_step_without_its_edge_on_the_way_shows_a_dependency() -> None:
    first = state(1, (1, 0), Descent(0, (0,)))
    supported = state(2, (2, 0), Descent(3, (1,)))
    assert not taken((0, 1, first, (1, 0)), (0, 1, supported, (1, 0))).seen["a"].lacking
    at_once = state(1, (1, 0), Descent(0, (1,)))
    assert list(taken((0, 1, at_once, (0, 0))).seen["a"].lacking) == [(1, 0, True)]
    never = state(2, (2, 0), Descent(3, (2,)))
    found = taken((0, 1, first, (1, 0)), (0, 1, never, (1, 0))).seen["a"]
    assert list(found.lacking) == [(2, 1, False)]
    assert not found.overclaimed
    assert taken((0, 1, at_once, (0b11, 0))).seen["a"].overclaimed == {0, 1}


def test_without_the_whole_way_a_holder_says_less() -> None:
    """Its origin went to somebody else, or it is one of several ways."""
    from_elsewhere = state(2, (2, 0), Descent(7, (1,)))
    assert not taken((0, 1, from_elsewhere, (0b11, 0))).seen["a"].lacking
    assert not taken((0, 1, from_elsewhere, (0b11, 0))).seen["a"].overclaimed
    never = state(2, (2, 0), Descent(7, (2,)))
    assert list(taken((0, 1, never, (0, 0))).seen["a"].lacking) == [(2, 1, False)]
    merged = [(0, 1, state(1, (1, 0), Descent(0, (1, 0))), (0b11, 0))]
    assert not taken(*merged, one_way=False).seen["a"].overclaimed


def test_steps_are_counted_once_and_told_apart() -> None:
    passed_on = state(1, (1, 1), Descent(0, (0,), (Segment(0, 4, (1, 0)),)))
    found = taken((1, 0, passed_on, (1, 0)), (1, 0, passed_on, (1, 0))).seen
    assert (found["a"].shown, found["a"].passed_on, found["a"].told_apart) == (2, 2, 1)
    assert (found["b"].shown, found["b"].passed_on, found["b"].told_apart) == (1, 0, 0)

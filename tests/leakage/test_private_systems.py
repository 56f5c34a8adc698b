"""Metric A: closed forms, brute force, and the published examples from frames."""

from __future__ import annotations

import math
from itertools import product

import pytest
from support.views import frame

from tacit.leakage import transitions as reading
from tacit.leakage.private_systems import Bounds, Property, Several, count, leak
from tacit.leakage.transitions import bits_a, transitions
from tacit.leakage.view import traffic_of, view_of
from tacit.public.disclosure import PublicStep
from tacit.public.protocol.messages import Extend, Extended, Publication, Publish, States, Status
from tacit.public.protocol.states import (
    Batch,
    Descent,
    Segment,
    Shape,
    State,
    decode_batch,
    encode_batch,
)
from tacit.public.settings import Harden, Settings
from tacit.public.task import PublicAction

IA, NIA, PI, PD, PN = Property


@pytest.mark.parametrize(
    ("known", "closed"),
    [
        ((), lambda p: 15**p),
        ((IA,), lambda p: 12**p),
        ((NIA,), lambda p: 15**p - 12**p),
        ((PD,), lambda p: 15**p - 9**p),
        ((PI,), lambda p: 15**p - 6**p),
        ((PN,), lambda p: 15**p - 8**p),
        ((IA, PI), lambda p: 12**p - 3**p),
        ((IA, PN), lambda p: 12**p - 6**p),
    ],
)
@pytest.mark.parametrize("p", [1, 2, 3, 5])
def test_closed_forms(known, closed, p):
    assert count(known, Bounds(p, 2)) == closed(p)


def holds(prop: Property, several: Several, relations: tuple[frozenset, ...], d: int) -> bool:
    sources = [{s for s, _ in relation} for relation in relations]
    if prop is IA:
        return all(0 in own for own in sources)
    if prop is NIA:
        return any(0 not in own for own in sources)
    if prop is PI:
        return any(len(own) == d for own in sources)
    if prop is PD:
        return any(len(own) < d for own in sources)
    if several is Several.ICAPS:
        return any(len({t for _, t in relation}) > 1 for relation in relations)
    return any(len(relation) > len({s for s, _ in relation}) for relation in relations)


@pytest.mark.parametrize("several", Several)
@pytest.mark.parametrize(("p", "d"), [(1, 1), (1, 2), (2, 2), (1, 3), (2, 1)])
def test_all_combinations_against_brute_force(several, p, d):
    pairs = list(product(range(d), repeat=2))
    masks = range(1, 1 << len(pairs))
    every = [frozenset(pair for n, pair in enumerate(pairs) if m >> n & 1) for m in masks]
    for chosen in product((False, True), repeat=len(Property)):
        known = {prop for prop, is_set in zip(Property, chosen, strict=True) if is_set}
        expected = sum(
            all(holds(prop, several, relations, d) for prop in known)
            for relations in product(every, repeat=p)
        )
        assert count(known, Bounds(p, d, several)) == expected


def test_t1_as_printed():
    bounds = Bounds(2, 2)
    before = {0: frozenset([IA])}
    rows = {"1.0589": ({IA, PN}, {PD}), "0.0931": ({IA, PI}, ()), "1.1273": ({IA, PI, PN}, {PD})}
    counts = {"1.0589": (108, 144), "0.0931": (135, 225), "1.1273": (103, 144)}
    for printed, (survey, communicate) in rows.items():
        after = {0: frozenset(survey), 1: frozenset(communicate)}
        assert (count(survey, bounds), count(communicate, bounds)) == counts[printed]
        assert f"{leak([0, 1], before, after, bounds):.4f}" == printed


def test_t2_as_printed():
    icaps, toit = Bounds(1, 2, Several.ICAPS), Bounds(1, 2)
    before, after = {0: frozenset([IA])}, {0: frozenset([IA, PI])}
    truth = {0: frozenset([IA, PI, PN])}
    assert (count([IA], icaps), count([IA, PI], icaps)) == (12, 9)
    assert (count([IA, PI, PN], icaps), count([IA, PI, PN], toit)) == (7, 5)
    found, most = (leak([0], before, known, icaps) for known in (after, truth))
    assert (f"{found:.4f}", f"{most:.4f}", f"{found / most:.4f}") == ("0.4150", "0.7776", "0.5337")


# From frames: the UAV and its base

SL, C = 0, 1
READY, SURVEYED, DONE = 0, 1, 2
"""The base makes it ready (R), a survey (SL) uses that up, and C communicates."""


def state(ref: int, facts, index: int, descent: Descent) -> State:
    """A state with an index for the UAV; the base has nothing private."""
    return State(ref, ref, 0, frozenset(facts), (0, index), descent)


def to_uav(ref: int, facts, index: int, origin: int = 0) -> tuple[str, State]:
    return "base", state(ref, facts, index, Descent(2 * origin, (0,)))


def to_base(ref: int, facts, index: int, action: int, parent: int) -> tuple[str, State]:
    """The UAV went on from a state that the base sent as `parent`."""
    return "uav", state(ref, facts, index, Descent(2 * parent, (action,)))


def seen_by_base(
    sent: list[tuple[str, State]],
    is_idle: bool = True,
    has_found: bool = False,
    taken: int | None = None,
    harden: tuple[Harden, ...] = (),
):
    """`taken`: how many of the base's frames the UAV has received when it says how far it is."""
    uav = Publication(
        "uav",
        (
            PublicAction("uav", SL, 1, (READY,), (SURVEYED,), (READY,)),
            PublicAction("uav", C, 1, (SURVEYED,), (DONE,), ()),
        ),
        0,
        (),
        False,
    )
    base = Publication("base", (PublicAction("base", 0, 1, (), (READY,), ()),), 0, (), False)
    plan = [("base", 0), ("uav", SL), ("base", 0), ("uav", SL), ("uav", C)]
    steps = tuple(PublicStep(*step) for step in plan)
    settings = Settings(harden=harden)
    frames = [frame(Publish("solver", settings, "goal"), "uav"), frame(uav), frame(base)]
    for sender, one in sent:
        batch = encode_batch(Batch(Shape(3, (0, 0)), (), (one,)))
        frames.append(frame(States(sender, 1, batch), "uav" if sender == "base" else "base"))
    if taken is None:
        taken = sum(sender == "base" for sender, _ in sent)
    frames.append(frame(Status("uav", is_idle, has_found, 0, taken)))
    frames += [frame(Extend("solver", steps), "uav"), frame(Extended("uav"))]
    return view_of(traffic_of(frames, ["base", "uav"], ["base"]))


TWO_CHILDREN = [
    to_uav(1, {READY}, 0),
    to_base(1, {SURVEYED}, 1, SL, 1),
    to_base(2, {SURVEYED}, 2, SL, 1),
    to_uav(2, {READY, SURVEYED}, 1, 1),
    to_uav(3, {READY, SURVEYED}, 2, 2),
    to_base(3, {SURVEYED, DONE, READY}, 1, C, 2),
]


def test_t1_from_frames():
    """In MAFS the second survey of two private states is seen; C only after one of them."""
    view = seen_by_base(TWO_CHILDREN)
    assert transitions(view, "uav").known == {SL: {IA, PN}, C: {PD}}
    assert f"{bits_a(view, 'uav'):.4f}" == "1.0589"
    more = [
        *TWO_CHILDREN,
        to_base(4, {SURVEYED}, 3, SL, 2),
        to_base(5, {SURVEYED}, 3, SL, 3),
    ]
    view = seen_by_base(more)
    assert transitions(view, "uav").known == {SL: {IA, PN, PI}, C: {PD}}
    assert f"{bits_a(view, 'uav'):.4f}" == "1.1273"


def test_secure_forward_search_from_frames():
    """Each state is sent once; the base still sees a survey in two states that look alike."""
    sent = [
        to_uav(1, {READY}, 0),
        to_base(1, {SURVEYED}, 1, SL, 1),
        to_uav(2, {READY}, 1, 1),
        to_base(2, {SURVEYED, DONE}, 2, SL, 2),
    ]
    view = seen_by_base(sent)
    assert transitions(view, "uav").known == {SL: {IA, PI}}
    assert f"{bits_a(view, 'uav'):.4f}" == "0.0931"


def test_t2_from_frames():
    view = seen_by_base(
        [
            to_uav(1, {READY}, 0),
            to_base(1, {SURVEYED}, 1, SL, 1),
            to_uav(2, {READY}, 1, 1),
            to_base(2, {SURVEYED}, 1, SL, 2),
        ]
    )
    assert f"{bits_a(view, 'uav', Bounds(1, 2)):.4f}" == "0.4150"
    assert math.isclose(bits_a(view, "uav", Bounds(1, 2)), math.log2(12 / 9))


def test_what_is_not_over_is_not_missing():
    """While the agent has something left to do, an action that was not seen may still come."""
    view = seen_by_base(TWO_CHILDREN, is_idle=False)
    assert C not in transitions(view, "uav").known


def test_an_agent_that_found_a_plan_has_more_to_do():
    view = seen_by_base(TWO_CHILDREN, has_found=True)
    assert C not in transitions(view, "uav").known


def test_what_was_not_received_yet_is_not_missing():
    view = seen_by_base(TWO_CHILDREN, taken=2)
    assert C not in transitions(view, "uav").known


@pytest.mark.parametrize(("harden", "known"), [((), {IA, PN}), ((Harden.SECURE,), {IA})])
def test_an_index_of_one_message_says_nothing_of_another(harden, known):
    """The base's part differs in the two parents, so under `secure` the UAV's indices differ in
    the children whether its private states do or not.
    """
    sent = [
        ("base", State(1, 1, 0, frozenset({READY}), (1, 0), Descent(0, (0,)))),
        ("base", State(2, 2, 0, frozenset({READY}), (2, 0), Descent(0, (0, 0)))),
        ("uav", State(1, 2, 0, frozenset({SURVEYED}), (1, 1), Descent(2, (SL,)))),
        ("uav", State(2, 3, 0, frozenset({SURVEYED}), (2, 2), Descent(4, (SL,)))),
    ]
    assert transitions(seen_by_base(sent, harden=harden), "uav").known == {SL: known}


def test_a_pair_that_is_sent_twice_shows_two_private_states():
    sent = [to_uav(1, {READY}, 0), *(to_base(n, {SURVEYED}, n, SL, 1) for n in (1, 2))]
    view = seen_by_base(sent, harden=(Harden.SECURE,))
    assert transitions(view, "uav").known == {SL: {IA, PN}}


def test_steps_of_others_lie_between():
    """An action behind another agent's is done in the state that this one sent."""
    sent = [
        to_uav(1, {READY}, 0),
        ("uav", state(1, {SURVEYED}, 1, Descent(0, (SL,), (Segment(0, 1, (0,)),)))),
    ]
    assert transitions(seen_by_base(sent), "uav").known == {SL: {IA}}


def test_batches_are_decoded_once_for_all_agents(monkeypatch):
    """Also where there are thousands of them."""
    read = []
    monkeypatch.setattr(
        reading, "decode_batch", lambda data: read.append(data) or decode_batch(data)
    )
    reading.decoded.cache_clear()
    view = seen_by_base([to_uav(n, {READY}, n) for n in range(1, 5001)])
    for agent in ("uav", "base"):
        transitions(view, agent)
    assert len(read) == len(set(read)) == 5000

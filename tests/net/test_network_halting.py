"""Who may search when, and what goes before what: questions first, states behind."""

from __future__ import annotations

import pytest
from support.frames import fault_of, member, place
from support.hosts import all_solved, play, small

from tacit.public.protocol.link import Go, Halt, Terms
from tacit.public.protocol.messages import Begin, Poll, States, Trace, decode, encode
from tacit.public.protocol.recording import read_recording
from tacit.transport.mailbox import Arrived, Down, Mailbox, Up


def test_states_wait_behind_all_else():
    """Each of the two in its own order; what a peer may fill is counted for both."""
    states = [encode(States("a", 1, bytes([n]))) for n in range(3)]
    box = Mailbox(10_000)
    events = [Arrived("a", states[0]), Up("b"), Arrived("a", states[1])]
    events += [Arrived("b", encode(Poll("b"))), Arrived("a", states[2]), Down("a", "gone")]
    for event in events:
        box.put(event)
    order = [box.take(0) for _ in events]
    assert order == [events[n] for n in (1, 3, 5, 0, 2, 4)]
    assert box.take(0) is None
    small_box = Mailbox(100)
    small_box.put(events[0])
    assert not small_box.has_room("a", lambda: None)
    assert small_box.take(0) == events[0]
    assert small_box.has_room("a", lambda: None)


def test_nobody_works_before_go_and_after_halt(spoken):
    one, talk, _ = member(Terms("mafs", k=2))
    frames = sorted((item for item in spoken["mafs"] if place(item[1])), key=lambda i: place(i[1]))
    last = next(n for n, (_, frame) in enumerate(frames) if isinstance(decode(frame), Begin))
    for peer, frame in frames[: last + 1]:
        assert fault_of(one, talk, peer, frame) is None
    for order, expected in ((None, False), (Go, True), (Halt, False), (Go, True), (Poll, True)):
        if order is not None:
            assert fault_of(one, talk, one.leader, encode(order(one.leader))) is None
        assert one.can_work is expected, order
    other = next(name for name in talk.peers if name != one.leader)
    assert "out of turn" in (fault_of(one, talk, other, encode(Halt(other))) or "")


@pytest.mark.parametrize("ranking", ["goal", "m3"])
def test_a_leader_halts_all_before_it_asks_for_anything_else(tmp_path, ranking):
    made = small("logistics", tmp_path, terms=Terms("mafs", ranking))
    found = play({name: made.host(name) for name in made.names})
    assert all_solved(found)
    leader = found[made.names[0]].leader
    asked: dict[str, list[object]] = {}
    for entry in read_recording(made.configs[leader].outputs.transcript).entries:
        if entry.is_sent and not isinstance(message := decode(entry.payload), States):
            asked.setdefault(entry.peer, []).append(message)
    for messages in asked.values():
        is_going = False
        for message in messages:
            if isinstance(message, Go | Halt):
                assert is_going is isinstance(message, Halt)
                is_going = isinstance(message, Go)
            assert not (is_going and isinstance(message, Begin | Trace))
        assert not is_going, "in the end a plan was asked for"
        assert any(isinstance(message, Go) for message in messages)

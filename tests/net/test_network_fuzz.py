"""Mutated frames: whatever comes, an agent goes on or ends with an error, and tells nothing.

Here they are handed to an agent at each phase of planning, without a network; through sockets they
go in `test_network_sockets`. `TACIT_FUZZ` makes them more (`make test-slow`).
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from support.frames import NAMES, Wires, fault_of, member, mutated, place, talk_over, task_of

from tacit.errors import ProtocolError
from tacit.net.grounding import ground_together
from tacit.net.talk import Talk
from tacit.public.protocol.link import Agreed, Settled, Stage, Terms
from tacit.public.protocol.messages import Grounding, decode
from tacit.transport.mailbox import Arrived

SCALE = int(os.environ.get("TACIT_FUZZ", "100")) // 100


@pytest.mark.parametrize("solver", ["projection", "mafs", "mad-astar"])
def test_mutated_frames_while_planning(spoken, solver):
    """Some real frames, then mutated ones: each is a fault, or passes for real.

    Two agents hear them that differ in all their private names, and say the very same.
    """
    rng = random.Random(f"{solver} {SCALE}")
    real = sorted((item for item in spoken[solver] if place(item[1])), key=lambda i: place(i[1]))
    done = faults = reached = 0
    count = 240 * SCALE
    memory = Memory(count)
    while done < count:
        guide = "lmcut" if solver == "mad-astar" else "ff"
        terms = Terms(solver, k=2, heuristic=guide)
        both = [member(terms, renamed) for renamed in (False, True)]
        before = real[: rng.randrange(len(real))]
        reached += sum(tell(both, *item) is None for item in before) == len(before)
        for peer, frame in (rng.choice(real) for _ in range(8)):
            sent = len(both[0][2].sent)
            done += 1
            if tell(both, peer, mutated(frame, rng)) is not None:
                faults += 1
                replies = [decode(reply) for reply in both[0][2].sent[sent:]]
                assert all(isinstance(reply, Agreed | Settled) for reply in replies), "digests"
        memory.look(done)
    assert faults > done / 2
    # How many real frames fit together depends on the timing of the run that they are from.
    assert reached > done / 8 / 4, "real frames are no faults"


def tell(both, peer: str, frame: bytes) -> str | None:
    """What two agents say that hear the same, which is the same."""
    first, second = (fault_of(one, talk, peer, frame) for one, talk, _ in both)
    assert first == second
    assert both[0][2].sent == both[1][2].sent
    return first


def test_mutated_frames_while_grounding(spoken):
    """One mutated frame among real ones, before and behind its place."""
    rng = random.Random(SCALE)
    real = [
        (peer, frame)
        for peer, frame in spoken["projection"]
        if isinstance(message := decode(frame), Grounding)
        or (isinstance(message, Agreed) and message.stage is Stage.GROUND)
    ]
    pair, _, _, words = task_of(False)
    passed = 0
    count = 60 * SCALE
    memory = Memory(count)
    for number in range(count):
        at = rng.randrange(len(real))
        frames = [*real]
        frames[at] = (real[at][0], mutated(real[at][1], rng))
        talk = talk_over(Wires(Arrived(*item) for item in frames))
        memory.look(number)
        said = grounding_fault(pair, talk)
        passed += said is None
        assert not words.intersection((said or "").split())
    assert passed < count / 2


def grounding_fault(pair, talk: Talk) -> str | None:
    try:
        ground_together(pair, NAMES, talk, 0.0, 1 << 20)
    except ProtocolError as error:
        return str(error)
    return None


class Memory:
    """Memory must not grow once a quarter of the work is done."""

    def __init__(self, total: int):
        self._quarter = total // 4
        self._before = 0

    def look(self, done: int) -> None:
        if done < self._quarter:
            return
        self._before = self._before or resident()
        if done % 1000 < 8 or done >= 4 * self._quarter - 8:
            assert resident() - self._before < 64 << 20


def resident() -> int:
    """Bytes of memory of this process; 0 where that cannot be known."""
    path = Path("/proc/self/statm")
    return int(path.read_text().split()[1]) * 4096 if path.exists() else 0

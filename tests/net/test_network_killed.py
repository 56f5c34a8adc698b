"""An agent that is killed at any moment: its transcript has every frame that a peer has from it.

The agent is a process of its own. Whoever kills it is its peer, in the very moment at which a frame
of it is there, which is when a transcript that is a little late has lost it.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from support.hosts import TIMING, Troupe, keys_for, play, small
from support.inside import on_record

from tacit.audit.evidence import evidence_of
from tacit.net.host import Host
from tacit.public.protocol.link import Terms
from tacit.public.protocol.recording import Recording, read_recording

KILLED = "truck0"
LONGEST = 40
"""Frames that it may have sent by then, to both peers together."""


def live(config) -> None:
    """The agent that is killed, in its own process."""
    Host(config).run()


def kill_at(process, moment: int, pause: float) -> Callable[[str, bool], None]:
    """Kill it when so many of its frames were received, or a little later."""
    seen = 0

    def look(peer: str, is_sent: bool) -> None:
        nonlocal seen
        seen += peer == KILLED and not is_sent
        if seen == moment:
            time.sleep(pause)
            os.kill(process.pid, signal.SIGKILL)

    return look


def killed_run(folder: Path, solver: str, rng: random.Random) -> tuple[Troupe, int]:
    """A run in which one agent is killed, unless it ends before; its exit code."""
    timing = replace(TIMING, wait=6)
    made = small("logistics", folder, terms=Terms(solver, k=2), timing=timing)
    process = multiprocessing.get_context("fork").Process(target=live, args=(made.configs[KILLED],))
    process.start()
    hosts = {name: made.host(name) for name in made.names if name != KILLED}
    look = kill_at(process, rng.randint(1, LONGEST), rng.choice((0, 0, rng.random() / 100)))
    for host in hosts.values():
        on_record(host, look)
    try:
        play(hosts)
    finally:
        process.join(30)
        process.kill()
        process.join()
    return made, process.exitcode


def between(recording: Recording, peer: str, is_sent: bool) -> list[list[bytes]]:
    """The frames of each stream with a peer in one direction."""
    streams: dict[int, list[bytes]] = {}
    for entry in recording.entries:
        if entry.peer == peer and entry.is_sent is is_sent:
            streams.setdefault(getattr(entry, "stream", 0), []).append(entry.payload)
    return list(streams.values())


def check(made: Troupe) -> int:
    """Whatever its peers have, it has; how many frames that were."""
    recordings = {name: read_recording(c.outputs.transcript) for name, c in made.configs.items()}
    own, count = recordings.pop(KILLED), 0
    for name, other in recordings.items():
        for received in between(other, KILLED, is_sent=False):
            count += len(received)
            sent = between(own, name, is_sent=True)
            assert any(one[: len(received)] == received for one in sent), "a frame was lost"
    ca = keys_for(*made.names) / "ca.pem"
    assert not evidence_of([own, *recordings.values()], ca).problems
    return count


@pytest.mark.parametrize(
    "times", [5, pytest.param(50, marks=pytest.mark.slow)], ids=["a few", "many"]
)
def test_no_frame_is_lost_that_a_peer_has(tmp_path, times):
    rng = random.Random(times)
    ends, counts = [], []
    for number in range(times):
        solver = rng.choice(("projection", "mafs"))
        made, code = killed_run(tmp_path / str(number), solver, rng)
        ends.append(code)
        counts.append(check(made))
    print(f"killed {ends.count(-signal.SIGKILL)} of {times} runs; {sum(counts)} frames compared")
    assert ends.count(-signal.SIGKILL) > times / 2, ends
    assert sum(counts) > times

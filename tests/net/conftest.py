"""Fixtures of tests between hosts."""

from __future__ import annotations

import pytest
from support.frames import NAMES
from support.hosts import all_solved, play, small

from tacit.public.protocol.link import Terms
from tacit.public.protocol.recording import read_recording


@pytest.fixture(scope="module")
def spoken(tmp_path_factory) -> dict[str, list[tuple[str, bytes]]]:
    """Per solver, what the leader of a real run sent to one agent and what others sent it."""
    found = {}
    guides = {"projection": "ff", "mafs": "ff", "mad-astar": "lmcut"}
    for solver, guide in guides.items():
        folder = tmp_path_factory.mktemp(solver)
        terms = Terms(solver, k=2, heuristic=guide)
        made = small("logistics", folder, terms=terms, secret="fuzz")
        assert all_solved(play({name: made.host(name) for name in NAMES}))
        entries = read_recording(made.configs["plane1"].outputs.transcript).entries
        found[solver] = [(e.peer, e.payload) for e in entries if not e.is_sent]
    return found

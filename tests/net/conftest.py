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
    for solver in ("projection", "mafs"):
        folder = tmp_path_factory.mktemp(solver)
        made = small("logistics", folder, terms=Terms(solver, k=2), secret="fuzz")
        assert all_solved(play({name: made.host(name) for name in NAMES}))
        entries = read_recording(made.configs["plane1"].outputs.transcript).entries
        found[solver] = [(e.peer, e.payload) for e in entries if not e.is_sent]
    return found

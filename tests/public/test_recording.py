"""Transcripts on disk: what is written is read again, cut short or not, and nothing else is one."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tacit.errors import InputError
from tacit.public.protocol.messages import Poll, encode
from tacit.public.protocol.recording import (
    MAGIC,
    Recorder,
    Recording,
    read_recording,
    read_recordings,
)
from tacit.public.protocol.transcript import Frame

ENTRIES = st.lists(st.tuples(st.sampled_from(["b", "c"]), st.booleans(), st.binary(max_size=300)))


def written(path: Path, entries) -> Recording:
    recorder = Recorder(path, "a", ("a", "b", "c"))
    for peer, is_sent, payload in entries:
        recorder.add(peer, "bc".index(peer), is_sent, [payload])
    recorder.close()
    return read_recording(path)


@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(ENTRIES)
def test_what_is_written_is_read(tmp_path, entries):
    found = written(tmp_path / "t", entries)
    assert found.is_whole
    assert (found.holder, found.head.agents) == ("a", ("a", "b", "c"))
    assert [(e.peer, e.is_sent, e.payload) for e in found.entries] == entries
    for peer, is_sent in {(e.peer, e.is_sent) for e in found.entries}:
        numbers = [e.number for e in found.entries if (e.peer, e.is_sent) == (peer, is_sent)]
        assert numbers == list(range(len(numbers)))
    times = [found.head.started, *(entry.time for entry in found.entries)]
    assert times == sorted(times)


@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(ENTRIES, st.integers(0, 10**6))
def test_a_file_cut_short_is_read_as_far_as_it_goes(tmp_path, entries, seed):
    path = tmp_path / "t"
    path.unlink(missing_ok=True)
    written(path, ())
    shortest = path.stat().st_size
    path.unlink()
    whole = written(path, entries)
    data = path.read_bytes()
    cut = shortest + seed % (len(data) - shortest + 1)
    path.write_bytes(data[:cut])
    found = read_recording(path)
    assert found.entries == whole.entries[: len(found.entries)]
    assert found.is_whole or len(found.entries) < len(whole.entries)


@pytest.mark.parametrize("cut", [0, 1, 30])
def test_a_file_that_is_there_is_added_to(tmp_path, cut):
    """Also one that was cut short: what is whole of it stays."""
    path = tmp_path / "t"
    first = written(path, [("b", True, b"one"), ("b", False, b"two")])
    data = path.read_bytes()
    path.write_bytes(data[: len(data) - cut])
    second = written(path, [("c", True, b"three")])
    assert [e.payload for e in second.entries] == [b"three"]
    old, new = read_recordings(path)
    assert new == second
    assert old.entries == first.entries[: 2 - (cut > 0) - (cut > 25)]


def test_no_two_write_one_file(tmp_path):
    one = Recorder(tmp_path / "t", "a", ("a", "b"))
    with pytest.raises(InputError, match="another process writes"):
        Recorder(tmp_path / "t", "a", ("a", "b"))
    one.close()
    written(tmp_path / "t", [])


def test_a_run_that_never_began_is_none(tmp_path):
    written(tmp_path / "t", [("b", True, b"x")])
    recorder = Recorder(tmp_path / "t", "a", ("a", "b"))
    recorder._file.close()  # as if the process had ended
    assert len(read_recordings(tmp_path / "t")) == 1


def test_what_is_added_is_with_the_operating_system(tmp_path):
    """Nothing waits in memory, and nothing is lost that has no room."""
    recorder = Recorder(tmp_path / "t", "a", ("a", "b"))
    recorder.add("b", 0, True, [b"x", b"y"])
    assert [e.payload for e in read_recording(tmp_path / "t").entries] == [b"x", b"y"]
    recorder.close()
    with pytest.raises(InputError, match="cannot write"):
        recorder.add("b", 0, True, [b"z"])


def test_frames_go_from_one_agent_to_another(tmp_path):
    frame = encode(Poll("a"))
    found = written(tmp_path / "t", [("b", True, frame), ("b", False, b"x")]).transcript()
    assert found.frames == [Frame("a", "b", frame), Frame("b", "a", b"x")]
    assert decode_first(found) == Poll("a")


def decode_first(transcript):
    return next(transcript.messages())


def test_the_file_is_for_its_owner_alone(tmp_path):
    written(tmp_path / "t", [])
    assert stat.S_IMODE((tmp_path / "t").stat().st_mode) == 0o600


@pytest.mark.parametrize("data", [b"", MAGIC, b"x" * 200, MAGIC + b"\0\0\0\1x", MAGIC[:5]])
def test_other_files_are_refused(tmp_path, data):
    (tmp_path / "t").write_bytes(data)
    with pytest.raises(InputError, match="not a transcript"):
        read_recording(tmp_path / "t")


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="No such file"):
        read_recording(tmp_path / "t")
    with pytest.raises(InputError, match="cannot write"):
        Recorder(tmp_path / "no" / "t", "a", ())

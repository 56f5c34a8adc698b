"""Bounds that last: what peers know over all runs, on the owner's disk."""

from __future__ import annotations

import os
import threading
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from support.forms import generated

from tacit.errors import InputError
from tacit.net.appended import AppendedFile
from tacit.net.lasting import LastingLedger
from tacit.net.lasting_files import Disclosed, Place, TaskLine
from tacit.net.task_digest import TaskDigest, digest_of
from tacit.party.bounds import Bounds
from tacit.party.lasting import LastingItem
from tacit.pddl.factor_writer import factor
from tacit.pddl.reader import read_agent
from tacit.pddl.source import Source
from tacit.public.ledger import Kind
from tacit.public.protocol.link import Terms

TASK = TaskDigest("task", "monday", "logistics")
B, C = "b", "c"


def ledger(folder: Path, task: TaskDigest = TASK, **bounds: Bounds) -> closing[LastingLedger]:
    return closing(LastingLedger(Place(folder, "a"), task, bounds or {B: Bounds()}))


def edge(name: str, price: int = 1) -> LastingItem:
    return LastingItem(Kind.EDGE, (f"(load {name})",), f"(in {name})", price=price)


def initial(name: str) -> LastingItem:
    return LastingItem(Kind.EDGE, (), f"(in {name})")


def threat(name: str) -> LastingItem:
    return LastingItem(Kind.THREAT, (f"(load {name})",), f"(free {name})", positive=False)


# ---------------------------------------------------------------- counting


def alike(name: str, kind: str) -> LastingItem:
    return replace(edge(name), alike=kind)


def test_where_classes_count_a_bound_over_all_runs_is_one_of_classes(tmp_path):
    """An edge of a run in which edges counted is a class of its own; and where edges count again,
    all of them do.
    """
    with ledger(tmp_path, b=Bounds(edges=2)) as own:
        assert own.enter([edge("p")])
    with ledger(tmp_path, b=Bounds(edges=2)) as own:
        assert own.enter([alike("q", "load")])
        assert own.enter([alike("r", "load"), alike("s", "load")])
        assert not own.enter([alike("t", "unload")])
    with ledger(tmp_path, b=Bounds(edges=2)) as own:
        assert own.enter([alike("u", "load")])
        assert not own.enter([alike("t", "unload")])
        assert not own.enter([edge("v")])
    with ledger(tmp_path, b=Bounds(edges=6)) as own:
        assert own.enter([edge("v")])
        assert not own.enter([edge("w")])


def test_an_edge_counts_once_over_all_runs(tmp_path):
    for _ in range(5):
        with ledger(tmp_path, b=Bounds(edges=2)) as own:
            assert own.enter([edge("p")])
            assert own.enter([edge("q")])
            assert not own.enter([edge("r")])
            assert own.knows(edge("q"))
            assert not own.knows(edge("r"))


def test_each_peer_has_a_bound_and_an_account_of_its_own(tmp_path):
    with ledger(tmp_path, b=Bounds(edges=1)) as own:
        assert own.enter([edge("p")])
    with ledger(tmp_path, c=Bounds(edges=3)) as own:
        assert not own.knows(edge("p"))
        assert own.enter([edge("q")])
    with ledger(tmp_path, b=Bounds(edges=1), c=Bounds(edges=3)) as own:
        assert not own.knows(edge("p"))
        assert own.enter([edge("p")]), "b knows it, and c may learn it"
        assert own.knows(edge("p"))
        assert not own.enter([edge("q")]), "b may learn no more"
        assert not own.enter([edge("r")])


def test_edges_of_an_initial_state_count_for_that_state_alone(tmp_path):
    bound = Bounds(edges=2)
    with ledger(tmp_path, b=bound) as own:
        assert own.enter([initial("p")])
        assert own.enter([edge("p")])
        assert not own.enter([initial("q")])
    with ledger(tmp_path, replace(TASK, state="tuesday"), b=bound) as own:
        assert not own.knows(initial("p"))
        assert own.knows(edge("p"))
        assert own.enter([initial("q")])
        assert not own.enter([initial("p")])
    with ledger(tmp_path, b=bound) as own:
        assert own.knows(initial("p"))
        assert not own.enter([initial("q")])


def test_prices_and_repairs_hold_over_runs(tmp_path):
    bounds = Bounds(price=5, repairs=1)
    with ledger(tmp_path, b=bounds) as own:
        assert own.enter([edge("p", price=4)])
        assert own.repairs_left == 1
        assert own.enter([threat("p")])
    with ledger(tmp_path, b=bounds) as own:
        assert not own.enter([edge("q", price=2)])
        assert own.enter([edge("p", price=4)])
        assert own.enter([threat("p")]), "it is known"
        assert not own.enter([threat("q")])
        assert own.repairs_left == 0


def test_a_prefix_of_everybodys_steps_is_never_known(tmp_path):
    own_steps = LastingItem(Kind.PREFIX, ("(load p)",))
    with ledger(tmp_path) as own:
        assert own.enter([own_steps, replace(own_steps, joint=True)])
        assert own.knows(own_steps)
        assert not own.knows(replace(own_steps, joint=True))


def test_merged_actions_are_known_if_each_of_them_is(tmp_path):
    both = LastingItem(Kind.EDGE, ("(load p)", "(load q)"), "(full)")
    with ledger(tmp_path) as own:
        own.enter([replace(both, actions=("(load p)",))])
        assert not own.knows(both)
        own.enter([both])
        assert own.knows(replace(both, actions=("(load q)",)))


# ---------------------------------------------------------------- the file


def test_a_line_is_on_the_disk_before_it_counts_and_a_torn_one_is_tolerated(tmp_path):
    """Killed after any byte: what was whole is kept, and nothing else is believed."""
    with ledger(tmp_path) as own:
        own.enter([edge("p")])
        own.enter([edge("q")])
    (path,) = (tmp_path / "a" / B).glob("*.jsonl")
    content = path.read_bytes()
    ends = [n + 1 for n, byte in enumerate(content) if byte == ord("\n")]
    for cut in sorted({*ends[:-1], *range(ends[0], len(content), 5), len(content) - 1}):
        path.write_bytes(content[:cut])
        with ledger(tmp_path) as own:
            assert own.knows(edge("p")) == (cut >= ends[1])
            assert not own.knows(edge("q"))
            assert own.enter([edge("q")])
        with ledger(tmp_path) as own:
            assert own.knows(edge("q"))
        assert path.read_bytes().startswith(content[:cut]), "nothing is ever taken out"


@pytest.mark.parametrize("line", [b"{}", b"nonsense", b'{"type":"disclosed","run":"x"}', b"\xff"])
def test_other_damage_is_an_error_with_its_place(tmp_path, line):
    with ledger(tmp_path) as own:
        own.enter([edge("p")])
    (path,) = (tmp_path / "a" / B).glob("*.jsonl")
    first, *rest = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([first, line, *rest]))
    with pytest.raises(InputError, match=r"jsonl:2: this line is damaged") as caught:
        ledger(tmp_path)
    assert "backup" in str(caught.value)


def test_a_ledger_is_for_its_owner_alone_and_for_one_run_at_a_time(tmp_path):
    with ledger(tmp_path) as own:
        own.enter([edge("p")])
        with pytest.raises(InputError, match=r"another run of 'a' with 'b' has this ledger open"):
            ledger(tmp_path)
        with ledger(tmp_path, replace(TASK, task="other")) as other:
            assert other.begin(B, Terms()) == 1
            assert own.begin(B, Terms()) == 2, "runs of all tasks are on one list"
    files = [path for path in (tmp_path / "a").rglob("*") if path.is_file()]
    assert files
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    (path,) = (tmp_path / "a" / B).glob("task.jsonl")
    path.chmod(0o644)
    with pytest.raises(InputError, match="others can read"):
        ledger(tmp_path)


def test_a_link_in_place_of_the_file_is_refused(tmp_path):
    (tmp_path / "a" / B).mkdir(parents=True)
    os.symlink(tmp_path / "elsewhere", tmp_path / "a" / B / "task.jsonl")
    with pytest.raises(InputError):
        ledger(tmp_path)
    assert not (tmp_path / "elsewhere").exists()


def test_a_full_disk_is_a_clear_error(tmp_path, monkeypatch):
    file: AppendedFile[TaskLine] = AppendedFile(tmp_path / "f.jsonl", TaskLine, "busy")

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    with closing(file), monkeypatch.context() as patched:
        patched.setattr(os, "write", full)
        with pytest.raises(InputError, match="No space left on device"):
            file.append(Disclosed(1, "now", Kind.EDGE))


def test_nobody_waits_for_the_disk_before_the_end(tmp_path, monkeypatch):
    """And when the ledger is closed, the disk has every file that was written to since."""
    synced: list[tuple[str, int, int]] = []
    sync, is_slow = os.fsync, threading.Event()

    def watched(number: int) -> None:
        found = os.fstat(number)
        if threading.current_thread().name == "syncing":
            assert is_slow.wait(60)
        sync(number)
        synced.append((threading.current_thread().name, found.st_ino, found.st_size))

    with ledger(tmp_path) as own:
        own.begin(B, Terms())
        path = Place(tmp_path, "a").task(B, TASK.task)
        monkeypatch.setattr(os, "fsync", watched)
        for name in "pqr":
            own.enter([edge(name)])
            assert f"(in {name})" in path.read_text(), "it is written before"
        own.meet(B, 3)
        assert not synced
        is_slow.set()
    files = {file.stat().st_ino: file.stat().st_size for file in path.parent.glob("*.jsonl")}
    assert {(name, node) for name, node, _ in synced} == {("syncing", node) for node in files}
    assert {size for _, node, size in synced if node == path.stat().st_ino} >= {path.stat().st_size}
    assert len(synced) <= 4, "what is written meanwhile is synced together"


@pytest.mark.parametrize("is_last", [False, True])
def test_a_disk_that_fails_is_a_clear_error(tmp_path, monkeypatch, is_last):
    """For whoever writes next, or at the end; and the files are let go of."""

    def broken(number: int) -> None:
        raise OSError(5, "Input/output error")

    def write() -> None:
        with ledger(tmp_path) as own:
            monkeypatch.setattr(os, "fsync", broken)
            own.enter([edge("p")])
            for n in range(0 if is_last else 100):
                time.sleep(0.01)
                own.enter([edge(f"q{n}")])

    with pytest.raises(InputError, match="Input/output error") as caught:
        write()
    assert "the run must end" in str(caught.value)
    monkeypatch.undo()
    with ledger(tmp_path) as own:
        assert own.knows(edge("p"))


# ---------------------------------------------------------------- the task


def test_a_task_is_the_domain_and_the_objects():
    one, other = (factor(generated("rovers", seed)) for seed in (0, 1))
    for agent, (domain, problem) in one.items():
        first = _digest(agent, domain, problem)
        assert first.task == _digest(agent, *other[agent]).task, "goals and initial state differ"
        commented = _digest(agent, f"; a comment\n{domain.upper()}", f"\n{problem}")
        assert commented == first
        assert _digest(agent, domain.replace("calibrat", "adjust"), problem).task != first.task
    assert any(_digest(a, *one[a]).state != _digest(a, *other[a]).state for a in one), (
        "private facts differ"
    )


def _digest(agent: str, domain: str, problem: str) -> TaskDigest:
    return digest_of(read_agent(agent, Source("d", domain), Source("p", problem)).pairs[0])

"""Agents on threads and in processes: they find plans, and whatever breaks ends all of them."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from msgspec.structs import replace
from support.idlers import Idler, idlers
from support.inside import pids_of, pids_of_agents
from support.places import TESTS
from support.waiting import PATIENCE, is_running, until

import tacit
from tacit.central.session import Session
from tacit.domains import DOMAINS
from tacit.errors import ExitCode, InternalError, ProtocolError
from tacit.party.agent import Agent
from tacit.profile import profile
from tacit.public.outcome import Outcome
from tacit.public.protocol.transcript import Transcript
from tacit.public.run_options import RunOptions
from tacit.solvers.limits import Limits
from tacit.transport.drive import RoundRobin, Threads
from tacit.transport.processes import Processes

DRIVES = ("threads", "processes", "roundrobin")
PROGRAM = [sys.executable, "-c", "from tacit.cli.main import main; main()"]


# Agents of their own, which search for nothing.


@pytest.mark.parametrize("breaks", ["work", "receive"])
@pytest.mark.parametrize("make", [RoundRobin, Threads])
def test_an_agent_that_fails_in_a_thread_is_named(make: type, breaks: str) -> None:
    before = threading.active_count()
    driver = make(idlers(breaks))
    with pytest.raises(InternalError, match=r"'bad'.*by zero"):
        _work_on(driver)
    until(lambda: threading.active_count() == before)


@pytest.mark.parametrize("make", [RoundRobin, Threads])
def test_errors_of_the_protocol_and_of_memory_stay_what_they_are(make: type) -> None:
    for error in (ProtocolError("agent 'bad' lies"), MemoryError("no more")):
        with pytest.raises(type(error), match=str(error)):
            _work_on(make(idlers("work", error)))


def _work_on(driver: RoundRobin | Threads | Processes[Idler]) -> None:
    for _ in range(100):
        driver.work(60, None)
    pytest.fail("nothing broke")


def test_threads_go_on_after_a_failure() -> None:
    agents = idlers("work")
    driver = Threads(agents, threads=2)
    with pytest.raises(InternalError):
        _work_on(driver)
    agents[1].breaks = ""
    driver.work(60, 64)
    assert all(agent.slices > 0 for agent in agents)


def test_threads_wait_for_frames_and_end_when_nobody_can_go_on() -> None:
    class Once(Idler):
        heard = 0

        def work(self, evaluations: int) -> list[tuple[str, bytes]]:
            self.slices += 1
            self.is_idle = True
            return [(self.to, b"x")] if self.heard < 200 else []

        def receive(self, sender: str, frame: bytes) -> None:
            self.heard += 1

    agents = [Once("one", "two"), Once("two", "one")]
    driver = Threads(agents, threads=2)
    for _ in range(1000):
        driver.work(60, None)
        if all(agent.heard >= 199 for agent in agents):
            break
    driver.work(60, None)
    assert sum(agent.heard for agent in agents) >= 399


@pytest.mark.parametrize("breaks", ["work", "receive", "die", "answer"])
def test_an_agent_that_fails_in_a_process_is_named_and_all_end(breaks: str) -> None:
    threads = threading.active_count()
    driver = Processes(idlers(breaks), "solver", Transcript())
    pids = list(pids_of(driver).values())
    assert all(map(is_running, pids))
    with pytest.raises(InternalError, match="'bad'"):
        driver.ask("bad", b"?") if breaks == "answer" else _work_on(driver)
    until(lambda: not any(map(is_running, pids)))
    until(lambda: threading.active_count() == threads)
    with pytest.raises(InternalError, match="'one' is not there"):
        driver.ask("one", b"?")
    driver.close()


def test_errors_keep_their_kind_from_a_process() -> None:
    for error in (ProtocolError("agent 'bad' lies"), MemoryError("no more")):
        driver = Processes(idlers("work", error), "solver", Transcript())
        with pytest.raises(type(error), match=str(error)):
            _work_on(driver)


def test_a_killed_process_is_named() -> None:
    def kill(*_: object) -> None:
        os.kill(pids[victim], signal.SIGKILL)

    options = RunOptions("mafs", drive="processes")
    session = Session(hard(), profile("tacit"), options, watcher=kill)
    pids = pids_of_agents(session)
    victim = list(pids)[1]
    with pytest.raises(InternalError, match=f"the process of agent '{victim}' ended"):
        session.at(session.largest, Limits(PATIENCE))
    until(lambda: not any(map(is_running, pids.values())))


def test_processes_end_with_their_hub() -> None:
    program = """
import os, sys, time
sys.path.insert(0, sys.argv[1])
from support.idlers import idlers
from support.inside import pids_of
from tacit.public.protocol.transcript import Transcript
from tacit.transport.processes import Processes
hub = Processes(idlers(), "solver", Transcript())
print(*pids_of(hub).values(), flush=True)
while True:
    hub.work(60, None)
"""
    command = [sys.executable, "-c", program, str(TESTS)]
    hub = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert hub.stdout is not None
    pids = [int(pid) for pid in hub.stdout.readline().split()]
    assert len(pids) == 3
    hub.kill()
    hub.wait()
    hub.stdout.close()
    until(lambda: not any(map(is_running, pids)))


# Real agents.


@cache
def hard() -> tacit.Instance:
    """A problem that nobody solves soon."""
    with TemporaryDirectory() as folder:
        write_hard(Path(folder))
        return tacit.load(folder)


def write_hard(folder: Path) -> None:
    made = DOMAINS.get("blocksworld").generate({"blocks": 45, "arms": 3}, seed=3)
    (folder / "domain.pddl").write_text(made.domain)
    (folder / "problem.pddl").write_text(made.problem)


@pytest.mark.parametrize("drive", DRIVES)
@pytest.mark.parametrize("domain", list(DOMAINS))
def test_every_drive_finds_valid_plans(domain: str, drive: str) -> None:
    session = Session(
        tacit.load(f"{domain}/small"), profile("tacit"), RunOptions("mafs", drive=drive)
    )
    result = session.at(session.largest, Limits(PATIENCE))
    session.close()
    assert result.outcome is Outcome.SOLVED
    assert result.plan is not None
    assert tacit.validate(session.instance, result.plan).valid


@pytest.mark.parametrize("seed", range(8))
def test_private_actions_stay_where_they_were_done(seed: int) -> None:
    """In this domain they look at public facts, which others may end before the next own step."""
    session = Session(tacit.load("secrets/small"), profile("tacit"), RunOptions("mafs", seed=seed))
    result = session.at(session.largest, Limits(PATIENCE))
    assert result.solved
    assert result.plan is not None
    assert tacit.validate(session.instance, result.plan).valid


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("domain", ["blocksworld", "driverlog", "logistics"])
def test_the_same_seed_sends_the_same_bytes(domain: str, first: bool) -> None:
    def run(seed: int) -> list[tuple[str, str, bytes]]:
        run_options = RunOptions("mafs", drive="roundrobin", record=True)
        session = Session(
            tacit.load(f"{domain}/small"),
            profile("tacit"),
            replace(run_options, ranking="m3", seed=seed),
        )
        result = session.first() if first else session.at(session.largest)
        assert result.solved
        return [(f.sender, f.receiver, f.payload) for f in result.transcript.frames]

    once = run(5)
    assert once == run(5)
    assert once != run(6)


def test_a_slow_machine_sends_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(pause: float) -> list[bytes]:
        work = Agent.work
        with monkeypatch.context() as patch:
            patch.setattr(Agent, "work", lambda agent, n: (time.sleep(pause), work(agent, n))[1])
            run_options = RunOptions("mafs", drive="roundrobin", record=True)
            session = Session(tacit.load("driverlog/small"), profile("tacit"), run_options)
            return [frame.payload for frame in session.first().transcript.frames]

    assert run(0.0) == run(0.02)


@pytest.mark.parametrize("drive", DRIVES)
def test_limits_end_a_search(drive: str) -> None:
    instance = hard()
    for run_options, limits, outcome in (
        (RunOptions("mafs", drive=drive), Limits(0.5), Outcome.TIME),
        (RunOptions("mafs", drive=drive, memory_limit=2), Limits(PATIENCE), Outcome.MEMORY),
    ):
        session = Session(instance, profile("tacit"), run_options)
        result = session.at(session.largest, limits)
        session.close()
        assert (result.outcome, result.plan) == (outcome, None)
        assert result.counters.expanded > 0
        assert all(status.memory > 0 for status in result.searches.values())


# The command line.


@pytest.fixture(scope="module")
def hard_files(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("hard")
    write_hard(folder)
    return str(folder)


@pytest.mark.parametrize(
    ("option", "value", "outcome", "code"),
    [
        ("--time-limit", "0.3", "time", ExitCode.TIME),
        ("--memory-limit", "2", "memory", ExitCode.MEMORY),
    ],
)
def test_limits_of_the_command_line(
    hard_files: str, option: str, value: str, outcome: str, code: ExitCode
) -> None:
    command = [
        *PROGRAM,
        "solve",
        hard_files,
        "--solver",
        "mafs",
        "--ranking",
        "m1",
        "--percent",
        "100",
    ]
    done = subprocess.run(
        [*command, option, value, "--json"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (code, "")
    assert json.loads(done.stdout)["outcome"] == outcome


SEEN = "the search was looked at\n"
WATCHED = f"""
import sys
from tacit.cli.main import main
from tacit.cli.progress import Watcher
look = Watcher.__call__
def look_and_say(self, *what):
    look(self, *what)
    sys.stderr.write({SEEN!r})
    sys.stderr.flush()
Watcher.__call__ = look_and_say
main()
"""


ENDS = [(drive, group) for drive in DRIVES for group in (False, True)]
QUICK = {("threads", True), ("processes", True), ("roundrobin", False)}


@pytest.mark.parametrize(
    ("drive", "group"),
    [pytest.param(*end, marks=() if end in QUICK else pytest.mark.slow) for end in ENDS],
)
def test_ctrl_c_says_how_far_it_was(hard_files: str, drive: str, group: bool) -> None:
    options = ["--solver", "mafs", "--ranking", "m1", "--percent", "100", "--drive", drive]
    program = subprocess.Popen(
        [sys.executable, "-c", WATCHED, "solve", hard_files, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert program.stderr is not None
    assert program.stderr.readline() == SEEN
    (os.killpg if group else os.kill)(program.pid, signal.SIGINT)
    out, err = program.communicate(timeout=PATIENCE)
    assert (program.returncode, out) == (ExitCode.INTERRUPTED, ""), err
    told = re.fullmatch(r"stopped at k = (\d+): ([\d,]+) states expanded.*\n+error: interrupted\n",
                        err.replace(SEEN, ""))  # fmt: skip
    assert told is not None, err
    assert int(told[2].replace(",", "")) > 0
